/**
 * Predicts how long the rest of a batch will take, by how fast the batch's last photos ended. Each of these
 * counts by the work that was measured of it, and each that is left by the work that photos of its kind took.
 */
import { predictWork, type Measured } from './predict-work.ts';

/** These facts about a photo tell its pace. */
export interface Paced {
  /** PENDING, PROCESSING, FINISHED or FAILED; others count as waiting. */
  readonly phase: string;
  readonly progress?: number;
  readonly etaSeconds?: number | undefined;
  /** The service makes this estimate by its measured speed. */
  readonly estimate?: Foretold | undefined;
  readonly record?:
    | (Measured & {
        readonly startedAt?: string;
        readonly finishedAt?: string;
        readonly estimate?: Foretold;
        readonly output?: { readonly width: number; readonly height: number };
      })
    | undefined;
}

interface Foretold {
  readonly seconds?: number;
  readonly width?: number;
  readonly height?: number;
}

/** So many of the last photos count, or three times as many as run where several machines share them. */
const countedPhotos = 20;
/** Photos before a longer silence than this do not count, because the queue was paused or empty. */
const longestGapMs = 30_000;

/**
 * Predicts the seconds until all active photos have ended; undefined while neither pace nor estimates tell.
 *
 * @param ended are the finished and the failed photos
 * @param speedup says how many times as fast as this machine the whole pool is; estimates count by it
 */
export function secondsLeft(
  active: readonly Paced[],
  ended: readonly Paced[],
  speedup = 1,
): number | undefined {
  const running = active.filter(({ phase }) => phase === 'PROCESSING').length;
  const counted = Math.max(countedPhotos, 3 * running);
  const run = lastRun(ended.filter(isTelling), counted + 1);
  const weights = weightsOf(
    active,
    run.map(({ photo }) => photo),
  );
  const left = active.reduce((sum, photo) => sum + weights.of(photo) * (1 - progressOf(photo)), 0);
  const pace = measuredPace(run, active, counted, weights);
  if (pace === undefined) return foretoldSeconds(active, speedup);
  // A batch does not end before the photos that run in it.
  return Math.max(left * pace, ...active.map(etaOf));
}

interface Rate {
  count: number;
  each: 'minute' | 'hour';
}

/**
 * Returns the rate of the rest, an hour where it is less than one photo a minute. It agrees with the time that is
 * left. It is undefined for a single photo.
 */
export function rateOf(count: number, seconds: number | undefined): Rate | undefined {
  if (seconds === undefined || seconds <= 0 || count < 2) return undefined;
  const perMinute = (count * 60) / seconds;
  const rounded = (rate: number) => Number(rate.toPrecision(2));
  return perMinute < 1
    ? { count: rounded(perMinute * 60), each: 'hour' }
    : { count: rounded(perMinute), each: 'minute' };
}

const etaOf = ({ phase, etaSeconds = 0 }: Paced) => (phase === 'PROCESSING' ? etaSeconds : 0);

const progressOf = ({ phase, progress = 0 }: Paced) =>
  phase === 'PROCESSING' ? progress / 100 : 0;

/** A photo counts for the pace unless it failed before anything was known of it. */
const isTelling = (photo: Paced) =>
  photo.phase !== 'FAILED' || (foretoldOf(photo)?.seconds ?? 0) > 0;

const foretoldOf = ({ record, estimate }: Paced) => record?.estimate ?? estimate;

/** All weights of a batch are of one unit, which is not always the second. */
interface Weights {
  of: (photo: Paced) => number;
  areSeconds: boolean;
}

/** Weighs photos by what was measured of those that have ended, else by what is foretold of all. */
function weightsOf(active: readonly Paced[], ended: readonly Paced[]): Weights {
  const all = [...active, ...ended];
  const areForetold = all.every((photo) => secondsOf(photo) > 0);
  const foretold = areForetold ? secondsOf : otherWeight(all);
  const { weigh, isMeasured } = predictWork(ended, foretold, areForetold);
  return { of: weigh, areSeconds: areForetold || isMeasured };
}

const secondsOf = (photo: Paced) => foretoldOf(photo)?.seconds ?? 0;

/** Weighs photos by pixels where all have these, else all the same. */
function otherWeight(photos: readonly Paced[]): (photo: Paced) => number {
  const pixelsOf = (photo: Paced) => {
    const { width = 0, height = 0 } = photo.record?.output ?? foretoldOf(photo) ?? {};
    return width * height;
  };
  if (photos.every((photo) => pixelsOf(photo) > 0)) return pixelsOf;
  return () => 1;
}

interface Ended {
  photo: Paced;
  startedMs: number;
  endedMs: number;
}

