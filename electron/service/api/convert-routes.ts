/** POST /api/task/{id}/convert: a finished result in another format, without its network. */
import { backgroundOf } from '../../../packages/contract/src/options/background.ts';
import { formats } from '../../../packages/contract/src/formats.ts';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import { ConvertBody } from '../../../packages/contract/src/picture.ts';
import { SubmitReceipt } from '../../../packages/contract/src/request.ts';
import type { TaskOptions } from '../../../packages/contract/src/task.ts';
import {
  requestedScale,
  scaleInName,
  sizeInName,
  defaultTemplate,
} from '../../../packages/contract/src/naming.ts';
import { originOf, resultFolder, type PhotoOrigin } from '../planning/result-folder.ts';
import { withGrants } from '../sources/stored-source.ts';
import { sourceNameOf } from '../sources/source-name.ts';
import type { FinishedTask, Task } from '../store/tasks/task.ts';
import { callerOf, type Api, answers, ref } from '../../../packages/http/src/index.ts';
import { TaskParams } from './one-task-routes.ts';
import { finishedTask } from './present.ts';
import type { DataFiles } from '../sources/data-files.ts';
import type { LiveSettings } from '../settings/live-settings.ts';
import { awaitedPriority } from '../../../packages/contract/src/priority.ts';
import type { Results } from '../results/results.ts';
import type { Tasks } from '../tasks/tasks.ts';

export interface ConvertDeps {
  tasks: Pick<Tasks, 'get' | 'isExpired' | 'submit'>;
  results: Pick<Results, 'pathOf'>;
  dataFiles: Pick<DataFiles, 'link'>;
  settings: Pick<LiveSettings, 'get'>;
}

export function convertRoutes(app: Api, deps: ConvertDeps): void {
  app.post(
    '/api/task/:taskId/convert',
    {
      schema: {
        tags: ['tasks'],
        summary: 'Save a finished result again in another format',
        description:
          'A new task of the operation convert. It keeps its own hold on the result, whatever becomes of the first task.',
        params: TaskParams,
        body: ref(ConvertBody),
        response: answers(
          { 200: ref(SubmitReceipt) },
          'FORBIDDEN_PATH',
          'TASK_NOT_FOUND',
          'CONFLICT',
          'RESULT_EXPIRED',
          'QUEUE_FULL',
          'SHUTTING_DOWN',
          'STORAGE_FULL',
        ),
      },
    },
    async (request): Promise<SubmitReceipt> => {
      const { params, body } = request;
      const task = finishedTask(deps.tasks, params.taskId, 'saved again');
      const origin = originOf(task.source, callerOf(request));
      const options = await optionsOf(body, task, origin, deps);
      const path = deps.results.pathOf(task.taskId, task.files.image.name);
      const about = { name: sourceNameOf(task.source), ofTaskId: task.taskId };
      const source = withGrants(await deps.dataFiles.link(path, about), origin.grants);
      const submission = {
        operation: 'convert',
        source,
        options,
        priority: awaitedPriority,
        photo: task.photo,
      } as const;
      const { taskId } = await deps.tasks.submit(submission);
      return { taskId };
    },
  );
}

/** Scale and model stay, because they are part of the result's name. */
async function optionsOf(
  body: ConvertBody,
  task: FinishedTask,
  origin: PhotoOrigin,
  { settings }: ConvertDeps,
): Promise<TaskOptions> {
  const { format, quality, bitDepth = 'same', metadata = 'keep', saveTo, onConflict } = body;
  const { model, scale } = task.options;
  const background = backgroundFor(body, task);
  return {
    ...(scale !== undefined && { scale }),
    model,
    format,
    formatChosen: true,
    ...(quality !== undefined && { quality }),
    bitDepth,
    metadata,
    ...(background !== undefined && { background }),
    ...(saveTo !== undefined && {
      saveTo: await resultFolder(saveTo, settings.get().grantedFolders, origin),
    }),
    name: nameFor(body, task),
    ...(onConflict !== undefined && { onConflict }),
  };
}

/** The first result's template, with its scale and size inserted, of which the copy's options know nothing. */
function nameFor({ name }: ConvertBody, { options, report, operation }: FinishedTask): string {
  const template = name ?? options.name ?? defaultTemplate(operation);
  return template
    .replaceAll('{scale}', String(scaleInName(requestedScale(options), report) ?? 1))
    .replaceAll('{size}', sizeInName(options, report.output) ?? '');
}

function backgroundFor({ background, format }: ConvertBody, { report }: Task) {
  const colour = background === undefined ? undefined : backgroundOf(background);
  const isColour = colour?.startsWith('#') ?? false;
  if (background !== undefined && !isColour)
    throw new EnlargerError(
      'INVALID_REQUEST',
      `Expected background to be a colour such as #ffffff, white or teal but received ${JSON.stringify(background)} of type string.`,
    );
  const channels = report?.output.channels ?? 3;
  const { alpha: holdsAlpha, label } = formats[format];
  if (!holdsAlpha && channels % 2 === 0 && colour === undefined)
    throw new EnlargerError(
      'INVALID_REQUEST',
      `Expected background to be a colour such as #ffffff: the result is transparent in parts, and ${label} holds no transparency.`,
    );
  return colour;
}
