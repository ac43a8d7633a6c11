/**
 * Estimates of size, time and disk space, and whether a task is possible; nothing is queued. POST
 * /api/estimate for a submit, GET /api/queue/estimate for all waiting tasks, from their rows.
 */
import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import path from 'node:path';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import {
  EstimateBody,
  RemoveBackgroundBody,
  UpscaleBody,
  type Operation,
} from '../../../packages/contract/src/request.ts';
import {
  Estimate,
  type TaskFailure,
  type TaskOptions,
} from '../../../packages/contract/src/task.ts';
import type { SourceInspection } from '../../engine/protocol/messages.ts';
import { hasCode, sentenceOf } from '../../../packages/files/src/file-errors.ts';
import type { TaskSource } from '../store/tasks/task.ts';
import {
  assertMayGrant,
  callerOf,
  type Caller,
  type Api,
  answers,
  ref,
} from '../../../packages/http/src/index.ts';
import { estimateWork, type PlanDeps } from '../planning/estimate-work.ts';
import { pictureOf } from '../planning/plan-preview.ts';
import { originOf, originOfUrl } from '../planning/result-folder.ts';
import { checkedOptions } from '../planning/plan-options.ts';
import { QueueEstimate } from '../../../packages/contract/src/queue.ts';
import type { PendingInspection } from '../store/tasks/inspections.ts';
import type { InspectSource } from '../sources/inspect-source.ts';
import type { OptionPlanning } from '../planning/task-options.ts';
import type { SourceIntake } from '../sources/stored-source.ts';
import type { Uploads } from '../sources/uploads.ts';
import type { Tasks } from '../tasks/tasks.ts';
import { assertSourceKept, knownTask } from './present.ts';
import type { Store } from '../store/store.ts';

export interface EstimateDeps extends PlanDeps, OptionPlanning {
  intake: Pick<SourceIntake, 'accept' | 'discard'>;
  tasks: Pick<Tasks, 'get'>;
  uploads: Pick<Uploads, 'get'>;
  inspectSource: InspectSource;
  inspections: Pick<Store['tasks'], 'pendingInspections'>;
  /** Folder whose disk must hold the scratch files. */
  scratchDir: string;
  /** Port of the server. */
  port(): number;
}

export function estimateRoutes(app: Api, deps: EstimateDeps): void {
  app.post(
    '/api/estimate',
    {
      schema: {
        tags: ['tasks'],
        summary: 'Estimate size, time and disk space of a submit without queuing it',
        body: ref(EstimateBody),
        response: answers(
          { 200: ref(Estimate) },
          'FORBIDDEN_PATH',
          'NOT_FOUND',
          'TASK_NOT_FOUND',
          'PAYLOAD_TOO_LARGE',
          'UNSUPPORTED_MEDIA_TYPE',
          'MODEL_UNAVAILABLE',
          'STORAGE_FULL',
        ),
      },
    },
    async (request) => {
      const { operation = 'upscale', ...fields } = request.body;
      assertMayGrant(request, fields);
      const { options, found } = await readPhoto(operation, fields, callerOf(request), deps);
      if ('problem' in found) return { ...nothing, format: options.format, problem: found.problem };
      const estimate = await estimateWork(found, { operation, options }, deps);
      const problem = estimate.problem ? undefined : await unwritableFolder(options);
      return { ...estimate, ...(problem && { problem }), input: pictureOf(found) };
    },
  );
}

type Inspected = SourceInspection | { problem: TaskFailure };

/**
 * Plans the options and reads the picture, or takes what is known of a task's photo. Throws like a submit of the
 * operation, or like running the task again.
 * @throws EnlargerError INVALID_REQUEST also for a field of the other operation
 */
async function readPhoto(
  operation: Operation,
  { taskId, imageUrl, ...fields }: Omit<EstimateBody, 'operation'>,
  caller: Caller,
  deps: EstimateDeps,
): Promise<{ options: TaskOptions; found: Inspected }> {
  const own = operation === 'upscale' ? UpscaleBody : RemoveBackgroundBody;
  const foreign = Object.keys(fields).find((field) => !(field in own.properties));
  if (foreign !== undefined)
    throw new EnlargerError(
      'INVALID_REQUEST',
      `Expected no ${foreign} with operation ${operation}.`,
    );
  if ((taskId === undefined) === (imageUrl === undefined))
    throw new EnlargerError('INVALID_REQUEST', 'Expected either imageUrl or taskId.');
  if (taskId !== undefined) {
    const task = knownTask(deps.tasks, taskId);
    assertSourceKept(task, deps.uploads);
    const photoFrom = { ...originOf(task.source, caller), makesFolder: false };
    const options = await checkedOptions(operation, fields, { ...deps, photoFrom });
    const { source, inspection } = task;
    if (inspection !== undefined && 'picture' in inspection)
      return { options, found: inspection.picture };
    return { options, found: await inspect(source, deps) };
  }
  const body = { ...fields, imageUrl: imageUrl ?? '' };
  const photoFrom = originOfUrl(body, deps.port(), false);
  const options = await checkedOptions(operation, body, { ...deps, photoFrom });
  const source = await deps.intake.accept(body.imageUrl, body.grants);
  try {
    return { options, found: await inspect(source, deps) };
  } finally {
    await deps.intake.discard(source);
  }
}

