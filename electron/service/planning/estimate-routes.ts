/** POST /api/estimate: what a submit would make and cost, and whether it can work. Nothing is queued. */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { EnlargerError } from '../../contract/errors.ts';
import { EstimateBody, RemoveBackgroundBody, UpscaleBody } from '../../contract/submit.ts';
import { Estimate, type TaskFailure, type TaskOptions } from '../../contract/task.ts';
import type { SourceInspection } from '../../engine/protocol.ts';
import { sentenceOf } from '../results/disk-error.ts';
import { lookAtSource } from '../sources/look-at-source.ts';
import type { StoredSource } from '../store/stored-task.ts';
import type { Api, ApiDeps } from '../http/deps.ts';
import { estimateWork } from './estimate-work.ts';
import { pictureOf } from './foresee.ts';
import { placedImage } from './place-of-result.ts';
import { answers, ref } from '../http/schemas.ts';
import { checkedOptions } from './plan-options.ts';

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
      const estimate = await estimateWork(found, options, deps);
      const shut = estimate.problem ? undefined : await shutFolder(options);
      return { ...estimate, ...(shut && { problem: shut }), input: pictureOf(found) };
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
  const placed = { ...deps, photoFrom: placedImage(body.imageUrl, deps.port(), false) };
  return checkedOptions(operation, body, placed);
}

/** A folder that nothing can be written in is told before the network runs for nothing. */
async function shutFolder({ saveTo }: TaskOptions): Promise<TaskFailure | undefined> {
  if (saveTo === undefined) return undefined;
  for (const folder of [saveTo, path.dirname(saveTo)]) {
    try {
      await access(folder, constants.W_OK);
      return undefined;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      // A subfolder that is not there yet is made in the photo's own.
      if (code === 'ENOENT' && folder === saveTo) continue;
      return {
        code: 'CANNOT_WRITE',
        message: `Expected a folder that Enlarger may write in, but ${folder} is not: ${sentenceOf(error)} Choose another folder for the results.`,
      };
    }
  }
  return undefined;
}

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
