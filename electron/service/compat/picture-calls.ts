/**
 * Makes pictures for the families of other services: a call submits a picture, waits for its task and answers
 * the result. Such a task goes before batches, and it is cancelled when its client goes away.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { EnlargerError, taskErrorCodes } from '../../contract/errors.ts';
import type { Size } from '../../contract/geometry.ts';
import type { Operation } from '../../contract/request.ts';
import { viewOf, type TaskLinkDeps } from '../api/present.ts';
import { planOptions } from '../planning/plan-options.ts';
import { type FinishedTask, isFinished, type Task, type TaskSource } from '../store/tasks/task.ts';
import { type NewTask, type Tasks } from '../tasks/tasks.ts';
import type { EngineHost } from '../../engine/host/host.ts';
import type { InspectSource } from '../sources/inspect-source.ts';
import type { OptionPlanning } from '../planning/task-options.ts';
import type { Results } from '../results/results.ts';
import type { SourceIntake } from '../sources/stored-source.ts';

export interface CallDeps extends OptionPlanning, TaskLinkDeps {
  tasks: Tasks;
  results: Pick<Results, 'pathOf'>;
  intake: Pick<SourceIntake, 'discard'>;
  engine: Pick<EngineHost, 'work'>;
  inspectSource: InspectSource;
  /** The port of the service's own API. */
  port(): number;
}

/** The priority is above every priority that a batch may have. */
const waitedForPriority = 10;

export interface Asked {
  operation: Operation;
  /** The fields are those of a submit; they are checked as a submit's are. */
  fields: Record<string, unknown>;
  source: TaskSource;
}

export interface PictureCalls {
  /**
   * Submits a picture and answers its finished task. The queue owns the source from this call on, also when
   * the call throws. It throws what a submit throws, the task's own error when the task fails, and CANCELLED
   * when the signal fires.
   */
  make(asked: Asked, signal: AbortSignal, onTask?: (taskId: string) => void): Promise<FinishedTask>;
  /** Does the same for a task whose options are planned already. */
  run(task: NewTask, signal: AbortSignal, onTask?: (taskId: string) => void): Promise<FinishedTask>;
  /** Reads a picture's size before it is submitted. It throws what a task would fail with. */
  sizeOf(source: TaskSource): Promise<Size>;
  /** Answers a link to the result that needs no key; it leads to the service's own port. */
  linkOf(task: FinishedTask): string;
  /** Answers the absolute path of a finished task's result. */
  pathOf(task: FinishedTask): string;
  /** Writes a result's colours as a JPEG and its alpha as a PNG into a folder, which is made if missing. */
  splitInto(folder: string, task: FinishedTask): Promise<SplitFiles>;
}

interface SplitFiles {
  coloursPath: string;
  alphaPath: string;
}

const splitLimitMs = 120_000;

export function createPictureCalls(deps: CallDeps): PictureCalls {
  const { tasks, results } = deps;
  const run: PictureCalls['run'] = async (task, signal, onTask) => {
    const { taskId } = await tasks.submit(task);
    onTask?.(taskId);
    return untilFinished(tasks, taskId, signal);
  };
  return {
    run,
    sizeOf: (source) => deps.inspectSource(source),
    linkOf: (task) => viewOf(task, `http://127.0.0.1:${deps.port()}`, deps).imageUrl ?? '',
    pathOf: ({ taskId, files }) => results.pathOf(taskId, files.image.name),
    async splitInto(folder, { taskId, files }) {
      const paths = {
        coloursPath: join(folder, 'color.jpg'),
        alphaPath: join(folder, 'alpha.png'),
      };
      const { maxResultPixels } = deps.settings.get();
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const picture = {
        sourcePath: results.pathOf(taskId, files.image.name),
        scratchDir: folder,
        limits: { sourcePixels: maxResultPixels, resultPixels: maxResultPixels },
      };
      await deps.engine.work('split', { ...picture, ...paths }, splitLimitMs);
      return paths;
    },
    async make({ operation, fields, source }, signal, onTask) {
      const options = await orDiscard(source, deps, async () => {
        if (tasks.paused) throw pausedError();
        if (signal.aborted) throw goneError();
        return planOptions(operation, fields, deps);
      });
      const task = { operation, source, options, priority: waitedForPriority };
      return run(task, signal, onTask);
    },
  };
}

/** Does work for a source that no task has yet. It discards the source when the work throws. */
export async function orDiscard<T>(
  source: TaskSource,
  { intake }: Pick<CallDeps, 'intake'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    await intake.discard(source);
    throw thrown;
  }
}

/** A paused queue refuses at once, because its callers would wait without end. */
const pausedError = () =>
  new EnlargerError(
    'SHUTTING_DOWN',
    'The queue is paused. Let it go on in Enlarger, then ask again.',
  );

const goneError = () => new EnlargerError('CANCELLED', 'The client went away.');

function untilFinished(
  tasks: CallDeps['tasks'],
  taskId: string,
  signal: AbortSignal,
): Promise<FinishedTask> {
  return new Promise((resolve, reject) => {
    const settle = (task: Task | undefined, removed = false) => {
      const outcome = outcomeOf(task, removed);
      if (outcome === undefined) return;
      stop();
      if (outcome instanceof Error) reject(outcome);
      else resolve(outcome);
    };
    const unsubscribe = tasks.events.subscribe(taskId, (event) => {
      if (!event.isProgress) settle(event.task, event.removed);
    });
    const cancel = () => {
      stop();
      cancelTask(tasks, taskId);
      reject(goneError());
    };
    const stop = () => {
      unsubscribe();
      signal.removeEventListener('abort', cancel);
    };
    if (signal.aborted) cancel();
    else {
      signal.addEventListener('abort', cancel, { once: true });
      // The task may have ended before this subscription.
      settle(tasks.get(taskId));
    }
  });
}

/** Answers the finished task or its error; undefined while the task goes on. */
function outcomeOf(task: Task | undefined, removed: boolean): FinishedTask | Error | undefined {
  if (task === undefined || removed)
    return new EnlargerError('CANCELLED', 'The task was deleted in Enlarger.');
  const { status, error } = task;
  if (status === 'FAILED') {
    const code = taskErrorCodes.find((known) => known === error?.code) ?? 'INTERNAL';
    return new EnlargerError(code, error?.message ?? 'The task failed.');
  }
  return isFinished(task) ? task : undefined;
}

/** Cancels a task. A task that has ended meanwhile, or is gone, is left alone. */
export function cancelTask(tasks: Pick<CallDeps['tasks'], 'cancel'>, taskId: string): void {
  try {
    tasks.cancel(taskId);
  } catch (thrown) {
    if (!(thrown instanceof EnlargerError)) throw thrown;
  }
}
