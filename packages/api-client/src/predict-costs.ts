/**
 * Predicts what each photo costs: as measured if finished, else by finished photos of its kind, else as estimated.
 * A cost is in seconds of one of the two photos that a machine runs at a time. Beside a network no other photo's
 * network runs, so its seconds count for both. One part of a photo's seconds is proportional to pixels and one is
 * constant, so a line is fitted, by medians (Theil-Sen), because the first photo of a batch may load networks.
 */
import type { TaskRecord } from '../../contract/src/task.ts';

/** What the prediction uses of a record. */
export type WorkRecord = Partial<
  Pick<TaskRecord, 'operation' | 'options' | 'timings' | 'startedAt' | 'finishedAt'>
>;

interface PredictedPhoto {
  readonly phase: string;
  readonly estimate?: PhotoEstimate | undefined;
  readonly record?:
    | (WorkRecord & {
        readonly estimate?: PhotoEstimate;
        readonly output?: PhotoEstimate | undefined;
      })
    | undefined;
}

/** The service's estimate; seconds by measured speed. */
export interface PhotoEstimate {
  readonly seconds?: number;
  readonly width?: number;
  readonly height?: number;
}

/** Timings that are work; the rest is waiting and transfer. */
const workSteps = [
  'decodeMs',
  'measureMs',
  'networkMs',
  'compareMs',
  'refineMs',
  'composeMs',
  'encodeMs',
] as const;

/** Number of latest photos of a kind that are used. */
const maxPoints = 40;
/** Minimum ratio of pixels for two photos to define a slope. */
const minRatio = 1.5;

/** Ratio of an estimate to the largest one of the measured photos above which the fit is not trusted alone. */
const beyondRatio = 3;

type Weigh = (photo: PredictedPhoto) => number;

/** Cost of a network's second. */
const networkCost = 2;

/** Estimated seconds of a photo; 0 if unknown. */
export const toldSeconds = ({ record, estimate }: PredictedPhoto): number =>
  (record?.estimate ?? estimate)?.seconds ?? 0;

/** Units of work, the best first. */
const units: readonly Weigh[] = [toldSeconds, pixelsOf, () => 1];

/** Weighs photos of which none is finished, in the best unit that all have. */
export const weighInOneUnit = (photos: readonly PredictedPhoto[]): Weigh =>
  units.find((unit) => photos.every((photo) => unit(photo) > 0)) ?? (() => 1);

/** Returns the cost of any photo; undefined if none of `ended` is finished. */
export function predictCosts(ended: readonly PredictedPhoto[]): Weigh | undefined {
  const measured = ended.filter((photo) => secondsOf(photo) > 0);
  if (measured.length === 0) return undefined;
  const likeAll = fitTo(measured);
  const byKind = Map.groupBy(measured, kindOf);
  const likeKind = new Map([...byKind].map(([kind, photos]) => [kind, fitTo(photos)]));
  return (photo) => {
    const kind = kindOf(photo);
    const fit = kind === undefined ? likeAll : likeKind.get(kind);
    return costOf(photo) || (fit?.(photo) ?? (toldCost(photo) || likeAll(photo)));
  };
}

/** Cost by the estimate alone, because how true estimates of one kind are says little about another. */
function toldCost(photo: PredictedPhoto): number {
  const { operation, options } = photo.record ?? {};
  // Nearly all of an enlargement is its network, and little of a cut-out.
  const isCutout = operation === 'remove-bg' && options?.enlarge === undefined;
  return toldSeconds(photo) * (isCutout ? 1 : networkCost);
}

