/**
 * What shapes of tiles gain over the usual ones: core pixels a second of a network on the CPU, as shares of what squares
 * of 256 pixels reach in the same run, interleaved, the best of each. A tile's margin is computed and thrown away, a
 * larger one has less of it, and needs more of the processor's cache.
 * `node test/bench/tiles.ts [NETWORK [SCALE]]`
 */
import { openSession } from '../../electron/engine/inference/session.ts';
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
const session = await openSession(network, precision, 'cpu');
const best = shapes.map(() => Infinity);
for (let round = 0; round < rounds; round += 1)
  for (const [i, [width, height]] of shapes.entries()) {
    const tensor = new Float32Array(3 * width * height).fill(0.5);
    const start = performance.now();
    await session.run(tensor, width, height);
    const ms = performance.now() - start;
    if (round > 0) best[i] = Math.min(best[i] ?? Infinity, ms);
  }
await session.close();
const coreOf = (i: number) => {
  const [width, height] = shapes[i] ?? shapes[0];
  const margins = 2 * network.marginPx;
  return ((width - margins) * (height - margins)) / (best[i] ?? Infinity);
};
const percent = (share: number) => `${Math.round(share * 100)} %`;
process.stdout.write(`${wanted} ${scale}x, ${precision}, margin ${network.marginPx} px\n\n`);
printTable(
  ['tile px', 'computed over core', 'core pixels a second, of 256 x 256'],
  shapes.map(([width, height], i) => {
    const core = (width - 2 * network.marginPx) * (height - 2 * network.marginPx);
    return [
      `${width} x ${height}`,
      percent((width * height) / core),
      percent(coreOf(i) / coreOf(0)),
    ];
  }),
);
process.exit();
