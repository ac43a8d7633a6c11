/** Task options of a remove-bg submit: normalises values and rejects impossible combinations. */
import {
  backgroundOf,
  backgroundWords,
} from '../../../packages/contract/src/options/background.ts';
import { idsFor } from '../../../packages/contract/src/models/model.ts';
import {
  maxStrokes,
  strokesOf,
  type Stroke,
} from '../../../packages/contract/src/options/strokes.ts';
import { formats } from '../../../packages/contract/src/formats.ts';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import {
  edgeChoices,
  placingChoices,
  type RemoveBackgroundOptions,
} from '../../../packages/contract/src/request.ts';
import type { TaskOptions } from '../../../packages/contract/src/task.ts';
import {
  commonOptions,
  enlargingOf,
  removerFor,
  targetOf,
  omitDefaults,
  type OptionDeps,
} from './task-options.ts';

/** Margin of `crop: true`, in percent of the subject's longer side. */
const defaultMarginPercent = 5;

/** @throws EnlargerError INVALID_REQUEST, FORBIDDEN_PATH, or MODEL_UNAVAILABLE if no remover is installed */
export async function removeBackgroundOptions(
  body: RemoveBackgroundOptions,
  deps: OptionDeps,
): Promise<TaskOptions> {
  const model = removerFor(body.model, deps);
  const background = backgroundFor(body);
  const { crop = false, maskOnly = false } = body;
  const strokes = allStrokes(body);
  const { backgroundImage } = body;
  const target = targetOf(body);
  return {
    ...(target && { target }),
    background,
    ...(backgroundImage !== undefined && {
      backgroundImage: await deps.backgrounds.accept(backgroundImage, deps.photoFrom?.grants),
    }),
    ...omitDefaults(body, placingChoices),
    ...(crop !== false && { crop: crop === true ? defaultMarginPercent : crop }),
    ...(maskOnly && { maskOnly }),
    ...(strokes.length > 0 && { strokes, ...selectorFor(strokes, deps) }),
    ...omitDefaults(body, edgeChoices),
    ...(body.enlarge && { enlarge: enlargementOf(body.enlarge, body, deps) }),
    ...(await commonOptions(body, model, 'png', deps)),
  };
}

/** The setting's model of objects, if strokes need one. */
function selectorFor(
  strokes: readonly Stroke[],
  { models, settings }: Pick<OptionDeps, 'models' | 'settings'>,
): Pick<TaskOptions, 'selector'> {
  const { defaultSelector } = settings.get();
  const isInstalled = idsFor('select', models.models).includes(defaultSelector);
  const isNeeded = strokes.some(({ selects }) => selects !== undefined);
  return isInstalled && isNeeded ? { selector: defaultSelector } : {};
}

/** Points and strokes, in the order in which they are marked. @throws EnlargerError INVALID_REQUEST */
export function allStrokes({
  points = [],
  strokes = [],
}: Pick<RemoveBackgroundOptions, 'points' | 'strokes'>): Stroke[] {
  const all = [...strokesOf(points), ...strokes];
  if (all.length <= maxStrokes) return all;
  throw invalid(
    `Expected at most ${maxStrokes} points and strokes together but received ${all.length}.`,
  );
}

function enlargementOf(
  { first = 'enlarge', ...enlarge }: NonNullable<RemoveBackgroundOptions['enlarge']>,
  { maskOnly }: RemoveBackgroundOptions,
  deps: OptionDeps,
): NonNullable<TaskOptions['enlarge']> {
  if (first === 'cutout' && maskOnly)
    throw invalid(
      'Expected enlarge.first to be enlarge with maskOnly, for a network enlarges photos and no masks, but received "cutout" of type string.',
    );
  return { ...enlargingOf(enlarge, 'enlarge.model', deps), first };
}

/** Returns 'transparent', 'blur' or six hex digits. @throws EnlargerError INVALID_REQUEST */
function backgroundFor(body: RemoveBackgroundOptions): string {
  const { background: requested = 'transparent', maskOnly = false, format } = body;
  const background = backgroundOf(requested);
  const received = `but received ${JSON.stringify(requested)} of type string.`;
  if (background === undefined)
    throw invalid(`Expected background to be ${backgroundWords} ${received}`);
  if (maskOnly && background !== 'transparent')
    throw invalid(`Expected no background with maskOnly, which makes the mask alone, ${received}`);
  assertPlacing(body, background);
  const row = format === undefined || format === 'same' ? undefined : formats[format];
  const isClear = background === 'transparent' && body.backgroundImage === undefined;
  if (row?.alpha === false && isClear && !maskOnly)
    throw invalid(
      `Expected background to be a colour or blur with format jpeg, which holds no transparency, ${received}`,
    );
  return background;
}

/** @throws EnlargerError INVALID_REQUEST for options that exclude each other */
function assertPlacing(body: RemoveBackgroundOptions, background: string): void {
  const { maskOnly = false, backgroundImage, shadow = 0 } = body;
  const { canvas, subjectScale, position } = body;
  if (backgroundImage !== undefined && (maskOnly || background !== 'transparent'))
    throw invalid(
      `Expected no backgroundImage beside ${maskOnly ? 'maskOnly' : 'background'}, but received both.`,
    );
  if (shadow > 0 && maskOnly)
    throw invalid(
      'Expected no shadow beside maskOnly, which makes the mask alone, but received both.',
    );
  if (background === 'blur' && (canvas ?? subjectScale ?? position) !== undefined)
    throw invalid(
      "Expected background to be a colour, a picture or transparent beside canvas, subjectScale or position, where the photo's own surroundings have no place, but received blur.",
    );
}

const invalid = (message: string) => new EnlargerError('INVALID_REQUEST', message);
