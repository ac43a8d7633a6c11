/** Processes one picture, which is sent to the service, waits in its queue, and becomes a file. */
import { randomUUID } from 'node:crypto';
import { access, realpath, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { stemOf } from '../../../contract/src/naming.ts';
import type { RemoveBackgroundBody, UpscaleBody } from '../../../contract/src/request.ts';
import type { Estimate, TaskFailure, TaskRecord } from '../../../contract/src/task.ts';
import type { Client } from '../../../api-client/src/client.ts';
import type { Follower, OnProgress } from '../../../api-client/src/follow.ts';
import { ApiError } from '../../../api-client/src/transport.ts';
import { isFileProblem } from '../../../files/src/file-errors.ts';
import { makeFolder, openNamedBlob } from '../local-files.ts';
import type { BatchJournal, Former } from './batch-journal.ts';
import { noPlaces, type LocalPlaces } from './local-places.ts';
import {
  assertOwnName,
  expectedTarget,
  folderOf,
  targetOfPlan,
  targetOfRecord,
  templateFor,
  type ProcessOptions,
  type RunPicture,
} from './result-target.ts';
import { saveResult } from './save.ts';
import { failureText, t } from '../text.ts';
import { fileReason, messageOf } from '../error-message.ts';

export type Outcome =
  | { status: 'finished'; taskId: string; output: string; record: TaskRecord }
  | { status: 'skipped'; output: string }
  | { status: 'failed'; taskId?: string; code: string; message: string };

export type Background = Pick<RemoveBackgroundBody, 'backgroundImage'> & { granted?: string };

export interface RunContext {
  client: Client;
  /** The service reads and writes these places itself. */
  places: LocalPlaces;
  journal: BatchJournal;
  /** Names the background picture for a submit, and the file that is to be granted for it. */
  backgroundFor: (places: LocalPlaces) => Promise<Background>;
  follower: Follower;
  signal: AbortSignal;
  /** Brings a finished result to where it goes from its file. @throws Error a sentence */
  deliver?: (() => Promise<void>) | undefined;
  /** Is called with every task that was submitted, so that an interruption can cancel it. */
  onSubmitted(taskId: string): void;
  onEnded(taskId: string): void;
  /** Resolves when every picture before this one is in the queue or will not be. */
  turnOf: (number: number) => Promise<void>;
  /** Marks the picture of this number as queued, or as one that will not be. */
  endTurn: (number: number) => void;
  /** Maps the path of each expected result to its picture of this run. */
  owners: Map<string, RunPicture>;
}

/** Processes a picture, whose failure is its outcome. It rejects only when `signal` fires. */
export async function processPicture(
  picture: RunPicture,
  options: ProcessOptions,
  context: RunContext,
  onProgress: OnProgress,
): Promise<Outcome> {
  let taskId: string | undefined;
  try {
    assertOwnName(picture, options, context.owners);
    const done = await doneByName(picture, options);
    if (done !== undefined) return { status: 'skipped', output: done };
    const former = await context.journal.formerOf(picture);
    const resumed = former && (await resume(former, context));
    if (resumed !== undefined && 'outcome' in resumed) return resumed.outcome;
    const submitted = resumed ?? (await submit(picture, options, context, former === undefined));
    context.endTurn(picture.number);
    if ('done' in submitted) return { status: 'skipped', output: submitted.done };
    taskId = submitted.taskId;
    if (resumed === undefined) await context.journal.noteSubmitted(picture, taskId);
    context.onSubmitted(taskId);
    const end = await context.follower.end(taskId, onProgress);
    context.onEnded(taskId);
    if (end.error !== undefined)
      return { status: 'failed', taskId, ...withRetry(end.error, taskId) };
    const outcome = await takeResult(end, picture, options, context);
    if (outcome.status === 'finished') await context.deliver?.();
    return outcome;
  } catch (error) {
    context.signal.throwIfAborted();
    return { status: 'failed', ...(taskId !== undefined && { taskId }), ...reasonOf(error) };
  } finally {
    context.endTurn(picture.number);
  }
}

/**
 * Goes on with the task that an interrupted run of this batch submitted; undefined where its result or its
 * source is gone, and all is to be made anew.
 */
async function resume(
  { taskId, output }: Former,
  { client, signal }: RunContext,
): Promise<{ taskId: string } | { outcome: Outcome } | undefined> {
  if (taskId === undefined) return undefined;
  try {
    const record = await client.record(taskId, signal);
    const { status, savedTo, imageUrl, source } = record;
    if (status === 'FAILED') {
      if (!source.kept) return undefined;
      await client.retry(taskId);
      return { taskId };
    }
    if (status !== 'FINISHED') return { taskId };
    if (output !== undefined && (await exists(output)))
      return { outcome: { status: 'finished', taskId, output, record } };
    if (record.options.saveTo === undefined) return imageUrl === undefined ? undefined : { taskId };
    return savedTo === undefined || (await exists(savedTo)) ? { taskId } : undefined;
  } catch (error) {
    if (error instanceof ApiError && error.code !== 'OFFLINE') return undefined;
    throw error;
  }
}

/** Path of an existing result to be skipped, by names alone; undefined without one. */
async function doneByName(
  picture: RunPicture,
  options: ProcessOptions,
): Promise<string | undefined> {
  if (options.onConflict !== 'skip') return undefined;
  const expected = expectedTarget(picture, options);
  return expected !== undefined && (await exists(expected)) ? expected : undefined;
}

/** Path of an existing result to be skipped, by the service's plan; undefined without one. */
async function doneByPlan(
  planned: Estimate,
  picture: RunPicture,
  options: ProcessOptions,
): Promise<string | undefined> {
  if (planned.problem !== undefined) return undefined;
  const expected = targetOfPlan(planned, picture, options);
  return (await exists(expected)) ? expected : undefined;
}

/** @param isFirst no run of this batch submitted the picture as far as its journal knows */
async function submit(
  picture: RunPicture,
  options: ProcessOptions,
  { client, places, journal, backgroundFor, signal, turnOf }: RunContext,
  isFirst: boolean,
): Promise<{ taskId: string } | { done: string }> {
  const anew = randomUUID();
  const { operation } = options.work;
  let local = places;
  for (;;) {
    try {
      const saving = await savingOf(picture, options, local);
      const isRead = await local.canRead(picture.file);
      const imageUrl = isRead
        ? pathToFileURL(picture.file).href
        : await client.upload(await openNamedBlob(picture.file), signal);
      const { granted, ...behind } = await backgroundFor(local);
      const grants = [isRead ? picture.file : [], saving?.saveTo ?? [], granted ?? []].flat();
      const body = {
        ...{ ...options.work.body, ...behind, ...saving, imageUrl },
        ...(grants.length > 0 && { grants }),
      };
      // A kill may come after the task is stored and before it is written down here. What is sent has another
      // address each time, so its body would not be the one that the key knows.
      const idempotencyKey = isRead && isFirst ? await journal.idempotencyKeyOf(picture) : anew;
      // A service that saves the result itself also finds out itself whether it exists.
      if (options.onConflict === 'skip' && saving === undefined) {
        const planned = await client.estimate({ ...body, operation }, { signal });
        const done = await doneByPlan(planned, picture, options);
        if (done !== undefined) return { done };
      }
      await turnOf(picture.number);
      return { taskId: await client.submit(operation, body, { idempotencyKey, signal }) };
    } catch (error) {
      // The service's grant was taken back meanwhile, or it sees another disk, so the photo is sent.
      if (error instanceof ApiError && error.code === 'FORBIDDEN_PATH' && local !== noPlaces) {
        local = noPlaces;
        continue;
      }
      // 429 and 503 carry Retry-After; only a full queue is worth the wait.
      const isBusy = error instanceof ApiError && /^(QUEUE_FULL|TOO_MANY)/.test(error.code);
      if (!isBusy) throw error;
      await wait(1000 * (error.retryAfterSeconds ?? 5), undefined, { signal });
    }
  }
}

type SaveOptions = Pick<UpscaleBody, 'saveTo' | 'name' | 'onConflict'>;

/**
 * Fields by which the service saves the result itself; undefined: it is fetched and saved here.
 * The folder is made, and it throws where this person may not write in it.
 */
async function savingOf(
  picture: RunPicture,
  options: ProcessOptions,
  places: LocalPlaces,
): Promise<SaveOptions | undefined> {
  if (places === noPlaces) return undefined;
  const saveTo = folderOf(picture, options);
  makeFolder(saveTo);
  if (!(await places.canSaveIn(saveTo))) return undefined;
  return { saveTo, name: await linkTemplate(picture, options), onConflict: options.onConflict };
}

/** Longest template that the API takes. */
const maxTemplate = 255;

/** Template that names a link's result as the link: to the service the photo's name is that of the link's target. */
async function linkTemplate(picture: RunPicture, options: ProcessOptions): Promise<string> {
  const template = templateFor(picture, options);
  const name = path.basename(picture.file);
  if (name.includes('{') || path.basename(await realpath(picture.file)) === name) return template;
  const named = template.replaceAll('{name}', () => stemOf(name));
  return named.length > maxTemplate ? template : named;
}

/** Returns the file that the service saved, or fetches it. */
async function takeResult(
  record: TaskRecord,
  picture: RunPicture,
  options: ProcessOptions,
  context: RunContext,
): Promise<Outcome> {
  const { taskId, savedTo } = record;
  if (record.options.saveTo === undefined) return fetchResult(record, picture, options, context);
  if (savedTo === undefined)
    return { status: 'skipped', output: targetOfRecord(record, picture, options) };
  // The path is shown as the folder was asked for; `savedTo` has the links in it resolved.
  const output = path.join(folderOf(picture, options), path.basename(savedTo));
  return { status: 'finished', taskId, output, record };
}

async function fetchResult(
  record: TaskRecord,
  picture: RunPicture,
  options: ProcessOptions,
  { client, journal, signal }: RunContext,
): Promise<Outcome> {
  const { taskId } = record;
  if (record.imageUrl === undefined)
    return { status: 'failed', taskId, code: record.status, message: t('The task has no result.') };
  const target = targetOfRecord(record, picture, options);
  const response = await client.download(record.imageUrl, signal);
  const output = await saveResult(response, target, options.onConflict);
  if (output === undefined) return { status: 'skipped', output: target };
  await keepTimes(picture.file, output);
  await journal.noteSaved(picture, output);
  return { status: 'finished', taskId, output, record };
}

/** Sets the result's times to its photo's, so that folders sorted by time keep their order. */
async function keepTimes(source: string, output: string): Promise<void> {
  const { atime, mtime } = await stat(source);
  await utimes(output, atime, mtime);
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

const savingCodes = ['STORAGE_FULL', 'CANNOT_WRITE'];

/** Adds the command that saves a result, or makes it, once its folder can take it. */
function withRetry({ code, message }: TaskFailure, taskId: string): TaskFailure {
  const said = failureText(code, message);
  if (!savingCodes.includes(code)) return { code, message: said };
  const command = `enlarger retry ${taskId}`;
  return { code, message: `${said} ${t('Then: {command}', { command })}` };
}

function reasonOf(error: unknown): { code: string; message: string } {
  if (error instanceof ApiError) return { code: error.code, message: messageOf(error) };
  if (isFileProblem(error))
    return {
      code: 'FAILED',
      message: t('It cannot be read: {reason}', { reason: fileReason(error) }),
    };
  return { code: 'FAILED', message: messageOf(error) };
}
