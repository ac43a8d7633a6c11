/** Decides where the result of a picture goes and what it is called, by what is known so far. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { formats, formatOfEnding, sameFormat } from '../../../contract/src/formats.ts';
import { endingOf, planName, scaleInName, sizeInName } from '../../../contract/src/naming.ts';
import type {
  ConflictRule,
  RemoveBackgroundBody,
  UpscaleBody,
} from '../../../contract/src/request.ts';
import type { Estimate, TaskRecord } from '../../../contract/src/task.ts';
import type { Picture } from './inputs.ts';
import { t } from '../text.ts';

/** The work on each picture is a submit without the picture itself. */
export type PhotoOperation =
  | { operation: 'upscale'; body: Omit<UpscaleBody, 'imageUrl'> }
  | { operation: 'remove-bg'; body: Omit<RemoveBackgroundBody, 'imageUrl'> };

/** File of the background picture; undefined without one, and for an address. */
export const backgroundFileOf = ({ operation, body }: PhotoOperation): string | undefined =>
  operation === 'remove-bg' && body.backgroundImage?.startsWith('file:')
    ? fileURLToPath(body.backgroundImage)
    : undefined;

export interface ProcessOptions {
  work: PhotoOperation;
  /** Results lie beside their pictures where this is undefined. */
  outDir: string | undefined;
  /** Below the picture's own folder, as in './enlarged', where there is no outDir. */
  subfolder?: string;
  nameTemplate: string;
  onConflict: ConflictRule;
}

/** A picture of a run has a number, counted from 1. */
export interface RunPicture extends Picture {
  number: number;
}

/**
 * Throws a sentence when a result that is not given a free name would take the place of its own photo or that
 * of another result of this run.
 */
export function assertOwnName(
  picture: RunPicture,
  options: ProcessOptions,
  owners: Map<string, RunPicture>,
): void {
  const expected = expectedTarget(picture, options);
  if (options.onConflict === 'number' || expected === undefined) return;
  if (options.onConflict === 'overwrite' && expected === picture.file)
    throw new Error(
      t(
        'Its result would take its own place. Choose another --name or --out; `enlarger edit-in` enlarges in place and keeps the original.',
      ),
    );
  const owner = owners.get(expected) ?? picture;
  if (owner !== picture)
    throw new Error(
      t(
        'Its result would be called as that of {photo}. Choose --on-conflict number, or a --name with {n}.',
        { photo: owner.shown },
      ),
    );
  owners.set(expected, picture);
}

/**
 * Predicts the path of the result. It is undefined where a size was asked for and the
 * scale or size stands in the name, because then only the picture itself tells it.
 */
export function expectedTarget(picture: RunPicture, options: ProcessOptions): string | undefined {
  const { nameTemplate, work } = options;
  const isScaleKnown = scaleOf(work) !== undefined || !nameTemplate.includes('{scale}');
  const isKnown = isScaleKnown && !nameTemplate.includes('{size}');
  return isKnown ? targetOf(picture, options, expectedFormat(picture, options)) : undefined;
}

/** Path of the result by the service's plan. */
export function targetOfPlan(
  planned: Estimate,
  picture: RunPicture,
  options: ProcessOptions,
): string {
  const ratio = scaleInName(undefined, { input: planned.input, output: planned });
  const size = sizeInName(options.work.body, planned);
  return targetOf(picture, options, planned.format, { ratio, size });
}

/** Path of a finished task's result. */
export function targetOfRecord(
  record: TaskRecord,
  picture: RunPicture,
  options: ProcessOptions,
): string {
  const found = {
    model: record.options.model,
    ratio: scaleInName(undefined, record),
    size: sizeInName(record.options, record.output),
  };
  const format = record.output?.format ?? expectedFormat(picture, options);
  return targetOf(picture, options, format, found);
}

function targetOf(
  picture: RunPicture,
  options: ProcessOptions,
  format: string,
  found: { model?: string; ratio?: number | undefined; size?: string | undefined } = {},
): string {
  const result = {
    sourceName: path.basename(picture.file),
    scale: scaleOf(options.work) ?? found.ratio,
    size: found.size,
    model: found.model ?? options.work.body.model ?? 'default',
    date: new Date(),
    format,
  };
  const name = planName(templateFor(picture, options), result, 1);
  return path.resolve(folderOf(picture, options), name);
}

/** Fills {n} with the picture's number. A name that is taken gets another number when the result is saved. */
export const templateFor = ({ number }: RunPicture, { nameTemplate }: ProcessOptions) =>
  nameTemplate.replaceAll('{n}', String(number));

export const folderOf = ({ file, folder }: Picture, { outDir, subfolder = '' }: ProcessOptions) =>
  outDir === undefined ? path.join(path.dirname(file), subfolder) : path.join(outDir, folder);

const scaleOf = ({ operation, body }: PhotoOperation) =>
  operation === 'upscale' ? body.scale : body.enlarge?.scale;

/** Whether the result of an opaque photo is opaque. */
const isOpaque = (work: PhotoOperation) =>
  work.operation === 'upscale' ||
  work.body.backgroundImage !== undefined ||
  !/^(transparent)?$/.test(work.body.background ?? '');

/** Predicts the result's format; the record has the actual one. */
function expectedFormat(picture: Picture, { work }: ProcessOptions): string {
  const { format } = work.body;
  if (format !== undefined && format !== 'same') return format;
  if (work.operation === 'remove-bg' && format === undefined) return 'png';
  const same = sameFormat(formatOfEnding(endingOf(picture.file)) ?? 'png');
  return isOpaque(work) || formats[same].alpha ? same : 'png';
}
