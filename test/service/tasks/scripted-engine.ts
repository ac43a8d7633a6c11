/** An engine that does as it is told: for each source name, what to do at each attempt. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { EnlargerError, type TaskErrorCode } from '../../../packages/contract/src/errors.ts';
import type { TaskEstimate, TaskOptions } from '../../../packages/contract/src/task.ts';
import { EngineDied } from '../../../electron/engine/host/host.ts';
import type {
  Job,
  JobProgress,
  JobReport,
  MaskNetworkFile,
  PromptNetworkFile,
  NetworkFile,
} from '../../../electron/engine/protocol/messages.ts';
import type { DataFolder } from '../../../electron/service/data-folder.ts';
import { workOf } from '../../../electron/service/planning/plan-job.ts';
import { createResults } from '../../../electron/service/results/results.ts';
import { openGrantedFolder } from '../../../packages/files/src/granted.ts';
import type { TasksOptions } from '../../../electron/service/tasks/queue.ts';

/** What a task is asked. */
export const options: TaskOptions = {
  scale: 2,
  model: 'test',
  format: 'same',
  formatChosen: false,
  bitDepth: 'same',
  metadata: 'keep',
};

export type Act =
  | { do: 'finish'; afterMs?: number; estimate?: TaskEstimate }
  | { do: 'fail'; code: TaskErrorCode }
  | { do: 'throw' }
  | { do: 'die'; blamed: boolean }
  | { do: 'hold' };

export interface ScriptedEngine {
  /** Jobs in the order in which they came. */
  readonly jobs: Job[];
  readonly inFlight: number;
  readonly maxInFlight: number;
  /** Ends the held job of a task. */
  settle(taskId: string, act: Exclude<Act, { do: 'hold' }>): void;
  isHeld(taskId: string): boolean;
  run(
    job: Job,
    options: { signal: AbortSignal; onProgress(progress: JobProgress): void },
  ): Promise<JobReport>;
}

export const taskIdOf = (job: Job) => job.jobId.slice(0, 36);

/** @param script what to do for a task and its attempt, from 1 */
export function createScriptedEngine(
  script: (taskId: string, attempt: number) => Act,
): ScriptedEngine {
  const held = new Map<string, (act: Exclude<Act, { do: 'hold' }>) => void>();
  const jobs: Job[] = [];
  let inFlight = 0;
  let maxInFlight = 0;
  const act = async (job: Job, signal: AbortSignal): Promise<Exclude<Act, { do: 'hold' }>> => {
    const planned = script(taskIdOf(job), Number(job.jobId.slice(37)));
    if (planned.do !== 'hold') return planned;
    return new Promise((resolve, reject) => {
      held.set(taskIdOf(job), resolve);
      signal.addEventListener('abort', () => reject(new EnlargerError('CANCELLED', 'Stopped.')));
    });
  };
  const perform = async (
    job: Job,
    { signal, onProgress }: { signal: AbortSignal; onProgress: (progress: JobProgress) => void },
  ): Promise<JobReport> => {
    onProgress({ step: 'decode', percent: 5 });
    const told = await act(job, signal);
    held.delete(taskIdOf(job));
    onProgress({ step: 'network', percent: 60, etaSeconds: 1 });
    if (told.do === 'finish' && told.estimate)
      onProgress({ step: 'network', percent: 60, estimate: told.estimate });
    if (told.do === 'fail') throw new EnlargerError(told.code, `It failed with ${told.code}.`);
    if (told.do === 'throw') throw new TypeError('not foreseen');
    if (told.do === 'die') throw new EngineDied('exit', told.blamed, 'The engine ended.');
    if (told.afterMs) await wait(told.afterMs, undefined, { signal });
    await writeFile(job.outputPath, `image of ${job.jobId}`);
    await writeFile(job.thumbPath, `thumb of ${job.jobId}`);
    return report();
  };
  return {
    jobs,
    get inFlight() {
      return inFlight;
    },
    get maxInFlight() {
      return maxInFlight;
    },
    isHeld: (taskId) => held.has(taskId),
    settle(taskId, how) {
      held.get(taskId)?.(how);
      held.delete(taskId);
    },
    async run(job, options) {
      jobs.push(job);
      maxInFlight = Math.max(maxInFlight, ++inFlight);
      try {
        return await perform(job, options);
      } finally {
        inFlight--;
      }
    },
  };
}

export function report(): JobReport & Required<Pick<JobReport, 'device'>> {
  const picture = {
    format: 'jpeg',
    width: 1000,
    height: 500,
    bitDepth: 8,
    channels: 3,
    sizeBytes: 9,
  };
  return {
    input: picture,
    output: { ...picture, width: 2000, height: 1000 },
    device: { provider: 'cpu', name: 'CPU', precision: 'fp32' },
    timings: { decodeMs: 10, networkMs: 500, encodeMs: 20 },
    notes: [],
    ran: [{ modelId: 'test', scale: 2 }],
    tiles: { count: 1, sizePx: 128, computedPerCore: 1.2 },
  };
}

/** The steps of a queue over that engine: sources come by themselves, and no network is a file. */
export const scriptedSteps = (
  engine: ScriptedEngine,
  folder: DataFolder,
): TasksOptions['steps'] => ({
  fetchSource: (_source, { toPath }) => writeFile(toPath, 'a picture'),
  backgroundOf: (url) => ({ kind: 'url', url }),
  openWork: (task) =>
    Promise.resolve(
      workOf(task, {
        scalesOf: () => [2, 4, 8, 16],
        planPasses: () => [{ modelId: 'test', scale: 2 } as NetworkFile],
        maskNetwork: () => ({ modelId: 'cutout' }) as MaskNetworkFile,
        promptNetwork: (modelId) => ({ modelId }) as PromptNetworkFile,
      }),
    ),
  planPreview: () => Promise.reject(new Error('No name is asked for.')),
  inspectResult: () => Promise.reject(new Error('No name is taken.')),
  makeThumbnail: () => Promise.reject(new Error('No name is taken.')),
  runEngine: (job, watch) => engine.run(job, watch),
  openGrantedFolder,
  saveToken: (taskId) => taskId,
  results: createResults(folder.results),
  scratchDir: folder.scratch,
  keptDir: join(folder.scratch, 'kept'),
  version: '0.0.0',
});
