/**
 * This storage is a folder that all machines see, such as a NAS. Files are written under a temporary
 * name, closed and renamed. They are not synced: a file that a power cut damaged fails its hash, and
 * the task is done elsewhere.
 */
import { randomBytes } from 'node:crypto';
import { access, constants, mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { OwnWords } from '../../../contract/faults.ts';
import { EnlargerError } from '../../../contract/errors.ts';
import { hasCode } from '../../../files/file-errors.ts';
import { assertName, type PoolStorage } from './storage.ts';

export function createFolderStorage(folder: string): PoolStorage {
  const pathOf = (name: string) => {
    assertName(name);
    return path.join(folder, ...name.split('/'));
  };
  return {
    async write(name, bytes, signal) {
      const to = pathOf(name);
      signal.throwIfAborted();
      await makeLevels(folder, name);
      const temporary = `${to}.${randomBytes(6).toString('hex')}.part`;
      const file = (await open(temporary, 'wx')).createWriteStream();
      const closed = new Promise<void>((resolve) => file.once('close', resolve));
      try {
        await pipeline(bytes, file, { signal });
        // A network file system has all bytes only once the file is closed.
        await closed;
        await rename(temporary, to);
      } catch (thrown) {
        await closed;
        await rm(temporary, { force: true });
        throw thrown;
      }
    },
    async read(name) {
      const from = pathOf(name);
      try {
        return (await open(from, 'r')).createReadStream();
      } catch (cause) {
        throw new EnlargerError(
          'SOURCE_UNREACHABLE',
          `The pool's file ${name} is not in ${folder}.`,
          { cause },
        );
      }
    },
    async removeAll(prefix) {
      const whole = pathOf(prefix);
      await rm(whole, { recursive: true, force: true });
      await removeEmpty(path.dirname(whole), folder);
    },
    async list(prefix) {
      try {
        return await readdir(pathOf(prefix));
      } catch (thrown) {
        if (hasCode(thrown, ['ENOENT'])) return [];
        throw thrown;
      }
    },
    async check() {
      try {
        if (!(await stat(folder)).isDirectory()) throw new OwnWords('It is not a folder.');
        await access(folder, constants.R_OK | constants.W_OK);
      } catch (cause) {
        throw new EnlargerError(
          'CANNOT_WRITE',
          `The pool's folder ${folder} is not there or cannot be written. Mount the share, or choose another folder.`,
          { cause },
        );
      }
    },
    close: () => undefined,
  };
}

/**
 * Makes the folders one by one, because Node's own recursion never ends where a folder exists and none
 * can be made in it (/proc).
 */
async function makeLevels(folder: string, name: string): Promise<void> {
  let at = folder;
  for (const level of name.split('/').slice(0, -1)) {
    at = path.join(at, level);
    await mkdir(at).catch((thrown: unknown) => {
      if (!hasCode(thrown, ['EEXIST'])) throw thrown;
    });
  }
}

/**
 * Removes empty folders up to, but without, the folder that was chosen. Another machine may put a
 * file there at that moment.
 */
async function removeEmpty(dir: string, folder: string): Promise<void> {
  for (let at = dir; at !== folder && at.startsWith(folder + path.sep); at = path.dirname(at)) {
    try {
      await rmdir(at);
    } catch (thrown) {
      if (hasCode(thrown, ['ENOTEMPTY', 'EEXIST', 'ENOENT', 'EPERM', 'EBUSY'])) return;
      throw thrown;
    }
  }
}
