/** `enlarger models get`: what can be had, and the way of one model from its publisher to here. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Download, ObtainableFile, ObtainableModel } from '../contract/obtainable.ts';
import type { Client } from '../client/client.ts';

const asksEveryMs = 500;
const million = 1e6;

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
  if (model) for (const file of model.files) console.error(announced(model, file));
  const stop = () => void client.cancelDownload(modelId).catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  const ended = await followed(client, await client.startDownload(modelId));
  if (ended.state === 'finished') console.log(`Added ${ended.addedId ?? modelId}.`);
  else console.error(ended.message ?? 'The download was cancelled; what came stays.');
  return ended.state === 'finished' ? 0 : 1;
}

/** Host, size, hash and licence, before anything comes. */
function announced({ licence }: ObtainableModel, { urls, sizeBytes, sha256 }: ObtainableFile) {
  const size = sizeBytes === undefined ? 'size not published' : megabytes(sizeBytes);
  const hosts = urls.map((url) => new URL(url).host).join(', ');
  return `${hosts}: ${size}, SHA-256 ${sha256 ?? 'not published'}, ${licence}`;
}

function lineOf({ files, description, licence, trainingData }: ObtainableModel): string {
  const size = files.reduce((sum, { sizeBytes = 0 }) => sum + sizeBytes, 0);
  return `${megabytes(size).padStart(7)}  ${description} (${licence}; trained on: ${trainingData})`;
}

const megabytes = (bytes: number) => `${Math.round(bytes / million)} MB`;

async function followed(client: Client, begun: Download): Promise<Download> {
  let now = begun;
  let said = '';
  while (now.state === 'fetching' || now.state === 'importing') {
    const line = progressOf(now);
    if (line !== said) console.error(line);
    said = line;
    await wait(asksEveryMs);
    now = await client.downloadOf(begun.modelId);
  }
  return now;
}

function progressOf({ state, receivedBytes, totalBytes }: Download): string {
  if (state === 'importing') return 'Trying it out.';
  if (totalBytes === undefined) return `${megabytes(receivedBytes)} are here.`;
  return `${Math.floor((10 * receivedBytes) / totalBytes) * 10} %`;
}
