/** An operation gives the job that runs it a plan, and a run from the decoded raster to the last one. */
import type { DeviceUse, PicturePart, Timings } from '../../../contract/task.ts';
import type { InferenceThread } from '../../inference/thread.ts';
import { onAbort } from '../../cancellation/on-abort.ts';
import type { JobPlan } from '../../plan/output-plan.ts';
import type { ProgressPlan, Progress } from './progress.ts';
import type { JobFrame, JobReport } from '../../protocol/messages.ts';
import type { Decoded } from '../../raster/decode.ts';
import type { RasterShape } from '../../raster/raster-file.ts';

/** These tools are shared by all jobs. */
export interface JobTools {
  inference: InferenceThread;
  turn: Turn;
}

export interface WorkPlan extends JobPlan {
  progress: ProgressPlan;
  /** Makes the raster that is encoded, and removes the decoded one. It rejects with EnlargerError. */
  run(step: WorkStep): Promise<Worked>;
}

export interface WorkStep {
  decoded: Decoded;
  /** This is the ICC profile of the decoded raster's numbers; undefined means that they are sRGB. */
  icc: Buffer | undefined;
  timings: Timings;
  progress: Progress;
  signal: AbortSignal;
}

export interface Worked {
  rasterPath: string;
  shape: RasterShape;
  /** The scale is the number of the result's pixels for each pixel of the source, along a side. */
  scale: number;
  /** True means that the raster's numbers are no longer those of the source's profile. */
  converted: boolean;
  /** These words say how the result was made, such as "enlarged 4 times with faithful". */
  made: string;
  /** This is the result's IPTC Digital Source Type; when absent, the source's own stays. */
  sourceType?: string;
  measured?: JobReport['measured'];
  changed?: JobReport['changed'];
  grade?: JobReport['grade'];
  /** The result shows this part of the source; when absent, it shows all of it. */
  crop?: PicturePart;
  notes: string[];
  /** This field describes the run of the networks; it is absent where none ran. */
  ran?: NetworkRun;
  /** The job calls this function once the result is written and all timings are known. */
  onWritten?: () => void;
}

export interface NetworkRun {
  device: DeviceUse;
  notes: readonly string[];
  tiles: JobReport['tiles'];
}

/** Runs a step and adds its duration in milliseconds to the timing of that name, also when the step fails. */
export async function timed<T>(
  timings: Timings,
  name: keyof Timings,
  run: () => Promise<T>,
): Promise<T> {
  const start = performance.now();
  try {
    return await run();
  } finally {
    timings[name] = (timings[name] ?? 0) + performance.now() - start;
  }
}

/** Waits for the turn at the networks, and runs in it. The wait and the run are timed apart. */
export function inTurn<T>(
  { turn }: Pick<JobTools, 'turn'>,
  { timings, progress, signal }: WorkStep,
  run: () => Promise<T>,
): Promise<T> {
  const waitedFrom = performance.now();
  progress.enter('wait', Infinity);
  return turn.hold(signal, () => {
    timings.waitMs = (timings.waitMs ?? 0) + performance.now() - waitedFrom;
    return timed(timings, 'networkMs', run);
  });
}

/** Picks the fields of a job that every request to a network carries: device, keep-alive and budget. */
export const mannerOf = ({
  device,
  keepAliveMs,
  budget,
}: Pick<JobFrame, 'device' | 'keepAliveMs' | 'budget'>) => ({
  device,
  ...(keepAliveMs !== undefined && { keepAliveMs }),
  ...(budget && { budget }),
});

/** The turn is a fair mutex around the networks: one job at a time holds it, first in, first out. */
interface Turn {
  /**
   * Waits for the mutex and runs while it is held. It rejects with the signal's reason as soon as the signal
   * fires; a run that has begun goes on, and the mutex is held until that run ends.
   */
  hold<T>(signal: AbortSignal, run: () => Promise<T>): Promise<T>;
}

export function createTurn(): Turn {
  let last: Promise<unknown> = Promise.resolve();
  return {
    hold(signal, run) {
      const mine = last.then(() => {
        signal.throwIfAborted();
        return run();
      });
      last = mine.catch(() => undefined);
      return Promise.race([mine, whenAborted(signal, mine)]);
    },
  };
}

/** Rejects as soon as the signal fires, unless `running` has settled before. */
async function whenAborted(signal: AbortSignal, running: Promise<unknown>): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const forget = onAbort(signal, () => reject(signal.reason));
  running.finally(forget).catch(() => undefined);
  return promise;
}
