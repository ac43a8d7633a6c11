/** POST /api/image-upscaler and POST /api/remove-bg submit tasks. */
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { EnlargerError } from '../../contract/errors.ts';
import {
  RemoveBackgroundBody,
  Submitted,
  UpscaleBody,
  type Operation,
} from '../../contract/request.ts';
import type { IdempotentSubmit } from '../store/idempotency.ts';
import { callerOf } from '../http/access/authenticate.ts';
import type { Api } from '../http/server.ts';
import type { ApiDeps } from './deps.ts';
import { answers, ref } from '../http/schemas.ts';
import { placedImage } from '../planning/place-of-result.ts';
import { checkedOptions } from '../planning/plan-options.ts';

const SubmitHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({ description: 'The same key and body within 24 hours answer the same task.' }),
  ),
});

const responses = answers(
  { 200: ref(Submitted) },
  'FORBIDDEN_PATH',
  'CONFLICT',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'QUEUE_FULL',
  'MODEL_UNAVAILABLE',
  'SHUTTING_DOWN',
  'STORAGE_FULL',
);

export function submitRoutes(app: Api, deps: ApiDeps): void {
  app.post(
    '/api/image-upscaler',
    {
      schema: {
        tags: ['tasks'],
        summary: 'Enlarge a photo 2, 4, 8 or 16 times',
        description: 'Answered once the task is on disk.',
        headers: SubmitHeaders,
        body: ref(UpscaleBody),
        response: responses,
      },
    },
    (request) => submit(request, 'upscale', request.body, deps),
  );
  app.post(
    '/api/remove-bg',
    {
      schema: {
        tags: ['tasks'],
        summary: 'Cut out the subject of a photo',
        description: 'Answered once the task is on disk.',
        headers: SubmitHeaders,
        body: ref(RemoveBackgroundBody),
        response: responses,
      },
    },
    (request) => submit(request, 'remove-bg', request.body, deps),
  );
}

const rememberedMs = 24 * 3_600_000;

async function submit(
  request: FastifyRequest,
  operation: Operation,
  body: UpscaleBody | RemoveBackgroundBody,
  deps: ApiDeps,
): Promise<Submitted> {
  const { tasks, intake, heldPictures, idempotency, clock } = deps;
  const fingerprint = heldPictures.fingerprintOf(body.imageUrl);
  const same = { ...body, ...(fingerprint !== undefined && { imageUrl: fingerprint }) };
  const once = idempotencyOf(request, operation, same);
  const known = once && idempotency.find(once, clock.nowMs() - rememberedMs);
  if (known !== undefined && known.fingerprint === once?.fingerprint)
    return { taskId: known.taskId };
  // Where its photo lies is known from its address, before anything is brought.
  const photoFrom = placedImage(body.imageUrl, deps.port(), true);
  const options = await checkedOptions(operation, body, { ...deps, photoFrom });
  const source = await intake.accept(body.imageUrl);
  const { taskId } = await tasks.submit(
    { operation, source, options, priority: body.priority ?? 0, photo: body.photo },
    once,
  );
  return { taskId };
}

/** The same header and body from the same caller answer the same task within a day. */
function idempotencyOf(
  request: FastifyRequest,
  operation: Operation,
  body: object,
): IdempotentSubmit | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key))
    throw new EnlargerError(
      'INVALID_REQUEST',
      'Expected Idempotency-Key to be one header of 1 to 255 visible ASCII characters.',
    );
  const fields = Object.entries(body).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([operation, fields]))
    .digest('hex');
  return { key, keyId: callerOf(request).keyId, fingerprint };
}
