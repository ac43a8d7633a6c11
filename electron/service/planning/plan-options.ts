/** Validates and plans options of both operations with the schemas of their submits. */
import { Type } from 'typebox';
import {
  RemoveBackgroundOptions,
  RemoveBackgroundPreset,
  UpscaleOptions,
  UpscalePreset,
  type Operation,
} from '../../../packages/contract/src/request.ts';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import type { TaskOptions } from '../../../packages/contract/src/task.ts';
import { removeBackgroundOptions } from './cutout-options.ts';
import { upscaleOptions, type OptionDeps } from './task-options.ts';
import { isDataUrl } from '../sources/data-url.ts';
import { uploadIdOf } from '../sources/image-url.ts';
import { createCheck } from '../../../packages/http/src/index.ts';

/** Wrapped, so that errors name the field as the caller does: options.scale. */
const checkUpscale = createCheck(Type.Object({ options: UpscaleOptions }), 'body');
const checkRemoval = createCheck(Type.Object({ options: RemoveBackgroundOptions }), 'body');
const checkPreset = createCheck(Type.Object({ options: RemoveBackgroundPreset }), 'body');
const checkUpscalePreset = createCheck(Type.Object({ options: UpscalePreset }), 'body');

/**
 * Validates a preset's options.
 * @throws EnlargerError INVALID_REQUEST, also for an uploaded background, since uploads are not kept
 */
export function assertOptions(
  operation: Operation,
  options: object,
): UpscalePreset | RemoveBackgroundPreset {
  if (operation === 'upscale') return checkUpscalePreset({ options }).options;
  const checked = checkPreset({ options }).options;
  const { backgroundImage = '' } = checked;
  if (isDataUrl(backgroundImage) || uploadIdOf(backgroundImage) !== undefined)
    throw new EnlargerError(
      'INVALID_REQUEST',
      'Expected options.backgroundImage of a preset to be a http:, https: or file: URL, for what is uploaded is not kept.',
    );
  return checked;
}

/** @throws EnlargerError INVALID_REQUEST, FORBIDDEN_PATH or MODEL_UNAVAILABLE */
export async function planOptions(
  operation: Operation,
  options: object,
  deps: OptionDeps,
): Promise<TaskOptions> {
  const checked = operation === 'upscale' ? checkUpscale({ options }) : checkRemoval({ options });
  return checkedOptions(operation, checked.options, deps);
}

/** Plans options that a route's schema has validated. */
export const checkedOptions = (
  operation: Operation,
  body: UpscaleOptions | RemoveBackgroundOptions,
  deps: OptionDeps,
): Promise<TaskOptions> =>
  operation === 'upscale' ? upscaleOptions(body, deps) : removeBackgroundOptions(body, deps);
