/** Downloads of models: one for each, however many ask; its files fetched, then imported, its state told to who listens. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EnlargerError } from '../../../contract/errors.ts';
import type { Download, ObtainableModel } from '../../../contract/obtainable.ts';
import type { ModelBringer } from '../bring-model.ts';
import { fetchFile } from './fetch-file.ts';

export interface Downloads {
  readonly models: readonly ObtainableModel[];
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
  close(): Promise<void>;
}

export interface DownloadDeps {
  models: readonly ObtainableModel[];
  bringer: Pick<ModelBringer, 'bringFiles'>;
  /** A folder for what is not complete yet. */
  folder: string;
  /** An address in whose place all files are looked for first; empty: none. */
  mirror(): string;
  pauseMs?: number;
}

interface Running {
  download: Download;
  controller: AbortController;
  listeners: Set<(download: Download) => void>;
  done: Promise<void>;
}

export const hasEnded = ({ state }: Download) => state !== 'fetching' && state !== 'importing';

export function createDownloads(deps: DownloadDeps): Downloads {
  const running = new Map<string, Running>();
  const tell = (one: Running, change: Partial<Download>) => {
    one.download = { ...one.download, ...change };
    for (const listener of one.listeners) listener(one.download);
  };
  return {
    models: deps.models,
    start(modelId) {
      const model = modelOf(deps.models, modelId);
      const known = running.get(modelId);
      if (known && !hasEnded(known.download)) return known.download;
      const controller = new AbortController();
      const total = model.files.reduce((sum, { sizeBytes = NaN }) => sum + sizeBytes, 0);
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
      one.done = obtain(deps, model, controller.signal, (change) => tell(one, change));
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
    async close() {
      for (const { controller } of running.values()) controller.abort();
      await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}

function modelOf(models: readonly ObtainableModel[], modelId: string): ObtainableModel {
  const found = models.find(({ id }) => id === modelId);
  if (found) return found;
  throw new EnlargerError(
    'NOT_FOUND',
    `There is no model ${modelId} to get. There are ${models.map(({ id }) => id).join(', ') || 'none'}.`,
  );
}

/** Never rejects: how it ended is its state. */
async function obtain(
  deps: DownloadDeps,
  model: ObtainableModel,
  signal: AbortSignal,
  tell: (change: Partial<Download>) => void,
): Promise<void> {
  const folder = join(deps.folder, model.id);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const files: { name: string; path: string }[] = [];
    let before = 0;
    for (const file of model.files) {
      const path = join(folder, file.name);
      const urls = [...mirrored(deps.mirror(), file.name), ...file.urls];
      let received = 0;
      await fetchFile({
        file: { ...file, urls },
        toPath: path,
        signal,
        ...(deps.pauseMs !== undefined && { pauseMs: deps.pauseMs }),
        onProgress(bytes) {
          received = bytes;
          tell({ receivedBytes: before + bytes });
        },
      });
      before += received;
      files.push({ name: file.name, path });
    }
    tell({ state: 'importing' });
    const { name, description, licence, author, trainingData } = model;
    const about = { name, description, licence, author, trainedOn: trainingData };
    const added = await deps.bringer.bringFiles(files, about, signal);
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
