/** Does what the commands about tasks and the queue ask for. Each function here returns the exit code. */
import { InvalidArgumentError } from 'commander';
import { ApiError } from '../../api-client/src/transport.ts';
import type { Client } from '../../api-client/src/client.ts';
import { followTasks } from '../../api-client/src/follow.ts';
import type { TaskRecord } from '../../contract/src/task.ts';
import { padEnd, widestOf } from './columns.ts';
import { eachOf } from './photos/report.ts';
import { printable } from './printable.ts';
import { failureText, t } from './text.ts';

export async function listTasks(
  client: Client,
  { limit, json }: { limit: number; json: boolean },
): Promise<number> {
  const { tasks } = await client.list(limit);
  if (tasks.length === 0 && !json) console.error(t('There are no tasks.'));
  const stateWidth = widestOf([...Object.values(stateWords()), '100 %']);
  for (const task of tasks) console.log(json ? JSON.stringify(task) : taskLine(task, stateWidth));
  return 0;
}

const stateWords = () => ({
  PENDING: t('waiting'),
  PROCESSING: t('running'),
  FINISHED: t('finished'),
  FAILED: t('failed'),
  CANCELLED: t('cancelled'),
});

function taskLine(task: TaskRecord, stateWidth: number): string {
  const { error } = task;
  const isCancelled = error?.code === 'CANCELLED';
  const word = stateWords()[isCancelled ? 'CANCELLED' : task.status];
  const state = task.status === 'PROCESSING' ? `${task.progress} %` : word;
  const reason =
    error === undefined || isCancelled ? '' : `  ${failureText(error.code, error.message)}`;
  return printable(`${task.taskId}  ${padEnd(state, stateWidth)}  ${task.source.name}${reason}`);
}

/** Pauses or resumes the queue. Running tasks go on to their end. */
export async function switchQueue(client: Client, to: 'pause' | 'resume'): Promise<number> {
  const { paused } = await client.switchQueue(to);
  console.log(paused ? t('The queue is paused.') : t('The queue runs.'));
  return 0;
}

/** Makes a new attempt of failed tasks, and waits for their ends. A result that only could not be saved is saved. */
export async function retryTasks(
  client: Client,
  taskIds: string[],
  signal: AbortSignal,
): Promise<number> {
  await assertKnown(client, taskIds);
  const ending = new AbortController();
  const follower = followTasks(client, AbortSignal.any([signal, ending.signal]));
  try {
    return await eachOf(taskIds, String, async (taskId) => {
      await client.retry(taskId);
      const { error, savedTo } = await follower.end(taskId, () => undefined);
      if (error !== undefined) throw new Error(failureText(error.code, error.message));
      console.log(printable(`${taskId} -> ${savedTo ?? t('finished')}`));
    });
  } finally {
    ending.abort();
  }
}

export async function cancelTasks(client: Client, taskIds: string[]): Promise<number> {
  await assertKnown(client, taskIds);
  return eachOf(taskIds, String, (taskId) => client.cancel(taskId));
}

/** @throws InvalidArgumentError for the first id that no task has */
async function assertKnown(client: Client, taskIds: readonly string[]): Promise<void> {
  for (const taskId of taskIds)
    await client.record(taskId).catch((cause: unknown) => {
      if (!(cause instanceof ApiError && cause.code === 'TASK_NOT_FOUND')) throw cause;
      throw new InvalidArgumentError(t('No task has the id {id}.', { id: taskId }));
    });
}
