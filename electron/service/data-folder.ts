/** Layout of the data folder and its lock: one service per folder. */
import { accessSync, constants, lstatSync, mkdirSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { reasonOf } from '../../packages/contract/src/error-messages.ts';
import { hasCode } from '../../packages/files/src/file-errors.ts';
import { assertAbsolutePath } from '../../packages/files/src/data-dir.ts';
import { makeLevels } from '../../packages/files/src/make-levels.ts';
import {
  DataFolderLocked,
  readServiceFile,
  removeServiceFile,
  type ServiceInfo,
  writeServiceFile,
} from '../../packages/files/src/service-file.ts';
import { takeFileLock } from './store/connection.ts';
import { damageOf } from './store/disk/rescue.ts';

/** Absolute paths. */
interface DataPaths {
  root: string;
  uploads: string;
  sources: string;
  scratch: string;
  results: string;
  /** Imported models. */
  models: string;
  /** Imported device libraries. */
  devices: string;
  engineCache: string;
  keyFile: string;
}

export interface DataFolder extends DataPaths {
  /** Writes the file by which other programs find the service. */
  writeServiceFile(info: ServiceInfo): void;
  /** Deletes service.json and releases the lock. */
  close(): void;
}

function dataPathsOf(dataDir: string): DataPaths {
  const root = resolve(dataDir);
  return {
    root,
    uploads: join(root, 'uploads'),
    sources: join(root, 'sources'),
    scratch: join(root, 'scratch'),
    results: join(root, 'results'),
    models: join(root, 'models'),
    devices: join(root, 'devices'),
    engineCache: join(root, 'engine-cache'),
    keyFile: join(root, 'cli.key'),
  };
}

/**
 * Creates the folder if missing and locks it until close(). The operating system releases the lock however
 * the process ends.
 * @throws Error a sentence, naming the holder if there is one
 */
export function openDataFolder(dataDir: string): DataFolder {
  assertAbsolutePath(dataDir);
  const paths = dataPathsOf(dataDir);
  const { root, uploads, sources, scratch, results, models, engineCache } = paths;
  const lock = usable(root, () => {
    for (const folder of [root, uploads, sources, scratch, results, models, engineCache]) {
      makeLevels(folder, 0o700);
      accessSync(folder, constants.R_OK | constants.W_OK);
    }
    return takeLock(root);
  });
  if (!lock) throw new DataFolderLocked(lockedSentence(paths));
  removeServiceFile(root);
  return {
    ...paths,
    writeServiceFile: (info) => writeServiceFile(root, info),
    close() {
      removeServiceFile(root);
      lock.release();
    },
  };
}

/** A damaged lock is moved aside: it holds no data, but would prevent every start. */
function takeLock(root: string) {
  const path = join(root, 'service.lock');
  try {
    return takeFileLock(path);
  } catch (thrown) {
    if (damageOf(thrown) === undefined && lstatSync(path).isFile()) throw thrown;
    // A running service's lock may be gone with its file's bytes, or be in the way of reading it.
    if (isAlive(readServiceFile(root)?.pid)) return undefined;
    const folder = join(
      root,
      'set-aside',
      `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-lock`,
    );
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    renameSync(path, join(folder, 'service.lock'));
    return takeFileLock(path);
  }
}

function isAlive(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // EPERM: a process of another user, which is alive.
    return hasCode(thrown, ['EPERM']);
  }
}

/** Turns system errors into sentences. */
function usable<T>(root: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (hasCode(error, ['EROFS', 'EACCES', 'EPERM']))
      throw new Error(
        `Expected the data folder ${root} to be writable, but it is read-only: ${reasonOf(error)}. Make it writable for this user, or choose another one with --data-dir.`,
        { cause: error },
      );
    const why = `The data folder ${root} cannot be used: ${reasonOf(error)}.`;
    throw new Error(`${why} Choose another one with --data-dir.`, { cause: error });
  }
}

function lockedSentence(paths: DataPaths): string {
  const holder = readServiceFile(paths.root);
  const who = holder
    ? `process ${holder.pid} at ${holder.url}`
    : 'another process that is just starting';
  return (
    `The data folder ${paths.root} is in use by another Enlarger service (${who}). ` +
    'Stop that one, or start this one with another --data-dir.'
  );
}
