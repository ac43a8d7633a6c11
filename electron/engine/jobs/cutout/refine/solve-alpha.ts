/**
 * Solves alpha in the unknown band on the working copy by closed-form matting (Levin, Lischinski and Weiss
 * 2008), constrained to the mask where that is deep inside or outside. It is solved once more with nearly
 * opaque and nearly transparent pixels drawn to 1 and 0, because most of a band is one or the other.
 */
import type { MaskTuning } from '../../../../../packages/contract/src/models/model.ts';
import type { YieldTurn } from '../../../cancellation/yield.ts';
import { mattingLaplacian, type MattingLaplacian } from './matting-laplacian.ts';
import {
  createPlane,
  halveColours,
  type Colours,
  type Plane,
} from '../../../raster/planes/plane.ts';
import { resample } from '../../../raster/planes/resample.ts';
import { solveBand, type Hints } from './solve-band.ts';
import { trimapOf, type Trimap } from './trimap.ts';
import type { WorkingCopy } from './working-copy.ts';

/** Alpha is red * R + green * G + blue * B + bias, then `stretched`. */
export interface Coefficients {
  red: Plane;
  green: Plane;
  blue: Plane;
  bias: Plane;
}

/** A mask with the values derived from it, and the tuning of its network's reliability. */
interface MaskReading {
  mask: Plane;
  /** 1 where the mask's edge may lie, else 0. */
  soft: Plane;
  /** The mask's confidence, 0..1. */
  confidence: Plane;
  tuning: Pick<MaskTuning, 'contrast' | 'edgeWeight' | 'deepWeight' | 'deepPower'>;
}

interface SolvedAlpha {
  /** 0..1, on the working copy. */
  alpha: Plane;
  /** For pictures larger than the working copy. */
  coefficients?: Coefficients | undefined;
}

/** The paper's epsilon, the colour variance that counts as flat: noise of about one level of 255. */
const flatVariance = 1e-5;
/**
 * Maximum weight with which the second solution (not in the paper) draws a pixel to 0 or 1.
 * test/bench/alpha-composites.ts measures the error against true alphas for this and the following constants.
 */
const decidedWeight = 1e-2;
/** Exponent of the weight over alpha's nearness to 0 or 1, which is 0 at one half. */
const decidedPower = 4;
/** Maximum steps of the two solutions on the smallest level. */
const coarseRounds = [100, 40] as const;
/** Maximum steps of the two solutions on a level that starts from the coarser one. */
const fineRounds = [20, 10] as const;
/** Levels with a longer side start from the solution at half the size. */
const coarsePx = 240;
/** Alphas within this margin of 0 or 1 become 0 or 1, because the solution falls a little short of them. */
const clipMargin = 0.03;

/** Stretches alpha by the clipped margin at both ends, clamped to 0..1. */
export function stretched(alpha: number): number {
  const value = (alpha - clipMargin) / (1 - 2 * clipMargin);
  return value < 0 ? 0 : value > 1 ? 1 : value;
}

export async function solveAlpha(
  copy: WorkingCopy,
  trimap: Trimap,
  read: MaskReading,
  yieldTurn: YieldTurn,
): Promise<SolvedAlpha> {
  const { laplacian, solution } = await solveLevel(copy.colours, trimap, read, yieldTurn);
  const coefficients = copy.factor > 1 ? coefficientsOf(laplacian, copy, solution) : undefined;
  const alpha = { ...solution, data: Float32Array.from(solution.data) };
  for (const at of laplacian.pixels) alpha.data[at] = stretched(alpha.data[at] as number);
  return { alpha, coefficients };
}

