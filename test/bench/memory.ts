/**
 * Anonymous memory of the service and its engine together, on an engine that has worked: after many small mixed tasks
 * it falls below 250 MB within a minute, and large photos take at most 900 MB after them. Mapped files, which the
 * system can drop, do not count.
 * `node test/bench/memory.ts [--tasks 1000] [--only NAME,NAME] [PHOTO]` (Linux)
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import sharp, { type Sharp } from 'sharp';
import { samplePicture } from '../../electron/engine/inference/checks/sample-picture.ts';
import { anonymousMib } from '../support/anonymous-memory.ts';
import { startHeadless, untilEnded } from '../support/headless.ts';
import { printTable, writeBenchJpeg, writeBenchSubject } from './bench-pictures.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const limitMib = 900;
const idleLimitMib = 250;
const idleWithinMs = 60_000;
const sampleEveryMs = 200;
const cases = [
  { name: '24-2x', width: 6000, height: 4000, wish: { scale: 2 } },
  { name: '48-2x', width: 8000, height: 6000, wish: { scale: 2 } },
  { name: '24-4x', width: 6000, height: 4000, wish: { scale: 4 } },
  { name: '6-16x', width: 3000, height: 2000, wish: { scale: 16 } },
  { name: '100-cutout', width: 12_000, height: 8334, wish: undefined },
] as const;

const { values, positionals } = parseArgs({
  options: {
    tasks: { type: 'string', default: '1000' },
    only: { type: 'string', default: cases.map(({ name }) => name).join() },
  },
  allowPositionals: true,
});
const chosen = cases.filter(({ name }) => values.only.split(',').includes(name));
const [photograph] = positionals;

const dir = temporaryFolder();
const service = await startHeadless(join(dir, 'data'), ['--allow-folder', dir]);

/** Tiny pictures, each of another format, size, scale or operation than the one before. */
async function submitSmall(count: number): Promise<string[]> {
  const folder = join(dir, 'small');
  mkdirSync(folder);
  const kinds: [string, (picture: Sharp) => Sharp][] = [
    ['jpg', (picture) => picture.jpeg()],
    ['png', (picture) => picture.png()],
    ['webp', (picture) => picture.webp()],
    ['tif', (picture) => picture.tiff()],
    ['avif', (picture) => picture.avif()],
  ];
  const outputs = ['same', 'jpeg', 'png', 'webp', 'tiff', 'avif', 'jxl'];
  const ids: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const [ending, encode] = kinds[i % kinds.length] ?? kinds[0]!;
    const [width, height] = [40 + ((i * 17) % 120), 40 + ((i * 29) % 90)];
    const path = join(folder, `${i}.${ending}`);
    const pixels = samplePicture(width, height);
    const picture = sharp(pixels, { raw: { width, height, channels: 3 } });
    writeFileSync(path, await encode(picture).toBuffer());
    const url = pathToFileURL(path).href;
    const format = outputs[i % outputs.length];
    const isCutout = i % 10 === 9;
    ids.push(
      isCutout
        ? await submitCutout(url)
        : await service.submit(url, { scale: i % 3 === 0 ? 4 : 2, format }),
    );
  }
  return ids;
}

async function submitCutout(imageUrl: string): Promise<string> {
  const response = await service.call('POST', '/api/remove-bg', { imageUrl });
  if (!response.ok) throw new Error(`The cut-out was refused: ${await response.text()}`);
  return ((await response.json()) as { taskId: string }).taskId;
}

async function watched(work: () => Promise<void>): Promise<number> {
  let most = 0;
  const timer = setInterval(
    () => (most = Math.max(most, anonymousMib(service.pid))),
    sampleEveryMs,
  );
  await work();
  clearInterval(timer);
  return most;
}

// Before the work, so that the engine is not idle between it and the large photos, and so begun anew.
for (const { name, width, height, wish } of chosen) {
  const write = wish ? writeBenchJpeg : writeBenchSubject;
  await write(join(dir, `${name}.jpg`), width, height, photograph);
}

const startMib = anonymousMib(service.pid);
const count = Number(values.tasks);
const maxSmall = await watched(async () => {
  for (const taskId of await submitSmall(count)) await untilEnded(service, taskId, 3_600_000);
});
const afterMib = anonymousMib(service.pid);
process.stderr.write(`${count} small tasks: ${Math.round(afterMib)} MB\n`);

const rows: (string | number)[][] = [];
for (const { name, width, height, wish } of chosen) {
  const source = join(dir, `${name}.jpg`);
  let taskId = '';
  const most = await watched(async () => {
    const url = pathToFileURL(source).href;
    taskId = wish ? await service.submit(url, wish) : await submitCutout(url);
    await untilEnded(service, taskId, 3_600_000);
  });
  const { output, timings, status, error } = await service.record(taskId);
  const size = output ? `${output.width} x ${output.height} ${output.format}` : (error?.code ?? '');
  const verdict = status === 'FINISHED' && most <= limitMib ? 'yes' : 'NO';
  const seconds = Math.round((timings.totalMs ?? 0) / 1000);
  const what = wish ? `${wish.scale}x` : 'cut out';
  process.stderr.write(`${width} x ${height}, ${what}: ${Math.round(most)} MB\n`);
  rows.push([`${width} x ${height}`, what, size, Math.round(most), verdict, seconds]);
  await service.call('DELETE', `/api/task/${taskId}`);
}
let idleMib = anonymousMib(service.pid);
const ended = performance.now();
while (performance.now() - ended < idleWithinMs && idleMib >= idleLimitMib) {
  await wait(1000);
  idleMib = anonymousMib(service.pid);
}
const idleSeconds = Math.round((performance.now() - ended) / 1000);
await service.end('SIGTERM');
process.stdout.write(`
At its start: ${Math.round(startMib)} MB anonymous memory. ${count} small tasks: at most ${Math.round(maxSmall)} MB, ${Math.round(afterMib)} MB at
their end. After all, ${Math.round(idleMib)} MB within ${idleSeconds} s: ${idleMib < idleLimitMib ? 'below' : 'NOT BELOW'} ${idleLimitMib} MB.

`);
printTable(['source', 'what', 'result', 'most, MB', `at most ${limitMib} MB`, 'seconds'], rows);
