/**
 * Downloads of models and device files. One download per item, however many callers; its files are fetched,
 * then installed, and listeners follow its state.
 */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { OnImportProgress } from '../../../../packages/contract/src/models/import-progress.ts';
import { EnlargerError } from '../../../../packages/contract/src/errors.ts';
import type {
  Download,
  ObtainableFile,
} from '../../../../packages/contract/src/models/obtainable.ts';
import { hasEnded } from '../../../../packages/contract/src/models/downloads.ts';
import { fetchFile } from './fetch-file.ts';

interface Downloadable {
  id: string;
  files: ObtainableFile[];
}

export interface Downloads<Thing extends Downloadable = Downloadable> {
  readonly things: readonly Thing[];
  /** Starts a download or returns the running one. @throws EnlargerError NOT_FOUND */
  start(modelId: string): Download;
  /** All downloads since the service started. */
  list(): Download[];
  /** Returns undefined if none was started. */
  get(modelId: string): Download | undefined;
  /** Cancels a download; received bytes are kept for resuming. */
  cancel(modelId: string): void;
  /** Subscribes to one download. @returns the function that unsubscribes */
  subscribe(modelId: string, listener: (download: Download) => void): () => void;
  /** Subscribes to all downloads, including later ones. */
  subscribeAll: (listener: (download: Download) => void) => () => void;
  close(): Promise<void>;
}

export interface FetchedFile {
  name: string;
  path: string;
  sha256: string;
}

interface DownloadDeps<Thing extends Downloadable> {
  things: readonly Thing[];
  /** Installs the files, which are deleted afterwards. @returns the id of what was installed */
  install(
    thing: Thing,
    files: FetchedFile[],
    signal: AbortSignal,
    onProgress: OnImportProgress,
  ): Promise<{ id: string }>;
  /** Folder of incomplete downloads. */
  folder: string;
  /** URL under which all files are tried first; empty for none. */
  mirror(): string;
  /** Proxy URL; empty for that of the environment. */
  proxy(): string;
  pauseMs?: number;
}

interface DownloadRun {
  download: Download;
  controller: AbortController;
  listeners: Set<(download: Download) => void>;
  done: Promise<void>;
}

export function createDownloads<Thing extends Downloadable>(
  deps: DownloadDeps<Thing>,
): Downloads<Thing> {
  const running = new Map<string, DownloadRun>();
  const globalListeners = new Set<(download: Download) => void>();
  const update = (one: DownloadRun, change: Partial<Download>) => {
    one.download = { ...one.download, ...change };
    for (const listener of [...one.listeners, ...globalListeners]) listener(one.download);
  };
  return {
    things: deps.things,
    start(modelId) {
      const thing = thingOf(deps.things, modelId);
      const known = running.get(modelId);
      if (known && !hasEnded(known.download)) return known.download;
      const controller = new AbortController();
      const total = thing.files.reduce((sum, { sizeBytes = NaN }) => sum + sizeBytes, 0);
      const one: DownloadRun = {
        download: {
          modelId,
          state: 'fetching',
          receivedBytes: 0,
          ...(!Number.isNaN(total) && { totalBytes: total }),
        },
        controller,
        listeners: known?.listeners ?? new Set(),
        done: Promise.resolve(),
      };
      running.set(modelId, one);
      update(one, {});
      one.done = obtain(deps, thing, controller.signal, (change) => update(one, change));
      return one.download;
    },
    list: () => [...running.values()].map(({ download }) => download),
    get: (modelId) => running.get(modelId)?.download,
    cancel: (modelId) => running.get(modelId)?.controller.abort(),
    subscribe(modelId, listener) {
      const one = running.get(modelId);
      one?.listeners.add(listener);
      return () => void one?.listeners.delete(listener);
    },
    subscribeAll(listener) {
      globalListeners.add(listener);
      return () => void globalListeners.delete(listener);
    },
    async close() {
      for (const { controller } of running.values()) controller.abort();
      await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}

function thingOf<Thing extends Downloadable>(things: readonly Thing[], wanted: string): Thing {
  const found = things.find(({ id }) => id === wanted);
  if (found) return found;
  throw new EnlargerError(
    'NOT_FOUND',
    `There is no ${wanted} to get. There are ${things.map(({ id }) => id).join(', ') || 'none'}.`,
  );
}

/** Never rejects: the outcome is the download's state. */
async function obtain<Thing extends Downloadable>(
  deps: DownloadDeps<Thing>,
  thing: Thing,
  signal: AbortSignal,
  update: (change: Partial<Download>) => void,
): Promise<void> {
  const folder = join(deps.folder, thing.id);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const files: FetchedFile[] = [];
    let before = 0;
    for (const file of thing.files) {
      const path = join(folder, file.name);
      const urls = [...mirrored(deps.mirror(), file.name), ...file.urls];
      let received = 0;
      const sha256 = await fetchFile({
        file: { ...file, urls },
        toPath: path,
        signal,
        proxy: deps.proxy(),
        ...(deps.pauseMs !== undefined && { pauseMs: deps.pauseMs }),
        onProgress(bytes) {
          received = bytes;
          update({ receivedBytes: before + bytes });
        },
      });
      before += received;
      files.push({ name: file.name, path, sha256 });
    }
    update({ state: 'importing' });
    const added = await deps.install(thing, files, signal, (progress) =>
      update({ importing: progress }),
    );
    await rm(folder, { recursive: true, force: true });
    update({ state: 'finished', addedId: added.id });
  } catch (error) {
    if (signal.aborted) update({ state: 'cancelled' });
    else {
      const known = error instanceof EnlargerError;
      update({
        state: 'failed',
        message: known ? error.message : 'Something unexpected went wrong.',
      });
    }
  }
}

const mirrored = (mirror: string, name: string): string[] =>
  mirror === '' ? [] : [`${mirror.replace(/\/+$/, '')}/${encodeURIComponent(name)}`];
