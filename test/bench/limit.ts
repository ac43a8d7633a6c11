/**
 * Whole jobs of the product over the least that plain onnxruntime-node needs for the same photo on this machine, in a
 * process of its own and with the fastest threads, tile and strips that a search found (search.ts; cached outside the
 * checkout, `--search` searches again).
 *
 * `npm run bench:limit -- [--only PART]... [--device webgpu|cuda] [--photos 10] [--batch 40]`; the parts are
 * search, 3x2, 12x2, 12x4, batch, cutout, small, estimates and others. The built service is what runs: `npm run build` before.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { CatalogueFile } from '../../packages/contract/src/models/model.ts';
import type { NetworkFile } from '../../electron/engine/protocol/messages.ts';
import { embeddedNetworks, modelsDir } from '../support/networks.ts';
import { networks as sharedNetworks } from '../support/shared.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openTable, printTable, writeBenchJpeg, writeBenchSubject } from './bench-pictures.ts';
import { enlargersIn } from './brought-networks.ts';
import { startBare } from './limit/bare.ts';
import type { BareCost, Settings } from './limit/bare-protocol.ts';
import {
  assertBuilt,
  costOf,
  costOfCommand,
  endService,
  estimatedSeconds,
  startService,
  untilMeasured,
  type Work,
} from './limit/jobs.ts';
import {
  costOfTiles,
  machineName,
  planOf,
  search,
  searchedUpscaler,
  type SearchedNetwork,
  type SearchResult,
} from './limit/search.ts';

const parts = [
  'search',
  '3x2',
  '12x2',
  '12x4',
  'batch',
  'cutout',
  'small',
  'estimates',
  'others',
] as const;
type Part = (typeof parts)[number];

const { values: asked } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    device: { type: 'string', default: 'cpu' },
    photos: { type: 'string', default: '10' },
    batch: { type: 'string', default: '40' },
    search: { type: 'boolean', default: false },
  },
});
for (const name of asked.only ?? [])
  if (!parts.some((part) => part === name))
    throw new Error(`Expected --only to be one of ${parts.join(', ')} but received ${name}.`);
const provider = asked.device as Settings['provider'];
const isAsked = (part: Part) => asked.only?.includes(part) ?? true;

const folder = temporaryFolder();
const bare = startBare();
const dataDir = path.join(folder, 'data');

/** The files of a network that could run here; on a graphics card those of 8 bits are not used. */
const variantsOf = (network: NetworkFile): NetworkFile['variants'] =>
  network.variants.filter(({ precision }) =>
    provider === 'cpu' ? precision !== 'fp16' : precision === 'fp32',
  );

interface Best {
  network: SearchedNetwork;
  precision: string;
  result: SearchResult;
}

const found = new Map<NetworkFile, Best>();

/** A file this much slower than another one on a small tile is not searched. */
const maxSlowdown = 1.15;
const comparedTilePx = 256;
/** A device is tried on a tile of this side. */
const smallTilePx = 64;

/** The fastest way to run a network, among those of its files. */
async function bestOf(network: NetworkFile): Promise<Best> {
  const known = found.get(network);
  if (known) return known;
  const files: {
    variant: NetworkFile['variants'][number];
    file: SearchedNetwork;
    seconds: number;
  }[] = [];
  for (const variant of variantsOf(network)) {
    const file = searchedUpscaler(network, variant);
    const settings = { provider, threads: availableParallelism(), spins: false, inStrips: false };
    const tile = { settings, width: comparedTilePx, height: comparedTilePx };
    const [seconds = Infinity] = await bare.compare(file, [tile], 2);
    files.push({ variant, file, seconds });
  }
  const limit = maxSlowdown * Math.min(...files.map(({ seconds }) => seconds));
  let best: Best | undefined;
  for (const { variant, file, seconds } of files) {
    if (seconds > limit) continue;
    const result = await search(bare, file, provider, asked.search);
    const isFaster = !best || result.megapixelsPerSecond > best.result.megapixelsPerSecond;
    if (isFaster) best = { network: file, precision: variant.precision, result };
  }
  if (!best) throw new Error('No file to run');
  found.set(network, best);
  return best;
}

const natural = (scale: number): NetworkFile => {
  const network = embeddedNetworks().find(
    (one) => one.modelId === 'natural' && one.scale === scale,
  );
  if (!network) throw new Error(`No network of ${scale}x`);
  return network;
};

interface Size {
  width: number;
  height: number;
}

