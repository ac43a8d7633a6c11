/** POST /api/previews: a crop of a picture through the installed models, before anything is queued. */
import { EnlargerError } from '../../contract/errors.ts';
import { PreviewBody, Previews } from '../../contract/picture.ts';
import type { StoredSource } from '../store/stored-task.ts';
import type { Api, ApiDeps } from '../http/deps.ts';
import { answers, ref } from '../http/schemas.ts';
import { assertModel } from '../planning/task-options.ts';
import { knownTask } from '../tasks/present-task.ts';

export function previewRoutes(app: Api, deps: ApiDeps): void {
  app.post(
    '/api/previews',
    {
      schema: {
        tags: ['models'],
        summary: 'A crop of up to 256 x 256 pixels through the models, to choose by',
        description:
          'Made between the tiles of the task that runs. The picture stays decoded for two minutes, so that the next crop of it is fast.',
        body: ref(PreviewBody),
        response: answers(
          { 200: ref(Previews) },
          'INVALID_REQUEST',
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
      const { x, y, scale, restore } = body;
      const models = modelsOf(body, deps);
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      const source = await sourceOf(body, deps);
      try {
        return await deps.previews.make({ source, x, y, scale, models, restore }, gone.signal);
      } finally {
        if (body.imageUrl !== undefined) await deps.intake.discard(source);
      }
    },
  );
}

function modelsOf({ models: wanted, scale }: PreviewBody, { models }: ApiDeps): string[] {
  const installed = models.models.filter(({ task }) => task === 'upscale').map(({ id }) => id);
  for (const id of wanted ?? []) {
    assertModel('models', id, 'upscale', models.models);
    models.planPasses(id, scale);
  }
  const found = wanted ?? installed.filter((id) => models.scalesOf(id).includes(scale));
  if (found.length > 0) return found;
  throw new EnlargerError('MODEL_UNAVAILABLE', `No installed model can enlarge ${scale} times.`);
}

async function sourceOf(
  { imageUrl, taskId }: PreviewBody,
  { intake, tasks }: ApiDeps,
): Promise<StoredSource> {
  if ((imageUrl === undefined) === (taskId === undefined))
    throw new EnlargerError(
      'INVALID_REQUEST',
      `Expected either imageUrl or taskId but received ${imageUrl === undefined ? 'none of them' : 'both'}.`,
    );
  if (imageUrl !== undefined) return intake.accept(imageUrl);
  const row = knownTask(tasks, taskId ?? '');
  if (row.holdsSource || row.source.kind === 'file') return row.source;
  throw new EnlargerError(
    'NOT_FOUND',
    'The source of this task was removed when it was finished; give the picture again.',
  );
}
