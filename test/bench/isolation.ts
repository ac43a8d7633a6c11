/**
 * `node --env-file=test/bench/silence.env test/bench/isolation.ts [rounds]`: what the sandbox of the engine's
 * processes costs, in turns with and without it. First inspection of a picture by a new process, first photo after
 * a start of the service, and later photos.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { createEngineHost } from '../../electron/engine/host/host.ts';
import { startHeadless, untilEnded } from '../support/headless.ts';

const rounds = Number(process.argv[2] ?? 5);
const folder = mkdtempSync(path.join(tmpdir(), 'enlarger-isolation-'));
const enginePath = path.join(import.meta.dirname, '../../electron/engine/main.ts');
const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
const create = { width: 480, height: 320, channels: 3, background: '#579', noise } as const;
const photo = path.join(folder, 'photo.jpg');
await sharp({ create }).jpeg().toFile(photo);
const imageUrl = `data:image/jpeg;base64,${(await sharp(photo).toBuffer()).toString('base64')}`;

const turns = ['with', 'without'] as const;
const settings = { with: '', without: 'off' };
const times: Record<string, Record<keyof typeof settings, number[]>> = {};
const timed = async (what: string, which: keyof typeof settings, work: () => Promise<unknown>) => {
  const startMs = performance.now();
  await work();
  const row = (times[what] ??= { with: [], without: [] });
  row[which].push(performance.now() - startMs);
};

async function inspectOnce(which: keyof typeof settings): Promise<void> {
  const paths = { readable: [folder], writable: [] };
  const host = createEngineHost({
    ...{ nodePath: process.execPath, enginePath, cacheDir: folder, log: () => undefined },
    sandbox: { inspectors: paths, jobs: paths },
  });
  await timed('first inspection', which, () =>
    host.inspect(photo, { sourcePixels: 1e9, resultPixels: 1e9 }),
  );
  await host.close();
}

async function enlarge(which: keyof typeof settings): Promise<void> {
  const service = await startHeadless(path.join(folder, which), [], {
    ENLARGER_SANDBOX: settings[which],
  });
  const one = async () => {
    await untilEnded(service, await service.submit(imageUrl, { model: 'faithful', scale: 2 }));
  };
  await timed('first photo', which, one);
  for (let i = 0; i < 3; i += 1) await timed('later photo', which, one);
  await service.end('SIGTERM');
}

for (let round = 0; round < rounds; round += 1)
  for (const which of round % 2 === 0 ? turns : turns.toReversed()) {
    process.env['ENLARGER_SANDBOX'] = settings[which];
    for (let i = 0; i < 4; i += 1) await inspectOnce(which);
    await enlarge(which);
  }
const median = (all: number[]) => Math.round(all.toSorted((a, b) => a - b)[all.length >> 1] ?? NaN);
console.log('| | with (ms) | without (ms) |\n|---|---:|---:|');
for (const [what, row] of Object.entries(times))
  console.log(`| ${what} (${row.with.length}) | ${median(row.with)} | ${median(row.without)} |`);
rmSync(folder, { recursive: true, force: true });
