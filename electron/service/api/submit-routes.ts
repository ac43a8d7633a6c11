/** POST /api/image-upscaler and /api/remove-bg submit one task, as JSON or form, POST /api/batch many. */
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import type { ErrorBody } from '../../../packages/contract/src/common.ts';
import {
  BatchBody,
  RemoveBackgroundBody,
  SubmitReceipt,
  UpscaleBody,
  ItemOperation,
  type Operation,
} from '../../../packages/contract/src/request.ts';
import { BatchAnswer, SubmitAnswer } from '../../../packages/contract/src/task.ts';
import type { IdempotentSubmit } from '../store/idempotency.ts';
import {
  assertMayGrant,
  callerOf,
  type Api,
  clientGone,
  errorBodyOf,
  answers,
  ref,
  createCheck,
} from '../../../packages/http/src/index.ts';
import type { Task } from '../store/tasks/task.ts';
import type { NewTask } from '../tasks/tasks.ts';
import { baseOf, viewOf } from './present.ts';
import { formAsBody, readSubmitForms, submitBodies } from './submit-form.ts';
import { originOfUrl } from '../planning/result-folder.ts';
import { checkedOptions } from '../planning/plan-options.ts';
import type { StagedImages } from '../sources/staged-images.ts';
import type { OptionPlanning } from '../planning/task-options.ts';
import type { SourceIntake } from '../sources/stored-source.ts';
import type { Tasks } from '../tasks/tasks.ts';

export interface SubmitDeps extends OptionPlanning {
  tasks: Pick<Tasks, 'submit' | 'findSubmitted' | 'get' | 'events' | 'isExpired' | 'progressOf'>;
  linkSecret: Buffer;
  intake: Pick<SourceIntake, 'accept'>;
  stagedImages: Pick<StagedImages, 'fingerprintOf' | 'receive' | 'drop'>;
  /** Port of the server. */
  port(): number;
}

/** Proxies and clients give up on longer requests. */
const maxWaitSeconds = 300;

const SubmitHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({ description: 'The same key and body within 24 hours answer the same task.' }),
  ),
  prefer: Type.Optional(
    Type.String({
      description: `wait=SECONDS, at most ${maxWaitSeconds}: answered when the task has ended, with 200 and the task as GET /api/task/{taskId} shows it; with 202 and its id where it has not ended by then.`,
    }),
  ),
});

const BatchHeaders = Type.Pick(SubmitHeaders, ['idempotency-key']);

const responses = answers(
  { 200: ref(SubmitAnswer), 202: ref(SubmitReceipt) },
  'FORBIDDEN_PATH',
  'CONFLICT',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'QUEUE_FULL',
  'MODEL_UNAVAILABLE',
  'SHUTTING_DOWN',
  'STORAGE_FULL',
);

export async function submitRoutes(app: Api, deps: SubmitDeps): Promise<void> {
  await readSubmitForms(app);
  const closing = new AbortController();
  app.addHook('preClose', (done) => {
    closing.abort();
    done();
  });
  const submit = async (request: FastifyRequest, operation: Operation, body: SubmitBody) => {
    const planned = await plan({ request, operation, body, key: keyOf(request) }, deps);
    return 'known' in planned ? planned.known : storeTask(planned, deps);
  };
  /** Waits for the task's end if the request prefers that. */
  const answer = async (taskId: string, request: FastifyRequest, reply: FastifyReply) => {
    const seconds = waitOf(request);
    if (seconds === 0) return { taskId };
    void reply.header('preference-applied', `wait=${seconds}`);
    const signal = AbortSignal.any([closing.signal, clientGone(reply)]);
    await untilEnded(deps.tasks, taskId, { ms: seconds * 1000, signal });
    const task = deps.tasks.get(taskId);
    if (task !== undefined && hasEnded(task)) return viewOf(task, baseOf(request), deps);
    return reply.code(202).send({ taskId });
  };

  app.post(
    '/api/image-upscaler',
    {
      config: { shownBody: submitBodies(UpscaleBody) },
      preValidation: formAsBody(UpscaleBody, deps),
      schema: {
        tags: ['tasks'],
        operationId: 'upscale',
        summary: 'Enlarge a photo 2, 4, 8 or 16 times',
        description:
          'Answered once the task is on disk. As a form, the picture is its file and the other fields are texts.',
        headers: SubmitHeaders,
        body: ref(UpscaleBody),
        response: responses,
      },
    },
    async (request, reply) =>
      answer(await submit(request, 'upscale', request.body), request, reply),
  );
  app.post(
    '/api/remove-bg',
    {
      config: { shownBody: submitBodies(RemoveBackgroundBody) },
      preValidation: formAsBody(RemoveBackgroundBody, deps),
      schema: {
        tags: ['tasks'],
        operationId: 'removeBackground',
        summary: 'Cut out the subject of a photo',
        description:
          'Answered once the task is on disk. As a form, the picture is its file and the other fields are texts.',
        headers: SubmitHeaders,
        body: ref(RemoveBackgroundBody),
        response: responses,
      },
    },
    async (request, reply) =>
      answer(await submit(request, 'remove-bg', request.body), request, reply),
  );
}

