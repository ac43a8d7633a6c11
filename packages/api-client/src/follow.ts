/**
 * Follows tasks to their ends over one event stream. While the stream is broken each task is polled, so that
 * no end is missed.
 */
import { asError } from '../../contract/src/error-messages.ts';
import type { QueueState } from '../../contract/src/queue.ts';
import type { TaskChange, TaskRecord } from '../../contract/src/task.ts';
import type { Client } from './client.ts';
import { keepEvents, pause, type EventHandlers } from './events.ts';
import { ApiError } from './transport.ts';

export interface Follower {
  /**
   * Resolves with the ended task; rejects if the task is deleted, the service is gone or `signal` fires.
   * @param onProgress percent, and the change as the service sent it
   */
  end: (taskId: string, onProgress: OnProgress) => Promise<TaskRecord>;
}

export type OnProgress = (percent: number, change: FollowedProgress) => void;
export type FollowedProgress = Pick<TaskChange, 'status' | 'progress' | 'etaSeconds' | 'record'>;

interface FollowedTask {
  onProgress: OnProgress;
  resolve: (task: TaskRecord) => void;
  reject: (error: unknown) => void;
}

const retryMs = 1000;
/** Consecutive failures after which the service counts as gone. */
const maxFailures = 10;

export function followTasks(
  client: Pick<Client, 'events' | 'record'>,
  signal: AbortSignal,
  onQueue?: (queue: QueueState) => void,
): Follower {
  const watches = new Map<string, FollowedTask>();
  const dispatch = ({ record, ...task }: TaskChange) => {
    const watch = watches.get(task.taskId);
    if (watch === undefined) return;
    if (task.removed) {
      watches.delete(task.taskId);
      watch.reject(new Error('The task was deleted by another program.'));
      return;
    }
    if (task.progress !== undefined)
      watch.onProgress(task.progress, { ...task, ...(record && { record }) });
    if (record === undefined || !hasEnded(record)) return;
    watches.delete(task.taskId);
    watch.resolve(record);
  };
  const rejectAll = (error: unknown) => {
    for (const watch of watches.values()) watch.reject(error);
    watches.clear();
  };
  const poll = async (taskId: string) => {
    const record = await client.record(taskId, signal);
    const { status, progress } = record;
    dispatch({ taskId, status, progress, record });
  };
  const pollAll = () => Promise.all([...watches.keys()].map(poll));

  signal.addEventListener('abort', () => rejectAll(signal.reason));
  const handlers = {
    onChange: dispatch,
    ...(onQueue && { onQueue }),
    ...pollWhileLost(pollAll, signal),
  };
  keepEvents(() => client, handlers, signal).catch(rejectAll);

  return {
    end: (taskId, onProgress) =>
      new Promise<TaskRecord>((resolve, reject) => {
        if (signal.aborted) {
          reject(signal.reason as Error);
          return;
        }
        watches.set(taskId, { onProgress, resolve, reject });
        // The task may have ended before.
        poll(taskId).catch((error: unknown) => {
          if (error instanceof ApiError && error.code !== 'OFFLINE') reject(error);
        });
      }),
  };
}

const hasEnded = ({ status }: TaskRecord) => status === 'FINISHED' || status === 'FAILED';

/** Polls each task while there is no stream; gives up if the service does not respond for a while. */
function pollWhileLost(
  pollAll: () => Promise<unknown>,
  signal: AbortSignal,
): Pick<EventHandlers, 'onReset' | 'onConnected' | 'onLost'> {
  let failures = 0;
  return {
    onReset: () => void pollAll().catch(() => undefined),
    onConnected: (isConnected) => {
      if (isConnected) failures = 0;
    },
    async onLost(broken) {
      const unasked = await pollAll().then(() => undefined, asError);
      failures = unasked === undefined ? 0 : failures + 1;
      if (failures === maxFailures)
        throw Object.assign(new ApiError('OFFLINE', 'The service does not answer any more.'), {
          cause: unasked ?? broken,
        });
      await pause(retryMs, signal);
    },
  };
}
