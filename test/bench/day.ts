/**
 * What a photographer's day is told, and what it takes: `npm run bench:day -- FOLDER [photos]`. How soon a first
 * cut-out has seconds and how true they are, the time left of a batch of the folder's photographs as the page counts
 * it, of enlarged ones alone and of enlarged and cut out ones in several formats, and what cutting out and enlarging
 * costs in one run and in two. `--only first|time-left|mixed|raw|both`, more than once, measures some of it: `raw` is the
 * time left of eighty small photos with two RAW files among them; `--megapixels` is the size of the photo that is cut
 * out (12); `--samples FILE` keeps what the page was told, as JSON.
 */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import type { Estimate, TaskRecord } from '../../packages/contract/src/task.ts';
import { secondsLeft } from '../../packages/api-client/src/pace.ts';
import { dngOf } from '../support/made-files.ts';
import { startHeadless, untilEnded, type HeadlessService } from '../support/headless.ts';
import { writeBenchSubject } from './bench-pictures.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const patientMs = 900_000;
const { values: asked, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', multiple: true },
    megapixels: { type: 'string', default: '12' },
    samples: { type: 'string' },
  },
});
const [from, wanted = '20'] = positionals;
if (from === undefined) throw new Error('Expected a folder of photographs.');
const count = Number(wanted);
const megapixels = Number(asked.megapixels);
const isAsked = (part: string) => asked.only?.includes(part) ?? true;

const folder = temporaryFolder();
const photos = path.join(folder, 'photos');
await mkdir(photos);
const large = path.join(photos, 'large.jpg');
const side = Math.sqrt((megapixels * 1e6) / 12);
await writeBenchSubject(large, Math.round(4 * side), Math.round(3 * side));

const say = (words: string) => console.log(`${new Date().toTimeString().slice(0, 8)} ${words}`);
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const percent = (share: number) => `${(share * 100).toFixed(0)} %`;

async function estimateOf(service: HeadlessService, body: object): Promise<Estimate> {
  const response = await service.call('POST', '/api/estimate', body);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Estimate;
}

async function untilKnown(service: HeadlessService, body: object): Promise<number> {
  for (;;) {
    const { seconds } = await estimateOf(service, body);
    if (seconds !== undefined) return seconds;
    await sleep(500);
  }
}

/** Seconds from the start to the end of a task, decoding and writing included. */
async function run(service: HeadlessService, route: string, body: object): Promise<TaskRecord> {
  const response = await service.call('POST', route, body);
  const { taskId } = (await response.json()) as { taskId: string };
  await untilEnded(service, taskId, patientMs);
  return service.record(taskId);
}

