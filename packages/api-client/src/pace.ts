/**
 * Predicts the remaining time of a batch from the pace of its last photos. Finished photos count by their
 * measured cost, remaining ones by the cost of photos of their kind.
 */
import {
  predictCosts,
  toldSeconds,
  weighInOneUnit,
  type PhotoEstimate,
  type WorkRecord,
} from './predict-costs.ts';

/** What the prediction uses of a photo. */
export interface PhotoProgress {
  /** PENDING, PROCESSING, FINISHED or FAILED; others count as waiting. */
  readonly phase: string;
  readonly progress?: number;
  readonly etaSeconds?: number | undefined;
  /** The service's estimate by measured speed. */
  readonly estimate?: PhotoEstimate | undefined;
  readonly record?:
    | (WorkRecord & {
        readonly estimate?: PhotoEstimate;
        readonly output?: { readonly width: number; readonly height: number };
      })
    | undefined;
}

/** Number of last photos that count; three times the running ones, if several machines share them. */
const countedPhotos = 20;
/** Photos before a longer gap do not count: the queue was paused or empty. */
const maxGapMs = 30_000;

/**
 * Seconds until all active photos have ended; undefined if neither pace nor estimates are known.
 * @param ended finished and failed photos
 * @param speedup of the whole pool over this machine; applies to estimates
 */
