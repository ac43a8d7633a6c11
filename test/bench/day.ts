/**
 * What a photographer's day is told, and what it takes: `npm run bench:day -- FOLDER [photos]`. How soon a first
 * cut-out has seconds and how true they are on 12 megapixels, the time left of a batch of the folder's photographs
 * as the page counts it, and what cutting out and enlarging costs in one run and in two.
 */
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import type { Estimate, TaskRecord } from '../../electron/contract/task.ts';
import { secondsLeft } from '../../renderer/state/pace.ts';
import { startHeadless, untilEnded, type HeadlessService } from '../support/headless.ts';
import { writeBenchSubject } from './bench-pictures.ts';

const patientMs = 900_000;
const [from, wanted = '20'] = process.argv.slice(2);
if (from === undefined) throw new Error('Expected a folder of photographs.');
const count = Number(wanted);

const folder = await mkdtemp(path.join(tmpdir(), 'enlarger-day-'));
const photos = path.join(folder, 'photos');
await mkdir(photos);
const large = path.join(photos, 'large.jpg');
await writeBenchSubject(large, 4000, 3000);

const say = (words: string) => console.log(`${new Date().toTimeString().slice(0, 8)} ${words}`);
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const percent = (share: number) => `${(share * 100).toFixed(0)} %`;

async function estimateOf(service: HeadlessService, body: object): Promise<Estimate> {
  const answer = await service.call('POST', '/api/estimate', body);
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as Estimate;
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
  const answer = await service.call('POST', route, body);
  const { taskId } = (await answer.json()) as { taskId: string };
  await untilEnded(service, taskId, patientMs);
  return service.record(taskId);
}

const tookSeconds = ({ startedAt = '', finishedAt = '' }: TaskRecord) =>
  (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000;

async function cutouts(service: HeadlessService, beganMs: number): Promise<void> {
  const imageUrl = pathToFileURL(large).href;
  await untilKnown(service, { imageUrl, scale: 2 });
  say(`seconds of enlarging known after ${((performance.now() - beganMs) / 1000).toFixed(0)} s`);
  const foretold = await untilKnown(service, { imageUrl, operation: 'remove-bg' });
  say(`seconds of cutting out known after ${((performance.now() - beganMs) / 1000).toFixed(0)} s`);
  const cut = tookSeconds(await run(service, '/api/remove-bg', { imageUrl }));
  say(`first cut-out of 12 MP: foretold ${foretold.toFixed(1)} s, took ${cut.toFixed(1)} s`);
}

async function timeLeft(service: HeadlessService): Promise<void> {
  const names = (await readdir(from!)).filter((name) => /\.jpe?g$/i.test(name)).sort();
  const tasks: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const name = names[i % names.length] ?? '';
    const file = path.join(photos, `${i}.jpg`);
    // From 0.1 to 0.9 megapixels, in no order.
    const width = 400 + ((i * 7) % 11) * 70;
    await sharp(path.join(from!, name)).autoOrient().resize(width).jpeg().toFile(file);
    tasks.push(await service.submit(pathToFileURL(file).href, { scale: 2 }));
  }
  const samples: { atMs: number; done: number; told: number | undefined }[] = [];
  for (;;) {
    const records = await Promise.all(tasks.map((id) => service.record(id)));
    const paced = records.map((record) => ({
      phase: record.status,
      progress: record.progress,
      etaSeconds: record.etaSeconds,
      record,
    }));
    const finished = paced.filter(({ phase }) => phase === 'FINISHED');
    const active = paced.filter(({ phase }) => phase !== 'FINISHED');
    if (active.length === 0) break;
    samples.push({
      atMs: performance.now(),
      done: finished.length,
      told: secondsLeft(active, finished),
    });
    await sleep(500);
  }
  const endMs = performance.now();
  const errors = samples
    .filter(({ done, atMs }) => done >= count / 10 && endMs - atMs > 3000)
    .map(({ atMs, told = Number.NaN }) => Math.abs(told / ((endMs - atMs) / 1000) - 1))
    .sort((a, b) => a - b);
  const within = errors.filter((error) => error <= 0.2).length / errors.length;
  say(
    `time left of ${count} photos after the first tenth: ${percent(within)} of ${errors.length} samples within 20 %, median off ${percent(errors[errors.length >> 1] ?? Number.NaN)}, most ${percent(errors.at(-1) ?? Number.NaN)}`,
  );
}

async function bothWays(service: HeadlessService): Promise<void> {
  const imageUrl = pathToFileURL(large).href;
  for (const first of ['enlarge', 'cutout']) {
    const one = await run(service, '/api/remove-bg', { imageUrl, enlarge: { scale: 2, first } });
    say(`both in one run, ${first} first: ${tookSeconds(one).toFixed(1)} s`);
  }
  const saveTo = photos;
  const enlarged = await run(service, '/api/image-upscaler', { imageUrl, scale: 2, saveTo });
  const then = pathToFileURL(enlarged.savedTo ?? '').href;
  const cut = await run(service, '/api/remove-bg', { imageUrl: then });
  const [a, b] = [tookSeconds(enlarged), tookSeconds(cut)];
  say(`two runs, enlarged and then cut out: ${a.toFixed(1)} + ${b.toFixed(1)} s`);
}

const beganMs = performance.now();
const service = await startHeadless(path.join(folder, 'data'), ['--allow-folder', photos]);
try {
  await cutouts(service, beganMs);
  await timeLeft(service);
  await bothWays(service);
} finally {
  await service.end('SIGTERM');
  await rm(folder, { recursive: true, force: true });
}
