/** POST /api/estimate: what a submit would make and cost, and whether it can work. Nothing is queued. */
import { EnlargerError } from '../../contract/errors.ts';
import { EstimateBody, RemoveBackgroundBody, UpscaleBody } from '../../contract/submit.ts';
import {
  Estimate,
  type PictureInfo,
  type TaskFailure,
  type TaskOptions,
} from '../../contract/task.ts';
import type { SourceInspection } from '../../engine/protocol.ts';
import { lookAtSource } from '../sources/look-at-source.ts';
import type { StoredSource } from '../store/stored-task.ts';
import { removeBackgroundOptions } from './cutout-options.ts';
import type { Api, ApiDeps } from '../http/deps.ts';
import { estimateWork } from './estimate-work.ts';
import { answers, ref } from '../http/schemas.ts';
import { upscaleOptions } from './task-options.ts';

export function estimateRoutes(app: Api, deps: ApiDeps): void {
  app.post(
    '/api/estimate',
    {
      schema: {
        tags: ['tasks'],
        summary: 'What a submit would make and cost, without queuing it',
        body: ref(EstimateBody),
        response: answers(
          { 200: ref(Estimate) },
          'INVALID_REQUEST',
          'FORBIDDEN_PATH',
          'PAYLOAD_TOO_LARGE',
          'UNSUPPORTED_MEDIA_TYPE',
          'MODEL_UNAVAILABLE',
          'STORAGE_FULL',
        ),
      },
    },
    async ({ body }) => {
      const options = await optionsOf(body, deps);
      const source = await deps.intake.accept(body.imageUrl);
      const found = await inspect(source, deps).finally(() => deps.intake.discard(source));
      if ('problem' in found) return { ...nothing, format: options.format, problem: found.problem };
      return { ...(await estimateWork(found, options, deps)), input: pictureOf(found) };
    },
  );
}

/** Throws what a submit of the operation would throw, and INVALID_REQUEST for the other one's fields. */
function optionsOf(
  { operation = 'upscale', ...body }: EstimateBody,
  deps: ApiDeps,
): Promise<TaskOptions> {
  const own = operation === 'upscale' ? UpscaleBody : RemoveBackgroundBody;
  const foreign = Object.keys(body).find((field) => !(field in own.properties));
  if (foreign !== undefined)
    throw new EnlargerError(
      'INVALID_REQUEST',
      `Expected no ${foreign} with operation ${operation}.`,
    );
  return operation === 'upscale' ? upscaleOptions(body, deps) : removeBackgroundOptions(body, deps);
}

const pictureOf = (found: SourceInspection): PictureInfo => {
  const { format, width, height, bitDepth, channels, sizeBytes } = found;
  return { format, width, height, bitDepth, channels, sizeBytes };
};

const nothing = { width: 0, height: 0, fileSizeBytes: 0, scratchBytes: 0 };

/** What a task would fail with is an answer here, not an error. */
async function inspect(
  source: StoredSource,
  deps: ApiDeps,
): Promise<SourceInspection | { problem: TaskFailure }> {
  const { scratchDir, engine } = deps;
  try {
    return await lookAtSource(source, {
      scratchDir,
      settings: () => deps.settings.get(),
      inspect: (path, limits) => engine.inspect(path, limits),
    });
  } catch (error) {
    if (!(error instanceof EnlargerError)) throw error;
    return { problem: { code: error.code, message: error.message } };
  }
}