/** Cost of a photo's tiles in plain onnxruntime-node. */
async function bareCost(network: NetworkFile, size: Size): Promise<BareCost> {
  const best = await bestOf(network);
  const cost = await costOfTiles(
    bare,
    best.network,
    best.result,
    planOf(network, size, best.result),
  );
  note(`bare ${network.modelId} ${network.scale}x ${size.width} x ${size.height}`, cost);
  return cost;
}

const fixed = (value: number, digits = 2) => value.toFixed(digits);
const describe = ({ threads, spins, inStrips }: Settings) =>
  `${threads ?? 'own'} threads${spins ? ', spinning' : ''}${inStrips ? ', strips' : ''}`;

async function printSearch(): Promise<void> {
  const sizes = [192, 256, 384, 640, 768];
  const rows: string[][] = [];
  for (const network of embeddedNetworks()) {
    const { precision, result } = await bestOf(network);
    const { megapixelsPerSecond: best, bySize, settings } = result;
    const shareAt = (px: number) => {
      const speeds = bySize
        .filter(({ tilePx }) => tilePx === px)
        .map(({ megapixelsPerSecond }) => megapixelsPerSecond);
      return speeds.length === 0 ? '' : fixed(Math.max(...speeds) / best);
    };
    rows.push([
      `${network.modelId} ${network.scale}x ${precision}`,
      `${result.tilePx} px, ${describe(settings)}`,
      fixed(best, 3),
      ...sizes.map(shareAt),
      fixed(result.ownChoice / best),
    ]);
  }
  const shares = sizes.map((px) => `${px} px`);
  printTable(['network', 'fastest', 'core MP/s', ...shares, "onnxruntime's own threads"], rows);
}

const headings = ['job', 'seconds', 'bare', 'ratio', 'processor s', 'bare', 'ratio'];
let printRow: ((row: string[]) => void) | undefined;

function report(name: string, cost: BareCost, limit: BareCost): void {
  printRow ??= openTable(headings);
  printRow([
    name,
    ...[fixed(cost.seconds), fixed(limit.seconds), fixed(cost.seconds / limit.seconds, 3)],
    ...[fixed(cost.cpuSeconds), fixed(limit.cpuSeconds)],
    fixed(cost.cpuSeconds / limit.cpuSeconds, 3),
  ]);
}

/** Progress on stderr: rows follow when the bare runs around them are known. */
const note = (name: string, { seconds, cpuSeconds }: BareCost) =>
  process.stderr.write(`${name}: ${fixed(seconds)} s, ${fixed(cpuSeconds)} s of processor\n`);

const faster = (one: BareCost, other: BareCost) => (one.seconds < other.seconds ? one : other);

async function photoOf(name: string, { width, height }: Size): Promise<string> {
  const file = path.join(folder, `${name}.jpg`);
  await writeBenchJpeg(file, width, height, undefined);
  return file;
}

const cutOut: Work = { route: '/api/remove-bg', body: {} };

const upscale = (scale: number): Work => ({ route: '/api/image-upscaler', body: { scale } });

/** First ever, second, tenth, and the first after a start. */
async function threeMegapixels(): Promise<void> {
  const size = { width: 2000, height: 1500 };
  const photo = await photoOf('three', size);
  const limit = await bareCost(natural(2), size);
  const photos = Number(asked.photos);
  const costs: BareCost[] = [];
  const service = await startService(dataDir, folder, provider);
  for (let i = 0; i < photos; i += 1) {
    if (i === 2) await untilMeasured(dataDir, 'natural-x2');
    const cost = await costOf(service, upscale(2), [photo]);
    note(`photo ${i + 1}`, cost);
    costs.push(cost);
  }
  await endService(service);
  const restarted = await startService(dataDir, folder, provider);
  const afterStart = await costOf(restarted, upscale(2), [photo]);
  await endService(restarted);
  const best = faster(limit, await bareCost(natural(2), size));
  const [first, second] = costs;
  if (!first || !second) throw new Error('Expected --photos to be 2 or more');
  report('3 MP 2x, first ever', first, best);
  report('3 MP 2x, second', second, best);
  costs.slice(2).forEach((cost, i) => report(`3 MP 2x, photo ${i + 3}`, cost, best));
  report('3 MP 2x, first after a start', afterStart, best);
  report('first ever over second', first, second);
}

