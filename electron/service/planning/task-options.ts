/** Task options of a submit: fills in defaults and rejects impossible requests. */
import { scales } from '../../../packages/contract/src/common.ts';
import { pixelsOfPrint } from '../../../packages/contract/src/options/print-size.ts';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import { pickDefined, keysOf } from '../../../packages/contract/src/pick-defined.ts';
import {
  idsFor,
  type ModelDescriptor,
  type ModelTask,
} from '../../../packages/contract/src/models/model.ts';
import {
  type enlargingChoices,
  finishingChoices,
  sizeFields,
  targetKinds,
  type outputChoices,
  type Target,
  type UpscaleOptions,
} from '../../../packages/contract/src/request.ts';
import type { TaskOptions } from '../../../packages/contract/src/task.ts';
import type { ModelCatalogue } from '../models/catalogue.ts';
import { defaultScale } from '../models/plan-scales.ts';
import type { LiveSettings } from '../settings/live-settings.ts';
import type { BackgroundIntake } from '../sources/background-intake.ts';
import type { TSchema } from 'typebox';
import { assertCallbackUrl } from '../sources/remote/post-json.ts';
import { resultFolder, type PhotoOrigin } from './result-folder.ts';

/** Dependencies of planning that do not depend on the photo. */
export interface OptionPlanning {
  models: ModelCatalogue;
  settings: Pick<LiveSettings, 'get'>;
  backgrounds: BackgroundIntake;
}

export interface OptionDeps extends OptionPlanning {
  /** Origin of the photo, which decides the result's folder; absent if there is no photo yet. */
  photoFrom?: PhotoOrigin;
  /** A callbackUrl may name this machine or a private network, whatever the setting. */
  localCallbacks?: boolean;
}

/** @throws EnlargerError INVALID_REQUEST, FORBIDDEN_PATH or MODEL_UNAVAILABLE */
export async function upscaleOptions(body: UpscaleOptions, deps: OptionDeps): Promise<TaskOptions> {
  assertCleaning(body);
  const { model, ...enlarging } = enlargingOf(body, 'model', deps);
  return {
    ...enlarging,
    ...amountMaskOf(body, deps),
    ...(await commonOptions(body, model, 'same', deps)),
  };
}

/** @throws EnlargerError INVALID_REQUEST for `painted` without strokes, MODEL_UNAVAILABLE without a remover */
function amountMaskOf(
  { amountMask, strokes = [] }: UpscaleOptions,
  deps: OptionDeps,
): Pick<TaskOptions, 'amountMask' | 'maskModel' | 'strokes'> {
  if (amountMask === undefined) return {};
  if (amountMask === 'everywhere' && strokes.length === 0) return {};
  if (amountMask === 'painted' && strokes.length === 0)
    throw new EnlargerError(
      'INVALID_REQUEST',
      'Expected strokes beside amountMask painted, which is where they paint, but received none.',
    );
  const isFound = amountMask === 'subject' || amountMask === 'background';
  return {
    amountMask,
    ...(isFound && { maskModel: removerFor(undefined, deps) }),
    ...(strokes.length > 0 && { strokes }),
  };
}

/**
 * The requested model, else the setting's, else the first installed one.
 * @throws EnlargerError INVALID_REQUEST, or MODEL_UNAVAILABLE if no remover is installed
 */
export function removerFor(
  requested: string | undefined,
  { models, settings }: OptionPlanning,
): string {
  const removers = idsFor('remove-bg', models.models);
  const [first] = removers;
  if (first === undefined)
    throw new EnlargerError(
      'MODEL_UNAVAILABLE',
      'No network that removes backgrounds is installed yet.',
    );
  if (requested !== undefined) assertModel('model', requested, 'remove-bg', models.models);
  return requested ?? removers.find((id) => id === settings.get().defaultRemover) ?? first;
}

type EnlargingFields = Pick<UpscaleOptions, Exclude<keyof typeof enlargingChoices, 'first'>>;

/**
 * @param modelField name of the model's field in errors
 * @throws EnlargerError INVALID_REQUEST, MODEL_UNAVAILABLE
 */
