/**
 * Spot-checks a device while a picture runs on it. A graphics card that was right when it was checked may
 * begin to give wrong numbers: its driver is reset, its memory fails, another program takes it. Each tile is
 * compared with its own source, which costs next to nothing. A tile that does not resemble its source, the
 * last tile, and as many between as fit in a twentieth of the time are compared with the CPU's answer. A
 * wrong answer fails the device.
 */
import type { Rect } from '../../../contract/geometry.ts';
import { EnlargerError } from '../../../contract/errors.ts';
import type { NetworkFile } from '../../protocol/messages.ts';
import { comparedTilePx, differenceOf } from './check.ts';
import type { Session } from '../sessions/session.ts';
import { outputSize, tensorStrides } from '../../tiles/tensor-pixels.ts';
import { partOf, type TensorPicture } from './tensor-parts.ts';

/** More levels of 255 than this are wrong: half precision stays far below, and garbage far above. */
const wrong = { most: 24, mean: 2 };
/** The share of the pass that may be spent on comparing. */
const share = 1 / 20;
/** The side of the blocks whose means are compared, and the distance of a mean's pixels, in input pixels. */
const blockPx = 16;
const stepPx = 2;
/** Networks that enlarge or repair move the mean of a block by less than this part of their range. */
const mostMoved = 1 / 8;

export interface SpotCheck {
  /**
   * Checks a tile's answer. It resolves to the answer that is to be used, because the given array may be
   * overwritten meanwhile. It throws INVALID_OUTPUT where the device is wrong.
   */
  check(tile: TensorPicture, answer: Float32Array, isLast: boolean): Promise<Float32Array>;
  /** Closes the session on the CPU. */
  close(): Promise<void>;
}

interface SpotCheckOptions {
  network: NetworkFile;
  /** The session on the device that is checked. */
  session: Session;
  /** Opens the same network in fp32 on the CPU; it is called when that is first needed. */
  openReference: () => Promise<Session>;
  condition: readonly number[] | undefined;
}

export function createSpotCheck(options: SpotCheckOptions): SpotCheck {
  const { network, session, openReference, condition } = options;
  const startMs = performance.now();
  let spentMs = 0;
  let compared = 0;
  let trusted = false;
  let reference: Session | undefined;
  const runOn = (on: Session, { tensor, width, height }: TensorPicture) =>
    on.run(tensor, width, height, condition);

  /**
   * Compares both devices' answers to a part of the tile. Where tiles are exact, the device's answer to the
   * part is taken from its answer to the whole tile.
   */
  const compare = async (tile: TensorPicture, answer: Float32Array, part: Rect) => {
    reference ??= await openReference();
    const picture = partOf(tile, part, network);
    const expected = Float32Array.from(await runOn(reference, picture));
    const given = wholeAnswer(network, tile, answer);
    const found = comesFromTile(network, tile, part)
      ? partOf(given, enlarged(network, part), network).tensor
      : Float32Array.from(await runOn(session, picture));
    assertAlike(network, part, tile, found, expected);
  };

  return {
    async check(tile, answer, isLast) {
      const begunMs = performance.now();
      const doubt = trusted ? undefined : doubtfulBlock(network, tile, answer);
      const isDue = isLast || spentMs < share * (begunMs - startMs);
      if (!doubt && !isDue) return answer;
      const kept = Float32Array.from(answer);
      if (doubt) assertRepeats(network, kept, await runOn(session, tile));
      compared += 1;
      await compare(tile, kept, partAround(network, tile, doubt ?? someBlock(tile, compared)));
      // The CPU agrees, so the network itself changes pictures that much, and no tile is doubted any more.
      if (doubt) trusted = true;
      spentMs += performance.now() - begunMs;
      return kept;
    },
    async close() {
      await reference?.close();
      reference = undefined;
    },
  };
}

const trimOf = ({ trimPx = 0 }: NetworkFile) => trimPx;

function wholeAnswer(network: NetworkFile, tile: TensorPicture, tensor: Float32Array) {
  const { width, height } = outputSize(network, tile);
  if (tensor.length === 3 * width * height) return { tensor, width, height };
  throw invalid(`gave ${tensor.length} values for ${width} x ${height} pixels in three colours`);
}

