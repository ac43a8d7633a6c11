/**
 * What the page costs: `node test/bench/page.ts [rows] [finished rows]`. Size, first paint, idle, memory after many finished
 * rows, and the frames of scrolling through a long list. Prints a table; asserts nothing.
 */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { CDPSession, Page } from 'playwright-core';
import { openPage } from '../support/page.ts';
import { submitTasks } from '../support/page-tasks.ts';
import { root } from '../support/program.ts';

const rows = Number(process.argv[2] ?? 10_000);
const finishedRows = Math.min(Number(process.argv[3] ?? 1000), rows);
const idleMs = 10_000;
/** What loading left to be collected is collected by then. */
const settleMs = 30_000;
const table: Record<string, string> = {};

const assets = path.join(root, 'out/renderer/assets');

async function gzippedBytes(names: readonly string[]): Promise<number> {
  const sizes = names.map(async (name) => gzipSync(await readFile(path.join(assets, name))).length);
  return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0);
}

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;

/** The scripts that the page has loaded, at one moment. */
async function measureLoaded(page: Page, name: string): Promise<void> {
  const loaded = await page.evaluate<string[]>(
    `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.js'))`,
  );
  const names = [...new Set(loaded.map((address) => path.basename(address)))];
  table[`JavaScript gzipped, ${name}`] = kilobytes(await gzippedBytes(names));
}

async function measureSize(): Promise<void> {
  const names = (await readdir(assets)).filter((name) => name.endsWith('.js'));
  for (const name of names)
    table[`gzipped ${name.replace(/-[^-]+\.js$/, '')}`] = kilobytes(await gzippedBytes([name]));
}

async function measurePaint(page: Page): Promise<void> {
  await page.reload();
  await page.getByRole('heading', { name: 'Drop photos here' }).waitFor();
  const paintMs = await page.evaluate<number>(
    "performance.getEntriesByName('first-contentful-paint')[0].startTime",
  );
  await measureLoaded(page, 'with the first paint and what follows it');
  table['first paint'] = `${paintMs.toFixed(0)} ms`;
}

async function metric(session: CDPSession, name: string): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find((found) => found.name === name)?.value ?? Number.NaN;
}

/** Of one core, of the page's main thread. */
async function measureIdle(page: Page, session: CDPSession, name: string): Promise<void> {
  await page.waitForTimeout(settleMs);
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

/** Scrolls the list for 5 s, so many pixels each frame, and tells the time between frames. */
const scrollScript = (stepPx: number) => `new Promise((resolve) => {
  const list = document.querySelector('[role=listbox]');
  const frames = [];
  let last = performance.now();
  const begun = last;
  const step = (now) => {
    frames.push(now - last);
    last = now;
    list.scrollBy(0, ${stepPx});
    if (now - begun < 5000) requestAnimationFrame(step);
    else resolve(frames.slice(2));
  };
  requestAnimationFrame(step);
})`;

async function measureFrames(page: Page, name: string, stepPx: number): Promise<void> {
  const frames = (await page.evaluate<number[]>(scrollScript(stepPx))).sort((a, b) => a - b);
  const at = (share: number) => (frames[Math.floor(frames.length * share)] ?? 0).toFixed(1);
  const late = frames.filter((ms) => ms > 25).length;
  table[`frames, ${rows} rows, ${name}`] =
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
  await submitTasks(open, finishedRows);
  await page.getByText('All photos are done.').waitFor();
  await measureHeap(session, `${finishedRows} finished rows`);
  await page.keyboard.press('p');
  await submitTasks(open, rows - finishedRows);
  await page.reload();
  const shownCount = rows.toLocaleString('en-GB');
  await page.getByRole('button', { name: new RegExp(`^All ?${shownCount}`) }).waitFor();
  await measureIdle(page, session, `${rows} rows`);
  await measureHeap(session, `${rows} rows`);
  await measureFrames(page, 'a notch of the wheel a frame', 100);
  await measureFrames(page, 'four rows a frame', 240);
} finally {
  await open.close();
}
console.table(table);