export function secondsLeft(
  active: readonly PhotoProgress[],
  ended: readonly PhotoProgress[],
  speedup = 1,
): number | undefined {
  const running = active.filter(({ phase }) => phase === 'PROCESSING').length;
  const counted = Math.max(countedPhotos, 3 * running);
  const run = lastRun(ended.filter(isInformative), counted + 1);
  const costOf = predictCosts(run.map(({ photo }) => photo));
  const pace = costOf && measuredPace(run, active, counted, costOf);
  if (costOf === undefined || pace === undefined) return estimatedSeconds(active, speedup);
  // A running photo may be slower than photos of its kind were, as its own clock knows.
  const left = active.map((photo) =>
    Math.max(pace * costOf(photo) * (1 - progressOf(photo)), etaOf(photo) / Math.max(1, running)),
  );
  // A batch does not end before its running photos.
  return Math.max(sum(left), ...active.map(etaOf));
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** A changed prediction is taken over for two thirds in this share of the time left, between these limits. */
const [settlingShare, minSettlingMs, maxSettlingMs] = [0.1, 2000, 60_000];

/**
 * Returns a function that counts a prediction down: while a long photo runs nothing new is known for a while, and the
 * time passes all the same. The end that is shown follows predictions with a delay, because on a busy machine they go
 * up and down from photo to photo. It is a new one at once where the number of photos is another.
 */
export function createCountdown(): (
  seconds: number | undefined,
  nowMs: number,
  photos: number,
) => number | undefined {
  let held:
    | { seconds: number; photos: number; endMs: number; shownMs: number; atMs: number }
    | undefined;
  return (seconds, nowMs, photos) => {
    if (seconds === undefined) return (held = undefined);
    const endMs = nowMs + 1000 * seconds;
    if (held?.photos !== photos) held = { seconds, photos, endMs, shownMs: endMs, atMs: nowMs };
    else if (held.seconds !== seconds) held = { ...held, seconds, endMs };
    const leftMs = Math.min(held.endMs, held.shownMs) - nowMs;
    const settlingMs = Math.min(maxSettlingMs, Math.max(minSettlingMs, settlingShare * leftMs));
    const share = 1 - Math.exp((held.atMs - nowMs) / settlingMs);
    const shownMs = held.shownMs + share * (held.endMs - held.shownMs);
    held = { ...held, shownMs, atMs: nowMs };
    return Math.max(1, (shownMs - nowMs) / 1000);
  };
}

const etaOf = ({ phase, etaSeconds = 0 }: PhotoProgress) =>
  phase === 'PROCESSING' ? etaSeconds : 0;

const progressOf = ({ phase, progress = 0 }: PhotoProgress) =>
  phase === 'PROCESSING' ? progress / 100 : 0;

/** True unless the photo failed before anything was known of it. */
const isInformative = (photo: PhotoProgress) => photo.phase !== 'FAILED' || toldSeconds(photo) > 0;

type CostOf = (photo: PhotoProgress) => number;

interface EndedPhoto {
  photo: PhotoProgress;
  startedMs: number;
  endedMs: number;
}

/**
 * Seconds per unit of cost; undefined if no time has passed. Time counts from one photo's end to
 * another's, because parallel photos started long before. While the whole batch counts, time counts from its
 * start, including what running photos have done.
 */
function measuredPace(
  run: readonly EndedPhoto[],
  active: readonly PhotoProgress[],
  max: number,
  costOf: CostOf,
): number | undefined {
  const counted = run.slice(-max);
  const [before] = run;
  const last = counted.at(-1);
  if (before === undefined || last === undefined) return undefined;
  const isWhole = run.length <= max;
  const begunMs = isWhole ? Math.min(...run.map(({ startedMs }) => startedMs)) : before.endedMs;
  const ended = counted.map((one) => endedCost(one, costOf));
  const begun = active.map((photo) => costOf(photo) * doneBefore(photo, last.endedMs));
  const cost = sum(ended) + (isWhole ? sum(begun) : 0);
  const spanMs = last.endedMs - begunMs;
  return spanMs <= 0 || cost <= 0 ? undefined : spanMs / 1000 / cost;
}

/** Cost of an ended photo; of a failed one at most its time. */
function endedCost({ photo, startedMs, endedMs }: EndedPhoto, costOf: CostOf): number {
  const cost = costOf(photo);
  return photo.phase === 'FAILED' ? Math.min(cost, (endedMs - startedMs) / 1000) : cost;
}

/** Share of a running photo that was done by the given time. */
function doneBefore(photo: PhotoProgress, atMs: number): number {
  const startedMs = Date.parse(photo.record?.startedAt ?? '');
  const share = progressOf(photo);
  if (!(startedMs < atMs) || share === 0) return 0;
  const ranMs = (1000 * etaOf(photo) * share) / (1 - share);
  return ranMs > 0 ? share * Math.min(1, (atMs - startedMs) / ranMs) : share;
}

/** The last photos without a long gap, in the order of their ends. */
function lastRun(all: readonly PhotoProgress[], max: number): EndedPhoto[] {
  const ended = all
    .slice(-2 * max)
    .map((photo) => ({
      photo,
      startedMs: Date.parse(photo.record?.startedAt ?? ''),
      endedMs: Date.parse(photo.record?.finishedAt ?? ''),
    }))
    .filter(({ startedMs, endedMs }) => !Number.isNaN(startedMs) && !Number.isNaN(endedMs))
    .sort((left, right) => left.endedMs - right.endedMs)
    .slice(-max);
  const breakAt = ended.findLastIndex(
    ({ startedMs }, index) =>
      index > 0 && startedMs - (ended[index - 1]?.endedMs ?? startedMs) > maxGapMs,
  );
  return ended.slice(Math.max(0, breakAt));
}

/** Before any photo has ended: the running photos' own times and the waiting ones' estimates. */
function estimatedSeconds(active: readonly PhotoProgress[], speedup: number): number | undefined {
  const running = active.filter(({ phase }) => phase === 'PROCESSING');
  const known = running.map(({ etaSeconds }) => etaSeconds).filter((eta) => eta !== undefined);
  if (running.length > 0 && known.length === 0) return undefined;
  let seconds = Math.max(0, ...known);
  for (const photo of active) {
    if (photo.phase === 'PROCESSING') continue;
    const own = toldSeconds(photo);
    if (own === 0) return undefined;
    seconds += own / speedup;
  }
  return seconds;
}

/**
 * Share of a batch's work that is done, 0..1, weighted by work.
 * @param finished failed and skipped photos count on neither side
 */
export function shareDone(
  active: readonly PhotoProgress[],
  finished: readonly PhotoProgress[],
): number {
  const weigh = predictCosts(finished) ?? weighInOneUnit([...active, ...finished]);
  const through = sum(finished.map(weigh));
  const all = through + sum(active.map(weigh));
  const begun = sum(active.map((photo) => weigh(photo) * progressOf(photo)));
  return all === 0 ? 0 : (through + begun) / all;
}

/** Percent of a batch that is done, with `ended` photos complete. */
export function batchPercent(ended: number, active: readonly PhotoProgress[]): number {
  const total = ended + active.length;
  const done = active.reduce((sum, { progress = 0 }) => sum + progress / 100, ended);
  return total === 0 ? 0 : Math.floor((done / total) * 100);
}
