/** Processes one picture: it is sent to the service, waits in its queue, and becomes a file. */
import { randomUUID } from 'node:crypto';
import { access, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { formats, formatOfEnding, sameFormat } from '../../contract/formats.ts';
import { endingOf, planName, scaleInName } from '../../contract/naming.ts';
import type { ConflictRule, RemoveBackgroundBody, UpscaleBody } from '../../contract/submit.ts';
import type { Estimate, TaskRecord } from '../../contract/task.ts';
import type { Client } from '../../client/client.ts';
import type { Follower } from '../../client/follow.ts';
import { ApiError } from '../../client/transport.ts';
import { isFileProblem, sentenceOf } from '../../files/file-errors.ts';
import { makeFolder, openNamedBlob } from '../../local-files.ts';
import type { Picture } from './inputs.ts';
import { noPlaces, type LocalPlaces } from './local-places.ts';
import { saveResult } from './save.ts';

/** What is done to each picture: a submit without its picture. */
export type Work =
  | { operation: 'upscale'; body: Omit<UpscaleBody, 'imageUrl'> }
  | { operation: 'remove-bg'; body: Omit<RemoveBackgroundBody, 'imageUrl'> };

/** The file behind the subjects, where it is one and no address. */
export const backgroundFileOf = ({ operation, body }: Work): string | undefined =>
  operation === 'remove-bg' && body.backgroundImage?.startsWith('file:')
    ? fileURLToPath(body.backgroundImage)
    : undefined;

export interface ProcessOptions {
  work: Work;
  /** Undefined: beside each picture. */
  outDir: string | undefined;
  nameTemplate: string;
  onConflict: ConflictRule;
}

/** A picture with its place in this run, from 1. */
export interface RunPicture extends Picture {
  number: number;
}

export type Outcome =
  | { status: 'finished'; taskId: string; output: string; record: TaskRecord }
  | { status: 'skipped'; output: string }
  | { status: 'failed'; taskId?: string; code: string; message: string };

export interface RunContext {
  client: Client;
  /** What the service reads and writes itself. */
  places: LocalPlaces;
  /** The picture behind the subjects, as the service is told of it. */
  backgroundFor: (places: LocalPlaces) => Promise<Pick<RemoveBackgroundBody, 'backgroundImage'>>;
  follower: Follower;
  signal: AbortSignal;
  /** Told of every task that was submitted, so that an interrupt can cancel it. */
  onSubmitted(taskId: string): void;
  onEnded(taskId: string): void;
  /** Resolves when every picture before this one is in the queue or will not be. */
  turnOf: (number: number) => Promise<void>;
  /** Says so of this one. */
  endTurn: (number: number) => void;
  /** Which picture of this run a result is of, by its path. */
  owners: Map<string, RunPicture>;
}

/** Never rejects but when `signal` fires: a picture's failure is its outcome. */
export async function processPicture(
  picture: RunPicture,
  options: ProcessOptions,
  context: RunContext,
  onProgress: (percent: number) => void,
): Promise<Outcome> {
  let taskId: string | undefined;
  try {
    assertOwnName(picture, options, context);
    const done = await doneByName(picture, options);
    if (done !== undefined) return { status: 'skipped', output: done };
    const submitted = await submit(picture, options, context);
    context.endTurn(picture.number);
    if ('done' in submitted) return { status: 'skipped', output: submitted.done };
    taskId = submitted.taskId;
    context.onSubmitted(taskId);
    const end = await context.follower.end(taskId, onProgress);
    context.onEnded(taskId);
    if (end.error !== undefined) return { status: 'failed', taskId, ...end.error };
    return await takeResult(end, picture, options, context);
  } catch (error) {
    context.signal.throwIfAborted();
    return { status: 'failed', ...(taskId !== undefined && { taskId }), ...reasonOf(error) };
  } finally {
    context.endTurn(picture.number);
  }
}

/**
 * A result that may take the place of a file takes neither its photo's nor that of another result of this run.
 * Throws a sentence.
 */
function assertOwnName(
  picture: RunPicture,
  options: ProcessOptions,
  { owners }: Pick<RunContext, 'owners'>,
): void {
  const expected = expectedTarget(picture, options);
  if (options.onConflict === 'number' || expected === undefined) return;
  if (options.onConflict === 'overwrite' && expected === picture.file)
    throw new Error(
      'Its result would take its own place. Choose another --name or --out; `enlarger edit-in` enlarges in place and keeps the original.',
    );
  const owner = owners.get(expected) ?? picture;
  if (owner !== picture)
    throw new Error(
      `Its result would be called as that of ${owner.shown}. Choose --on-conflict number, or a --name with {n}.`,
    );
  owners.set(expected, picture);
}

/** Undefined where only the picture itself tells the scale that stands in the name, because a size was asked for. */
function expectedTarget(picture: RunPicture, options: ProcessOptions): string | undefined {
  const isKnown = scaleOf(options.work) !== undefined || !options.nameTemplate.includes('{scale}');
  return isKnown ? targetOf(picture, options, expectedFormat(picture, options)) : undefined;
}

/** Where a result to skip is already, as far as the names alone tell. */
async function doneByName(
  picture: RunPicture,
  options: ProcessOptions,
): Promise<string | undefined> {
  if (options.onConflict !== 'skip') return undefined;
  const expected = expectedTarget(picture, options);
  return expected !== undefined && (await exists(expected)) ? expected : undefined;
}

/** Where a result to skip is already, by what the service says that it will be. */
async function doneByPlan(
  planned: Estimate,
  picture: RunPicture,
  options: ProcessOptions,
): Promise<string | undefined> {
  if (planned.problem !== undefined) return undefined;
  const ratio = scaleInName(undefined, { input: planned.input, output: planned });
  const expected = targetOf(picture, options, planned.format, { ratio });
  return (await exists(expected)) ? expected : undefined;
}

async function submit(
  picture: RunPicture,
  options: ProcessOptions,
  { client, places, backgroundFor, signal, turnOf }: RunContext,
): Promise<{ taskId: string } | { done: string }> {
  const idempotencyKey = randomUUID();
  const { operation } = options.work;
  let local = places;
  for (;;) {
    try {
      const saving = await savingOf(picture, options, local);
      const imageUrl = (await local.canRead(picture.file))
        ? pathToFileURL(picture.file).href
        : await client.upload(await openNamedBlob(picture.file), signal);
      const behind = await backgroundFor(local);
      const body = { ...options.work.body, ...behind, ...saving, imageUrl };
      // Where the service saves, it finds out itself.
      if (options.onConflict === 'skip' && saving === undefined) {
        const planned = await client.estimate({ ...body, operation }, { signal });
        const done = await doneByPlan(planned, picture, options);
        if (done !== undefined) return { done };
      }
      await turnOf(picture.number);
      return { taskId: await client.submit(operation, body, { idempotencyKey, signal }) };
    } catch (error) {
      // Its grant was taken back meanwhile, or it sees another disk: then the photo is sent.
      if (error instanceof ApiError && error.code === 'FORBIDDEN_PATH' && local !== noPlaces) {
        local = noPlaces;
        continue;
      }
      // 429 and 503 say when to come again; only a full queue is worth the wait.
      const isBusy = error instanceof ApiError && /^(QUEUE_FULL|TOO_MANY)/.test(error.code);
      if (!isBusy) throw error;
      await wait(1000 * (error.retryAfterSeconds ?? 5), undefined, { signal });
    }
  }
}

type Saving = Pick<UpscaleBody, 'saveTo' | 'name' | 'onConflict'>;

/** Undefined where the result is fetched and saved here. The folder is made, and is this person's to write in. */
async function savingOf(
  picture: RunPicture,
  options: ProcessOptions,
  places: LocalPlaces,
): Promise<Saving | undefined> {
  if (places === noPlaces) return undefined;
  const saveTo = folderOf(picture, options);
  makeFolder(saveTo);
  if (!(await places.canSaveIn(saveTo))) return undefined;
  return { saveTo, name: templateFor(picture, options), onConflict: options.onConflict };
}

/** A file that the service saved, or one that is fetched now. */
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
  // Named as it was asked for, without the links on the way there.
  const output = path.join(folderOf(picture, options), path.basename(savedTo));
  return { status: 'finished', taskId, output, record };
}

