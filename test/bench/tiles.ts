/**
 * What shapes of tiles gain over the usual ones: core pixels a second of a network on the CPU, as shares of what squares
 * of 256 pixels reach in the same run, interleaved, the best of each. A tile's margin is computed and thrown away, a
 * larger one has less of it, and needs more of the processor's cache. Of networks of 8 bits stand beside them those whose
 * rows are carried from tile to tile, which compute no margin above and below; first it is held that their answers are
 * the same, bit by bit.
 * `node test/bench/tiles.ts [NETWORK [SCALE]]`
 */
import { openSession } from '../../electron/engine/inference/session.ts';
import type { NetworkFile } from '../../electron/engine/protocol.ts';
import { embeddedNetworks } from '../support/networks.ts';
import { samplePicture } from '../../electron/engine/inference/sample-picture.ts';
import { printTable } from './bench-pictures.ts';
import { openCarried, type CarriedNetwork } from './carried-rows.ts';

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
const carriedShapes = [
  [256, 64],
  [512, 64],
  [1024, 64],
  [1024, 32],
] as const;

const network = embeddedNetworks().find(
  ({ modelId, scale: own }) => modelId === wanted && own === Number(scale),
);
if (!network) throw new Error(`There is no embedded network ${wanted} of ${scale}x.`);
const isWhole = network.variants.some(({ precision: own }) => own === 'int8');
const precision = isWhole ? 'int8' : 'fp32';
const session = await openSession(network, precision, 'cpu');
const carried = isWhole ? await openCarried(pathOf(network, precision)) : undefined;
if (carried) await assertSame(carried, network);

interface Row {
  name: string;
  computed: number;
  core: number;
  run: () => Promise<unknown>;
}
const inner = (side: number) => side - 2 * network.marginPx;
const rows: Row[] = shapes.map(([width, height]) => {
  const tensor = new Float32Array(3 * width * height).fill(0.5);
  const core = inner(width) * inner(height);
  const run = () => session.run(tensor, width, height);
  return { name: `${width} x ${height}`, computed: width * height, core, run };
});
for (const [width, height] of carried ? carriedShapes : []) {
  const tensor = new Float32Array(3 * width * height).fill(0.5);
  const next = carried?.column(width);
  const core = inner(width) * height;
  const run = async () => next?.(tensor, height);
  rows.push({ name: `carried, ${width} x ${height}`, computed: width * height, core, run });
}
const best = rows.map(() => Infinity);
for (let round = 0; round < rounds; round += 1)
  for (const [i, { run }] of rows.entries()) {
    const start = performance.now();
    await run();
    const ms = performance.now() - start;
    if (round > 0) best[i] = Math.min(best[i] ?? Infinity, ms);
  }
await session.close();
await carried?.close();

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

function pathOf(of: NetworkFile, wantedPrecision: string): string {
  const variant = of.variants.find(({ precision: own }) => own === wantedPrecision);
  if (!variant) throw new Error(`${of.modelId} has no file of ${wantedPrecision}.`);
  return variant.path;
}

/** Throws where a picture that is given in strips does not come out as the whole one does, but for its margins. */
async function assertSame(
  { lag, column }: CarriedNetwork,
  { scale: times, marginPx }: NetworkFile,
): Promise<void> {
  const [width, height, strip] = [128, 160, 32];
  const samples = samplePicture(width, height);
  const plane = width * height;
  const tensor = Float32Array.from(
    { length: 3 * plane },
    (_, i) => (samples[3 * (i % plane) + Math.floor(i / plane)] ?? 0) / 255,
  );
  const whole = Float32Array.from(await session.run(tensor, width, height));
  const next = column(width);
  const [margin, wide] = [marginPx * times, width * times];
  for (let y = 0; y < height; y += strip) {
    const part = Float32Array.from({ length: 3 * strip * width }, (_, i) => {
      const band = Math.floor(i / (strip * width));
      return tensor[band * plane + y * width + (i % (strip * width))] ?? 0;
    });
    const answer = await next(part, strip);
    for (let band = 0; band < 3; band += 1)
      for (let row = 0; row < strip * times; row += 1) {
        const place = (y - lag) * times + row;
        if (place < margin || place >= (height - marginPx) * times) continue;
        const ours = (band * strip * times + row) * wide;
        const theirs = (band * height * times + place) * wide;
        for (let x = margin; x < wide - margin; x += 1)
          if (answer[ours + x] !== whole[theirs + x])
            throw new Error(`Carried rows give another picture at ${x}, ${place}.`);
      }
  }
}
