/**
 * What an operation gives the job that runs it: a plan, and a run from the decoded raster to the last one.
 */
import type { DeviceUse, PicturePart, Timings } from '../../../../packages/contract/src/task.ts';
import type { InferenceThread } from '../../inference/thread.ts';
import { onAbort } from '../../cancellation/on-abort.ts';
import type { JobPlan } from '../../plan/output-plan.ts';
import type { ProgressPlan, ProgressReporter } from './progress.ts';
import type { AnyNetworkFile, JobFrame, JobReport } from '../../protocol/messages.ts';
import type { DecodedPicture } from '../../../../packages/photo-files/src/index.ts';
import type { RasterShape } from '../../raster/raster-file.ts';

/** The calls of the inference thread that finding a subject makes. */
export type MaskCalls = 'runMask' | 'runClicks' | 'encodePicture' | 'answerPrompts';

/** Those that jobs make. */
type JobCalls = 'prepare' | 'runPass' | MaskCalls | 'measureBlur' | 'noteSpeed' | 'known';

/** Shared by all jobs, each of which takes the calls that it makes. */
export interface JobTools<Calls extends JobCalls = JobCalls> {
  inference: Pick<InferenceThread, Calls>;
  lock: InferenceLock;
}

export interface RunnablePlan extends JobPlan {
  progress: ProgressPlan;
  /** Network that runs first, to be loaded while the source is decoded; absent: none. */
  first?: AnyNetworkFile;
  /** Makes the raster to be encoded, and removes the decoded one. @throws EnlargerError */
  run(step: JobContext): Promise<JobOutput>;
}

export interface JobContext {
  decoded: DecodedPicture;
  /** Pixels of the decoded raster per source pixel, along a side; absent: 1. */
  decodedScale?: number;
  /**
   * Resolves when the source's views are written, until when the decoded raster must not change; absent: they are.
   */
  viewed?: Promise<void>;
  /** ICC profile of the decoded raster; undefined: sRGB. */
  icc: Buffer | undefined;
  timings: Timings;
  progress: ProgressReporter;
  signal: AbortSignal;
  /** Takes what is written beside the further steps and never rejects; absent: each step waits for it. */
  beside?: (view: Promise<void>) => void;
}

export interface JobOutput {
  rasterPath: string;
  shape: RasterShape;
  /** Result pixels per source pixel, along a side. */
  scale: number;
  /** Whether the raster's numbers are no longer those of the source's profile. */
  converted: boolean;
  /** For the metadata, such as "enlarged 4 times with faithful". */
  made: string;
  /** IPTC Digital Source Type of the result; absent: the source's own stays. */
  sourceType?: string;
  measured?: JobReport['measured'];
  changed?: JobReport['changed'];
  grade?: JobReport['grade'];
  /** Part of the source that the result shows; absent: all of it. */
  crop?: PicturePart;
  notes: string[];
  /** Absent: no network ran. */
  ran?: NetworkReport;
  /** Called once the result is written and all timings are known. */
  onWritten?: () => void;
}

export interface NetworkReport {
  device: DeviceUse;
  notes: readonly string[];
  tiles: JobReport['tiles'];
}

/** Runs a step and adds its duration in ms to the named timing, even if it fails. */
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

/** Waits for the inference lock and runs under it. Wait and run are timed separately. */
export function withInferenceLock<T>(
  { lock }: Pick<JobTools, 'lock'>,
  { timings, progress, signal }: JobContext,
  run: () => Promise<T>,
): Promise<T> {
  const waitedFrom = performance.now();
  progress.enter('wait', Infinity);
  return lock.hold(signal, () => {
    timings.waitMs = (timings.waitMs ?? 0) + performance.now() - waitedFrom;
    return timed(timings, 'networkMs', run);
  });
}

/** The fields of a job in every request to a network. */
export const runtimeOptions = ({
  device,
  keepAliveMs,
  budget,
}: Pick<JobFrame, 'device' | 'keepAliveMs' | 'budget'>) => ({
  device,
  ...(keepAliveMs !== undefined && { keepAliveMs }),
  ...(budget && { budget }),
});

/** A fair mutex (first in, first out) around the networks: one job at a time holds it. */
interface InferenceLock {
  /**
   * Waits for the mutex and runs while it is held. If the signal fires, it rejects at once with the signal's
   * reason; a run that has begun goes on and holds the mutex to its end.
   */
  hold<T>(signal: AbortSignal, run: () => Promise<T>): Promise<T>;
}

export function createInferenceLock(): InferenceLock {
  let last: Promise<unknown> = Promise.resolve();
  return {
    hold(signal, run) {
      const result = last.then(() => {
        signal.throwIfAborted();
        return run();
      });
      last = result.catch(() => undefined);
      return Promise.race([result, whenAborted(signal, result)]);
    },
  };
}

/** Rejects as soon as the signal fires, unless `running` has settled before. */
async function whenAborted(signal: AbortSignal, running: Promise<unknown>): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const removeListener = onAbort(signal, () => reject(signal.reason));
  running.finally(removeListener).catch(() => undefined);
  return promise;
}
