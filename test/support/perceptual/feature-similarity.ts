/**
 * Similarity of structure and texture in the features of a pretrained encoder, by the formula of DISTS (Ding, Ma,
 * Wang and Simoncelli 2020) with every channel and level counted alike: DISTS itself has VGG's features and
 * weights fitted to people's judgements, so figures compare with each other only. The encoder is that of the
 * shipped cut-out network, whose first stages are EfficientNet-Lite0's as ImageNet left them.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { integersField, nodeField, outputField } from '../../../packages/onnx/src/encode-onnx.ts';
import { bytesField, type OutputPiece } from '../../../packages/onnx/src/protobuf.ts';
import { openSession } from '../../../electron/engine/inference/sessions/session.ts';
import type { Pixels } from '../images.ts';
import { modelsDir, networkFromFile } from '../networks.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { mirroredIndex } from './plane.ts';

/** The side that the cut-out network takes. */
const windowPx = 320;
/** Levels after their ReLU, as the cut-out's file names them. */
const levels = [
  { name: 'stem.relu6', channels: 32, side: windowPx / 2 },
  { name: 'block1.expand.relu6', channels: 96, side: windowPx / 2 },
  { name: 'block3.expand.relu6', channels: 144, side: windowPx / 4 },
  { name: 'block5.expand.relu6', channels: 240, side: windowPx / 8 },
];
/** The encoder takes (level - 127) / 128. */
const middle = 127;
const spread = 128;
/** The paper's constants. */
const stability = 1e-6;

const vectorName = 'features';

/** Writes the cut-out's file with the levels' features as one more output, a vector. */
function writeEncoder(): string {
  const flat = levels.flatMap(({ name }): OutputPiece[] =>
    nodeField('Reshape', [name, 'flat.shape'], [`${name}.flat`]),
  );
  const whole = nodeField(
    'Concat',
    levels.map(({ name }) => `${name}.flat`),
    [vectorName],
    {
      axis: 0,
    },
  );
  const count = levels.reduce((sum, { channels, side }) => sum + channels * side * side, 0);
  const graph = [
    ...flat,
    ...whole,
    ...integersField('flat.shape', [-1]),
    ...outputField(vectorName, [count]),
  ];
  // A message's field that comes twice in protobuf is merged, its lists one after the other.
  const added = bytesField(7, graph).map((piece) =>
    piece instanceof Uint8Array ? piece : piece.read(),
  );
  const path = join(temporaryFolder(), 'encoder.onnx');
  writeFileSync(path, Buffer.concat([readFileSync(join(modelsDir, 'cutout.onnx')), ...added]));
  return path;
}

interface Window {
  left: number;
  top: number;
}

/** Even places of as few windows as cover a side. */
function startsAlong(side: number): number[] {
  const count = Math.max(Math.ceil(side / windowPx), 1);
  const room = Math.max(side - windowPx, 0);
  return Array.from({ length: count }, (_, i) => Math.round((room * i) / Math.max(count - 1, 1)));
}

const windowsOf = ({ width, height }: Pixels): Window[] =>
  startsAlong(height).flatMap((top) => startsAlong(width).map((left) => ({ left, top })));

/** The levels of one window, planes of 0..255 one after the other; a smaller picture is mirrored. */
function levelsOf(picture: Pixels, { left, top }: Window): Float32Array {
  const area = windowPx * windowPx;
  const out = new Float32Array(3 * area);
  for (let y = 0; y < windowPx; y += 1)
    for (let x = 0; x < windowPx; x += 1) {
      const row = mirroredIndex(top + y, picture.height) * picture.width;
      const from = (row + mirroredIndex(left + x, picture.width)) * picture.channels;
      for (let c = 0; c < 3; c += 1)
        out[c * area + y * windowPx + x] = picture.data[from + (picture.channels < 3 ? 0 : c)]!;
    }
  return out;
}

/** 1 for equal channels: the means' similarity and the structures', half each. */
function similarity(a: Float32Array, b: Float32Array): number {
  const n = a.length;
  let [sumA, sumB, squareA, squareB, product] = [0, 0, 0, 0, 0];
  for (let i = 0; i < n; i += 1) {
    const [x, y] = [a[i]!, b[i]!];
    sumA += x;
    sumB += y;
    squareA += x * x;
    squareB += y * y;
    product += x * y;
  }
  const [meanA, meanB] = [sumA / n, sumB / n];
  const texture = (2 * meanA * meanB + stability) / (meanA ** 2 + meanB ** 2 + stability);
  const variances = squareA / n - meanA ** 2 + squareB / n - meanB ** 2;
  const structure = (2 * (product / n - meanA * meanB) + stability) / (variances + stability);
  return (texture + structure) / 2;
}

/** Mean similarity of `channels` planes that follow each other from `at` on. */
function levelSimilarity(
  [a, b]: readonly [Float32Array, Float32Array],
  at: number,
  channels: number,
  area: number,
): number {
  let sum = 0;
  for (let c = 0; c < channels; c += 1) {
    const from = at + c * area;
    sum += similarity(a.subarray(from, from + area), b.subarray(from, from + area));
  }
  return sum / channels;
}

/** Windows of truths whose features are kept: 12 are 100 MB. */
const maxKnown = 12;

export interface FeatureComparison {
  /**
   * Returns 0 for equal pictures and more for less alike ones, 1 at most in practice.
   *
   * @throws Error if the sizes differ
   */
  distance(picture: Pixels, truth: Pixels): Promise<number>;
  close(): Promise<void>;
}

export async function openFeatureComparison(): Promise<FeatureComparison> {
  const network = networkFromFile(writeEncoder(), { scale: 1, output: vectorName });
  const session = await openSession(network, 'fp32', 'cpu');
  /** By the pixels' hash: every network's result is held against the same truths. */
  const known = new Map<string, Float32Array>();
  const run = async (pixels: Float32Array) =>
    Float32Array.from(
      await session.run(
        pixels.map((level) => (level - middle) / spread),
        windowPx,
        windowPx,
      ),
    );
  const featuresOfTruth = async (pixels: Float32Array) => {
    const key = createHash('sha256').update(new Uint8Array(pixels.buffer)).digest('hex');
    const found = known.get(key) ?? (await run(pixels));
    if (known.size >= maxKnown) known.clear();
    known.set(key, found);
    return found;
  };
  return {
    async distance(picture, truth) {
      if (picture.width !== truth.width || picture.height !== truth.height)
        throw new Error('Expected two pictures of one size');
      const windows = windowsOf(truth);
      let sum = 0;
      for (const window of windows) {
        const [own, wanted] = [levelsOf(picture, window), levelsOf(truth, window)];
        const features = [await run(own), await featuresOfTruth(wanted)] as const;
        let total = levelSimilarity([own, wanted], 0, 3, windowPx * windowPx);
        let at = 0;
        for (const { channels, side } of levels) {
          total += levelSimilarity(features, at, channels, side * side);
          at += channels * side * side;
        }
        sum += 1 - total / (levels.length + 1);
      }
      return sum / windows.length;
    },
    close: () => session.close(),
  };
}
