/**
 * Checks a device (or a variant of a file) against the CPU in fp32 on a photo-like tile, and measures its
 * speed.
 */
import type { Precision } from '../../../../packages/contract/src/models/model.ts';
import { sizeForNetwork, planeOf, tensorOf } from '../../tiles/mask-tensor.ts';
import type {
  AnyNetworkFile,
  MaskNetworkFile,
  NetworkFile,
  Provider,
} from '../../protocol/messages.ts';
import { samplesToTensor } from '../../tiles/tensor-pixels.ts';
import { smallestTilePx } from '../../tiles/tile-plan.ts';
import { measureBatch } from '../measuring/batch-size.ts';
import { deviceFaultOf } from '../devices/device-fault.ts';
import { samplePicture } from './sample-picture.ts';
import { missingLibrary } from '../devices/providers.ts';
import { openSession, type Session } from '../sessions/session.ts';
import {
  measureTiles,
  slowRunMs,
  speedAt,
  tileCandidates,
  timeOf,
  type TileSpeed,
} from '../measuring/tile-size.ts';

export interface CheckRequest {
  network: AnyNetworkFile;
  precision: Precision;
  provider: Provider;
}

export type CheckOutcome =
  | ({ ok: true } & TileSpeed & {
        /** Tile and threads are defaults, to be measured when the engine is idle. */
        isProvisional?: true;
        /** Other programs took the processors meanwhile, so tile and threads are defaults. */
        isDoubtful?: true;
      })
  | {
      ok: false;
      reason: string;
      /** The check did not end in its time, which other programs may have taken. */
      timedOut?: true;
    };

/** Maximum and mean deviation from the CPU in fp32, in levels of 255. */
export const allowedLevels: Record<Precision, Difference> = {
  fp32: { max: 1, mean: 1 },
  fp16: { max: 1, mean: 0.5 },
  int8: { max: 6, mean: 0.5 },
};

/** The same for masks. A small shift of an edge changes single values much, the mean little. */
const allowedMaskLevels: typeof allowedLevels = {
  fp32: { max: 2, mean: 0.5 },
  fp16: { max: 24, mean: 0.5 },
  int8: { max: 128, mean: 2 },
};

export const allowedFor = (network: AnyNetworkFile, precision: Precision): Difference =>
  ('scale' in network ? allowedLevels : allowedMaskLevels)[precision];

export interface Difference {
  max: number;
  mean: number;
}

/**
 * Measures the difference of two outputs in levels of 255. Values are clamped to the network's range, as when
 * they are written. NaN counts as 255.
 */
export function differenceOf(
  a: Float32Array,
  b: Float32Array,
  range: readonly [number, number],
): Difference {
  if (a.length !== b.length) return { max: 255, mean: 255 };
  const factor = 255 / (range[1] - range[0]);
  const level = (value: number) => Math.min(Math.max((value - range[0]) * factor, 0), 255);
  let max = 0;
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) {
    const difference = Math.abs(level(a[i] as number) - level(b[i] as number));
    sum += difference;
    if (!(difference <= max)) max = Number.isNaN(difference) ? 255 : difference;
  }
  return { max, mean: Number.isNaN(sum) ? 255 : sum / a.length };
}

/** Returns why a difference is too large; undefined if it is allowed. */
export function objectionTo(difference: Difference, allowed: Difference): string | undefined {
  if (difference.max <= allowed.max && difference.mean <= allowed.mean) return undefined;
  const found = `${difference.max.toFixed(2)} levels of 255 (mean ${difference.mean.toFixed(2)})`;
  return `Its numbers differ from the CPU's by ${found}; ${allowed.max} (mean ${allowed.mean}) are allowed.`;
}

/** Side of the compared tile, small enough for the CPU. */
export function comparedTilePx(network: NetworkFile): number {
  if (network.fixedPx !== undefined) return network.fixedPx;
  return Math.max(smallestTilePx(network), Math.ceil(96 / network.multiple) * network.multiple);
}

export function sampleTensor(network: NetworkFile, sizePx: number): Float32Array {
  const tensor = new Float32Array(3 * sizePx * sizePx);
  const samples = samplePicture(sizePx, sizePx);
  const view = { samples, offset: 0, stride: 3 * sizePx, bands: 3, bits: 8 as const };
  samplesToTensor(view, sizePx, sizePx, network, tensor);
  return tensor;
}

/** The tile on which sessions of a network are compared, and how their output is read. */
interface ComparisonTile {
  tensor: Float32Array;
  width: number;
  height: number;
  range: readonly [number, number];
  read: (output: Float32Array) => Float32Array;
}

function sampleOf(network: AnyNetworkFile): ComparisonTile {
  if (!('scale' in network)) return maskSample(network);
  const width = comparedTilePx(network);
  const tensor = sampleTensor(network, width);
  return { tensor, width, height: width, range: network.range, read: (output) => output };
}