export function enlargingOf(
  body: EnlargingFields,
  modelField: string,
  { models, settings }: OptionDeps,
): Pick<TaskOptions, 'scale' | 'target' | 'printSize' | 'model' | keyof typeof finishingChoices> {
  const target = targetOf(body);
  if (body.model !== undefined) assertModel(modelField, body.model, 'upscale', models.models);
  const model = body.model ?? settings.get().defaultUpscaler;
  const makes = models.scalesOf(model);
  const scale = body.scale ?? defaultScale(makes);
  // The result of a model with a larger scale is resized.
  if (!target && !makes.some((one) => one >= scale)) models.planPasses(model, scale);
  return {
    ...(target ? { target } : { scale }),
    ...(body.printSize && { printSize: body.printSize }),
    ...omitDefaults(body, finishingChoices),
    model,
  };
}

/**
 * Rejects scale 1 unless a field of the contract's part 2 is present: clients of part 1 know four scales and
 * cannot mean the fifth.
 */
function assertCleaning({ scale, model, restore, grain }: UpscaleOptions): void {
  if (scale !== 1 || model !== undefined || restore !== undefined || grain !== undefined) return;
  throw new EnlargerError(
    'INVALID_REQUEST',
    `Expected scale to be one of ${scales.join(', ')} but received 1 of type number; 1 cleans a photo without enlarging it, beside restore, grain or model.`,
  );
}

/** @throws EnlargerError INVALID_REQUEST for more than one size, and for a size beside a scale */
export function targetOf(
  body: Pick<UpscaleOptions, (typeof sizeFields)[number]>,
): Target | undefined {
  const names = sizeFields.filter((name) => body[name] !== undefined);
  if (names.length > 1)
    throw new EnlargerError(
      'INVALID_REQUEST',
      `Expected one of ${sizeFields.join(', ')} but received ${names.join(' and ')}.`,
    );
  const { printSize } = body;
  if (printSize) return { kind: printSize.side, value: pixelsOfPrint(printSize) };
  const kind = targetKinds.find((name) => body[name] !== undefined);
  const value = kind && body[kind];
  return kind && value !== undefined ? { kind, value } : undefined;
}

/** Picks the options that are set and differ from their defaults. */
export function omitDefaults<T extends object, Name extends keyof T>(
  body: T,
  choices: Record<Name, TSchema>,
): Pick<T, Name> {
  const isDefault = (name: Name) =>
    'default' in choices[name] && body[name] === choices[name].default;
  return pickDefined(
    body,
    keysOf(choices).filter((name) => !isDefault(name)),
  );
}

type CommonFields = Pick<UpscaleOptions, keyof typeof outputChoices>;

/**
 * Options of both operations.
 * @throws EnlargerError FORBIDDEN_PATH, or INVALID_REQUEST for a folder that the photo does not have
 */
export async function commonOptions(
  fields: CommonFields,
  model: string,
  defaultFormat: TaskOptions['format'],
  { settings, photoFrom, localCallbacks = false }: OptionDeps,
): Promise<Pick<TaskOptions, Exclude<keyof CommonFields, 'priority'> | 'formatChosen'>> {
  const {
    format,
    bitDepth = 'same',
    metadata = 'keep',
    saveTo,
    onlyAccepted,
    callbackUrl,
  } = fields;
  if (callbackUrl !== undefined)
    assertCallbackUrl(callbackUrl, {
      allowLocal: settings.get().allowLocalSources || localCallbacks,
    });
  return {
    model,
    format: format ?? defaultFormat,
    formatChosen: format !== undefined,
    bitDepth,
    metadata,
    ...(saveTo !== undefined && {
      saveTo: await resultFolder(saveTo, settings.get().grantedFolders, photoFrom),
    }),
    ...(onlyAccepted === true && { onlyAccepted }),
    ...pickDefined(fields, [
      'quality',
      'name',
      'onConflict',
      'oneVersion',
      'callbackUrl',
      'callbackEvents',
    ]),
  };
}

/** @throws EnlargerError INVALID_REQUEST if no installed model of the task has the id */
export function assertModel(
  field: string,
  id: string,
  task: ModelTask,
  models: readonly ModelDescriptor[],
): void {
  const known = idsFor(task, models);
  if (known.includes(id)) return;
  throw new EnlargerError(
    'INVALID_REQUEST',
    `Expected ${field} to be one of ${known.join(', ') || '(none is installed)'} but received ${JSON.stringify(id)} of type string.`,
  );
}