export function batchRoutes(app: Api, deps: SubmitDeps): void {
  app.post(
    '/api/batch',
    {
      schema: {
        tags: ['tasks'],
        operationId: 'submitBatch',
        summary: 'Submit up to 1,000 tasks at once, each with its own outcome',
        description:
          'An item that is refused has its error in its place, and the others are taken, in their order. With an Idempotency-Key, the same batch within 24 hours answers the same tasks.',
        headers: BatchHeaders,
        body: ref(BatchBody),
        response: answers({ 200: ref(BatchAnswer) }, 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'),
      },
    },
    async (request): Promise<BatchAnswer> => {
      const key = keyOf(request);
      const planned = await Promise.all(
        request.body.items.map((item, index) =>
          planItem(item, { request, key: key && `${key}.${index}` }, deps),
        ),
      );
      // Stored in one turn of the event loop: in order, with one sync to disk.
      const items = await Promise.all(
        planned.map(async (one) => {
          if ('error' in one) return one;
          if ('known' in one) return { taskId: one.known };
          return storeTask(one, deps).then(
            (taskId) => ({ taskId }),
            (thrown: unknown) => ({ error: errorBodyOf(thrown) }),
          );
        }),
      );
      return { items };
    },
  );
}

const checkUpscale = createCheck(Type.Object({ item: UpscaleBody }), 'body');
const checkOperation = createCheck(ItemOperation, 'body');
const checkRemoval = createCheck(Type.Object({ item: RemoveBackgroundBody }), 'body');

/** An item's error is its outcome. */
async function planItem(
  { operation = 'upscale', ...item }: BatchBody['items'][number],
  { request, key }: Pick<SubmitRequest, 'request' | 'key'>,
  deps: SubmitDeps,
): Promise<SubmitPlan | { error: ErrorBody }> {
  try {
    checkOperation({ operation });
    const body: SubmitBody =
      operation === 'upscale' ? checkUpscale({ item }).item : checkRemoval({ item }).item;
    return await plan({ request, operation, body, key }, deps);
  } catch (thrown) {
    return { error: errorBodyOf(thrown) };
  }
}

type SubmitBody = UpscaleBody | RemoveBackgroundBody;

interface SubmitRequest {
  request: FastifyRequest;
  operation: Operation;
  body: SubmitBody;
  /** Idempotency-Key, if any. */
  key: string | undefined;
}

interface PlannedTask {
  task: NewTask;
  once: IdempotentSubmit | undefined;
}

/** A task to store, or the task of an earlier submit with the same key. */
type SubmitPlan = PlannedTask | { known: string };

async function plan(
  { request, operation, body, key }: SubmitRequest,
  deps: SubmitDeps,
): Promise<SubmitPlan> {
  const { intake, stagedImages, tasks } = deps;
  assertMayGrant(request, body);
  const fingerprint = stagedImages.fingerprintOf(body.imageUrl);
  const same = { ...body, ...(fingerprint !== undefined && { imageUrl: fingerprint }) };
  const once = key === undefined ? undefined : idempotencyOf(key, request, operation, same);
  const known = once && tasks.findSubmitted(once);
  if (known) return { known: known.taskId };
  // Its folder is known from the URL, before anything is fetched.
  const photoFrom = originOfUrl(body, deps.port(), true);
  const { keyId, localCallbacks } = callerOf(request);
  const options = await checkedOptions(operation, body, { ...deps, photoFrom, localCallbacks });
  const source = await intake.accept(body.imageUrl, body.grants);
  const { priority = 0, photo } = body;
  return { task: { operation, source, options, priority, photo, keyId }, once };
}

async function storeTask({ task, once }: PlannedTask, { tasks }: SubmitDeps): Promise<string> {
  return (await tasks.submit(task, once)).taskId;
}

/** Seconds of `Prefer: wait=N`; 0 without it. */
function waitOf({ headers }: FastifyRequest): number {
  const prefer = [headers.prefer ?? []].flat().join(',');
  const [, seconds = '0'] = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,9})"?(?:$|[,;\s])/i.exec(prefer) ?? [];
  return Math.min(Number(seconds), maxWaitSeconds);
}

const hasEnded = ({ status }: Pick<Task, 'status'>) => status === 'FINISHED' || status === 'FAILED';

/** Resolves when the task has ended or is removed, after `ms`, or when the signal fires. */
function untilEnded(
  tasks: SubmitDeps['tasks'],
  taskId: string,
  { ms, signal }: { ms: number; signal: AbortSignal },
): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      unsubscribe();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    const unsubscribe = tasks.events.subscribe(taskId, ({ task, removed }) => {
      if (removed || hasEnded(task)) end();
    });
    signal.addEventListener('abort', end);
    const task = tasks.get(taskId);
    if (signal.aborted || task === undefined || hasEnded(task)) end();
  });
}

/** @throws EnlargerError INVALID_REQUEST for a malformed Idempotency-Key */
function keyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new EnlargerError(
    'INVALID_REQUEST',
    'Expected Idempotency-Key to be one header of 1 to 255 visible ASCII characters.',
  );
}

/** Equal keys and bodies of one caller within a day are one task. */
function idempotencyOf(
  key: string,
  request: FastifyRequest,
  operation: Operation,
  body: object,
): IdempotentSubmit {
  // Clients omit grants that exist already, and grants do not change the task.
  const fields = Object.entries(body)
    .filter(([name]) => name !== 'grants')
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([operation, fields]))
    .digest('hex');
  return { key, keyId: callerOf(request).keyId, fingerprint };
}
