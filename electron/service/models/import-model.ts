/**
 * Imports models from a person's files: received, imported in a process of their own, stored. One import at a
 * time.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import type { OnImportProgress } from '../../../packages/contract/src/models/import-progress.ts';
import type { ModelDescriptor } from '../../../packages/contract/src/models/model.ts';
import type { ImportedNetwork, ImportRequest } from '../../engine/host/import-host.ts';
import { omitUndefined } from '../../../packages/contract/src/pick-defined.ts';
import { receiveFile } from '../sources/received-file.ts';
import type { ModelFacts, AddedModelStore } from './added-models.ts';

export interface SentFile {
  name: string;
  chunks: AsyncIterable<Uint8Array>;
}

/** Files arrive one after the other; `about` is complete after the last one. */
export interface SentModel {
  files: AsyncIterable<SentFile>;
  about(): ModelFacts;
}

export interface ModelImporter {
  /** @throws EnlargerError MODEL_REFUSED with the reason, INVALID_REQUEST, PAYLOAD_TOO_LARGE, CANCELLED */
  importSent(
    sent: SentModel,
    signal: AbortSignal,
    onProgress?: OnImportProgress,
  ): Promise<ModelDescriptor>;
  /** Imports files that are on disk; they stay there. Throws like `importSent`. */
  importFiles(
    files: ImportRequest['files'],
    about: ModelFacts,
    signal: AbortSignal,
    onProgress?: OnImportProgress,
  ): Promise<ModelDescriptor>;
  /** Imports one model with weights mixed from two. Throws like `importSent`. */
  blend(
    files: ImportRequest['files'],
    blend: NonNullable<ImportRequest['blend']>,
    about: ModelFacts,
    signal: AbortSignal,
  ): Promise<ModelDescriptor>;
  /** Cancels running and waiting imports. */
  close(): void;
}

type ImportNetwork = (
  request: ImportRequest,
  signal: AbortSignal,
  onProgress?: OnImportProgress,
) => Promise<ImportedNetwork>;

/** Limit of onnxruntime: 2 GB. */
const maxFileBytes = 2 ** 31 - 1;
const maxFiles = 16;
const maxNameLength = 200;

export function createModelImporter(store: AddedModelStore, run: ImportNetwork): ModelImporter {
  const closing = new AbortController();
  let last: Promise<unknown> = Promise.resolve();
  let pending = 0;
  const inTurn = <T>(work: () => Promise<T>, onProgress?: OnImportProgress): Promise<T> => {
    if (pending > 0) onProgress?.({ step: 'waiting', runs: 0 });
    pending += 1;
    const turn = last.then(work, work);
    last = turn.catch(() => undefined).finally(() => (pending -= 1));
    return turn;
  };
  const inStaging = async <T>(work: (folder: string) => Promise<T>): Promise<T> => {
    const folder = await store.stagingFolder();
    try {
      return await work(folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
  const importFrom = (
    files: ImportRequest['files'],
    about: ModelFacts,
    toFolder: string,
    callerSignal: AbortSignal,
    { blend, onProgress }: { blend?: ImportRequest['blend']; onProgress?: OnImportProgress } = {},
  ) =>
    inTurn(async () => {
      const signal = AbortSignal.any([callerSignal, closing.signal]);
      if (signal.aborted) throw new EnlargerError('CANCELLED', 'The import was cancelled.');
      const request = { files, toFolder, ...(blend && { blend }) };
      return store.add(await run(request, signal, onProgress), about);
    }, onProgress);
  return {
    close: () => closing.abort(),
    importSent: (sent, signal, onProgress) =>
      inStaging(async (folder) => {
        const files = await receive(sent.files, folder, signal);
        return importFrom(files, sent.about(), folder, signal, omitUndefined({ onProgress }));
      }),
    blend: (files, blend, about, signal) =>
      inStaging((folder) => importFrom(files, about, folder, signal, { blend })),
    importFiles: (files, about, signal, onProgress) =>
      inStaging((folder) =>
        importFrom(files, about, folder, signal, omitUndefined({ onProgress })),
      ),
  };
}

/** Files are numbered, so that sent names choose no paths. */
async function receive(
  sent: AsyncIterable<SentFile>,
  folder: string,
  signal: AbortSignal,
): Promise<ImportRequest['files']> {
  const files: ImportRequest['files'] = [];
  for await (const { name, chunks } of sent) {
    if (files.length === maxFiles)
      throw new EnlargerError(
        'INVALID_REQUEST',
        `Expected at most ${maxFiles} files of one model.`,
      );
    const path = join(folder, `given-${files.length}`);
    await receiveFile(path, chunks, {
      maxBytes: maxFileBytes,
      tooLarge: 'PAYLOAD_TOO_LARGE',
      tooLargeSentence: `${lastPart(name)} is larger than ${maxFileBytes} bytes; networks of that size cannot be run.`,
      signal,
    });
    files.push({ name: lastPart(name), path });
  }
  if (files.length === 0)
    throw new EnlargerError('INVALID_REQUEST', 'Expected the files of a model but received none.');
  return files;
}

function lastPart(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  return last.replace(/\p{Cc}/gu, '').slice(-maxNameLength) || 'file';
}