/** Returns the cost of a photo like measured ones. */
function fitTo(measured: readonly PredictedPhoto[]): Weigh {
  const line = lineThrough(measured.slice(-maxPoints).map(pointOf));
  const rates = units.map((unit) => {
    const known = measured.filter((photo) => unit(photo) > 0);
    return known.length === 0 ? 0 : sumOf(known, secondsOf) / sumOf(known, unit);
  });
  const costPerSecond = sumOf(measured, costOf) / sumOf(measured, secondsOf);
  const told = measured.filter((photo) => toldSeconds(photo) > 0);
  const maxTold = told.length > 0 ? Math.max(...told.map(toldSeconds)) : Infinity;
  /** Constant part that estimates lack. */
  const lacking = (sumOf(told, secondsOf) - sumOf(told, toldSeconds)) / told.length;
  return (photo) => costPerSecond * fittedSeconds(photo);

  function fittedSeconds(photo: PredictedPhoto): number {
    const pixels = pixelsOf(photo);
    const likely = line && pixels > 0 ? line.constant + line.slope * pixels : inProportion(photo);
    const own = toldSeconds(photo);
    // Small photos say little about one a hundred times as large: its own estimate counts equally.
    return own > beyondRatio * maxTold
      ? Math.sqrt(likely * (lacking > 0 ? own + lacking : inProportion(photo)))
      : likely;
  }

  /** Seconds in the best unit that the photo has in common with measured ones. */
  function inProportion(photo: PredictedPhoto): number {
    const best = units.findIndex((unit, i) => unit(photo) > 0 && (rates[i] ?? 0) > 0);
    return (units[best]?.(photo) ?? 0) * (rates[best] ?? 0);
  }
}

/** Seconds that a finished photo took, else 0; without timings by its start and end. */
function secondsOf({ phase, record }: PredictedPhoto): number {
  if (phase !== 'FINISHED' || record === undefined) return 0;
  const { timings, startedAt = '', finishedAt = '' } = record;
  const workMs = sumOf(workSteps, (step) => timings?.[step] ?? 0);
  return (workMs || Date.parse(finishedAt) - Date.parse(startedAt) || 0) / 1000;
}

/** Cost of a finished photo, else 0. */
function costOf(photo: PredictedPhoto): number {
  const seconds = secondsOf(photo);
  const networkSeconds = (photo.record?.timings?.networkMs ?? 0) / 1000;
  return seconds > 0 ? Math.max(seconds, networkCost * networkSeconds) : 0;
}

/** Pixels of the result, before any crop. */
function pixelsOf({ record, estimate }: PredictedPhoto): number {
  const { width = 0, height = 0 } = record?.estimate ?? estimate ?? record?.output ?? {};
  return width * height;
}

const kinds = new WeakMap<WorkRecord, string>();

/** Key of what is done with a photo, independent of its size; undefined before its task is known. */
function kindOf({ record }: PredictedPhoto): string | undefined {
  if (!record) return undefined;
  const known = kinds.get(record);
  if (known !== undefined) return known;
  const { model, scale, target, enlarge } = record.options ?? {};
  const kind = JSON.stringify([record.operation, model, scale, target?.kind, enlarge]);
  kinds.set(record, kind);
  return kind;
}

interface WorkPoint {
  pixels: number;
  seconds: number;
}

interface FittedLine {
  constant: number;
  slope: number;
}

const pointOf = (photo: PredictedPhoto): WorkPoint => ({
  pixels: pixelsOf(photo),
  seconds: secondsOf(photo),
});

/** Non-negative constant and slope; undefined if all photos have about the same size. */
function lineThrough(points: readonly WorkPoint[]): FittedLine | undefined {
  const slopes = points.flatMap((left, i) =>
    points.slice(i + 1).flatMap((right) => {
      const [less, more] = left.pixels < right.pixels ? [left, right] : [right, left];
      const isTelling = less.pixels > 0 && more.pixels >= minRatio * less.pixels;
      return isTelling ? [(more.seconds - less.seconds) / (more.pixels - less.pixels)] : [];
    }),
  );
  if (slopes.length === 0) return undefined;
  const slope = Math.max(0, median(slopes));
  const constant = median(points.map(({ pixels, seconds }) => seconds - slope * pixels));
  if (constant >= 0) return { constant, slope };
  return { constant: 0, slope: median(points.map(({ pixels, seconds }) => seconds / pixels)) };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

const sumOf = <T>(list: readonly T[], valueOf: (one: T) => number): number =>
  list.reduce((sum, one) => sum + valueOf(one), 0);