/**
 * Measures the seconds for each unit of weight; it is undefined while nothing of this batch has ended. Time
 * counts from the end of one photo to the end of another, because photos that run side by side began long
 * before. While the whole batch is counted, time counts from its begin, and so does what has been done of the
 * photos that still run.
 */
function measuredPace(
  run: readonly Ended[],
  active: readonly Paced[],
  most: number,
  weights: Weights,
): number | undefined {
  const counted = run.slice(-most);
  const [before] = run;
  const last = counted.at(-1);
  if (before === undefined || last === undefined) return undefined;
  const isWhole = run.length <= most;
  const begunMs = isWhole ? Math.min(...run.map(({ startedMs }) => startedMs)) : before.endedMs;
  const ended = counted.reduce((sum, one) => sum + workOf(one, weights), 0);
  const begun = active.reduce(
    (sum, one) => sum + weights.of(one) * doneBefore(one, last.endedMs),
    0,
  );
  const weight = isWhole ? ended + begun : ended;
  const spanMs = last.endedMs - begunMs;
  return spanMs <= 0 || weight <= 0 ? undefined : spanMs / 1000 / weight;
}

/**
 * The weight of a photo that has ended. One that failed counts for the part that was done of it: for at most its
 * time, or where weights are no seconds for the share that its time is of what was foretold.
 */
function workOf({ photo, startedMs, endedMs }: Ended, weights: Weights): number {
  const work = weights.of(photo);
  if (photo.phase !== 'FAILED') return work;
  const tookSeconds = (endedMs - startedMs) / 1000;
  if (weights.areSeconds) return Math.min(work, tookSeconds);
  return work * Math.min(1, tookSeconds / secondsOf(photo));
}

/** Estimates the share of a running photo that was done by the given time. */
function doneBefore(photo: Paced, atMs: number): number {
  const startedMs = Date.parse(photo.record?.startedAt ?? '');
  const share = progressOf(photo);
  if (!(startedMs < atMs) || share === 0) return 0;
  const ranMs = (1000 * etaOf(photo) * share) / (1 - share);
  return ranMs > 0 ? share * Math.min(1, (atMs - startedMs) / ranMs) : share;
}

/** Finds the last photos that followed each other without a long silence, in the order of their ends. */
function lastRun(all: readonly Paced[], most: number): Ended[] {
  const ended = all
    .slice(-2 * most)
    .map((photo) => ({
      photo,
      startedMs: Date.parse(photo.record?.startedAt ?? ''),
      endedMs: Date.parse(photo.record?.finishedAt ?? ''),
    }))
    .filter(({ startedMs, endedMs }) => !Number.isNaN(startedMs) && !Number.isNaN(endedMs))
    .sort((left, right) => left.endedMs - right.endedMs)
    .slice(-most);
  const breakAt = ended.findLastIndex(
    ({ startedMs }, index) =>
      index > 0 && startedMs - (ended[index - 1]?.endedMs ?? startedMs) > longestGapMs,
  );
  return ended.slice(Math.max(0, breakAt));
}

/** Predicts before anything has ended, with the running photos' own times and the waiting ones' estimates. */
function foretoldSeconds(active: readonly Paced[], speedup: number): number | undefined {
  const running = active.filter(({ phase }) => phase === 'PROCESSING');
  const known = running.map(({ etaSeconds }) => etaSeconds).filter((eta) => eta !== undefined);
  if (running.length > 0 && known.length === 0) return undefined;
  let seconds = Math.max(0, ...known);
  for (const photo of active) {
    if (photo.phase === 'PROCESSING') continue;
    const own = foretoldOf(photo)?.seconds;
    if (own === undefined) return undefined;
    seconds += own / speedup;
  }
  return seconds;
}

/**
 * Returns the share of a batch's work that is done, 0 to 1, in which a photo counts by its work and not as one.
 *
 * @param finished photos that failed or were skipped count on neither side
 */
export function shareDone(active: readonly Paced[], finished: readonly Paced[]): number {
  const { of } = weightsOf(active, finished);
  const through = finished.reduce((sum, photo) => sum + of(photo), 0);
  const all = active.reduce((sum, photo) => sum + of(photo), through);
  const begun = active.reduce((sum, photo) => sum + of(photo) * progressOf(photo), 0);
  return all === 0 ? 0 : (through + begun) / all;
}

/** Returns the percentage of a batch that is done, of which `ended` photos are through. */
export function batchPercent(ended: number, active: readonly Paced[]): number {
  const total = ended + active.length;
  const done = active.reduce((sum, { progress = 0 }) => sum + progress / 100, ended);
  return total === 0 ? 0 : Math.floor((done / total) * 100);
}