const tookSeconds = ({ startedAt = '', finishedAt = '' }: TaskRecord) =>
  (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000;

const stepsOf = ({ timings }: TaskRecord) => JSON.stringify(timings);

async function cutouts(service: HeadlessService, beganMs: number): Promise<void> {
  const imageUrl = pathToFileURL(large).href;
  await untilKnown(service, { imageUrl, scale: 2 });
  say(`seconds of enlarging known after ${((performance.now() - beganMs) / 1000).toFixed(0)} s`);
  const foretold = await untilKnown(service, { imageUrl, operation: 'remove-bg' });
  say(`seconds of cutting out known after ${((performance.now() - beganMs) / 1000).toFixed(0)} s`);
  const cut = tookSeconds(await run(service, '/api/remove-bg', { imageUrl }));
  say(
    `first cut-out of ${megapixels} MP: foretold ${foretold.toFixed(1)} s, took ${cut.toFixed(1)} s`,
  );
}

interface Asked {
  route: string;
  body: object;
}

const enlargedOnly = (): Asked => ({ route: '/api/image-upscaler', body: { scale: 2 } });

/** What a day brings: most are enlarged, a third is cut out, some as PNG, some both. */
function ofADay(i: number): Asked {
  const format = i % 4 === 1 ? { format: 'png' } : {};
  if (i % 3 !== 2) return { route: '/api/image-upscaler', body: { scale: 2, ...format } };
  const both = i % 2 === 0 ? { enlarge: { scale: 2 } } : {};
  return { route: '/api/remove-bg', body: both };
}

/** What the page knows of the batch at one moment. */
interface Moment {
  atMs: number;
  records: TaskRecord[];
}

const pacedOf = (record: TaskRecord) => ({
  phase: record.status,
  progress: record.progress,
  etaSeconds: record.etaSeconds,
  record,
});

/** Writes the photo at the given place of a batch, and returns its file. */
type WritePhoto = (i: number) => Promise<string>;

const jpegNames = (await readdir(from)).filter((one) => /\.jpe?g$/i.test(one)).sort();

const writeJpeg =
  (name: string, widthOf: (i: number) => number): WritePhoto =>
  async (i) => {
    const file = path.join(photos, `${name}-${i}.jpg`);
    const photo = sharp(path.join(from, jpegNames[i % jpegNames.length] ?? '')).autoOrient();
    await photo.resize(widthOf(i)).jpeg().toFile(file);
    return file;
  };

/** From 0.1 to 1.6 megapixels, in no order. */
const inNoOrder = (i: number) => 400 + ((i * 7) % 11) * 100;

/** A camera's files among pictures for the web: each is about forty times as large. */
const rawCount = { small: 80, raw: 2 };
const rawWidth = 2400;

function writeRaw(name: string): WritePhoto {
  const writeSmall = writeJpeg(name, () => 320);
  const last = rawCount.small + rawCount.raw - 1;
  const rawAt = [Math.round(last / 3), Math.round((2 * last) / 3)];
  return async (i) => {
    if (!rawAt.includes(i)) return writeSmall(i);
    const file = path.join(photos, `${name}-${i}.dng`);
    // A flat picture costs no time, and no photo is one.
    const texture = (x: number, y: number) => 8000 + ((x * 7919 + y * 104_729) % 20_011);
    await writeFile(file, dngOf(rawWidth, (rawWidth * 2) / 3, texture));
    return file;
  };
}

async function timeLeft(
  service: HeadlessService,
  name: string,
  askedOf: (i: number) => Asked,
  write: WritePhoto = writeJpeg(name, inNoOrder),
  photoCount = count,
): Promise<void> {
  const tasks: string[] = [];
  for (let i = 0; i < photoCount; i += 1) {
    const file = await write(i);
    const { route, body } = askedOf(i);
    const imageUrl = pathToFileURL(file).href;
    const response = await service.call('POST', route, { imageUrl, ...body });
    tasks.push(((await response.json()) as { taskId: string }).taskId);
  }
  const moments: Moment[] = [];
  for (;;) {
    const records = await Promise.all(tasks.map((id) => service.record(id)));
    if (records.every(({ status }) => isOver(status))) {
      moments.push({ atMs: Date.now(), records });
      break;
    }
    moments.push({ atMs: Date.now(), records });
    await sleep(500);
  }
  if (asked.samples) await writeFile(`${asked.samples}-${name}.json`, JSON.stringify(moments));
  sayTruth(name, moments);
}

const isOver = (status: string) => status === 'FINISHED' || status === 'FAILED';

/** A photo without a subject fails, and is through as much as one that is finished. */
function sayTruth(name: string, moments: readonly Moment[]): void {
  const endMs = moments.at(-1)?.atMs ?? 0;
  const errors = moments
    .flatMap(({ atMs, records }) => {
      const ended = records.filter(({ status }) => isOver(status));
      if (ended.length < records.length / 10 || endMs - atMs <= 3000) return [];
      const active = records.filter(({ status }) => !isOver(status)).map(pacedOf);
      const told = secondsLeft(active, ended.map(pacedOf)) ?? Number.NaN;
      return [Math.abs(told / ((endMs - atMs) / 1000) - 1)];
    })
    .sort((a, b) => a - b);
  const within = (share: number) =>
    percent(errors.filter((error) => error <= share).length / errors.length);
  say(
    `time left of ${moments[0]?.records.length} photos (${name}) after the first tenth: ${within(0.2)} of ${errors.length} samples within 20 %, ${within(1 / 3)} within a third, median off ${percent(errors[errors.length >> 1] ?? Number.NaN)}, most ${percent(errors.at(-1) ?? Number.NaN)}`,
  );
}

async function bothWays(service: HeadlessService): Promise<void> {
  const imageUrl = pathToFileURL(large).href;
  for (const first of ['enlarge', 'cutout']) {
    const one = await run(service, '/api/remove-bg', { imageUrl, enlarge: { scale: 2, first } });
    say(`both in one run, ${first} first: ${tookSeconds(one).toFixed(1)} s ${stepsOf(one)}`);
  }
  const saveTo = photos;
  const enlarged = await run(service, '/api/image-upscaler', { imageUrl, scale: 2, saveTo });
  const then = pathToFileURL(enlarged.savedTo ?? '').href;
  const cut = await run(service, '/api/remove-bg', { imageUrl: then });
  const [a, b] = [tookSeconds(enlarged), tookSeconds(cut)];
  say(`two runs, enlarged and then cut out: ${a.toFixed(1)} + ${b.toFixed(1)} s`);
  say(`${stepsOf(enlarged)} ${stepsOf(cut)}`);
}

const beganMs = performance.now();
const service = await startHeadless(path.join(folder, 'data'), ['--allow-folder', photos]);
try {
  if (isAsked('first')) await cutouts(service, beganMs);
  if (isAsked('time-left')) await timeLeft(service, 'enlarged', enlargedOnly);
  if (isAsked('mixed')) await timeLeft(service, 'mixed', ofADay);
  if (isAsked('raw'))
    await timeLeft(service, 'raw', enlargedOnly, writeRaw('raw'), rawCount.small + rawCount.raw);
  if (isAsked('both')) await bothWays(service);
} finally {
  await service.end('SIGTERM');
}
