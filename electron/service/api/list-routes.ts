/** Task list, newest first; pause and resume of the queue. */
import { Type } from 'typebox';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import { QueueState } from '../../../packages/contract/src/queue.ts';
import { TaskList, TaskListQuery } from '../../../packages/contract/src/task.ts';
import { type Api, answers, ref } from '../../../packages/http/src/index.ts';
import { baseOf, recordOf, type ViewDeps } from './present.ts';
import type { Store } from '../store/store.ts';
import type { Tasks } from '../tasks/tasks.ts';

export interface ListDeps extends ViewDeps {
  tasks: Tasks;
  notices: Pick<Store['notices'], 'list' | 'dismiss'>;
}

export function taskListRoutes(app: Api, deps: ListDeps): void {
  const { tasks } = deps;

  app.get(
    '/api/tasks',
    {
      schema: {
        tags: ['tasks'],
        summary: 'List tasks, newest first, in pages',
        querystring: TaskListQuery,
        response: answers({ 200: ref(TaskList) }, 'INVALID_REQUEST'),
      },
    },
    (request) => {
      const { rows, nextCursor } = tasks.list(request.query);
      return {
        tasks: rows.map((row) => recordOf(row, baseOf(request), deps)),
        ...(nextCursor !== undefined && { nextCursor }),
        counts: tasks.counts(),
        paused: tasks.paused,
      };
    },
  );
}

export function queueRoutes(app: Api, deps: ListDeps): void {
  const { tasks, notices } = deps;
  const response = answers({ 200: ref(QueueState) }, 'STORAGE_FULL');
  const state = () => queueStateOf(deps);

  app.get(
    '/api/queue',
    {
      schema: {
        tags: ['queue'],
        summary:
          'How the queue stands: its tasks, whether it is paused or waits, and what happened',
        response,
      },
    },
    state,
  );
  app.post(
    '/api/queue/pause',
    { schema: { tags: ['queue'], summary: 'Pause the queue; running tasks finish', response } },
    () => {
      tasks.pause();
      return state();
    },
  );
  app.post(
    '/api/queue/resume',
    { schema: { tags: ['queue'], summary: 'Resume the queue', response } },
    () => {
      tasks.resume();
      return state();
    },
  );
  app.delete(
    '/api/notices/:code',
    {
      schema: {
        tags: ['queue'],
        summary: 'Dismiss a notice',
        params: Type.Object({ code: Type.String({ maxLength: 100 }) }),
        response: answers({ 204: Type.Null() }, 'NOT_FOUND', 'STORAGE_FULL'),
      },
    },
    ({ params }, reply) => {
      if (!notices.dismiss(params.code))
        throw new EnlargerError('NOT_FOUND', `There is no notice ${params.code}.`);
      return reply.code(204).send(null);
    },
  );
}

export interface QueueStateDeps {
  tasks: Pick<Tasks, 'paused' | 'waits' | 'counts'>;
  notices: Pick<Store['notices'], 'list'>;
}

export function queueStateOf({ tasks, notices }: QueueStateDeps): QueueState {
  const { paused, waits } = tasks;
  return {
    paused,
    counts: tasks.counts(),
    ...(waits && {
      waits: {
        code: 'ENGINE_CANNOT_START',
        message: waits.message,
        againAt: new Date(waits.againAt).toISOString(),
      },
    }),
    notices: notices.list().map(({ noticedAt, ...notice }) => ({
      ...notice,
      noticedAt: new Date(noticedAt).toISOString(),
    })),
  };
}
