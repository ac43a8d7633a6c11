/**
 * Downloads of models, or of what else has files: one for each, however many ask; its files fetched, then installed,
 * its state told to who listens.
 */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EnlargerError } from '../../../contract/errors.ts';
import { hasEnded, type Download, type ObtainableFile } from '../../../contract/obtainable.ts';
import { fetchFile } from './fetch-file.ts';

interface Obtainable {
  id: string;
  files: ObtainableFile[];
}

export interface Downloads<Thing extends Obtainable = Obtainable> {
  readonly things: readonly Thing[];
  /** Begins it, or answers the one that is under way. Throws NOT_FOUND. */
  start(modelId: string): Download;
  /** All that were begun since the service started, as they are now. */
  list(): Download[];
  /** Undefined when none was begun. */
  get(modelId: string): Download | undefined;
  /** What came stays, for the next time. */
  cancel(modelId: string): void;
  /** Told of each change until the answer is called. */
  subscribe(modelId: string, listener: (download: Download) => void): () => void;
  /** The same of all, those that begin later too. */
  subscribeAll: (listener: (download: Download) => void) => () => void;
  close(): Promise<void>;
}

export interface FetchedFile {
  name: string;
  path: string;
  sha256: string;
}

interface DownloadDeps<Thing extends Obtainable> {
  things: readonly Thing[];
  /** Answers the id under which it is there then. The files are removed afterwards. */
  install(thing: Thing, files: FetchedFile[], signal: AbortSignal): Promise<{ id: string }>;
  /** A folder for what is not complete yet. */
  folder: string;
  /** An address in whose place all files are looked for first; empty: none. */
  mirror(): string;
  /** The proxy that addresses are asked through; empty: what the environment says. */
  proxy(): string;
  pauseMs?: number;
}

interface Running {
  download: Download;
  controller: AbortController;
  listeners: Set<(download: Download) => void>;
  done: Promise<void>;
}

export function createDownloads<Thing extends Obtainable>(
  deps: DownloadDeps<Thing>,
): Downloads<Thing> {
  const running = new Map<string, Running>();
  const toldOfAll = new Set<(download: Download) => void>();
  const tell = (one: Running, change: Partial<Download>) => {
    one.download = { ...one.download, ...change };
    for (const listener of [...one.listeners, ...toldOfAll]) listener(one.download);
  };
  return {
    things: deps.things,
    start(modelId) {
      const thing = thingOf(deps.things, modelId);
      const known = running.get(modelId);
      if (known && !hasEnded(known.download)) return known.download;
      const controller = new AbortController();
      const total = thing.files.reduce((sum, { sizeBytes = NaN }) => sum + sizeBytes, 0);
      const one: Running = {
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
      tell(one, {});
      one.done = obtain(deps, thing, controller.signal, (change) => tell(one, change));
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
      toldOfAll.add(listener);
      return () => void toldOfAll.delete(listener);
    },
    async close() {
      for (const { controller } of running.values()) controller.abort();
      await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}

function thingOf<Thing extends Obtainable>(things: readonly Thing[], wanted: string): Thing {
  const found = things.find(({ id }) => id === wanted);
  if (found) return found;
  throw new EnlargerError(
    'NOT_FOUND',
    `There is no ${wanted} to get. There are ${things.map(({ id }) => id).join(', ') || 'none'}.`,
  );
}

/** Never rejects: how it ended is its state. */
async function obtain<Thing extends Obtainable>(
  deps: DownloadDeps<Thing>,
  thing: Thing,
  signal: AbortSignal,
  tell: (change: Partial<Download>) => void,
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
          tell({ receivedBytes: before + bytes });
        },
      });
      before += received;
      files.push({ name: file.name, path, sha256 });
    }
    tell({ state: 'importing' });
    const added = await deps.install(thing, files, signal);
    await rm(folder, { recursive: true, force: true });
    tell({ state: 'finished', addedId: added.id });
  } catch (error) {
    if (signal.aborted) tell({ state: 'cancelled' });
    else {
      const known = error instanceof EnlargerError;
      tell({ state: 'failed', message: known ? error.message : 'Something unexpected went wrong.' });
    }
  }
}

const mirrored = (mirror: string, name: string): string[] =>
  mirror === '' ? [] : [`${mirror.replace(/\/+$/, '')}/${encodeURIComponent(name)}`];
