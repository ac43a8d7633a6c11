/** Predicts what a batch will make and take, from the estimates of its photos. */
import type { Estimate, TaskFailure } from '../../../electron/contract/task.ts';

interface EstimatedPhoto {
  readonly name: string;
  readonly estimate?: Estimate | undefined;
}

interface Prediction {
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
export function obstacleOf({ estimate }: EstimatedPhoto): TaskFailure | undefined {
  const problem = estimate?.problem;
  return problem && !passing.includes(problem.code) ? problem : undefined;
}

export function predict(photos: readonly EstimatedPhoto[]): Prediction {
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