/** The sample picture at the network's own size, as for a photo of 4 : 3. */
function maskSample(network: MaskNetworkFile): ComparisonTile {
  const size = sizeForNetwork(network.size, { width: 4, height: 3 });
  const samples = samplePicture(size.width, size.height);
  const colours = Float32Array.from(samples, (sample) => sample / 255);
  const tensor = tensorOf(colours, network);
  return { tensor, ...size, range: [0, 1], read: (output) => planeOf(output, network, size) };
}

/** Upper limit of the tile on which threads are compared; even one thread runs it in under a second. */
const maxThreadTilePx = 256;

/** Runs a session on a tile that is large enough to profit from threads. */
export function runForThreads(network: AnyNetworkFile): (session: Session) => Promise<unknown> {
  if (!('scale' in network)) {
    const { tensor, width, height } = maskSample(network);
    return (session) => session.run(tensor, width, height);
  }
  const [defaultPx = network.minSizePx] = tileCandidates(network, true);
  const sidePx =
    network.fixedPx ?? Math.max(smallestTilePx(network), Math.min(defaultPx, maxThreadTilePx));
  const tensor = sampleTensor(network, sidePx);
  return (session) => session.run(tensor, sidePx, sidePx);
}

/** Finds an upscaler's fastest tile size and batch, or the speed of a mask network, which has one size. */
export async function measureSession(
  network: AnyNetworkFile,
  session: Session,
): Promise<TileSpeed> {
  if (!('scale' in network)) return measureMask(network, session);
  const speed = await measureTiles(network, session);
  if (session.provider === 'cpu' || !(await session.acceptsBatches())) return speed;
  const picture = sampleTensor(network, speed.tilePx);
  const allowed = allowedFor(network, session.precision);
  const isRight = (found: Float32Array, expected: Float32Array) =>
    objectionTo(differenceOf(found, expected, network.range), allowed) === undefined;
  return measureBatch(session, speed, (i) => rotated(picture, i), isRight);
}

/** Rotates the values of a picture, so that a batch has different tiles and mixing them up is detected. */
function rotated(picture: Float32Array, index: number): Float32Array {
  const start = Math.floor((index * picture.length) / 5);
  const moved = new Float32Array(picture.length);
  moved.set(picture.subarray(start));
  moved.set(picture.subarray(0, start), picture.length - start);
  return moved;
}

async function measureMask(network: MaskNetworkFile, session: Session): Promise<TileSpeed> {
  const { tensor, width, height } = maskSample(network);
  return maskSpeed(width, height, await timeOf(session, tensor, width, height));
}

const maskSpeed = (width: number, height: number, ms: number): TileSpeed => ({
  tilePx: width,
  megapixelsPerSecond: (width * height) / ms / 1000,
});

/** Moderate damage, so that the condition takes part in the check. */
const checkedDamage = 0.3;

/** After a first comparison both sessions run alternately this often, so that another program's burst of work does not decide. */
const comparedRounds = 4;

/**
 * Compares the outputs of two open sessions on one tile.
 *
 * @param rounds 0: the reference's only time includes loading its network
 * @returns the difference, the time of both in ms, and the speed of the first
 */
export async function compareSessions(
  network: AnyNetworkFile,
  one: Session,
  reference: Session,
  rounds = comparedRounds,
) {
  const { tensor, width, height, range, read } = sampleOf(network);
  const condition = 'scale' in network ? network.condition?.values.map(() => checkedDamage) : [];
  const runOf = async (session: Session) => {
    const start = performance.now();
    const output = await session.run(tensor, width, height, condition);
    return { output, ms: performance.now() - start };
  };
  // The device goes first: one that cannot run needs no comparison.
  const copy = Float32Array.from(read((await runOf(one)).output));
  const expected = await runOf(reference);
  const difference = differenceOf(copy, read(expected.output), range);
  let [ownMs, referenceMs] = [(await runOf(one)).ms, expected.ms];
  for (let round = 0; round < rounds; round += 1) {
    ownMs = Math.min(ownMs, await timeOf(one, tensor, width, height, condition));
    referenceMs = Math.min(referenceMs, await timeOf(reference, tensor, width, height, condition));
    if (ownMs > slowRunMs) break;
  }
  const speed =
    'scale' in network ? speedAt(network, width, ownMs) : maskSpeed(width, height, ownMs);
  return { difference, ownMs, referenceMs, speed };
}

/** Checks one provider completely. To be called in a process that may crash. */
export async function checkProvider(request: CheckRequest): Promise<CheckOutcome> {
  const { network, precision, provider } = request;
  const reference = await openSession(network, 'fp32', 'cpu');
  try {
    const session = await openSession(network, precision, provider);
    const compared = await compareSessions(network, session, reference);
    const objection = objectionTo(compared.difference, allowedFor(network, precision));
    if (objection) return { ok: false, reason: objection };
    if (compared.ownMs > compared.referenceMs) return { ok: true, ...compared.speed };
    return { ok: true, ...(await measureSession(network, session)) };
  } catch (error) {
    const missing = missingLibrary(provider);
    if (missing === undefined) return { ok: false, reason: `It failed: ${deviceFaultOf(error)}` };
    return { ok: false, reason: `It needs the library ${missing}, which is not installed.` };
  }
}
