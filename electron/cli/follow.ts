/**
 * Follows tasks to their ends over one event stream. When the stream breaks, each task is asked
 * for by itself until the stream is back, so that no end is missed.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { QueueState } from '../contract/queue.ts';
import type { TaskChange, TaskView } from '../contract/task.ts';
import type { Client } from '../client/client.ts';
import { keepEvents, type EventHandlers } from '../client/events.ts';
import { ApiError } from '../client/transport.ts';

export interface Follower {
  /** Resolves with the task's last state. Rejects when the service is gone or `signal` fires. */
  end(taskId: string, onProgress: (percent: number) => void): Promise<TaskView>;
}

interface Watch {
  onProgress: (percent: number) => void;
  resolve: (task: TaskView) => void;
  reject: (error: unknown) => void;
}

const retryMs = 1000;
/** How many times in a row the service may not answer before it counts as gone. */
const patience = 10;

export function followTasks(
  client: Client,
  signal: AbortSignal,
  onQueue: (queue: QueueState) => void,
): Follower {
  const watches = new Map<string, Watch>();
  const tell = (task: TaskChange) => {
    const watch = watches.get(task.taskId);
    if (watch === undefined) return;
    if (task.removed) {
      watches.delete(task.taskId);
      watch.reject(new Error('The task was deleted by another program.'));
      return;
    }
    if (task.progress !== undefined) watch.onProgress(task.progress);
    if (task.status !== 'FINISHED' && task.status !== 'FAILED') return;
    watches.delete(task.taskId);
    watch.resolve(task);
  };
  const rejectAll = (error: unknown) => {
    for (const watch of watches.values()) watch.reject(error);
    watches.clear();
  };
  const ask = async (taskId: string) => tell(await client.task(taskId, signal));
  const askAll = () => Promise.all([...watches.keys()].map(ask));

  signal.addEventListener('abort', () => rejectAll(signal.reason));
  keepEvents(() => client, { onChange: tell, onQueue, ...patient(askAll, signal) }, signal).catch(
    rejectAll,
  );

  return {
    end: (taskId, onProgress) =>
      new Promise<TaskView>((resolve, reject) => {
        if (signal.aborted) {
          reject(signal.reason as Error);
          return;
        }
        watches.set(taskId, { onProgress, resolve, reject });
        // It may have ended before this watch began.
        ask(taskId).catch((error: unknown) => {
          if (error instanceof ApiError && error.code !== 'OFFLINE') reject(error);
        });
      }),
  };
}

/** Asks for each task while there is no stream. Gives up when the service does not answer for a while. */
function patient(
  askAll: () => Promise<unknown>,
  signal: AbortSignal,
): Pick<EventHandlers, 'onReset' | 'onConnected' | 'onLost'> {
  let failures = 0;
  return {
    onReset: () => void askAll().catch(() => undefined),
    onConnected: (isConnected) => {
      if (isConnected) failures = 0;
    },
    async onLost(broken) {
      const unasked = await askAll().then(() => undefined, asError);
      failures = unasked === undefined ? 0 : failures + 1;
      if (failures === patience)
        throw new Error('The service does not answer any more.', { cause: unasked ?? broken });
      await wait(retryMs, undefined, { signal }).catch(() => undefined);
    },
  };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
