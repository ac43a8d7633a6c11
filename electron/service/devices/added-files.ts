/**
 * Imported device libraries. An archive is verified and unpacked, and its files are put in place only when
 * complete. One set is installed at a time.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import type { DeviceFiles } from '../../../packages/contract/src/models/obtainable.ts';
import { asStorageFull } from '../../../packages/files/src/file-errors.ts';
import { requiredFiles, onnxruntimeVersion } from './known-files.ts';
import { unpackFiles } from './unpack-tar.ts';

export interface AddedDeviceFiles {
  /** Id of the installed set; undefined if there is none. */
  readonly installedId: string | undefined;
  /** Folder with the installed set's libraries. */
  readonly folder: string | undefined;
  /**
   * Installs from an archive on disk, which stays. `sha256` was computed on arrival.
   * @throws EnlargerError INVALID_REQUEST, CANCELLED, STORAGE_FULL
   */
  install(
    files: DeviceFiles,
    archive: { path: string; sha256: string },
    signal: AbortSignal,
  ): Promise<{ id: string }>;
  /** Deletes the installed set. @throws EnlargerError NOT_FOUND for any other id */
  remove(id: string): Promise<void>;
}

const nameOf = (id: string) => `${id}-${onnxruntimeVersion}`;

/**
 * Opens the folder; deletes sets of another onnxruntime version and unfinished ones. `onChange` is called
 * when a set is installed or deleted.
 */
export async function openAddedDeviceFiles(
  root: string,
  known: readonly DeviceFiles[],
  onChange: () => void = () => undefined,
): Promise<AddedDeviceFiles> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  const names = new Map(known.map(({ id }) => [nameOf(id), id]));
  const there = (await readdir(root)).toSorted();
  const [used] = there.filter((name) => names.has(name) && isComplete(join(root, name)));
  let installedId = used === undefined ? undefined : names.get(used);
  for (const name of there)
    if (name !== used && name !== 'downloads') await rm(join(root, name), { recursive: true });
  return {
    get installedId() {
      return installedId;
    },
    get folder() {
      return installedId === undefined ? undefined : join(root, nameOf(installedId));
    },
    async install(files, archive, signal) {
      assertPublished(files, archive.sha256);
      const half = join(root, `unpacking-${randomUUID()}`);
      await mkdir(half, { mode: 0o700 });
      try {
        await unpackFiles(archive.path, requiredFiles, half, signal);
        const before = installedId;
        installedId = undefined;
        for (const id of new Set([before, files.id]))
          if (id !== undefined) await rm(join(root, nameOf(id)), { recursive: true, force: true });
        await rename(half, join(root, nameOf(files.id)));
        installedId = files.id;
        onChange();
      } catch (error) {
        await rm(half, { recursive: true, force: true });
        throw asStorageFull(error);
      }
      return { id: files.id };
    },
    async remove(id) {
      if (id !== installedId)
        throw new EnlargerError('NOT_FOUND', `Files ${id} are not installed.`);
      installedId = undefined;
      onChange();
      await rm(join(root, nameOf(id)), { recursive: true, force: true });
    },
  };
}

const isComplete = (folder: string) =>
  requiredFiles.every((name) => existsSync(join(folder, name)));

/** Verifies the hash, because the archive's code will be executed. */
function assertPublished({ name, files }: DeviceFiles, found: string): void {
  const [expected] = files;
  if (found === expected?.sha256) return;
  throw new EnlargerError(
    'INVALID_REQUEST',
    `Expected ${expected?.name ?? name} with SHA-256 ${expected?.sha256 ?? ''}, found ${found}. Get the file anew and add that.`,
  );
}
