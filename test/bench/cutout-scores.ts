/**
 * Max F and MAE as the usual salient-object evaluations count them (Achanta et al. 2009): the mask
 * enlarged to the picture, binarised at 255 thresholds, precision and recall of each threshold
 * averaged over the pictures, F with beta squared 0.3, and the best of all thresholds.
 */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  assertSubject,
  borderShare,
  doubtOf,
  gradeOf,
} from '../../electron/engine/jobs/cutout/mask/find-subject.ts';
import type { Grade } from '../../packages/contract/src/task.ts';
import type { Mask } from '../../electron/engine/tiles/mask-tensor.ts';
import { createRowResampler } from '../../electron/engine/raster/planes/resample.ts';
import { readPixels, type Pixels } from '../support/images.ts';
import type { FindMask } from './mask-session.ts';
import { shippedTuning } from '../support/networks-masks.ts';

interface Scores {
  maxF: number;
  mae: number;
  pictures: number;
  /** Pictures in which no subject would have been found. */
  refused: number;
  found: Found[];
}

/** One picture: how sure the network was, and how right what came out is. */
export interface Found {
  name: string;
  doubt: number;
  /** Share of the picture's border that is subject. */
  border: number;
  grade: Grade;
  /** Intersection over union of what is more than half subject. */
  overlap: number;
}

const betaSquared = 0.3;
const thresholds = 255;

/** Best F of all thresholds, of precision and recall summed over `count` pictures. */
const bestF = (precision: Float64Array, recall: Float64Array, count: number): number =>
  Math.max(
    ...Array.from(precision, (sum, i) => {
      const p = sum / count;
      const r = (recall[i] as number) / count;
      return p + r === 0 ? 0 : ((1 + betaSquared) * p * r) / (betaSquared * p + r);
    }),
  );

const truthIn = (folder: string, name: string) =>
  readPixels(join(folder, 'mask', `${basename(name, '.webp')}.png`));

/** Scores of masks by the names of their pictures in `folder`; `below` counts overlaps under 0.8. */
export async function maskScoresOn(
  folder: string,
  masks: ReadonlyMap<string, Mask>,
): Promise<{ maxF: number; mae: number; below: number }> {
  const precision = new Float64Array(thresholds);
  const recall = new Float64Array(thresholds);
  let [mae, below] = [0, 0];
  for (const [name, mask] of masks) {
    const scores = addPicture(mask, await truthIn(folder, name), precision, recall);
    mae += scores.error / masks.size;
    below += Number(scores.overlap < 0.8);
  }
  return { maxF: bestF(precision, recall, masks.size), mae, below };
}

/** @param every 3 takes every third picture */
export async function scoresOn(folder: string, findMask: FindMask, every = 1): Promise<Scores> {
  const all = readdirSync(join(folder, 'image')).toSorted();
  const names = all.filter((_, i) => i % every === 0);
  const precision = new Float64Array(thresholds);
  const recall = new Float64Array(thresholds);
  let mae = 0;
  let refused = 0;
  const found: Found[] = [];
  for (const name of names) {
    const truth = await truthIn(folder, name);
    const { mask, rawMask } = await findMask(join(folder, 'image', name), (one) =>
      Promise.resolve(one),
    );
    const { error, overlap } = addPicture(mask, truth, precision, recall);
    mae += error / names.length;
    found.push({
      name,
      doubt: doubtOf(rawMask),
      border: borderShare(rawMask),
      grade: gradeOf(rawMask, shippedTuning),
      overlap,
    });
    if (!isSubject(mask)) refused += 1;
  }
  const maxF = bestF(precision, recall, names.length);
  return { maxF, mae, pictures: names.length, refused, found };
}

function isSubject(mask: Mask): boolean {
  try {
    assertSubject(mask, shippedTuning);
    return true;
  } catch {
    return false;
  }
}

/** Adds the picture's precision and recall at each threshold. @returns its mean absolute error and overlap */
function addPicture(
  mask: Mask,
  truth: Pixels,
  precision: Float64Array,
  recall: Float64Array,
): { error: number; overlap: number } {
  const { width, height, channels, data } = truth;
  const subject = new Uint32Array(256);
  const other = new Uint32Array(256);
  const rowOf = createRowResampler(mask, truth);
  let error = 0;
  let both = 0;
  let either = 0;
  for (let y = 0; y < height; y += 1) {
    const row = rowOf(y);
    for (let x = 0; x < width; x += 1) {
      const value = row[x] as number;
      const isSubjects = (data[(y * width + x) * channels] as number) > 127;
      error += Math.abs(value - (isSubjects ? 1 : 0));
      if (isSubjects && value > 0.5) both += 1;
      if (isSubjects || value > 0.5) either += 1;
      const counts = isSubjects ? subject : other;
      const level = Math.round(value * 255);
      counts[level] = (counts[level] as number) + 1;
    }
  }
  addCurves(subject, other, precision, recall);
  return { error: error / (width * height), overlap: either === 0 ? 1 : both / either };
}

function addCurves(
  subject: Uint32Array,
  other: Uint32Array,
  precision: Float64Array,
  recall: Float64Array,
): void {
  const all = subject.reduce((sum, count) => sum + count, 0);
  let hits = 0;
  let false_ = 0;
  for (let level = 255; level > 0; level -= 1) {
    hits += subject[level] as number;
    false_ += other[level] as number;
    const i = level - 1;
    const found = hits + false_;
    precision[i] = (precision[i] as number) + (found === 0 ? 0 : hits / found);
    recall[i] = (recall[i] as number) + (all === 0 ? 0 : hits / all);
  }
}