async function fetchResult(
  record: TaskRecord,
  picture: RunPicture,
  options: ProcessOptions,
  { client, signal }: RunContext,
): Promise<Outcome> {
  const { taskId } = record;
  if (record.imageUrl === undefined)
    return { status: 'failed', taskId, code: record.status, message: 'The task has no result.' };
  const target = targetOfRecord(record, picture, options);
  const response = await client.download(record.imageUrl, signal);
  const output = await saveResult(response, target, options.onConflict);
  if (output === undefined) return { status: 'skipped', output: target };
  await keepTimes(picture.file, output);
  return { status: 'finished', taskId, output, record };
}

function targetOfRecord(record: TaskRecord, picture: RunPicture, options: ProcessOptions): string {
  const found = { model: record.options.model, ratio: scaleInName(undefined, record) };
  const format = record.output?.format ?? expectedFormat(picture, options);
  return targetOf(picture, options, format, found);
}

function targetOf(
  picture: RunPicture,
  options: ProcessOptions,
  format: string,
  found: { model?: string; ratio?: number | undefined } = {},
): string {
  const result = {
    sourceName: path.basename(picture.file),
    scale: scaleOf(options.work) ?? found.ratio,
    model: found.model ?? options.work.body.model ?? 'default',
    date: new Date(),
    format,
  };
  const name = planName(templateFor(picture, options), result, 1);
  return path.resolve(folderOf(picture, options), name);
}

/** Here {n} counts the pictures; what is in the way of a name is numbered when it is saved. */
const templateFor = ({ number }: RunPicture, { nameTemplate }: ProcessOptions) =>
  nameTemplate.replaceAll('{n}', String(number));

const folderOf = ({ file, folder }: Picture, { outDir }: ProcessOptions) =>
  outDir === undefined ? path.dirname(file) : path.join(outDir, folder);

const scaleOf = ({ operation, body }: Work) =>
  operation === 'upscale' ? body.scale : body.enlarge?.scale;

/** Whether nothing can be seen through the result of an opaque photo. */
const isOpaque = (work: Work) =>
  work.operation === 'upscale' ||
  work.body.backgroundImage !== undefined ||
  !/^(transparent)?$/.test(work.body.background ?? '');

/** What the result will most likely be; the record says what it became. */
function expectedFormat(picture: Picture, { work }: ProcessOptions): string {
  const { format } = work.body;
  if (format !== undefined && format !== 'same') return format;
  if (work.operation === 'remove-bg' && format === undefined) return 'png';
  const same = sameFormat(formatOfEnding(endingOf(picture.file)) ?? 'png');
  return isOpaque(work) || formats[same].alpha ? same : 'png';
}

/** The result is as old as its photo: folders sorted by time stay in their order. */
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

function reasonOf(error: unknown): { code: string; message: string } {
  if (error instanceof ApiError) return { code: error.code, message: error.message };
  if (isFileProblem(error))
    return { code: 'FAILED', message: `It cannot be read: ${sentenceOf(error)}` };
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'FAILED', message };
}