async function oneJob(name: string, size: Size, scale: number): Promise<void> {
  const network = natural(scale);
  const photo = await photoOf(name.replaceAll(' ', '-'), size);
  const small = await photoOf('warm', { width: 640, height: 480 });
  const before = await bareCost(network, size);
  const service = await startService(dataDir, folder, provider);
  await costOf(service, upscale(scale), [small]);
  await untilMeasured(dataDir, `natural-x${scale}`);
  const predicted = await estimatedSeconds(service, 'upscale', photo, { scale });
  // As many runs as of the bare network: the faster of two is compared with the faster of two.
  const first = await costOf(service, upscale(scale), [photo]);
  const cost = faster(first, await costOf(service, upscale(scale), [photo]));
  await endService(service);
  const best = faster(before, await bareCost(network, size));
  report(name, cost, best);
  if (predicted !== undefined)
    report(`${name}, over its estimate`, first, { seconds: predicted, cpuSeconds: NaN });
}

async function batch(): Promise<void> {
  const size = { width: 1632, height: 1224 };
  const count = Number(asked.batch);
  const photos: string[] = [];
  for (let i = 0; i < count; i += 1) photos.push(await photoOf(`batch-${i}`, size));
  const before = await bareCost(natural(2), size);
  const service = await startService(dataDir, folder, provider);
  await costOf(service, upscale(2), photos.slice(0, 1));
  await untilMeasured(dataDir, 'natural-x2');
  const cost = await costOf(service, upscale(2), photos);
  await endService(service);
  const best = faster(before, await bareCost(natural(2), size));
  const all = { seconds: best.seconds * count, cpuSeconds: best.cpuSeconds * count };
  report(`${count} x 2 MP 2x`, cost, all);
}

function cutoutNetwork(): SearchedNetwork {
  const file = path.join(modelsDir, 'catalogue.json');
  const { models } = JSON.parse(readFileSync(file, 'utf8')) as CatalogueFile;
  const network = models.find((model) => model.task === 'remove-bg')?.networks[0];
  const variant = network?.variants.find(({ precision }) => precision === 'fp32');
  if (!network || !variant || network.size.kind !== 'fixed') throw new Error('No mask network');
  const { input, output, layout, size } = network;
  return {
    path: path.join(modelsDir, variant.file),
    ...{ sha256: variant.sha256, input, output, layout, scale: 1, marginPx: 0 },
    fixed: { width: size.width, height: size.height },
    isStreamable: false,
  };
}

async function cutouts(): Promise<void> {
  const network = cutoutNetwork();
  const { settings } = await search(bare, network, provider, asked.search);
  const runs = 10;
  const tile = { settings, ...(network.fixed ?? { width: 0, height: 0 }) };
  const ran = await bare.repeat(network, tile, runs);
  const limit = { seconds: ran.seconds / runs, cpuSeconds: ran.cpuSeconds / runs };
  const service = await startService(dataDir, folder, provider);
  for (const [name, width, height] of [
    ['12 MP', 4000, 3000],
    ['400 x 300', 400, 300],
  ] as const) {
    const photo = path.join(folder, `cut-${width}.jpg`);
    await writeBenchSubject(photo, width, height);
    await costOf(service, cutOut, [photo]);
    const costs = [await costOf(service, cutOut, [photo]), await costOf(service, cutOut, [photo])];
    report(`cut-out of ${name}`, costs.reduce(faster), limit);
  }
  await endService(service);
}

/** What the service predicts for photos of several sizes, over what they then take. */
async function estimates(): Promise<void> {
  const sizes: [string, Size][] = [
    ['0.3 MP', { width: 640, height: 480 }],
    ['3 MP', { width: 2000, height: 1500 }],
    ['12 MP', { width: 4000, height: 3000 }],
  ];
  const enlarging = [2, 4].map((scale) => ({ name: `${scale}x`, work: upscale(scale) }));
  const works = [...enlarging, { name: 'cut-out', work: cutOut }];
  const service = await startService(dataDir, folder, provider);
  const rows: string[][] = [];
  for (const { name, work } of works) {
    const operation = work === cutOut ? 'remove-bg' : 'upscale';
    const warm = path.join(folder, 'estimated-first.jpg');
    await writeBenchSubject(warm, 800, 600);
    await costOf(service, work, [warm]);
    if (typeof work.body['scale'] === 'number')
      await untilMeasured(dataDir, `natural-x${work.body['scale']}`);
    await costOf(service, work, [warm]);
    for (const [size, { width, height }] of sizes) {
      const photo = path.join(folder, `estimated-${width}.jpg`);
      await writeBenchSubject(photo, width, height);
      const predicted = await estimatedSeconds(service, operation, photo, work.body);
      const { seconds } = await costOf(service, work, [photo]);
      if (predicted === undefined) throw new Error(`No estimate of ${name} for ${size}`);
      rows.push([`${size}, ${name}`, fixed(predicted), fixed(seconds), fixed(predicted / seconds)]);
      process.stderr.write(`${rows.at(-1)?.join(' ') ?? ''}\n`);
    }
  }
  await endService(service);
  printTable(['photo', 'estimate, s', 'taken, s', 'estimate over taken'], rows);
}

