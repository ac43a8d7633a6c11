/**
 * How many clicks a mask needs, as interactive segmentation counts them (NoC@90; Sofiiuk et al. 2021): each next click
 * is put at the deepest place of the larger error, until the intersection over union is 0.9, at most 20 times. Beside
 * that, what a box tightly around the subject gives alone.
 */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  boxStroke,
  strokesOf,
  type Stroke,
  type StrokePoint,
} from '../../packages/contract/src/options/strokes.ts';
import type { Mask } from '../../electron/engine/tiles/mask-tensor.ts';
import { createRowResampler } from '../../electron/engine/raster/planes/resample.ts';
import { readPixels, type Pixels } from '../support/images.ts';
import type { FindMask } from './mask-session.ts';

const maxClicks = 20;
const enough = 0.9;
/** Of so many first clicks the mean overlaps are listed. */
const listedClicks = 5;

export interface ClickScores {
  /** Mean number of clicks to an intersection over union of 0.9; 20 where that is not reached. */
  clicks: number;
  /** Pictures where it is not reached. */
  unreached: number;
  pictures: number;
  /** Mean intersection over union after 0 to 5 clicks; once 0.9 is reached it stays. */
  overlaps: number[];
  /** Mean intersection over union with a box around the subject, and no click. */
  boxed: number;
}

export async function clicksOn(folder: string, findMask: FindMask): Promise<ClickScores> {
  const names = readdirSync(join(folder, 'image')).toSorted();
  const overlaps = new Array<number>(listedClicks + 1).fill(0);
  let [clicks, unreached, boxed] = [0, 0, 0];
  for (const name of names) {
    const truth = await readPixels(join(folder, 'mask', `${basename(name, '.webp')}.png`));
    const found = await overlapsOf(join(folder, 'image', name), truth, findMask);
    const last = found.at(-1) ?? 0;
    clicks += (last >= enough ? found.length - 1 : maxClicks) / names.length;
    if (last < enough) unreached += 1;
    const inBox = await findMask(join(folder, 'image', name), ({ mask }) => Promise.resolve(mask), [
      boxAround(truth),
    ]);
    boxed += compare(inBox, truth).overlap / names.length;
    for (const i of overlaps.keys())
      overlaps[i] = (overlaps[i] ?? 0) + (found[Math.min(i, found.length - 1)] ?? 0) / names.length;
  }
  return { clicks, unreached, pictures: names.length, overlaps, boxed };
}

function boxAround({ width, height, channels, data }: Pixels): Stroke {
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let at = 0; at < width * height; at += 1) {
    if ((data[at * channels] ?? 0) <= 127) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    [left, top] = [Math.min(left, x), Math.min(top, y)];
    [right, bottom] = [Math.max(right, x + 1), Math.max(bottom, y + 1)];
  }
  return boxStroke('keep', {
    ...{ x: left / width, y: top / height },
    ...{ width: (right - left) / width, height: (bottom - top) / height },
  });
}

/** The overlap before the first click and after each, up to the one with which it suffices. */
async function overlapsOf(path: string, truth: Pixels, findMask: FindMask): Promise<number[]> {
  const points: StrokePoint[] = [];
  const overlaps: number[] = [];
  for (;;) {
    const found = await findMask(path, ({ mask }) => Promise.resolve(mask), strokesOf(points));
    const { overlap, next } = compare(found, truth);
    overlaps.push(overlap);
    if (overlap >= enough || points.length === maxClicks || next === undefined) return overlaps;
    points.push(next);
  }
}

/** The overlap, and where a person would click next. */
function compare(
  mask: Mask,
  { width, height, channels, data }: Pixels,
): { overlap: number; next: StrokePoint | undefined } {
  const rowOf = createRowResampler(mask, { width, height });
  const missed = new Uint8Array(width * height);
  const beyond = new Uint8Array(width * height);
  let [both, either] = [0, 0];
  for (let y = 0; y < height; y += 1) {
    const row = rowOf(y);
    for (let x = 0; x < width; x += 1) {
      const at = y * width + x;
      const isSubject = (data[at * channels] ?? 0) > 127;
      const isFound = (row[x] ?? 0) > 0.5;
      both += Number(isSubject && isFound);
      either += Number(isSubject || isFound);
      missed[at] = Number(isSubject && !isFound);
      beyond[at] = Number(!isSubject && isFound);
    }
  }
  const kept = deepest(missed, width, height);
  const removed = deepest(beyond, width, height);
  const [kind, { at, depth }] =
    kept.depth >= removed.depth ? (['keep', kept] as const) : (['remove', removed] as const);
  const x = ((at % width) + 0.5) / width;
  const y = (Math.floor(at / width) + 0.5) / height;
  return {
    overlap: either === 0 ? 1 : both / either,
    next: depth > 0 ? { kind, x, y } : undefined,
  };
}

/** The place that lies farthest within a region, by the larger of both distances; the frame counts as outside. */
function deepest(region: Uint8Array, width: number, height: number): { at: number; depth: number } {
  const depth = new Int32Array((width + 2) * (height + 2));
  const stride = width + 2;
  const spread = (y: number, x: number, neighbours: readonly number[]) => {
    const at = (y + 1) * stride + x + 1;
    if (region[y * width + x] === 0) return;
    const least = Math.min(...neighbours.map((step) => depth[at + step] ?? 0)) + 1;
    depth[at] = depth[at] === 0 ? least : Math.min(depth[at] ?? 0, least);
  };
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) spread(y, x, [-1, -stride - 1, -stride, -stride + 1]);
  let found = { at: 0, depth: 0 };
  for (let y = height - 1; y >= 0; y -= 1)
    for (let x = width - 1; x >= 0; x -= 1) {
      spread(y, x, [1, stride - 1, stride, stride + 1]);
      const here = depth[(y + 1) * stride + x + 1] ?? 0;
      if (here > found.depth) found = { at: y * width + x, depth: here };
    }
  return found;
}
