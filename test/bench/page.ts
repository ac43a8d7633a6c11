/**
 * What the page costs: `node test/bench/page.ts [rows] [finished rows]`. Size, first paint, idle, memory after many finished
 * rows, and the frames of scrolling through a long list. Prints a table; asserts nothing.
 */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { CDPSession, Page } from 'playwright-core';
import { openPage, type OpenPage } from '../support/page.ts';
import { root } from '../support/program.ts';
import { smallJpeg } from '../support/pictures.ts';

const rows = Number(process.argv[2] ?? 10_000);
const finishedRows = Math.min(Number(process.argv[3] ?? 1000), rows);
const idleMs = 10_000;
const table: Record<string, string> = {};

async function measureSize(): Promise<void> {
  const folder = path.join(root, 'out/renderer/assets');
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.js')) continue;
    const bytes = gzipSync(await readFile(path.join(folder, name))).length;
    table[`gzipped ${name.replace(/-[^-]+\.js$/, '')}`] = `${(bytes / 1000).toFixed(1)} kB`;
  }
}

async function measurePaint(page: Page): Promise<void> {
  await page.reload();
  await page.getByRole('heading', { name: 'Drop photos here' }).waitFor();
  const paintMs = await page.evaluate<number>(
    "performance.getEntriesByName('first-contentful-paint')[0].startTime",
  );
  table['first paint'] = `${paintMs.toFixed(0)} ms`;
}

async function metric(session: CDPSession, name: string): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find((found) => found.name === name)?.value ?? Number.NaN;
}

/** Of one core, of the page's main thread. */
async function measureIdle(page: Page, session: CDPSession, name: string): Promise<void> {
  await page.waitForTimeout(3000);
  const before = await metric(session, 'TaskDuration');
  await page.waitForTimeout(idleMs);
  const busy = (await metric(session, 'TaskDuration')) - before;
  table[`idle, ${name}`] = `${((busy / idleMs) * 100_000).toFixed(2)} % CPU`;
}

async function measureHeap(session: CDPSession, name: string): Promise<void> {
  await session.send('HeapProfiler.collectGarbage');
  const bytes = await metric(session, 'JSHeapUsedSize');
  table[`JavaScript memory, ${name}`] = `${(bytes / 1e6).toFixed(1)} MB`;
}

async function submit({ line }: OpenPage, count: number): Promise<void> {
  const key = (await readFile(line.keyFile, 'utf8')).trim();
  const jpeg = await smallJpeg(16, 12);
  const imageUrl = `data:image/jpeg;base64,${jpeg.toString('base64')}`;
  const lane = async (from: number) => {
    for (let index = from; index < count; index += 16)
      await fetch(`${line.url}/api/image-upscaler`, {
        method: 'POST',
        headers: { authorization: `KEY ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ imageUrl }),
      });
  };
  await Promise.all(Array.from({ length: 16 }, (_, from) => lane(from)));
}

/** Scrolls the list for 5 s, a notch of the wheel each frame, and tells the time between frames. */
const scrollScript = `new Promise((resolve) => {
  const list = document.querySelector('[role=listbox]');
  const frames = [];
  let last = performance.now();
  const begun = last;
  const step = (now) => {
    frames.push(now - last);
    last = now;
    list.scrollTop += 240;
    if (now - begun < 5000) requestAnimationFrame(step);
    else resolve(frames.slice(2));
  };
  requestAnimationFrame(step);
})`;

async function measureFrames(page: Page): Promise<void> {
  const frames = (await page.evaluate<number[]>(scrollScript)).sort((a, b) => a - b);
  const at = (share: number) => (frames[Math.floor(frames.length * share)] ?? 0).toFixed(1);
  const late = frames.filter((ms) => ms > 25).length;
  table[`frames of scrolling ${rows} rows`] =
    `median ${at(0.5)} ms, 95 % ${at(0.95)} ms, longest ${at(0.9999)} ms, ${late} of ${frames.length} late`;
}

const open = await openPage();
try {
  const { page } = open;
  page.setDefaultTimeout(600_000);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await measureSize();
  await measurePaint(page);
  await measureIdle(page, session, 'empty');
  await submit(open, finishedRows);
  await page.getByText('All photos are done.').waitFor();
  await measureHeap(session, `${finishedRows} finished rows`);
  await page.getByRole('button', { name: 'Pause queue' }).click();
  await submit(open, rows - finishedRows);
  await page.reload();
  await page.getByRole('button', { name: new RegExp(`^All ?${rows}`) }).waitFor();
  await measureIdle(page, session, `${rows} rows`);
  await measureHeap(session, `${rows} rows`);
  await measureFrames(page);
} finally {
  await open.close();
}
console.table(table);
