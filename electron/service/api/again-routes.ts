/** POST /api/task/{id}/again: a version, i.e. the same photo with other options. */
import { AgainBody } from '../../../packages/contract/src/task.ts';
import { SubmitReceipt } from '../../../packages/contract/src/request.ts';
import { pickDefined } from '../../../packages/contract/src/pick-defined.ts';
import { callerOf, type Caller, type Api, answers, ref } from '../../../packages/http/src/index.ts';
import { changeOptions } from '../planning/change-options.ts';
import { planOptions } from '../planning/plan-options.ts';
import { withGrants } from '../sources/stored-source.ts';
import { originOf } from '../planning/result-folder.ts';
import { assertSourceKept, knownTask } from './present.ts';
import { TaskParams } from './one-task-routes.ts';
import type { Task, TaskSource } from '../store/tasks/task.ts';
import type { DataFiles } from '../sources/data-files.ts';
import type { OptionPlanning } from '../planning/task-options.ts';
import type { Tasks } from '../tasks/tasks.ts';
import type { Uploads } from '../sources/uploads.ts';

export interface AgainDeps extends OptionPlanning {
  tasks: Pick<Tasks, 'get' | 'submit'>;
  dataFiles: Pick<DataFiles, 'link'>;
  uploads: Pick<Uploads, 'get'>;
}

export function againRoutes(app: Api, deps: AgainDeps): void {
  app.post(
    '/api/task/:taskId/again',
    {
      schema: {
        tags: ['tasks'],
        summary: "Run a task's photo again with other options",
        description:
          "A new task of the same photo; the first one stays as it is. Options that are not named are as the task's own; null sets one back.",
        params: TaskParams,
        body: ref(AgainBody),
        response: answers(
          { 200: ref(SubmitReceipt) },
          'FORBIDDEN_PATH',
          'NOT_FOUND',
          'TASK_NOT_FOUND',
          'CONFLICT',
          'MODEL_UNAVAILABLE',
          'QUEUE_FULL',
          'SHUTTING_DOWN',
          'STORAGE_FULL',
        ),
      },
    },
    async (request): Promise<SubmitReceipt> => {
      const { params, body } = request;
      const caller = callerOf(request);
      const task = knownTask(deps.tasks, params.taskId);
      assertSourceKept(task, deps.uploads);
      const { operation, fields } = changeOptions(task, body);
      // Its address was checked at the first submit, and is again when it is called.
      const keepsCallback = body.options?.callbackUrl === undefined;
      const options = await planOptions(operation, fields, {
        ...deps,
        photoFrom: originOf(task.source, caller),
        localCallbacks: keepsCallback || caller.localCallbacks,
      });
      const source = await sourceOf(task, caller, deps);
      const priority = body.options?.priority ?? task.priority;
      const { taskId } = await deps.tasks.submit({
        operation,
        source,
        options,
        priority,
        photo: task.photo,
        ...(keepsCallback ? pickDefined(task, ['keyId']) : { keyId: caller.keyId }),
      });
      return { taskId };
    },
  );
}

/**
 * The service's own files are linked under a new name, since the first task deletes its own. A photo of a person may
 * be readable by the first task's grants alone.
 */
async function sourceOf(
  { source }: Task,
  { mayAdminister }: Caller,
  deps: AgainDeps,
): Promise<TaskSource> {
  if (source.kind !== 'data') return source;
  const { name, ofTaskId } = source;
  const grants = mayAdminister ? source.grants : undefined;
  const about = { name, ...(ofTaskId !== undefined && { ofTaskId }) };
  return withGrants(await deps.dataFiles.link(source.path, about), grants);
}
