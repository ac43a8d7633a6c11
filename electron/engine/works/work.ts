/** What an operation is to the job that runs it: a plan, and a way from the decoded raster to the last one. */
import type { DeviceUse, PicturePart, Timings } from '../../contract/task.ts';
import type { InferenceThread } from '../inference/thread.ts';
import { onAbort } from '../on-abort.ts';
import type { JobPlan } from '../output-plan.ts';
import type { ProgressPlan, Progress } from '../progress.ts';
import type { JobFrame, JobReport } from '../protocol.ts';
import type { Decoded } from '../raster/decode.ts';
import type { RasterShape } from '../raster/raster-file.ts';

/** What every job is given. */
export interface JobTools {
  inference: InferenceThread;
  turn: Turn;
}

export interface WorkPlan extends JobPlan {
  progress: ProgressPlan;
  /** Makes the raster that is encoded; the decoded one is its to remove. Rejects with EnlargerError. */
  run(step: WorkStep): Promise<Worked>;
}

export interface WorkStep {
  decoded: Decoded;
  /** The profile of the decoded raster's numbers; absent: they are sRGB's. */
  icc: Buffer | undefined;
  timings: Timings;
  progress: Progress;
  signal: AbortSignal;
}

export interface Worked {
  rasterPath: string;
  shape: RasterShape;
  /** Pixels of the result for each pixel of the source, along a side. */
  scale: number;
  /** Whether its numbers are no longer of the source's profile. */
  converted: boolean;
  /** How it was made, in words; such as "enlarged 4 times with faithful". */
  made: string;
  /** IPTC's Digital Source Type of it; absent: it stays what the source says. */
  sourceType?: string;
  measured?: JobReport['measured'];
  changed?: JobReport['changed'];
  grade?: JobReport['grade'];
  /** The part of the source that it shows; absent: all of it. */
  crop?: PicturePart;
  notes: string[];
  /** Of the networks; absent where none ran. */
  ran?: NetworkRun;
  /** Called when the result is written and all timings are there. */
  onWritten?: () => void;
}

export interface NetworkRun {
  device: DeviceUse;
  notes: readonly string[];
  tiles: JobReport['tiles'];
}

/** Runs a step and adds its milliseconds, also when it fails. */
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

/** Waits for the network's place, and runs in it. */
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

/** How networks run for a job, as each of their requests has it. */
export const mannerOf = ({
  device,
  keepAliveMs,
  room,
}: Pick<JobFrame, 'device' | 'keepAliveMs' | 'room'>) => ({
  device,
  ...(keepAliveMs !== undefined && { keepAliveMs }),
  ...(room && { room }),
});

/** Lets one job at a time into the network, in the order in which they asked. */
interface Turn {
  /** Waits for the place and runs. Rejects with the signal's reason when it fires while waiting. */
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

/** Rejects as soon as the signal fires, unless `running` ended before. */
async function whenAborted(signal: AbortSignal, running: Promise<unknown>): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const forget = onAbort(signal, () => reject(signal.reason));
  running.finally(forget).catch(() => undefined);
  return promise;
}
