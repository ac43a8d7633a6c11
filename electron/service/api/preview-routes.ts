/**
 * Pictures before anything is queued. POST /api/previews: a crop through the installed models. POST
 * /api/thumbnails: a thumbnail of a source.
 */
import { idsFor } from '../../../packages/contract/src/models/model.ts';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import { pickDefined, keysOf } from '../../../packages/contract/src/pick-defined.ts';
import {
  PreviewBody,
  Previews,
  Thumbnail,
  ThumbnailBody,
  defaultThumbnailPx,
} from '../../../packages/contract/src/picture.ts';
import { finishingChoices } from '../../../packages/contract/src/request.ts';
import type { TaskSource } from '../store/tasks/task.ts';
import { clientGone, type Api, answers, ref } from '../../../packages/http/src/index.ts';
import type { ModelCatalogue } from '../models/catalogue.ts';
import { scaleReaching } from '../models/plan-scales.ts';
import { assertModel } from '../planning/task-options.ts';
import { sourceStateOf } from '../sources/source-state.ts';
import { knownTask } from './present.ts';
import type { PreviewMaker } from '../previews/previews.ts';
import type { SourceIntake } from '../sources/stored-source.ts';
import type { SourceThumbnails } from '../previews/source-thumbnails.ts';
import type { Uploads } from '../sources/uploads.ts';
import type { Tasks } from '../tasks/tasks.ts';

export interface PreviewDeps {
  previews: Pick<PreviewMaker, 'make'>;
  thumbnails: SourceThumbnails;
  intake: Pick<SourceIntake, 'accept' | 'discard'>;
  tasks: Pick<Tasks, 'get'>;
  models: ModelCatalogue;
  uploads: Pick<Uploads, 'get'>;
}

export function previewRoutes(app: Api, deps: PreviewDeps): void {
  app.post(
    '/api/previews',
    {
      schema: {
        tags: ['models'],
        summary: 'Run a crop of up to 256 x 256 pixels through several models, for comparison',
        description:
          'Made between the tiles of the task that runs. The picture stays decoded for two minutes, so that the next crop of it is fast.',
        body: ref(PreviewBody),
        response: answers(
          { 200: ref(Previews) },
          'FORBIDDEN_PATH',
          'NOT_FOUND',
          'TASK_NOT_FOUND',
          'PAYLOAD_TOO_LARGE',
          'MODEL_UNAVAILABLE',
          'STORAGE_FULL',
        ),
      },
    },
    async (request, reply) => {
      const { body } = request;
      const { x, y, scale = 2, operation = 'upscale' } = body;
      const models = operation === 'upscale' ? upscalers(body, scale, deps) : removers(body, deps);
      const signal = clientGone(reply);
      const source = await sourceOf(body, deps);
      try {
        return await deps.previews.make(
          {
            source,
            x,
            y,
            operation,
            scale,
            models,
            ...pickDefined(body, keysOf(finishingChoices)),
          },
          signal,
        );
      } finally {
        if (body.imageUrl !== undefined) await deps.intake.discard(source);
      }
    },
  );
}

/**
 * Models that make the scale, directly or by resizing the nearest one. Above scale 1 without models that only
 * clean.
 */
function upscalers(
  { models: requested }: PreviewBody,
  scale: number,
  { models }: PreviewDeps,
): string[] {
  const installed = idsFor('upscale', models.models);
  const reaches = (id: string) => scaleReaching(models.scalesOf(id), scale) !== undefined;
  for (const id of requested ?? []) {
    assertModel('models', id, 'upscale', models.models);
    if (!reaches(id)) models.planPasses(id, scale);
  }
  const makes = (id: string) => (scale === 1 ? models.scalesOf(id).includes(1) : reaches(id));
  const found = requested ?? installed.filter(makes);
  if (found.length > 0) return found;
  throw new EnlargerError('MODEL_UNAVAILABLE', `No installed model can enlarge ${scale} times.`);
}

function removers({ models: requested }: PreviewBody, { models }: PreviewDeps): string[] {
  for (const id of requested ?? []) assertModel('models', id, 'remove-bg', models.models);
  return requested ?? idsFor('remove-bg', models.models);
}

async function sourceOf(
  { imageUrl, taskId }: PreviewBody,
  { intake, tasks, uploads }: PreviewDeps,
): Promise<TaskSource> {
  if ((imageUrl === undefined) === (taskId === undefined))
    throw new EnlargerError(
      'INVALID_REQUEST',
      `Expected either imageUrl or taskId but received ${imageUrl === undefined ? 'none of them' : 'both'}.`,
    );
  if (imageUrl !== undefined) return intake.accept(imageUrl);
  const task = knownTask(tasks, taskId ?? '');
  if (task.holdsSource || sourceStateOf(task, uploads) === 'local') return task.source;
  throw new EnlargerError(
    'NOT_FOUND',
    'The source of this task was removed when it was finished; give the picture again.',
  );
}

export function thumbnailRoutes(app: Api, { intake, thumbnails }: PreviewDeps): void {
  app.post(
    '/api/thumbnails',
    {
      schema: {
        tags: ['tasks'],
        summary: 'Make a thumbnail of a source before anything is queued',
        body: ref(ThumbnailBody),
        response: answers(
          { 200: ref(Thumbnail) },
          'FORBIDDEN_PATH',
          'NOT_FOUND',
          'PAYLOAD_TOO_LARGE',
          'STORAGE_FULL',
        ),
      },
    },
    async ({ body: { imageUrl, sidePx = defaultThumbnailPx } }) => {
      const source = await intake.accept(imageUrl);
      try {
        return await thumbnails.make(source, sidePx);
      } finally {
        await intake.discard(source);
      }
    },
  );
}
