/** One task: its view as in part 1 of the contract, and its actions. */
import { Type } from 'typebox';
import { RemovalQuery } from '../../../packages/contract/src/queue.ts';
import { MarkBody, TaskPatch, TaskRecord, TaskView } from '../../../packages/contract/src/task.ts';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import type { Task } from '../store/tasks/task.ts';
import { changeOptions } from '../planning/change-options.ts';
import { callerOf, type Caller, type Api, answers, ref } from '../../../packages/http/src/index.ts';
import { originOf } from '../planning/result-folder.ts';
import { planOptions } from '../planning/plan-options.ts';
import { baseOf, knownTask, presentTask, recordOf, viewOf, type ViewDeps } from './present.ts';
import type { OptionPlanning } from '../planning/task-options.ts';
import type { Tasks } from '../tasks/tasks.ts';

export interface OneTaskDeps extends ViewDeps, OptionPlanning {
  tasks: Tasks;
}

export const TaskParams = Type.Object({ taskId: Type.String() });

const tags = ['tasks'];
const changed = answers({ 200: ref(TaskView) }, 'TASK_NOT_FOUND', 'CONFLICT', 'STORAGE_FULL');

export function taskRoutes(app: Api, deps: OneTaskDeps): void {
  const { tasks } = deps;

  app.get(
    '/api/task/:taskId',
    {
      schema: {
        tags,
        summary: 'Get the state of a task',
        params: TaskParams,
        response: answers({ 200: ref(TaskView) }, 'TASK_NOT_FOUND', 'RESULT_EXPIRED'),
      },
    },
    (request) => viewOf(presentTask(tasks, request.params.taskId), baseOf(request), deps),
  );

  app.get(
    '/api/tasks/:taskId',
    {
      schema: {
        tags,
        summary: 'Get the record of a task',
        params: TaskParams,
        response: answers({ 200: ref(TaskRecord) }, 'TASK_NOT_FOUND'),
      },
    },
    (request) => recordOf(knownTask(tasks, request.params.taskId), baseOf(request), deps),
  );
}

export function taskEndingRoutes(app: Api, deps: OneTaskDeps): void {
  const { tasks } = deps;
  app.post(
    '/api/task/:taskId/cancel',
    {
      schema: {
        tags,
        summary: 'Cancel a task; it ends as FAILED with code CANCELLED',
        params: TaskParams,
        response: changed,
      },
    },
    (request) => viewOf(tasks.cancel(request.params.taskId), baseOf(request), deps),
  );

  app.post(
    '/api/task/:taskId/retry',
    {
      schema: {
        tags,
        summary: 'Retry a failed task',
        params: TaskParams,
        response: answers(changed, 'RESULT_EXPIRED'),
      },
    },
    (request) => viewOf(tasks.retry(request.params.taskId), baseOf(request), deps),
  );

  app.delete(
    '/api/task/:taskId',
    {
      schema: {
        tags,
        summary: 'Delete a task and its result',
        description: 'The task can be restored for 60 seconds.',
        params: TaskParams,
        querystring: RemovalQuery,
        response: answers({ 204: Type.Null() }, 'TASK_NOT_FOUND', 'STORAGE_FULL'),
      },
    },
    async ({ params, query }, reply) => {
      if (query.now === true) await tasks.delete(params.taskId);
      else tasks.remove(params.taskId);
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/api/task/:taskId/restore',
    {
      schema: {
        tags,
        summary: 'Restore a task deleted less than 60 seconds ago',
        description:
          'With its place and its result. One that was running waits again. Not after a restart of the service.',
        params: TaskParams,
        response: answers({ 200: ref(TaskView) }, 'TASK_NOT_FOUND', 'STORAGE_FULL'),
      },
    },
    (request) => viewOf(tasks.restore(request.params.taskId), baseOf(request), deps),
  );
}

export function taskChangeRoutes(app: Api, deps: OneTaskDeps): void {
  app.put(
    '/api/task/:taskId/mark',
    {
      schema: {
        tags,
        summary: 'Accept or reject a result',
        params: TaskParams,
        body: ref(MarkBody),
        response: answers({ 200: ref(TaskRecord) }, 'TASK_NOT_FOUND', 'CONFLICT', 'STORAGE_FULL'),
      },
    },
    async (request) => {
      const { taskId } = request.params;
      await deps.tasks.mark(taskId, request.body.mark);
      return recordOf(knownTask(deps.tasks, taskId), baseOf(request), deps);
    },
  );

  app.patch(
    '/api/task/:taskId',
    {
      schema: {
        tags,
        summary: 'Change the options or queue position of a waiting task',
        description:
          'Options that are not named stay as they are; null sets one back to what a submit without it means. A scale takes the place of a size and the other way round. With another operation, what both take stays, but not the model.',
        params: TaskParams,
        body: ref(TaskPatch),
        response: answers(
          { 200: ref(TaskRecord) },
          'FORBIDDEN_PATH',
          'TASK_NOT_FOUND',
          'CONFLICT',
          'MODEL_UNAVAILABLE',
          'STORAGE_FULL',
        ),
      },
    },
    async (request) => {
      const task = await patchTask(request.params.taskId, request.body, callerOf(request), deps);
      return recordOf(task, baseOf(request), deps);
    },
  );
}

async function patchTask(
  taskId: string,
  patch: TaskPatch,
  caller: Caller,
  deps: OneTaskDeps,
): Promise<Task> {
  const { tasks } = deps;
  const { operation, options, place, priority } = patch;
  if (operation === undefined && options === undefined)
    return tasks.move(taskId, { place, priority });
  const before = knownTask(tasks, taskId);
  if (before.status !== 'PENDING')
    throw new EnlargerError(
      'CONFLICT',
      `The task ${taskId} is ${before.status}; only a waiting task can be changed.`,
    );
  const change = changeOptions(before, patch);
  const hasOwnCallback = options?.callbackUrl !== undefined;
  const planned = await planOptions(change.operation, change.fields, {
    ...deps,
    photoFrom: originOf(before.source, caller),
    // The task's own address was checked at its submit, and is again when it is called.
    localCallbacks: !hasOwnCallback || caller.localCallbacks,
  });
  const after = {
    operation: change.operation,
    options: planned,
    // A name is resolved when it is called, with the rights of the key that gave it.
    ...(hasOwnCallback && { keyId: caller.keyId }),
  };
  const move = { place, priority: priority ?? options?.priority ?? undefined };
  return tasks.change(taskId, before, after, move);
}