/** The command line on a photo of 0.2 megapixels. */
async function smallPhotos(): Promise<void> {
  const size = { width: 520, height: 390 };
  const photo = await photoOf('small', size);
  const limit = await bareCost(natural(2), size);
  const own = path.join(folder, 'small-data');
  report('command, 0.2 MP 2x, first ever', await costOfCommand(photo, own, 'small-first'), limit);
  const again: BareCost[] = [];
  for (let i = 0; i < 4; i += 1) again.push(await costOfCommand(photo, own, `small-${i}`));
  report('command, 0.2 MP 2x, second', again[0] ?? limit, limit);
  report('command, 0.2 MP 2x, best of four', again.reduce(faster), limit);
  const service = await startService(own, folder, provider);
  const joined: BareCost[] = [];
  for (let i = 0; i < 4; i += 1) joined.push(await costOfCommand(photo, own, `joined-${i}`));
  await endService(service);
  report('command, 0.2 MP 2x, running service', joined.reduce(faster), limit);
}

/** Tile of the other programs' usual way on a CPU. */
const otherTilePx = 256;

/** Networks that people run in other programs, with onnxruntime's own threads and one tile size. */
async function others(): Promise<void> {
  const unpacked = path.join(folder, 'networks');
  await mkdir(unpacked);
  try {
    const names = ['realesr-general-x4v3', 'waifu2x-upconv7-photo-x2'];
    const members = names.map((name) => `onnx/${name}.onnx`);
    execFileSync('tar', ['xJf', sharedNetworks.archive, '-C', unpacked, ...members]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`Other networks are left out: ${reason}\n`);
    return;
  }
  const rows: string[][] = [];
  const settings: Settings = { provider, spins: true, inStrips: false };
  for (const network of await enlargersIn(unpacked)) {
    const [variant] = network.variants;
    const { input, output, layout, scale, marginPx } = network;
    if (!variant) continue;
    const file = { path: variant.path, input, output, layout, scale, marginPx };
    const tile = { settings, width: otherTilePx, height: otherTilePx };
    const { seconds } = await bare.repeat(file, tile, 3);
    const core = ((otherTilePx - 2 * marginPx) ** 2 * 3) / 1e6;
    rows.push([network.modelId, `${scale}x`, fixed((core * scale ** 2) / seconds, 3)]);
  }
  for (const scale of [2, 4]) {
    const { result } = await bestOf(natural(scale));
    const speed = result.megapixelsPerSecond * scale ** 2;
    rows.push([`natural, fastest bare`, `${scale}x`, fixed(speed, 3)]);
  }
  printTable(['network', 'scale', 'megapixels of result a second'], rows);
}

/** @throws Error a sentence if onnxruntime cannot use the device here */
async function assertUsable(): Promise<void> {
  if (provider === 'cpu') return;
  const network = natural(2);
  const [variant] = variantsOf(network);
  if (!variant) throw new Error(`Expected a file for ${provider} but found none.`);
  const settings = { provider, spins: true, inStrips: false };
  const tile = { settings, width: smallTilePx, height: smallTilePx };
  try {
    await bare.compare(searchedUpscaler(network, variant), [tile], 1);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `Expected a device that onnxruntime can use as ${provider}, but there is none: ${reason}`,
      { cause: error },
    );
  }
}

assertBuilt();
process.stdout.write(`${machineName()}, ${provider}\n\n`);
try {
  await assertUsable();
  if (isAsked('search')) await printSearch();
  if (isAsked('small')) await smallPhotos();
  if (isAsked('3x2')) await threeMegapixels();
  if (isAsked('12x2')) await oneJob('12 MP 2x', { width: 4000, height: 3000 }, 2);
  if (isAsked('12x4')) await oneJob('12 MP 4x', { width: 4000, height: 3000 }, 4);
  if (isAsked('batch')) await batch();
  if (isAsked('cutout')) await cutouts();
  if (isAsked('estimates')) await estimates();
  if (isAsked('others')) await others();
} catch (error) {
  process.exitCode = 1;
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
} finally {
  bare.close();
}
process.exit();
