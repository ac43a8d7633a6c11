/**
 * Files of results: `results/<taskId>/<attempt>.<ext>` and its thumbnail. Files that end in .part are
 * unpublished. Names contain the attempt, so attempts never share files. The folder also holds the task's
 * views; names that begin with `source` belong to the source and are kept across attempts.
 */
import { failpoint } from '../../engine/protocol/failpoints.ts';
import { access, constants, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import {
  formats,
  isOutputFormat,
  type OutputFormat,
} from '../../../packages/contract/src/formats.ts';
import type { ViewPaths } from '../../engine/protocol/messages.ts';
import type { RunReport } from '../../engine/protocol/run-report.ts';
import type { ResultFiles, ResultManifest } from '../store/tasks/task.ts';
import { renameWithRetry } from '../../../packages/files/src/clear-away.ts';
import { hasCode } from '../../../packages/files/src/file-errors.ts';
import { openPlainFile, readPlainFile } from '../../../packages/files/src/plain-file.ts';
import { syncFile, syncFolder } from '../../../packages/files/src/sync.ts';

/** Absolute temporary paths that the engine writes to. */
export interface ResultPaths {
  imagePath: string;
  thumbPath: string;
}

export interface Results {
  pathsFor(taskId: string, attempt: number): ResultPaths;
  /** Paths of the views of the source and of an attempt's result. Each file may be missing. */
  viewPaths(taskId: string, attempt: number): ViewPaths;
  /** Deletes files of earlier attempts, except the source's views. */
  prepare(taskId: string, attempt: number): Promise<ResultPaths>;
  /**
   * Syncs both files, renames them into place and syncs the folder: durable when this resolves.
   * @param format as in the engine's report
   */
  publish(taskId: string, attempt: number, format: string): Promise<ResultFiles>;
  /** Records a published result whose export failed, so that a retry only exports. */
  writePendingExport(taskId: string, readPendingExport: PendingExport): Promise<void>;
  /** Returns undefined if no export is pending. */
  readPendingExport(taskId: string): Promise<PendingExport | undefined>;
  /** Writes the task's manifest beside its result, from which a lost row is restored. */
  writeManifest(taskId: string, manifest: ResultManifest): Promise<void>;
  /** Returns undefined if there is no manifest, or a file that it names is missing. */
  readManifest(taskId: string): Promise<ResultManifest | undefined>;
  /** Absolute path of a published file. */
  pathOf(taskId: string, name: string): string;
  /** Deletes the files of all attempts; the source's views stay. */
  discard(taskId: string): Promise<void>;
  /** Deletes the task's folder if it exists. */
  remove(taskId: string): Promise<void>;
  /** Ids of the tasks that have a folder. */
  taskIds(): Promise<string[]>;
}

export interface PendingExport {
  /** Operation and options that determine the pixels; if they changed, the result is made again. */
  madeBy?: string;
  files: ResultFiles;
  jobReport: RunReport;
}

const pendingName = 'kept.json';
const manifestName = 'task.json';

/** @param folder absolute; created if missing */
export function createResults(folder: string): Results {
  const folderOf = (taskId: string) => join(folder, taskId);
  const pathsFor = (taskId: string, attempt: number) => ({
    imagePath: join(folderOf(taskId), `${attempt}.part`),
    thumbPath: join(folderOf(taskId), `${attempt}-thumb.part`),
  });
  const remove = (taskId: string) => rm(folderOf(taskId), { recursive: true, force: true });
  const discard = async (taskId: string) => {
    const names = await namesIn(folderOf(taskId));
    const obsolete = names.filter((name) => !isSourceView(name));
    if (obsolete.length === names.length) return remove(taskId);
    for (const name of obsolete)
      await rm(join(folderOf(taskId), name), { recursive: true, force: true });
  };
  return {
    pathsFor,
    viewPaths: (taskId, attempt) => ({
      sourceThumbPath: join(folderOf(taskId), 'source-thumb.webp'),
      sourceTilesPath: join(folderOf(taskId), 'source-tiles.zip'),
      resultTilesPath: join(folderOf(taskId), `${attempt}-tiles.zip`),
      metadataPath: join(folderOf(taskId), `${attempt}-metadata.json`),
      changesPath: join(folderOf(taskId), `${attempt}-changes.png`),
      maskPath: join(folderOf(taskId), `${attempt}-mask.png`),
    }),
    remove,
    discard,
    pathOf: (taskId, name) => join(folderOf(taskId), name),
    async writePendingExport(taskId, kept) {
      await writeSynced(join(folderOf(taskId), pendingName), kept);
    },
    async readPendingExport(taskId) {
      try {
        const text = await readPlainFile(join(folderOf(taskId), pendingName), maxManifestBytes);
        const pending = JSON.parse(text.toString()) as PendingExport;
        return areOwnNames(pending.files) ? pending : undefined;
      } catch {
        return undefined;
      }
    },
    async writeManifest(taskId, manifest) {
      await writeSynced(join(folderOf(taskId), manifestName), manifest);
    },
    async readManifest(taskId) {
      try {
        const manifest = JSON.parse(
          (await readPlainFile(join(folderOf(taskId), manifestName), maxManifestBytes)).toString(),
        ) as ResultManifest;
        for (const { name } of [manifest.files.image, manifest.files.thumb])
          await access(join(folderOf(taskId), name));
        const isOwn = manifest.taskId === taskId && areOwnNames(manifest.files);
        return isOwn ? manifest : undefined;
      } catch {
        return undefined;
      }
    },
    async prepare(taskId, attempt) {
      await discard(taskId);
      await mkdir(folderOf(taskId), { recursive: true, mode: 0o700 });
      return pathsFor(taskId, attempt);
    },
    async publish(taskId, attempt, format) {
      const { imagePath, thumbPath } = pathsFor(taskId, attempt);
      const image = fileTypeOf(format);
      const thumb = fileTypeOf(thumbFormat);
      const files = {
        image: { name: `${attempt}.${image.ext}`, type: image.type },
        thumb: { name: `${attempt}-thumb.${thumb.ext}`, type: thumb.type },
      };
      await Promise.all([syncPlainFile(imagePath), syncPlainFile(thumbPath)]);
      await renameWithRetry(imagePath, join(folderOf(taskId), files.image.name));
      failpoint('image-renamed');
      await renameWithRetry(thumbPath, join(folderOf(taskId), files.thumb.name));
      await syncFolder(folderOf(taskId));
      await syncFolder(folder);
      return files;
    },
    taskIds: async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return readdir(folder);
    },
  };
}

/** Format of all thumbnails. */
export const thumbFormat: OutputFormat = 'webp';

function fileTypeOf(format: string): { type: string; ext: string } {
  if (!isOutputFormat(format)) return { type: 'application/octet-stream', ext: 'bin' };
  const { mimeType, endings } = formats[format];
  return { type: mimeType, ext: endings[0] };
}

/** Far above any report with the strokes of its task. */
const maxManifestBytes = 64 * 1024 * 1024;

/** Processes with decoders can write into the folder, so a name there could lead out of it. */
const areOwnNames = ({ image, thumb }: ResultFiles): boolean =>
  [image, thumb].every(({ name }) => name === basename(name) && name !== '..');

/** @throws LedOutside for a link that a process with decoders left in place of its result */
async function syncPlainFile(path: string): Promise<void> {
  const file = await openPlainFile(path, constants.O_RDWR);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

const isSourceView = (name: string) => name.startsWith('source-');

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (hasCode(error, ['ENOENT'])) return [];
    throw error;
  }
}

async function writeSynced(path: string, content: object): Promise<void> {
  await writeFile(path, JSON.stringify(content), { mode: 0o600 });
  await syncFile(path);
}
