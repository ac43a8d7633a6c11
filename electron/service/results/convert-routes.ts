/** POST /api/task/{id}/convert: a finished result once more, in another format, without its network. */
import { backgroundOf } from '../../contract/background.ts';
import { formats } from '../../contract/formats.ts';
import { EnlargerError } from '../../contract/errors.ts';
import { ConvertBody } from '../../contract/picture.ts';
import { Submitted } from '../../contract/submit.ts';
import type { TaskOptions } from '../../contract/task.ts';
import { scaleAsked, scaleInName, usualTemplate } from '../../contract/naming.ts';
import { placedSource, placeOfResult } from '../planning/place-of-result.ts';
import type { ResultFiles } from '../store/stored-task.ts';
import { sourceNameOf } from '../sources/source-name.ts';
import type { TaskRow } from '../tasks/task-row.ts';
import type { Api, ApiDeps } from '../http/deps.ts';
import { answers, ref } from '../http/schemas.ts';
import { TaskParams } from '../tasks/task-routes.ts';
import { presentTask } from '../tasks/present-task.ts';

/** A person waits for it, and it is quick. */
const priority = 10;

export function convertRoutes(app: Api, deps: ApiDeps): void {
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
          { 200: ref(Submitted) },
          'INVALID_REQUEST',
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
    async ({ params, body }): Promise<Submitted> => {
      const row = finishedTask(presentTask(deps.tasks, params.taskId));
      const options = await optionsOf(body, row, deps);
      const path = deps.results.pathOf(row.taskId, row.files.image.name);
      const about = { name: sourceNameOf(row.source), ofTaskId: row.taskId };
      const source = await deps.dataFiles.keep(path, about);
      const task = { operation: 'convert', source, options, priority, photo: row.photo } as const;
      const { taskId } = await deps.tasks.submit(task);
      return { taskId };
    },
  );
}

type FinishedTask = TaskRow & { files: ResultFiles };

function finishedTask(row: TaskRow): FinishedTask {
  if (row.files !== undefined) return { ...row, files: row.files };
  throw new EnlargerError(
    'CONFLICT',
    `The task ${row.taskId} is ${row.status}; only a finished result can be saved again.`,
  );
}

/** What the result is called by stays: its scale and its model. */
async function optionsOf(
  body: ConvertBody,
  row: FinishedTask,
  { settings }: ApiDeps,
): Promise<TaskOptions> {
  const { format, quality, bitDepth = 'same', metadata = 'keep', saveTo, onConflict } = body;
  const { model, scale } = row.options;
  const background = backgroundFor(body, row);
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
      saveTo: await placeOfResult(saveTo, settings.get().grantedFolders, placedSource(row.source)),
    }),
    name: nameFor(body, row),
    ...(onConflict !== undefined && { onConflict }),
  };
}

/** As the first result would be called; its scale, which a size may have made, stands in it as a number. */
function nameFor({ name }: ConvertBody, { options, report, operation }: FinishedTask): string {
  const template = name ?? options.name ?? usualTemplate(operation);
  return template.replaceAll('{scale}', String(scaleInName(scaleAsked(options), report) ?? 1));
}

function backgroundFor({ background, format }: ConvertBody, { report }: TaskRow) {
  const colour = background === undefined ? undefined : backgroundOf(background);
  const isColour = colour?.startsWith('#') ?? false;
  if (background !== undefined && !isColour)
    throw new EnlargerError(
      'INVALID_REQUEST',
      `Expected background to be a colour such as #ffffff, white or black but received ${JSON.stringify(background)} of type string.`,
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
