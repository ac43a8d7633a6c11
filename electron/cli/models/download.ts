/** `enlarger models get` and `enlarger devices get`: what can be had, and its way from its publisher to here. */
import {
  hasEnded,
  type Download,
  type ObtainableFile,
  type ObtainableModel,
} from '../../contract/obtainable.ts';
import type { Client } from '../../client/client.ts';
import { followDownload } from '../../client/follow-download.ts';
import type { DownloadCalls } from '../../client/model-calls.ts';

const million = 1e6;

/** What is said of a thing before it comes. */
type Announced = Pick<ObtainableModel, 'licence' | 'files'>;

/** Without an id it lists what there is, and fetches nothing. An interruption cancels the download. */
export async function getModel(
  client: Client,
  modelId: string | undefined,
  signal: AbortSignal,
): Promise<number> {
  const { models } = await client.obtainable();
  if (modelId === undefined) {
    for (const model of models) console.log(`${model.id.padEnd(26)} ${lineOf(model)}`);
    return 0;
  }
  const model = models.find(({ id }) => id === modelId);
  return getThing(client.modelDownloads, modelId, model, signal);
}

/** What is known of it is said before anything comes. */
export async function getThing(
  calls: DownloadCalls,
  id: string,
  thing: Announced | undefined,
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

/** Host, size, hash and licence, before anything comes. */
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

/** Says each part of its way once. */
function saying(): (download: Download) => void {
  let said = '';
  return (now) => {
    if (hasEnded(now)) return;
    const line = progressOf(now);
    if (line !== said) console.error(line);
    said = line;
  };
}

function progressOf({ state, receivedBytes, totalBytes }: Download): string {
  if (state === 'importing') return 'Trying it out.';
  if (totalBytes === undefined) return `${megabytes(receivedBytes)} are here.`;
  return `${Math.floor((10 * receivedBytes) / totalBytes) * 10} %`;
}
