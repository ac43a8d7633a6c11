/** Exports results after their task ended: to a folder, or by a client that reports it. */
import { Type } from 'typebox';
import { SaveBody, SaveResult } from '../../../packages/contract/src/picture.ts';
import { type Api, answers, ref, callerOf } from '../../../packages/http/src/index.ts';
import { originOf, resultFolder } from '../planning/result-folder.ts';
import { finishedTask } from './present.ts';
import { TaskParams } from './one-task-routes.ts';
import type { Task } from '../store/tasks/task.ts';
import type { LiveSettings } from '../settings/live-settings.ts';
import type { Tasks } from '../tasks/tasks.ts';

export interface SaveDeps {
  tasks: Pick<Tasks, 'get' | 'isExpired' | 'save' | 'noteTaken'>;
  settings: Pick<LiveSettings, 'get'>;
}

export function saveRoutes(app: Api, deps: SaveDeps): void {
  const { tasks, settings } = deps;
  app.post(
    '/api/task/:taskId/save',
    {
      schema: {
        tags: ['tasks'],
        summary: 'Save a finished result into a folder, unchanged',
        params: TaskParams,
        body: ref(SaveBody),
        response: answers(
          { 200: ref(SaveResult) },
          'FORBIDDEN_PATH',
          'TASK_NOT_FOUND',
          'CONFLICT',
          'RESULT_EXPIRED',
          'STORAGE_FULL',
        ),
      },
    },
    async (request): Promise<SaveResult> => {
      const { params, body } = request;
      const task = finishedTask(tasks, params.taskId, 'saved');
      const caller = callerOf(request);
      const { grantedFolders: ofAll } = settings.get();
      const from = originOf(photoSourceOf(task, deps), caller);
      const folder = await resultFolder(body.saveTo, ofAll, from);
      const grantedFolders = [...ofAll, ...(originOf(task.source, caller).grants ?? [])];
      const savedTo = await tasks.save(task, { ...body, folder, grantedFolders });
      return savedTo === undefined ? {} : { savedTo };
    },
  );
  app.post(
    '/api/task/:taskId/taken',
    {
      schema: {
        tags: ['tasks'],
        summary: 'Mark a result as downloaded',
        description:
          'Marks the result as saved after the client has downloaded or written it itself.',
        params: TaskParams,
        response: answers(
          { 204: Type.Null() },
          'TASK_NOT_FOUND',
          'CONFLICT',
          'RESULT_EXPIRED',
          'STORAGE_FULL',
        ),
      },
    },
    ({ params }, reply) => {
      const { taskId } = finishedTask(tasks, params.taskId, 'saved');
      tasks.noteTaken(taskId);
      return reply.code(204).send(null);
    },
  );
}

/** Source of the photo. For a converted result, that of the task that made it. */
function photoSourceOf({ source }: Task, { tasks }: SaveDeps): Task['source'] {
  const maker = 'ofTaskId' in source ? tasks.get(source.ofTaskId) : undefined;
  return maker === undefined ? source : maker.source;
}