/** Error for a folder that cannot be written to, known before the network runs. */
async function unwritableFolder({ saveTo }: TaskOptions): Promise<TaskFailure | undefined> {
  if (saveTo === undefined) return undefined;
  for (const folder of [saveTo, path.dirname(saveTo)]) {
    try {
      await access(folder, constants.W_OK);
      return undefined;
    } catch (error) {
      // A missing subfolder is created in the photo's folder, which is checked next.
      if (hasCode(error, ['ENOENT']) && folder === saveTo) continue;
      return {
        code: 'CANNOT_WRITE',
        message: `Expected a folder that Enlarger may write in, but ${folder} is not: ${sentenceOf(error)} Choose another folder for the results.`,
      };
    }
  }
  return undefined;
}

const nothing = { width: 0, height: 0, fileSizeBytes: 0, scratchBytes: 0 };

/** Returns the task's future error instead of throwing it. */
async function inspect(source: TaskSource, deps: EstimateDeps): Promise<Inspected> {
  try {
    return await deps.inspectSource(source);
  } catch (error) {
    if (!(error instanceof EnlargerError)) throw error;
    return { problem: { code: error.code, message: error.message } };
  }
}

export function queueEstimateRoutes(app: Api, deps: EstimateDeps): void {
  app.get(
    '/api/queue/estimate',
    {
      schema: {
        tags: ['queue'],
        summary: 'Estimate all waiting tasks, and list those that cannot succeed',
        response: answers({ 200: ref(QueueEstimate) }),
      },
    },
    () => estimateQueue(deps),
  );
}

/** Tasks that use the disk at the same time. */
const inFlight = 2;

async function estimateQueue(deps: EstimateDeps): Promise<QueueEstimate> {
  const { bavail, bsize } = await statfs(deps.scratchDir);
  const waiting = deps.inspections.pendingInspections();
  const estimateOnce = cacheEstimates(deps);
  const sums = { unknown: 0, unmeasured: 0, seconds: 0, resultBytes: 0 };
  const problems: QueueEstimate['problems'] = [];
  let largest: number[] = [];
  for (const task of waiting) {
    const known = await estimateOnce(task);
    const problem: TaskFailure | undefined = known?.problem;
    if (problem) problems.push({ taskId: task.taskId, ...problem });
    if (!known) sums.unknown += 1;
    if (!known || problem) continue;
    if (known.seconds === undefined) sums.unmeasured += 1;
    sums.seconds += known.seconds ?? 0;
    sums.resultBytes += known.fileSizeBytes;
    largest = [...largest, known.scratchBytes].sort((a, b) => b - a).slice(0, inFlight);
  }
  const scratchBytes = largest.reduce((sum, bytes) => sum + bytes, 0);
  return { tasks: waiting.length, ...sums, scratchBytes, freeBytes: bavail * bsize, problems };
}

type KnownEstimate =
  | Pick<Estimate, 'seconds' | 'fileSizeBytes' | 'scratchBytes' | 'problem'>
  | undefined;

/** Caches estimates: photos of one camera with equal options are planned once. */
function cacheEstimates(
  deps: EstimateDeps,
): (task: PendingInspection) => KnownEstimate | Promise<KnownEstimate> {
  const known = new Map<string, KnownEstimate>();
  return (task) => {
    if (known.has(task.estimateKey)) return known.get(task.estimateKey);
    return estimate(task, deps).then((found) => {
      known.set(task.estimateKey, found);
      return found;
    });
  };
}

async function estimate(
  { inspection, ...asked }: PendingInspection,
  deps: EstimateDeps,
): Promise<KnownEstimate> {
  if (inspection === undefined || 'not' in inspection || 'told' in inspection) return undefined;
  if ('problem' in inspection)
    return { fileSizeBytes: 0, scratchBytes: 0, problem: inspection.problem };
  return estimateWork(inspection.picture, asked, deps);
}
