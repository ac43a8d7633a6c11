/**
 * Predicts the work of each photo in seconds: as measured if finished, else by finished photos of its kind.
 * One part is proportional to pixels and one is constant, so a line is fitted, by medians (Theil-Sen),
 * because the first photo of a batch may load networks.
 */
import type { TaskRecord } from '../contract/task.ts';

/** What the prediction uses of a record. */
export type WorkRecord = Partial<Pick<TaskRecord, 'operation' | 'options' | 'timings'>>;

interface PredictedPhoto {
  readonly phase: string;
  readonly estimate?: PixelDimensions | undefined;
  readonly record?:
    | (WorkRecord & {
        readonly estimate?: PixelDimensions;
        readonly output?: PixelDimensions | undefined;
      })
    | undefined;
}

interface PixelDimensions {
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

interface WorkPrediction<Photo> {
  weigh: (photo: Photo) => number;
  /** True if weights are seconds, because photos were measured; else they have the unit of the estimates. */
  isMeasured: boolean;
}

/** Ratio of work to the largest measured photo above which the fit is not trusted alone. */
const beyondRatio = 3;

/**
 * @param told a photo's estimate, in any unit; used for kinds with few measurements, and for photos much
 *   larger than the measured ones
 * @param estimatesAreSeconds true if the estimates are in seconds
 */
export function predictWork<Photo extends PredictedPhoto>(
  ended: readonly Photo[],
  told: (photo: Photo) => number,
  estimatesAreSeconds: boolean,
): WorkPrediction<Photo> {
  const measured = ended.filter((photo) => secondsOf(photo) > 0);
  if (measured.length === 0) return { weigh: told, isMeasured: false };
  const maxEstimate = Math.max(...measured.map(told));
  const typicalRatio = sumOf(measured, secondsOf) / sumOf(measured, told);
  const lines = new Map<string, FittedLine | undefined>();
  const totals = new Map<string, { seconds: number; told: number }>();
  for (const [kind, photos] of Map.groupBy(measured, kindOf)) {
    lines.set(kind, lineThrough(photos.slice(-maxPoints).map(pointOf)));
    totals.set(kind, { seconds: sumOf(photos, secondsOf), told: sumOf(photos, told) });
  }
  /** Estimate plus a constant part that the estimates lack. */
  const shifted = (photo: Photo) =>
    told(photo) + Math.max(0, sumOf(measured, secondsOf) - sumOf(measured, told)) / measured.length;
  const weigh = (photo: Photo) => {
    const seconds = secondsOf(photo);
    if (seconds > 0) return seconds;
    const likely = byKind(photo);
    // Small photos say little about one a hundred times as large: its own estimate counts equally.
    return estimatesAreSeconds && told(photo) > beyondRatio * maxEstimate
      ? Math.sqrt(likely * shifted(photo))
      : likely;
  };
  return { weigh, isMeasured: true };

  function byKind(photo: Photo): number {
    const kind = kindOf(photo);
    const line = lines.get(kind);
    const pixels = pixelsOf(photo);
    if (line && pixels > 0) return line.constant + line.slope * pixels;
    // Counts like one photo of its kind with the average of all kinds.
    const total = totals.get(kind) ?? { seconds: 0, told: 0 };
    const own = told(photo);
    return (own * (total.seconds + typicalRatio * own)) / (total.told + own);
  }
}

function secondsOf({ phase, record }: PredictedPhoto): number {
  if (phase !== 'FINISHED') return 0;
  return sumOf(workSteps, (step) => record?.timings?.[step] ?? 0) / 1000;
}

/** Pixels of the result, before any crop. */
function pixelsOf({ record, estimate }: PredictedPhoto): number {
  const { width = 0, height = 0 } = record?.estimate ?? estimate ?? record?.output ?? {};
  return width * height;
}

const kinds = new WeakMap<WorkRecord, string>();

/** Key of what is done with a photo, independent of its size. */
function kindOf({ record }: PredictedPhoto): string {
  if (!record) return '';
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