/** Tells where a part's answer lies in the whole tile's: the network trims both by as much. */
const enlarged = (network: NetworkFile, part: Rect): Rect => ({
  x: part.x * network.scale,
  y: part.y * network.scale,
  ...outputSize(network, part),
});

const isWhole = (tile: TensorPicture, part: Rect) =>
  part.width === tile.width && part.height === tile.height;

/** Tells whether the answer to the tile holds the answer that the part alone would get, apart from its margins. */
const comesFromTile = (network: NetworkFile, tile: TensorPicture, part: Rect) =>
  network.tileExact || isWhole(tile, part);

/** Finds the block whose mean moved the most, if it moved further than networks move it. */
function doubtfulBlock(
  network: NetworkFile,
  tile: TensorPicture,
  tensor: Float32Array,
): { x: number; y: number } | undefined {
  const answer = wholeAnswer(network, tile, tensor);
  const span = network.range[1] - network.range[0];
  let most = mostMoved * span;
  let found: { x: number; y: number } | undefined;
  const edge = Math.ceil(trimOf(network) / network.scale);
  for (let y = edge; y + blockPx <= tile.height - edge; y += blockPx) {
    for (let x = edge; x + blockPx <= tile.width - edge; x += blockPx) {
      const moved = movedBy(network, tile, answer, x, y);
      if (moved <= most) continue;
      most = moved;
      found = { x, y };
    }
  }
  return found;
}

/**
 * Measures how far the mean of a block moved, in the colour that moved the most. Each sampled pixel of the
 * source is compared with one pixel of the answer.
 */
function movedBy(
  network: NetworkFile,
  tile: TensorPicture,
  answer: TensorPicture,
  x: number,
  y: number,
): number {
  const { scale, range } = network;
  const [low, high] = range;
  const from = tensorStrides(network, tile.width * tile.height);
  const to = tensorStrides(network, answer.width * answer.height);
  const middle = Math.floor(scale / 2) - trimOf(network);
  let most = 0;
  for (let colour = 0; colour < 3; colour += 1) {
    let moved = 0;
    for (let row = y; row < y + blockPx; row += stepPx) {
      const line = (row * scale + middle) * answer.width;
      for (let column = x; column < x + blockPx; column += stepPx) {
        const given = answer.tensor[
          colour * to.colour + (line + column * scale + middle) * to.pixel
        ] as number;
        const source = tile.tensor[
          colour * from.colour + (row * tile.width + column) * from.pixel
        ] as number;
        moved += Math.min(Math.max(given, low), high) - source;
      }
    }
    most = Math.max(most, Math.abs(moved));
  }
  return most / (blockPx / stepPx) ** 2;
}

/** Picks places that are spread over the tile from turn to turn, so that no part is never checked. */
function someBlock({ width, height }: TensorPicture, turn: number): { x: number; y: number } {
  const golden = 0.6180339887;
  return {
    x: Math.floor(((turn * golden) % 1) * width),
    y: Math.floor(((turn * golden * golden) % 1) * height),
  };
}

/**
 * Picks the part that is compared: around a point, as small as is enough to compare, and at a multiple of the
 * network's `multiple`.
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

/** Throws when the device gave two different answers to one tile, as one with overwritten memory does. */
function assertRepeats(network: NetworkFile, first: Float32Array, second: Float32Array): void {
  const { most } = differenceOf(second, first, network.range);
  if (most > wrong.most)
    throw invalid(`gave two answers to one tile that differ by ${most.toFixed(0)} levels of 255`);
}

/**
 * Throws when the device's answer to a part differs from the CPU's. Margins are left out where the answer was
 * taken from that to the whole tile, because there the two may differ.
 */
function assertAlike(
  network: NetworkFile,
  part: Rect,
  tile: TensorPicture,
  found: Float32Array,
  expected: Float32Array,
): void {
  const size = enlarged(network, part);
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
  const [ours, theirs] = [partOf(a, core, network), partOf(b, core, network)];
  const { most, mean } = differenceOf(ours.tensor, theirs.tensor, network.range);
  if (most <= wrong.most && mean <= wrong.mean) return;
  throw invalid(
    `gave a part of the picture that differs from the CPU's by ${most.toFixed(0)} levels of 255 (mean ${mean.toFixed(1)})`,
  );
}

const invalid = (what: string) => new EnlargerError('INVALID_OUTPUT', `It ${what}.`);