/** Solves a level from the solution at half the size, where distant pixels are closer together. */
async function solveLevel(
  colours: Colours,
  trimap: Trimap,
  read: MaskReading,
  yieldTurn: YieldTurn,
): Promise<{ laplacian: MattingLaplacian; solution: Plane }> {
  const { width, height, unknown, sure } = trimap;
  const isCoarse = Math.max(width, height) <= coarsePx;
  const start = isCoarse ? sure : await solveHalf(colours, trimap, read, yieldTurn);
  const [first, second] = isCoarse ? coarseRounds : fineRounds;
  const laplacian = mattingLaplacian(colours, unknown, flatVariance);
  await yieldTurn();
  const solution = { ...sure, data: Float32Array.from(sure.data) };
  for (const at of laplacian.pixels) solution.data[at] = start.data[at] as number;
  const hints = hintsOf(laplacian.pixels, trimap, read);
  await solveBand(laplacian, hints, solution.data, first, yieldTurn);
  drawHints(laplacian.pixels, solution.data, hints);
  await solveBand(laplacian, hints, solution.data, second, yieldTurn);
  return { laplacian, solution };
}

async function solveHalf(
  colours: Colours,
  { width, height }: Trimap,
  read: MaskReading,
  yieldTurn: YieldTurn,
): Promise<Plane> {
  const half = halveColours(colours);
  await yieldTurn();
  const trimap = trimapOf(read.mask, read.soft, half[0].width, half[0].height);
  const { solution } = await solveLevel(half, trimap, read, yieldTurn);
  return resample(solution, width, height);
}

/**
 * The values to which the solution is constrained, with weights. An uncertain mask deep inside the subject is
 * a network's doubt, not glass, so the value there is full.
 */
function hintsOf(
  pixels: Int32Array,
  { sure: enlarged, width, height }: Trimap,
  { confidence: found, tuning }: MaskReading,
): Hints {
  const { contrast, edgeWeight, deepWeight, deepPower } = tuning;
  const confidence = resample(found, width, height);
  const value = new Float32Array(pixels.length);
  const weight = new Float32Array(pixels.length);
  for (let i = 0; i < pixels.length; i += 1) {
    const at = pixels[i] as number;
    const harder = ((enlarged.data[at] as number) - 0.5) * contrast + 0.5;
    const soft = Math.min(Math.max(harder, 0), 1);
    const deep = (confidence.data[at] as number) ** deepPower;
    value[i] = soft + ((harder > 0.5 ? 1 : 0) - soft) * deep;
    weight[i] = edgeWeight + deepWeight * deep;
  }
  return { value, weight };
}

/** Draws the hints towards 0 or 1 where the solution is near them, in place. */
function drawHints(pixels: Int32Array, solution: Float32Array, { value, weight }: Hints): void {
  for (let i = 0; i < pixels.length; i += 1) {
    const alpha = Math.min(Math.max(solution[pixels[i] as number] as number, 0), 1);
    const before = weight[i] as number;
    const more = decidedWeight * Math.abs(2 * alpha - 1) ** decidedPower;
    const weighted = (value[i] as number) * before + (alpha > 0.5 ? more : 0);
    weight[i] = before + more;
    value[i] = weighted / (before + more);
  }
}

/**
 * The coefficients: constant for a known pixel; for an unknown one such that the working copy's own colour
 * gives its alpha.
 */
function coefficientsOf(
  laplacian: MattingLaplacian,
  { colours: [r, g, b], width, height }: WorkingCopy,
  solution: Plane,
): Coefficients {
  const [red, green, blue] = Array.from({ length: 3 }, () => createPlane(width, height)) as [
    Plane,
    Plane,
    Plane,
  ];
  const bias = { ...solution, data: Float32Array.from(solution.data) };
  const { pixels } = laplacian;
  const linear = laplacian.linear(solution.data);
  for (let i = 0; i < pixels.length; i += 1) {
    const at = pixels[i] as number;
    const byRed = linear[i * 4] as number;
    const byGreen = linear[i * 4 + 1] as number;
    const byBlue = linear[i * 4 + 2] as number;
    red.data[at] = byRed;
    green.data[at] = byGreen;
    blue.data[at] = byBlue;
    bias.data[at] =
      (solution.data[at] as number) -
      byRed * (r.data[at] as number) -
      byGreen * (g.data[at] as number) -
      byBlue * (b.data[at] as number);
  }
  return { red, green, blue, bias };
}
