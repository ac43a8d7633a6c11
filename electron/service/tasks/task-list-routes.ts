/** All tasks, newest first, and the queue's switch. */
import { QueueState } from '../../contract/admin.ts';
import { TaskList, TaskListQuery } from '../../contract/task.ts';
import type { Api, ApiDeps } from '../http/deps.ts';
import { answers, ref } from '../http/schemas.ts';
import { baseOf, recordOf } from './present-task.ts';

const usualPage = 50;

export function taskListRoutes(app: Api, deps: ApiDeps): void {
  const { tasks } = deps;

  app.get(
    '/api/tasks',
    {
      schema: {
        tags: ['tasks'],
        summary: 'All tasks, newest first, in pages',
        querystring: TaskListQuery,
        response: answers({ 200: ref(TaskList) }, 'INVALID_REQUEST'),
      },
    },
    (request) => {
      const { status, photo, limit = usualPage, cursor } = request.query;
      const { rows, nextCursor } = tasks.list({ status, photo, limit, cursor });
      return {
        tasks: rows.map((row) => recordOf(row, baseOf(request), deps)),
        ...(nextCursor !== undefined && { nextCursor }),
        counts: tasks.counts(),
        paused: tasks.paused,
      };
    },
  );
}

export function queueRoutes(app: Api, { tasks }: ApiDeps): void {
  const response = answers({ 200: ref(QueueState) }, 'STORAGE_FULL');
  const state = () => ({ paused: tasks.paused });

  app.get(
    '/api/queue',
    { schema: { tags: ['queue'], summary: 'Whether the queue is paused', response } },
    state,
  );
  app.post(
    '/api/queue/pause',
    { schema: { tags: ['queue'], summary: 'Take no new tasks; running ones finish', response } },
    () => {
      tasks.pause();
      return state();
    },
  );
  app.post(
    '/api/queue/resume',
    { schema: { tags: ['queue'], summary: 'Take tasks again', response } },
    () => {
      tasks.resume();
      return state();
    },
  );
}
