/** `enlarger models get` and `devices get` list what can be fetched, and fetch it from its publisher. */
import { setTimeout as wait } from 'node:timers/promises';
import { InvalidArgumentError } from 'commander';
import { createParser } from 'eventsource-parser';
import type {
  Download,
  MachineKind,
  ObtainableFile,
  ObtainableModel,
} from '../../../contract/src/models/obtainable.ts';
import { downloadBytes, hasEnded } from '../../../contract/src/models/downloads.ts';
import type { Client } from '../../../api-client/src/client.ts';
import { readAll } from '../../../api-client/src/read-all.ts';
import { padStart, widestOf } from '../columns.ts';
import { importLine } from './import-progress.ts';
import { loadPurposes } from './purposes.ts';
import type { DownloadCalls } from '../../../api-client/src/model-calls.ts';
import { t } from '../text.ts';

const million = 1e6;
const retryMs = 500;

/** These facts about a model or a device's files are printed before anything is fetched. */
type FetchNotice = Pick<ObtainableModel, 'licence' | 'files'>;

/** Asked once what would be fetched is printed. */
export type MayFetch = (signal: AbortSignal) => Promise<boolean>;

/** In place of an id: the set for this machine. */
const recommendedId = 'recommended';

/**
 * Fetches a model, or the recommended set if it may; without an id it only lists what can be fetched. An interruption cancels the
 * download.
 *
 * @throws InvalidArgumentError for a model that cannot be fetched
 */
export async function getModel(
  client: Client,
  modelId: string | undefined,
  signal: AbortSignal,
  mayFetch: MayFetch = () => Promise.resolve(true),
): Promise<number> {
  if (modelId === recommendedId) return getRecommended(client, signal, mayFetch);
  const { models } = await client.obtainable();
  if (modelId === undefined) {
    if (models.length === 0) console.error(t('There are no models to fetch.'));
    const purposes = await loadPurposes();
    for (const model of models)
      console.log(`${model.id.padEnd(26)} ${lineOf(model, purposes.summary(model))}`);
    return 0;
  }
  const model = models.find(({ id }) => id === modelId);
  if (model === undefined)
    throw new InvalidArgumentError(
      t('`{command}` lists no {id}.', { command: 'enlarger models get', id: modelId }),
    );
  return getThing(client.modelDownloads, modelId, model, signal);
}

const recommendations = (): Record<MachineKind, string> => ({
  cpu: t('Recommended for a machine whose networks run on its processor:'),
  integrated: t('Recommended for a machine with built-in graphics:'),
  card: t('Recommended for a machine with this graphics card:'),
  apple: t('Recommended for a Mac with Apple silicon:'),
});

/** Fetches the models of the set that are missing, after it has printed them, their sizes and what happens then. */
async function getRecommended(
  client: Client,
  signal: AbortSignal,
  mayFetch: MayFetch,
): Promise<number> {
  const set = await client.recommended();
  const { models, installedIds, machine, missingBytes, defaultWithinSeconds } = set;
  console.error(recommendations()[machine]);
  const purposes = await loadPurposes();
  const sizes = models.map((model) =>
    installedIds.includes(model.id) ? t('installed') : sizeOf(model),
  );
  for (const [place, model] of models.entries()) {
    const size = padStart(sizes[place] ?? '', widestOf(sizes));
    console.error(`  ${size}  ${model.name}: ${purposes.bestFor(model)} (${model.licence})`);
  }
  const missing = models.filter(({ id }) => !installedIds.includes(id));
  if (missing.length === 0) {
    console.error(t('There is nothing to fetch.'));
    return 0;
  }
  console.error(t('To fetch: {size}.', { size: megabytes(missingBytes) }));
  for (const { name, task } of missing.filter(({ mayBeDefault }) => mayBeDefault))
    console.error(
      t(
        '{model} becomes the default of its task if a photo of 12 megapixels takes at most {seconds} s here, and no other was chosen.',
        { model: name, seconds: defaultWithinSeconds[task] },
      ),
    );
  if (!(await mayFetch(signal))) {
    console.error(t('Nothing was fetched.'));
    return 1;
  }
  const calls = client.modelDownloads;
  const stop = () => {
    for (const { id } of missing) void calls.cancel(id).catch(() => undefined);
  };
  signal.addEventListener('abort', stop, { once: true });
  for (const { licence, files } of missing)
    for (const file of files) console.error(announced(licence, file));
  await client.fetchRecommended();
  let failed = 0;
  for (const { id, name } of missing) {
    console.error(`${name}:`);
    if (!hasFinished(await followDownload(calls, id, saying()), id)) failed += 1;
  }
  return failed === 0 ? 0 : 1;
}

/** Prints how a download ended. */
function hasFinished({ state, addedId, message }: Download, id: string): boolean {
  if (state === 'finished') console.log(t('Added {id}.', { id: addedId ?? id }));
  else console.error(message ?? t('The download was cancelled; what came stays.'));
  return state === 'finished';
}

/** Fetches a model or a device's files, after it has printed what is known of them. */
export async function getThing(
  calls: DownloadCalls,
  id: string,
  { licence, files }: FetchNotice,
  signal: AbortSignal,
): Promise<number> {
  for (const file of files) console.error(announced(licence, file));
  const stop = () => void calls.cancel(id).catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  await calls.start(id);
  return hasFinished(await followDownload(calls, id, saying()), id) ? 0 : 1;
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
  const size = sizeBytes === undefined ? t('size not published') : megabytes(sizeBytes);
  const hosts = [...new Set(urls.map((url) => new URL(url).host))].join(', ');
  return `${hosts}: ${size}, SHA-256 ${sha256 ?? t('not published')}, ${licence}`;
}

function lineOf(model: ObtainableModel, summary: string) {
  const { licence, trainingData, speedClass } = model;
  return `${sizeOf(model).padStart(7)}  ${summary} (${speedClass}; ${licence}; ${memoryOf(model)}; ${t('trained on: {data}', { data: trainingData })})`;
}

function sizeOf(model: ObtainableModel): string {
  const bytes = downloadBytes(model);
  return bytes === undefined ? '? MB' : megabytes(bytes);
}

function memoryOf({ memoryMegabytes, memoryByOthers }: ObtainableModel): string {
  if (memoryMegabytes === undefined) return t('its memory was not measured');
  const size = `${memoryMegabytes} MB`;
  return memoryByOthers
    ? t('takes about {size} of memory, as others measured it', { size })
    : t('takes about {size} of memory', { size });
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
  if (state === 'importing') return importing ? importLine(importing) : t('Trying it out.');
  if (totalBytes === undefined) return t('{size} are here.', { size: megabytes(receivedBytes) });
  return `${Math.floor((10 * receivedBytes) / totalBytes) * 10} %`;
}
