/**
 * Estimates foreground and background colours of the matting band on an image pyramid, from one pixel up to
 * the working copy (multi-level estimation; Germer, Uelwer, Conrad and Harmeling 2020). Fine levels are
 * solved in the band only; outside of it both colours are the picture's own.
 */
import type { YieldTurn } from '../../../cancellation/yield.ts';
import {
  createPlane,
  halve,
  halveColours,
  type Colours,
  type Plane,
} from '../../../raster/planes/plane.ts';

export interface EdgeColours {
  foreground: Colours;
  background: Colours;
}

/** One level of the pyramid. */
interface Level {
  colours: Colours;
  alpha: Plane;
  /** Above 0 where the level touches the band. */
  band: Plane;
}

/** Smoothness weight where alpha is flat. */
const agreement = 1e-4;
/** Additional smoothness weight per unit of alpha's gradient. */
const gradientWeight = 1;
/** Sweeps of a level of at most `coarsePx` a side. */
const coarseRounds = 10;
/** Sweeps of a larger level. */
const fineRounds = 2;
const coarsePx = 32;
/** Levels with a longer side are solved in the band only. */
const wholePx = 256;

/** Estimates both colours of each pixel. @throws as `yieldTurn` */
export async function estimateEdgeColours(
  colours: Colours,
  alpha: Plane,
  unknown: Uint8Array,
  yieldTurn: YieldTurn,
): Promise<EdgeColours> {
  const band = createPlane(alpha.width, alpha.height);
  for (let i = 0; i < unknown.length; i += 1) band.data[i] = unknown[i] as number;
  const levels = levelsOf({ colours, alpha, band });
  let estimate: EdgeColours | undefined;
  for (const level of levels.reverse()) {
    estimate = initialColours(level, estimate);
    const isCoarse = Math.max(level.alpha.width, level.alpha.height) <= coarsePx;
    for (let round = 0; round < (isCoarse ? coarseRounds : fineRounds); round += 1) {
      await sweep(level, estimate, round, yieldTurn);
    }
    await yieldTurn();
  }
  return estimate as EdgeColours;
}

function levelsOf(finest: Level): Level[] {
  const levels = [finest];
  for (let level = finest; Math.max(level.alpha.width, level.alpha.height) > 1;) {
    level = {
      colours: halveColours(level.colours),
      alpha: halve(level.alpha),
      band: halve(level.band),
    };
    levels.push(level);
  }
  return levels;
}

/** Initialises a level from the coarser one by repeating pixels; outside the band with its own colours. */
function initialColours(level: Level, coarser: EdgeColours | undefined): EdgeColours {
  return {
    foreground: enlargedOnto(level, coarser?.foreground, 1),
    background: enlargedOnto(level, coarser?.background, 0),
  };
}

function enlargedOnto(level: Level, coarser: Colours | undefined, side: 0 | 1): Colours {
  const [red, green, blue] = level.colours;
  const first = copyOf(red);
  const to: Colours = red === green ? [first, first, first] : [first, copyOf(green), copyOf(blue)];
  if (coarser) takeCoarser(level, coarser, to, side);
  return to;
}

const copyOf = (plane: Plane): Plane => ({ ...plane, data: plane.data.slice() });

/** Repeats the coarser pixels in the band, and where alpha is surely not that of `side`. */
function takeCoarser({ alpha, band }: Level, coarser: Colours, to: Colours, side: 0 | 1): void {
  const [red, green, blue] = coarser;
  const [toRed, toGreen, toBlue] = to;
  const { width, height } = alpha;
  for (let y = 0; y < height; y += 1) {
    const start = (y >> 1) * red.width;
    for (let x = 0, at = y * width; x < width; x += 1, at += 1) {
      if (band.data[at] === 0 && alpha.data[at] === side) continue;
      const from = start + (x >> 1);
      toRed.data[at] = red.data[from] as number;
      toGreen.data[at] = green.data[from] as number;
      toBlue.data[at] = blue.data[from] as number;
    }
  }
}

/** One sweep over a level; odd rounds go upwards. */
async function sweep(
  level: Level,
  { foreground, background }: EdgeColours,
  round: number,
  yieldTurn: YieldTurn,
): Promise<void> {
  const { width, height } = level.alpha;
  const planes = {
    alpha: level.alpha.data,
    band: Math.max(width, height) > wholePx ? level.band.data : undefined,
    image: level.colours.map((plane) => plane.data),
    front: foreground.map((plane) => plane.data),
    back: background.map((plane) => plane.data),
  };
  for (let i = 0; i < height; i += 1) {
    const y = round % 2 === 0 ? i : height - 1 - i;
    sweepRow(planes, width, height, y);
    if (i % 64 === 63) await yieldTurn();
  }
}

interface Planes {
  alpha: Float32Array;
  /** Undefined: every pixel is solved. */
  band: Float32Array | undefined;
  image: Float32Array[];
  front: Float32Array[];
  back: Float32Array[];
}

/**
 * Gauss-Seidel step for each pixel of a row: solves for the two colours that compose the picture's colour at
 * the pixel's alpha and agree with those of the four neighbours.
 */
function sweepRow(planes: Planes, width: number, height: number, y: number): void {
  const { alpha, band, image, front, back } = planes;
  const [r, g, b] = image as [Float32Array, Float32Array, Float32Array];
  const [fr, fg, fb] = front as [Float32Array, Float32Array, Float32Array];
  const [br, bg, bb] = back as [Float32Array, Float32Array, Float32Array];
  const neighbours = new Int32Array(4);
  for (let x = 0; x < width; x += 1) {
    const at = y * width + x;
    if (band?.[at] === 0) continue;
    const a = alpha[at] as number;
    neighbours[0] = x > 0 ? at - 1 : at;
    neighbours[1] = x + 1 < width ? at + 1 : at;
    neighbours[2] = y > 0 ? at - width : at;
    neighbours[3] = y + 1 < height ? at + width : at;
    let weight = 0;
    let f0 = 0;
    let f1 = 0;
    let f2 = 0;
    let b0 = 0;
    let b1 = 0;
    let b2 = 0;
    for (let k = 0; k < 4; k += 1) {
      const n = neighbours[k] as number;
      const w = agreement + gradientWeight * Math.abs(a - (alpha[n] as number));
      weight += w;
      f0 += w * (fr[n] as number);
      f1 += w * (fg[n] as number);
      f2 += w * (fb[n] as number);
      b0 += w * (br[n] as number);
      b1 += w * (bg[n] as number);
      b2 += w * (bb[n] as number);
    }
    const c = 1 - a;
    const aa = a * a + weight;
    const cc = c * c + weight;
    const ac = a * c;
    const scale = 1 / (aa * cc - ac * ac);
    f0 += a * (r[at] as number);
    f1 += a * (g[at] as number);
    f2 += a * (b[at] as number);
    b0 += c * (r[at] as number);
    b1 += c * (g[at] as number);
    b2 += c * (b[at] as number);
    fr[at] = clamped((cc * f0 - ac * b0) * scale);
    fg[at] = clamped((cc * f1 - ac * b1) * scale);
    fb[at] = clamped((cc * f2 - ac * b2) * scale);
    br[at] = clamped((aa * b0 - ac * f0) * scale);
    bg[at] = clamped((aa * b1 - ac * f1) * scale);
    bb[at] = clamped((aa * b2 - ac * f2) * scale);
  }
}

const clamped = (value: number) => (value < 0 ? 0 : value > 1 ? 1 : value);
