/**
 * What is copied and asked for beside the work itself: `npm run bench:copies`. Bytes are those of the system's count
 * of a process (/proc, Linux), files those that come into being in the data folder.
 */
import { readFileSync, readdirSync, watch } from 'node:fs';
import { appendFile, mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { programs } from '../../electron/programs.ts';
import { workOnPhotos } from '../../packages/command-line/src/photos/photo-run.ts';
import { connect } from '../../packages/command-line/src/connect.ts';
import type { PhotoCommand } from '../../packages/command-line/src/photos/photo-commands.ts';
import { chromiumPath } from '../support/browser.ts';
import { openPage } from '../support/page.ts';
import { submitTasks } from '../support/page-tasks.ts';
import { root } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const photos = 4;
/** Behind the picture's end, where nothing reads: large files whose work is small. */
const paddedBytes = 50e6;
const submitted = 40;
const programUrl = pathToFileURL(path.join(root, 'electron/cli.ts')).href;
const folder = temporaryFolder();
const { signal } = new AbortController();
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

/** Of noise: hardly compressed. */
const noise = (width: number, height: number) => {
  const create = { width, height, channels: 3, background: '#888' } as const;
  return sharp({ create: { ...create, noise: { type: 'gaussian', mean: 128, sigma: 60 } } });
};

function countOf(pid: number | 'self'): { read: number; written: number } {
  const text = readFileSync(`/proc/${pid}/io`, 'utf8');
  const field = (name: string) => Number(new RegExp(`${name}: (\\d+)`).exec(text)?.[1]);
  return { read: field('rchar'), written: field('wchar') };
}

/** Of this process and of those that it started, as long as they live. */
function countAll(): number {
  const threads = readdirSync('/proc/self/task');
  const children = threads.flatMap((id) =>
    readFileSync(`/proc/self/task/${id}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
  return children.reduce((sum, pid) => sum + countOf(pid).read, countOf('self').read);
}

/** One run of the command with a service of its own, all in this process but the engine. */
async function upscale(access: PhotoCommand['access']): Promise<void> {
  const [shots, dataDir] = [path.join(folder, access), path.join(folder, `${access}-data`)];
  await mkdir(shots);
  await mkdir(dataDir);
  for (let n = 0; n < photos; n += 1) {
    const file = path.join(shots, `${n}.jpg`);
    await noise(128, 96).jpeg({ quality: 100 }).toFile(file);
    await appendFile(file, Buffer.alloc(paddedBytes));
  }
  const made = new Set<string>();
  const watcher = watch(dataDir, { recursive: true }, (_event, name) => {
    if (name !== null && /^(uploads|sources|scratch)\/[^/]+/.test(name)) made.add(name);
  });
  const work = { operation: 'upscale', body: { scale: 2 } } as const;
  const nameTemplate = '{name}-2x.{ext}';
  const options = { work, outDir: undefined, nameTemplate, onConflict: 'number' } as const;
  const before = countOf('self');
  const command = { names: [shots], json: true, includeResults: false, access, dataDir, options };
  const code = await workOnPhotos(command, { programUrl, programs, signal });
  const after = countOf('self');
  watcher.close();
  const sizes = await Promise.all(
    readdirSync(shots).map(
      async (name) => [name, (await stat(path.join(shots, name))).size] as const,
    ),
  );
  const sum = (isResult: boolean) =>
    sizes.reduce((all, [name, size]) => (name.includes('-2x') === isResult ? all + size : all), 0);
  const uploads = [...made].filter((name) => name.startsWith('uploads/')).length;
  console.error(
    `upscale (${access}, exit code ${code}): ${photos} photos of ${megabytes(sum(false))}, results of ${megabytes(sum(true))}; ` +
      `files in uploads ${uploads}; command and service read ${megabytes(after.read - before.read)} ` +
      `and wrote ${megabytes(after.written - before.written)}`,
  );
}

async function estimates(): Promise<void> {
  const dataDir = path.join(folder, 'estimates');
  const files = ['small.jpg', 'large.tif', 'large.jpg'].map((name) => path.join(folder, name));
  const [small = '', tiff = '', jpeg = ''] = files;
  await noise(64, 48).jpeg().toFile(small);
  await noise(6000, 5600).tiff({ compression: 'none' }).toFile(tiff);
  await noise(8000, 6400).jpeg({ quality: 100 }).toFile(jpeg);
  const own = await connect({ programUrl, programs, dataDir, signal });
  await own.client.grant([folder]);
  try {
    // The first one starts the engine.
    for (const [index, file] of [small, tiff, jpeg].entries()) {
      const before = countAll();
      const told = await own.client.estimate({
        operation: 'upscale',
        imageUrl: pathToFileURL(file).href,
        scale: 2,
      });
      const read = countAll() - before;
      const { size } = await stat(file);
      if (index > 0)
        console.error(
          `estimate of ${path.extname(file)} of ${megabytes(size)} (to ${told.width} x ${told.height}): ${megabytes(read)} read by service and engine`,
        );
    }
  } finally {
    await own.close();
  }
}

/** Another program's tasks, seen by an open page. */
async function pageRequests(): Promise<void> {
  if (chromiumPath === undefined) return;
  const open = await openPage();
  try {
    await open.page.getByRole('button', { name: 'Add photos' }).first().waitFor();
    await wait(3000);
    const asked = new Map<string, number>();
    open.page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      const route = `${request.method()} ${pathname.replaceAll(/[0-9a-f-]{20,}/g, '…')}`;
      if (pathname.startsWith('/')) asked.set(route, (asked.get(route) ?? 0) + 1);
    });
    await submitTasks(open, submitted);
    await open.page.getByRole('option').nth(5).waitFor();
    const key = (await open.page.evaluate(() => sessionStorage.getItem('enlarger.key'))) ?? '';
    const headers = { authorization: `KEY ${key}` };
    for (let finished = 0; finished < submitted;) {
      await wait(1000);
      const response = await fetch(`${open.line.url}/api/tasks?limit=1`, { headers });
      finished = ((await response.json()) as { counts: { FINISHED: number } }).counts.FINISHED;
    }
    await wait(3000);
    const all = [...asked].toSorted(([, a], [, b]) => b - a);
    console.error(
      `${submitted} tasks of another program; the page asked: ${all.map(([route, count]) => `${count} ${route}`).join(', ')}`,
    );
  } finally {
    await open.close();
  }
}

await upscale('grant');
await upscale('upload');
await estimates();
await pageRequests();
