/**
 * What shapes of tiles gain over the usual ones: core pixels a second of a network on the CPU, as shares of what squares
 * of 256 pixels reach in the same run, interleaved, the best of each. A tile's margin is computed and thrown away, a
 * larger one has less of it, and needs more of the processor's cache and of the memory, unless it is computed in steps
 * that carry their last rows on, as those of 8 bits are.
 * `node test/bench/tiles.ts [NETWORK [SCALE]]`
 */
import { openSession } from '../../electron/engine/inference/sessions/session.ts';
import { maxStripRows } from '../../electron/engine/tiles/run-columns.ts';
import { embeddedNetworks } from '../support/networks.ts';
import { printTable } from './bench-pictures.ts';

const [wanted = 'natural', scale = '2'] = process.argv.slice(2);
const rounds = 7;
const shapes = [
  [256, 256],
  [192, 192],
  [320, 320],
  [384, 384],
  [512, 512],
  [768, 768],
  [384, 256],
  [512, 256],
  [1024, 256],
  [1024, 128],
] as const;
const network = embeddedNetworks().find(
  ({ modelId, scale: own }) => modelId === wanted && own === Number(scale),
);
if (!network) throw new Error(`There is no embedded network ${wanted} of ${scale}x.`);
const isWhole = network.variants.some(({ precision: own }) => own === 'int8');
const precision = isWhole ? 'int8' : 'fp32';
// Of a network whose tiles only come near the whole, none is computed in steps.
const whole = await openSession({ ...network, tileExact: false }, precision, 'cpu');
const inSteps = await openSession(network, precision, 'cpu');

interface Row {
  name: string;
  computed: number;
  core: number;
  run: () => Promise<unknown>;
}
const inner = (side: number) => side - 2 * network.marginPx;
const rows: Row[] = shapes.flatMap(([width, height]) => {
  const tensor = new Float32Array(3 * width * height).fill(0.5);
  const sizes = { computed: width * height, core: inner(width) * inner(height) };
  const rowOf = (session: typeof whole, name: string) => {
    const run = () => session.run(tensor, width, height);
    return { name: `${width} x ${height}${name}`, ...sizes, run };
  };
  const isInSteps = inSteps.openStream && height > maxStripRows(width);
  return [rowOf(whole, ''), ...(isInSteps ? [rowOf(inSteps, ', in steps')] : [])];
});
const best = rows.map(() => Infinity);
for (let round = 0; round < rounds; round += 1)
  for (const [i, { run }] of rows.entries()) {
    const start = performance.now();
    await run();
    const ms = performance.now() - start;
    if (round > 0) best[i] = Math.min(best[i] ?? Infinity, ms);
  }
await whole.close();
await inSteps.close();

const speedOf = (i: number) => (rows[i]?.core ?? 0) / (best[i] ?? Infinity);
const percent = (share: number) => `${Math.round(share * 100)} %`;
process.stdout.write(`${wanted} ${scale}x, ${precision}, margin ${network.marginPx} px\n\n`);
printTable(
  ['tile px', 'computed over core', 'core pixels a second, of 256 x 256'],
  rows.map(({ name, computed, core }, i) => [
    name,
    percent(computed / core),
    percent(speedOf(i) / speedOf(0)),
  ]),
);
process.exit();
