/**
 * The whole job against the bare network: a 2-megapixel JPEG to JPEG at 2x, over the time that
 * onnxruntime alone needs for the very same tiles, margins included. Beside the time on the clock
 * stands the processors' time, which other programs do not disturb. What the network changed is to be found out in
 * less than a tenth of the job.
 * `node test/bench/job.ts [PHOTO] [ROUNDS]`
 */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openSession } from '../../electron/engine/inference/sessions/session.ts';
import type { JobReport } from '../../electron/engine/protocol/messages.ts';
import { planTiles } from '../../electron/engine/tiles/tile-plan.ts';
import { createTestEngine } from '../support/engine.ts';
import { embeddedNetwork } from '../support/networks.ts';
import { openTable, writeBenchJpeg } from './bench-pictures.ts';

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

async function bareCost(report: JobReport): Promise<Cost> {
  const precision = report.device?.precision as 'fp32' | 'int8';
  const session = await openSession(network, precision, 'cpu');
  const plan = planTiles({ width, height }, network, report.tiles.sizePx);
  if (plan.columns.length * plan.rows.length !== report.tiles.count) throw new Error('Other tiles');
  const tensor = new Float32Array(3 * plan.windowWidth * plan.windowHeight).fill(0.5);
  await session.run(tensor, plan.windowWidth, plan.windowHeight);
  const cost = await costOf(process.pid, async () => {
    for (let i = 0; i < report.tiles.count; i += 1) {
      await session.run(tensor, plan.windowWidth, plan.windowHeight);
    }
  });
  await session.close();
  return cost;
}

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
