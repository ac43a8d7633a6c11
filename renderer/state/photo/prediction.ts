/** Predicts what a batch will make and take, from the estimates of its photos. */
import type { Estimate, TaskFailure } from '../../../packages/contract/src/task.ts';
import type { SizeFacts } from '../options/fit-to-photo.ts';

interface ForecastPhoto {
  readonly name: string;
  readonly estimate?: Estimate | undefined;
}

export interface Prediction {
  /** Number of photos with an estimate. */
  known: number;
  resultBytes: number;
  /** The time is undefined while a model among them was never measured here. */
  seconds: number | undefined;
  /** The scratch space is that of the two largest photos, because two run at a time. */
  scratchBytes: number;
  impossible: { name: string; problem: TaskFailure }[];
}

/** Photos with these problems may be started all the same, as a disk may be emptied and a model installed. */
const passing = ['STORAGE_FULL', 'MODEL_UNAVAILABLE'];

/** Returns why starting a photo is of no use. */
export function obstacleOf({ estimate }: ForecastPhoto): TaskFailure | undefined {
  const problem = estimate?.problem;
  return problem && !passing.includes(problem.code) ? problem : undefined;
}

interface BegunPhoto extends SizeFacts {
  readonly name: string;
  readonly versions: { readonly draft?: unknown; readonly estimate?: Estimate | undefined };
}

/** The next versions of photos whose settings were changed; none unless it is known of each what it becomes. */
export function nextVersionsOf(photos: readonly BegunPhoto[]): (ForecastPhoto & SizeFacts)[] {
  const next = photos.map(({ name, record, sourceSize, versions }) => ({
    name,
    record,
    sourceSize,
    estimate: versions.draft === undefined ? undefined : versions.estimate,
  }));
  return next.every(({ estimate }) => estimate !== undefined) ? next : [];
}

export function predict(photos: readonly ForecastPhoto[]): Prediction {
  const known = photos.filter(({ estimate }) => estimate !== undefined);
  const possible = known.filter((photo) => obstacleOf(photo) === undefined);
  const seconds = possible.map(({ estimate }) => estimate?.seconds);
  return {
    known: known.length,
    resultBytes: sum(possible.map(({ estimate }) => estimate?.fileSizeBytes ?? 0)),
    seconds: seconds.some((value) => value === undefined)
      ? undefined
      : sum(seconds.map((value) => value ?? 0)),
    scratchBytes: sumOfTwoLargest(possible.map(({ estimate }) => estimate?.scratchBytes ?? 0)),
    impossible: known.flatMap((photo) => {
      const problem = photo.estimate?.problem;
      return problem ? [{ name: photo.name, problem }] : [];
    }),
  };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

function sumOfTwoLargest(values: readonly number[]): number {
  let [largest, second] = [0, 0];
  for (const value of values)
    if (value > largest) [largest, second] = [value, largest];
    else if (value > second) second = value;
  return largest + second;
}
