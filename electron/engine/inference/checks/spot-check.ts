/**
 * Spot-checks a device while it runs a picture. A graphics card that passed its check may fail later: its
 * driver is reset, its memory fails, another program takes it. Each tile is compared with its own source,
 * which is nearly free. A tile that does not resemble its source, the last tile, and as many others as fit in
 * a twentieth of the time are compared with the CPU. A mismatch fails the device.
 */
import type { Rect } from '../../../../packages/contract/src/geometry.ts';
import { EnlargerError } from '../../../../packages/contract/src/errors.ts';
import type { NetworkFile } from '../../protocol/messages.ts';
import { comparedTilePx, differenceOf, type Difference } from './check.ts';
import type { Session } from '../sessions/session.ts';
import { outputSize, tensorStrides } from '../../tiles/tensor-pixels.ts';
import { cropTensor, type TensorPicture } from './tensor-parts.ts';

/** Levels of 255 that are wrong: half precision stays far below, garbage is far above. */
const tolerance: Difference = { max: 24, mean: 2 };
/** Maximum share of the pass spent on comparing. */
const timeShare = 1 / 20;
/** Side of the blocks whose means are compared, and the stride of a mean's samples, in input pixels. */
const blockPx = 16;
const stepPx = 2;
/** Limit for a block's mean, as a share of the range: networks that enlarge or repair move it less. */
const maxShift = 1 / 8;

export interface SpotCheck {
  /**
   * Checks a tile's output.
   *
   * @returns the output to use, because the given array may be overwritten meanwhile
   * @throws EnlargerError INVALID_OUTPUT if the device is wrong
   */
  check(tile: TensorPicture, output: Float32Array, isLast: boolean): Promise<Float32Array>;
  /** Closes the session on the CPU. */
  close(): Promise<void>;
}

interface SpotCheckOptions {
  network: NetworkFile;
  /** The session on the device under test. */
  session: Session;
  /** Opens the same network in fp32 on the CPU, on first use. */
  openReference: () => Promise<Session>;
  condition: readonly number[] | undefined;
}

export function createSpotCheck(options: SpotCheckOptions): SpotCheck {
  const { network, session, openReference, condition } = options;
  const startMs = performance.now();
  let spentMs = 0;
  let compared = 0;
  let isTrusted = false;
  let reference: Session | undefined;
  const runOn = (on: Session, { tensor, width, height }: TensorPicture) =>
    on.run(tensor, width, height, condition);

  /**
   * Compares both devices on a part of the tile. For a tile-exact network the device's output is cut from
   * that of the whole tile.
   */
  const compare = async (tile: TensorPicture, output: Float32Array, part: Rect) => {
    reference ??= await openReference();
    const picture = cropTensor(tile, part, network);
    const expected = Float32Array.from(await runOn(reference, picture));
    const whole = outputPicture(network, tile, output);
    const found = isContained(network, tile, part)
      ? cropTensor(whole, outputRect(network, part), network).tensor
      : Float32Array.from(await runOn(session, picture));
    assertAlike(network, part, tile, found, expected);
  };

  return {
    async check(tile, output, isLast) {
      const begunMs = performance.now();
      const suspect = isTrusted ? undefined : suspectBlock(network, tile, output);
      const isDue = isLast || spentMs < timeShare * (begunMs - startMs);
      if (!suspect && !isDue) return output;
      const copy = Float32Array.from(output);
      if (suspect) assertRepeats(network, copy, await runOn(session, tile));
      compared += 1;
      await compare(tile, copy, partAround(network, tile, suspect ?? nextBlock(tile, compared)));
      // The CPU agrees: the network itself changes pictures that much, so later tiles are not doubted.
      if (suspect) isTrusted = true;
      spentMs += performance.now() - begunMs;
      return copy;
    },
    async close() {
      await reference?.close();
      reference = undefined;
    },
  };
}

const trimOf = ({ trimPx = 0 }: NetworkFile) => trimPx;

function outputPicture(network: NetworkFile, tile: TensorPicture, tensor: Float32Array) {
  const { width, height } = outputSize(network, tile);
  if (tensor.length === 3 * width * height) return { tensor, width, height };
  throw invalid(`gave ${tensor.length} values for ${width} x ${height} pixels in three colours`);
}

/** Where a part's output lies in the whole tile's: the network crops both alike. */
const outputRect = (network: NetworkFile, part: Rect): Rect => ({
  x: part.x * network.scale,
  y: part.y * network.scale,
  ...outputSize(network, part),
});

const isWhole = (tile: TensorPicture, part: Rect) =>
  part.width === tile.width && part.height === tile.height;

/** Whether the tile's output contains the output of the part alone, apart from its margins. */
const isContained = (network: NetworkFile, tile: TensorPicture, part: Rect) =>
  network.tileExact || isWhole(tile, part);

