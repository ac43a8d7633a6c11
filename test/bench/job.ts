/**
 * The whole job against the bare network: a 2-megapixel JPEG to JPEG at 2x, over the time that plain onnxruntime-node
 * needs for the photo in a process of its own, with the fastest threads and tiles that a search finds. Beside the time on the clock
 * stands the processors' time, which other programs do not disturb. What the network changed is to be found out in
 * less than a tenth of the job.
 * `node test/bench/job.ts [PHOTO] [ROUNDS]`
 */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { JobReport } from '../../electron/engine/protocol/messages.ts';
import { createTestEngine } from '../support/engine.ts';
import { embeddedNetwork } from '../support/networks.ts';
import { openTable, writeBenchJpeg } from './bench-pictures.ts';
import { startBare } from './limit/bare.ts';
import { costOfTiles, planOf, search, searchedUpscaler } from './limit/search.ts';

const [width, height] = [1600, 1200];
const [photograph, wantedRounds = '3'] = process.argv.slice(2);
const rounds = Number(wantedRounds);
const network = embeddedNetwork(2);

interface Cost {
  seconds: number;
  cpuSeconds: number;
}

/** Processor seconds of a process and its threads so far: clock ticks are hundredths. */
function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function costOf(pid: number, run: () => Promise<void>): Promise<Cost> {
  const [start, cpu] = [performance.now(), cpuSecondsOf(pid)];
  await run();
  return { seconds: (performance.now() - start) / 1000, cpuSeconds: cpuSecondsOf(pid) - cpu };
}

/** The same photo in plain onnxruntime-node, in the fastest way that bench:limit finds. */
async function bareCost({ device }: JobReport): Promise<Cost> {
  const variant = network.variants.find(({ precision }) => precision === device?.precision);
  if (!variant) throw new Error('The job used no file of the network');
  const file = searchedUpscaler(network, variant);
  const found = await search(bare, file, 'cpu', false);
  return costOfTiles(bare, file, found, planOf(network, { width, height }, found));
}

const bare = startBare();
const engine = createTestEngine();
const sourcePath = join(engine.dir, 'source.jpg');
await writeBenchJpeg(sourcePath, width, height, photograph);
process.stdout.write(`A JPEG of ${width} x ${height} to JPEG at 2x, ${rounds} rounds; seconds\n\n`);
const printRow = openTable([
  'device',
  'tiles',
  'margin pixels',
  'decode',
  'network',
  'compare',
  'of the job',
  'encode',
  'whole job',
  'bare',
  'ratio',
  'of processor time',
]);
const s = (ms = 0) => (ms / 1000).toFixed(2);
await engine.run({ sourcePath, passes: [network] });
for (let round = 0; round < rounds; round += 1) {
  const ran = Promise.withResolvers<Awaited<ReturnType<typeof engine.run>>>();
  const whole = await costOf(engine.host.pid!, async () => {
    ran.resolve(await engine.run({ sourcePath, passes: [network] }));
  });
  const { report, outputPath } = await ran.promise;
  const bare = await bareCost(report);
  const { decodeMs, networkMs, compareMs = 0, encodeMs } = report.timings;
  printRow([
    `${report.device?.provider ?? ''} ${report.device?.precision ?? ''}`,
    `${report.tiles.count} of ${report.tiles.sizePx} px`,
    `${((1 - 1 / report.tiles.computedPerCore) * 100).toFixed(1)} %`,
    s(decodeMs),
    s(networkMs),
    s(compareMs),
    `${(compareMs / 10 / whole.seconds).toFixed(1)} %`,
    s(encodeMs),
    whole.seconds.toFixed(2),
    bare.seconds.toFixed(2),
    (whole.seconds / bare.seconds).toFixed(3),
    (whole.cpuSeconds / bare.cpuSeconds).toFixed(3),
  ]);
  rmSync(outputPath);
}
await engine.close();
bare.close();
