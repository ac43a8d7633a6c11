/**
 * Compares the quality that is found for other encoders' tables with the error that these leave in pixels.
 */
import { existsSync, globSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { blockPx, transformBlock } from '../../../electron/engine/analysis/block-transform.ts';
import {
  qualityOfSteps,
  stepsInJpeg,
  stepsOfQuality,
} from '../../../packages/file-records/src/jpeg-quality.ts';
import { bytesInMemory } from '../../../packages/file-records/src/tiff/tiff-directory.ts';
import { photographs } from '../../support/shared.ts';
import { decoded, encoded, scene } from '../../engine/analysis/damaged-pictures.ts';

const isShared = existsSync(photographs);

/** The coefficients of brightness of photographs, block by block. */
async function blocksOf(path: string): Promise<Float64Array[]> {
  const { data, width, height } = await decoded(
    await sharp(path).resize(400).toColourspace('srgb').removeAlpha().png().toBuffer(),
  );
  const luma = Float32Array.from(
    { length: width * height },
    (_, i) => 0.299 * data[3 * i]! + 0.587 * data[3 * i + 1]! + 0.114 * data[3 * i + 2]!,
  );
  const blocks: Float64Array[] = [];
  for (let y = 0; y + blockPx <= height; y += 3 * blockPx)
    for (let x = 0; x + blockPx <= width; x += blockPx) {
      const values = new Float64Array(64);
      transformBlock(luma, y * width + x, width, values);
      blocks.push(values);
    }
  return blocks;
}

const names = isShared ? globSync('*.jpg', { cwd: photographs }).toSorted() : [];
const chosen = names.filter((_, i) => i % 6 === 3).map((name) => path.join(photographs, name));
const blocks = (await Promise.all(chosen.map(blocksOf))).flat();

/** Squared error that rounding to these steps leaves. */
const errorOf = (steps: readonly number[]) =>
  blocks.reduce(
    (sum, values) =>
      sum +
      values.reduce((own, value, i) => {
        const step = steps[i]!;
        return own + (value - Math.round(value / step) * step) ** 2;
      }, 0),
    0,
  );

const errors = Array.from({ length: 91 }, (_, i) => errorOf(stepsOfQuality(i + 10)));
/** Finds libjpeg's quality that leaves as much error. */
const qualityInPixels = (steps: readonly number[]) => {
  const left = errorOf(steps);
  return (
    10 +
    Math.max(
      0,
      errors.findLastIndex((error) => error >= left),
    )
  );
};

/** Fills a symmetric table from its rows, which begin at the diagonal. */
const mirrored = (...rows: number[][]) =>
  rows.flatMap((_, y) => rows.map((_, x) => rows[Math.min(x, y)]![Math.abs(x - y)]!));

/** Brightness's tables of Photoshop, as Pillow publishes them in JpegPresets. */
const photoshop = {
  'for the web, 10': mirrored(
    [20, 16, 25, 39, 50, 46, 62, 68],
    [18, 23, 38, 38, 53, 65, 68],
    [31, 38, 53, 65, 68, 68],
    [53, 65, 68, 68, 68],
    [68, 68, 68, 68],
    [68, 68, 68],
    [68, 68],
    [68],
  ),
  'for the web, 30': mirrored(
    [16, 11, 11, 16, 23, 27, 31, 30],
    [12, 12, 15, 20, 23, 23, 30],
    [13, 16, 23, 26, 35, 47],
    [23, 26, 37, 47, 64],
    [39, 51, 64, 64],
    [64, 64, 64],
    [64, 64],
    [64],
  ),
  'for the web, 60': mirrored(
    [6, 4, 4, 6, 9, 11, 12, 16],
    [5, 5, 6, 8, 10, 12, 12],
    [5, 6, 10, 12, 14, 19],
    [11, 12, 15, 19, 28],
    [16, 20, 27, 31],
    [31, 31, 31],
    [31, 31],
    [31],
  ),
  'for the web, 80': mirrored(
    [2, 2, 2, 2, 3, 4, 5, 6],
    [2, 2, 2, 3, 4, 5, 6],
    [2, 2, 4, 5, 7, 9],
    [4, 5, 7, 9, 12],
    [8, 10, 12, 12],
    [12, 12, 12],
    [12, 12],
    [12],
  ),
  'for the web, 100': mirrored(
    [1, 1, 1, 1, 1, 1, 1, 1],
    [1, 1, 1, 1, 1, 1, 1],
    [1, 1, 1, 1, 1, 2],
    [1, 1, 1, 2, 2],
    [1, 2, 2, 3],
    [2, 3, 3],
    [3, 3],
    [3],
  ),
  low: mirrored(
    [18, 14, 14, 21, 30, 35, 34, 17],
    [16, 16, 19, 26, 23, 12, 12],
    [17, 21, 23, 12, 12, 12],
    [23, 12, 12, 12, 12],
    [12, 12, 12, 12],
    [12, 12, 12],
    [12, 12],
    [12],
  ),
  medium: mirrored(
    [12, 8, 8, 12, 17, 21, 24, 17],
    [9, 9, 11, 15, 19, 12, 12],
    [10, 12, 19, 12, 12, 12],
    [21, 12, 12, 12, 12],
    [12, 12, 12, 12],
    [12, 12, 12],
    [12, 12],
    [12],
  ),
  high: mirrored(
    [6, 4, 4, 6, 9, 11, 12, 16],
    [5, 5, 6, 8, 10, 12, 12],
    [5, 6, 10, 12, 12, 12],
    [11, 12, 12, 12, 12],
    [12, 12, 12, 12],
    [12, 12, 12],
    [12, 12],
    [12],
  ),
};

describe.skipIf(!isShared)(
  `the quality of tables that are not libjpeg's${isShared ? '' : ': skipped, there is no shared folder'}`,
  () => {
    it.each(Object.entries(photoshop))('is what pixels say: Photoshop, %s', (_, steps) => {
      expect(steps).toHaveLength(64);
      expect(Math.abs(qualityOfSteps(steps) - qualityInPixels(steps))).toBeLessThanOrEqual(10);
    });

    const kinds = [0, 1, 2, 3, 4, 5, 6, 7, 8].flatMap((table) =>
      [50, 75, 90].map((quality) => ({ table, quality })),
    );
    it.each(kinds)("is what pixels say: mozjpeg's table $table at $quality", async (kind) => {
      const { table: quantisationTable, quality } = kind;
      const file = await encoded(scene(1, 32)).jpeg({ quality, quantisationTable }).toBuffer();
      const steps = stepsInJpeg(bytesInMemory(file)) ?? [];
      expect(Math.abs(qualityOfSteps(steps) - qualityInPixels(steps))).toBeLessThanOrEqual(10);
    });
  },
);