/** Returns the block whose mean moved most, if it moved beyond the limit. */
function suspectBlock(
  network: NetworkFile,
  tile: TensorPicture,
  tensor: Float32Array,
): { x: number; y: number } | undefined {
  const output = outputPicture(network, tile, tensor);
  const span = network.range[1] - network.range[0];
  let max = maxShift * span;
  let found: { x: number; y: number } | undefined;
  const edge = Math.ceil(trimOf(network) / network.scale);
  for (let y = edge; y + blockPx <= tile.height - edge; y += blockPx) {
    for (let x = edge; x + blockPx <= tile.width - edge; x += blockPx) {
      const shift = blockShift(network, tile, output, x, y);
      if (shift <= max) continue;
      max = shift;
      found = { x, y };
    }
  }
  return found;
}

/**
 * Returns by how much the mean of a block moved, in the colour that moved most. Each sampled source pixel is
 * compared with one output pixel.
 */
function blockShift(
  network: NetworkFile,
  tile: TensorPicture,
  output: TensorPicture,
  x: number,
  y: number,
): number {
  const { scale, range } = network;
  const [low, high] = range;
  const from = tensorStrides(network, tile.width * tile.height);
  const to = tensorStrides(network, output.width * output.height);
  const middle = Math.floor(scale / 2) - trimOf(network);
  let max = 0;
  for (let colour = 0; colour < 3; colour += 1) {
    let shift = 0;
    for (let row = y; row < y + blockPx; row += stepPx) {
      const line = (row * scale + middle) * output.width;
      for (let column = x; column < x + blockPx; column += stepPx) {
        const whole = output.tensor[
          colour * to.colour + (line + column * scale + middle) * to.pixel
        ] as number;
        const source = tile.tensor[
          colour * from.colour + (row * tile.width + column) * from.pixel
        ] as number;
        shift += Math.min(Math.max(whole, low), high) - source;
      }
    }
    max = Math.max(max, Math.abs(shift));
  }
  return max / (blockPx / stepPx) ** 2;
}

/**
 * Picks positions spread evenly over the tile from call to call (golden ratio), so that every part gets
 * checked.
 */
function nextBlock({ width, height }: TensorPicture, index: number): { x: number; y: number } {
  const golden = 0.6180339887;
  return {
    x: Math.floor(((index * golden) % 1) * width),
    y: Math.floor(((index * golden * golden) % 1) * height),
  };
}

/**
 * Picks the part to compare: around a point, as small as suffices, and aligned to the network's `multiple`.
 */
function partAround(
  network: NetworkFile,
  { width, height }: TensorPicture,
  at: { x: number; y: number },
): Rect {
  const side = comparedTilePx(network);
  if (network.fixedPx !== undefined || width < side || height < side)
    return { x: 0, y: 0, width, height };
  const start = (middle: number, length: number) => {
    const wanted = Math.min(Math.max(middle + blockPx / 2 - side / 2, 0), length - side);
    return Math.floor(wanted / network.multiple) * network.multiple;
  };
  return { x: start(at.x, width), y: start(at.y, height), width: side, height: side };
}

/** @throws if the device's output for one tile is not reproducible, as with corrupted memory */
function assertRepeats(network: NetworkFile, first: Float32Array, second: Float32Array): void {
  const { max } = differenceOf(second, first, network.range);
  if (max > tolerance.max)
    throw invalid(`gave two answers to one tile that differ by ${max.toFixed(0)} levels of 255`);
}

/**
 * @throws if the device's output for a part differs from the CPU's. Margins are excluded if the output was
 *   cut from the whole tile's, because there the two may differ.
 */
function assertAlike(
  network: NetworkFile,
  part: Rect,
  tile: TensorPicture,
  found: Float32Array,
  expected: Float32Array,
): void {
  const size = outputRect(network, part);
  const [a, b] = [found, expected].map((tensor) => ({ ...size, tensor }));
  if (!a || !b || a.tensor.length !== b.tensor.length)
    throw invalid(`gave ${found.length} values where the CPU gives ${expected.length}`);
  const cut =
    network.tileExact && !isWhole(tile, part)
      ? Math.max(network.marginPx * network.scale - trimOf(network), 0)
      : 0;
  const core = {
    x: cut,
    y: cut,
    width: size.width - 2 * cut,
    height: size.height - 2 * cut,
  };
  const [ours, theirs] = [cropTensor(a, core, network), cropTensor(b, core, network)];
  const { max, mean } = differenceOf(ours.tensor, theirs.tensor, network.range);
  if (max <= tolerance.max && mean <= tolerance.mean) return;
  throw invalid(
    `gave a part of the picture that differs from the CPU's by ${max.toFixed(0)} levels of 255 (mean ${mean.toFixed(1)})`,
  );
}

const invalid = (what: string) => new EnlargerError('INVALID_OUTPUT', `It ${what}.`);
