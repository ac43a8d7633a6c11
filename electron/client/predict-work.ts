/**
 * Predicts how much work each photo is, in seconds: as measured where it is finished, else by the finished
 * photos of its kind. Part of the work goes with the pixels and part is the same for every photo, so a line
 * is laid through them. It is laid by medians (Theil and Sen), because the first photo of a batch may load
 * networks.
 */
import type { TaskRecord } from '../contract/task.ts';

/** These facts of a record tell how long a photo was worked on, and how. */
export type Measured = Partial<Pick<TaskRecord, 'operation' | 'options' | 'timings'>>;

interface Worked {
  readonly phase: string;
  readonly estimate?: Told | undefined;
  readonly record?:
    (Measured & { readonly estimate?: Told; readonly output?: Told | undefined }) | undefined;
}

interface Told {
  readonly width?: number;
  readonly height?: number;
}

/** A photo is worked on in these timings; for the rest of its time it waits or travels. */
const workSteps = [
  'decodeMs',
  'measureMs',
  'networkMs',
  'compareMs',
  'refineMs',
  'composeMs',
  'encodeMs',
] as const;

/** So many of the latest photos of a kind tell enough. */
const mostPoints = 40;
/** Two photos tell a slope when one has at least so many times as many pixels as the other. */
const leastRatio = 1.5;

interface WorkPrediction<Photo> {
  weigh: (photo: Photo) => number;
  /** Weights are seconds, because photos were measured; else they are in the unit of the estimates. */
  isMeasured: boolean;
}

/** A photo with more than so many times as much work as any measured one is beyond what these show. */
const beyondRatio = 3;

/**
 * @param told is a photo's estimate, in any unit; it counts for kinds of which little was measured, and for
 *   photos much larger than all that were measured
 * @param toldAreSeconds whether the unit of the estimates is the second
 */
export function predictWork<Photo extends Worked>(
  ended: readonly Photo[],
  told: (photo: Photo) => number,
  toldAreSeconds: boolean,
): WorkPrediction<Photo> {
  const measured = ended.filter((photo) => secondsOf(photo) > 0);
  if (measured.length === 0) return { weigh: told, isMeasured: false };
  const mostTold = Math.max(...measured.map(told));
  const usual = sumOf(measured, secondsOf) / sumOf(measured, told);
  const lines = new Map<string, Line | undefined>();
  const totals = new Map<string, { seconds: number; told: number }>();
  for (const [kind, photos] of Map.groupBy(measured, kindOf)) {
    lines.set(kind, lineThrough(photos.slice(-mostPoints).map(pointOf)));
    totals.set(kind, { seconds: sumOf(photos, secondsOf), told: sumOf(photos, told) });
  }
  /** What the photo would take if estimates only lacked a part that is the same for every photo. */
  const shifted = (photo: Photo) =>
    told(photo) + Math.max(0, sumOf(measured, secondsOf) - sumOf(measured, told)) / measured.length;
  const weigh = (photo: Photo) => {
    const seconds = secondsOf(photo);
    if (seconds > 0) return seconds;
    const likely = byKind(photo);
    // Small photos tell little of one a hundred times as large: its own estimate counts as much.
    return toldAreSeconds && told(photo) > beyondRatio * mostTold
      ? Math.sqrt(likely * shifted(photo))
      : likely;
  };
  return { weigh, isMeasured: true };

  function byKind(photo: Photo): number {
    const kind = kindOf(photo);
    const line = lines.get(kind);
    const pixels = pixelsOf(photo);
    if (line && pixels > 0) return line.constant + line.slope * pixels;
    // The photo counts as if one like it had taken what is usual for all kinds.
    const total = totals.get(kind) ?? { seconds: 0, told: 0 };
    const own = told(photo);
    return (own * (total.seconds + usual * own)) / (total.told + own);
  }
}

function secondsOf({ phase, record }: Worked): number {
  if (phase !== 'FINISHED') return 0;
  return sumOf(workSteps, (step) => record?.timings?.[step] ?? 0) / 1000;
}

/** Counts the pixels of the result, before any crop. */
function pixelsOf({ record, estimate }: Worked): number {
  const { width = 0, height = 0 } = record?.estimate ?? estimate ?? record?.output ?? {};
  return width * height;
}

const kinds = new WeakMap<Measured, string>();

/** Names what is done with a photo, whatever its size. */
function kindOf({ record }: Worked): string {
  if (!record) return '';
  const known = kinds.get(record);
  if (known !== undefined) return known;
  const { model, scale, target, enlarge } = record.options ?? {};
  const kind = JSON.stringify([record.operation, model, scale, target?.kind, enlarge]);
  kinds.set(record, kind);
  return kind;
}

interface Point {
  pixels: number;
  seconds: number;
}

interface Line {
  constant: number;
  slope: number;
}

const pointOf = (photo: Worked): Point => ({ pixels: pixelsOf(photo), seconds: secondsOf(photo) });

/** Lays a line with no negative constant or slope; it is undefined where all photos are about as large. */
function lineThrough(points: readonly Point[]): Line | undefined {
  const slopes = points.flatMap((left, i) =>
    points.slice(i + 1).flatMap((right) => {
      const [less, more] = left.pixels < right.pixels ? [left, right] : [right, left];
      const isTelling = less.pixels > 0 && more.pixels >= leastRatio * less.pixels;
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
