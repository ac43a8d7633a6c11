/** `enlarger models get` and `devices get` list what can be fetched, and fetch it from its publisher. */
import { setTimeout as wait } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import {
  hasEnded,
  type Download,
  type ObtainableFile,
  type ObtainableModel,
} from '../../contract/models/obtainable.ts';
import type { Client } from '../../client/client.ts';
import { readAll } from '../../client/read-all.ts';
import { importLine } from './import-progress.ts';
import type { DownloadCalls } from '../../client/model-calls.ts';

const million = 1e6;
const retryMs = 500;

/** These facts about a model or a device's files are printed before anything is fetched. */
type FetchNotice = Pick<ObtainableModel, 'licence' | 'files'>;

/** Fetches a model; without an id it only lists what can be fetched. An interruption cancels the download. */
export async function getModel(
  client: Client,
  modelId: string | undefined,
  signal: AbortSignal,
): Promise<number> {
  const { models } = await client.obtainable();
  if (modelId === undefined) {
    if (models.length === 0) console.error('There are no models to fetch.');
    for (const model of models) console.log(`${model.id.padEnd(26)} ${lineOf(model)}`);
    return 0;
  }
  const model = models.find(({ id }) => id === modelId);
  return getThing(client.modelDownloads, modelId, model, signal);
}

/** Fetches a model or a device's files, after it has printed what is known of them. */
export async function getThing(
  calls: DownloadCalls,
  id: string,
  thing: FetchNotice | undefined,
  signal: AbortSignal,
): Promise<number> {
  for (const file of thing?.files ?? []) console.error(announced(thing?.licence ?? '', file));
  const stop = () => void calls.cancel(id).catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  await calls.start(id);
  const ended = await followDownload(calls, id, saying());
  if (ended.state === 'finished') console.log(`Added ${ended.addedId ?? id}.`);
  else console.error(ended.message ?? 'The download was cancelled; what came stays.');
  return ended.state === 'finished' ? 0 : 1;
}

/**
 * Passes on each state of a download that was begun, and resolves with the last one. A stream that breaks is
 * opened again. The promise rejects when the service does not answer then, or no longer knows the download.
 */
async function followDownload(
  calls: Pick<DownloadCalls, 'events'>,
  id: string,
  onState: (download: Download) => void,
): Promise<Download> {
  for (;;) {
    let last: Download | undefined;
    const parser = createParser({
      onEvent({ data }) {
        last = JSON.parse(data) as Download;
        onState(last);
      },
    });
    const response = await calls.events(id);
    // A stream that breaks is opened again, and that tells whether the service is still there.
    await readAll(response, (text) => parser.feed(text)).catch(() => undefined);
    if (last !== undefined && hasEnded(last)) return last;
    await wait(retryMs);
  }
}

/** Describes a file by its host, size, hash and licence. */
function announced(licence: string, { urls, sizeBytes, sha256 }: ObtainableFile): string {
  const size = sizeBytes === undefined ? 'size not published' : megabytes(sizeBytes);
  const hosts = [...new Set(urls.map((url) => new URL(url).host))].join(', ');
  return `${hosts}: ${size}, SHA-256 ${sha256 ?? 'not published'}, ${licence}`;
}

function lineOf(model: ObtainableModel) {
  const { files, description, licence, trainingData } = model;
  const bytes = files.reduce((sum, { sizeBytes = NaN }) => sum + sizeBytes, 0);
  const size = Number.isNaN(bytes) ? '? MB' : megabytes(bytes);
  return `${size.padStart(7)}  ${description} (${licence}; ${memoryOf(model)}; trained on: ${trainingData})`;
}

function memoryOf({ memoryMegabytes, memoryByOthers }: ObtainableModel): string {
  if (memoryMegabytes === undefined) return 'its memory was not measured';
  const byWhom = memoryByOthers ? ', as others measured it' : '';
  return `takes about ${memoryMegabytes} MB of memory${byWhom}`;
}

const megabytes = (bytes: number) => `${Math.round(bytes / million)} MB`;

/** Creates a printer of a download's states; each is printed once. */
function saying(): (download: Download) => void {
  let said = '';
  return (now) => {
    if (hasEnded(now)) return;
    const line = progressOf(now);
    if (line !== said) console.error(line);
    said = line;
  };
}

function progressOf({ state, receivedBytes, totalBytes, importing }: Download): string {
  if (state === 'importing') return importing ? importLine(importing) : 'Trying it out.';
  if (totalBytes === undefined) return `${megabytes(receivedBytes)} are here.`;
  return `${Math.floor((10 * receivedBytes) / totalBytes) * 10} %`;
}
