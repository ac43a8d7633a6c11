/** The options of either operation, checked by the schemas that check its submit, and planned as its submit is. */
import { Type } from 'typebox';
import {
  RemoveBackgroundOptions,
  RemoveBackgroundPreset,
  UpscaleOptions,
  type Operation,
} from '../../contract/submit.ts';
import { EnlargerError } from '../../contract/errors.ts';
import type { TaskOptions } from '../../contract/task.ts';
import { removeBackgroundOptions } from './cutout-options.ts';
import { upscaleOptions, type OptionDeps } from './task-options.ts';
import { isDataUrl } from '../sources/data-url.ts';
import { uploadIdOf } from '../sources/image-url.ts';
import { createCheck } from '../http/validation.ts';

/** Wrapped, so that a refusal names the field as the caller does: options.scale. */
const checkUpscale = createCheck(Type.Object({ options: UpscaleOptions }), 'body');
const checkRemoval = createCheck(Type.Object({ options: RemoveBackgroundOptions }), 'body');
const checkPreset = createCheck(Type.Object({ options: RemoveBackgroundPreset }), 'body');

/** A preset's, which is kept for long: no upload is. Throws INVALID_REQUEST. */
export function assertOptions(
  operation: Operation,
  options: object,
): UpscaleOptions | RemoveBackgroundPreset {
  if (operation === 'upscale') return checkUpscale({ options }).options;
  const checked = checkPreset({ options }).options;
  const { backgroundImage = '' } = checked;
  if (isDataUrl(backgroundImage) || uploadIdOf(backgroundImage) !== undefined)
    throw new EnlargerError(
      'INVALID_REQUEST',
      'Expected options.backgroundImage of a preset to be a http:, https: or file: URL, for what is uploaded is not kept.',
    );
  return checked;
}

/** As a submit refuses them. Throws INVALID_REQUEST, FORBIDDEN_PATH or MODEL_UNAVAILABLE. */
export async function planOptions(
  operation: Operation,
  options: object,
  deps: OptionDeps,
): Promise<TaskOptions> {
  const checked = operation === 'upscale' ? checkUpscale({ options }) : checkRemoval({ options });
  return checkedOptions(operation, checked.options, deps);
}

/** The same of a body that its route's schema has checked. */
export const checkedOptions = (
  operation: Operation,
  body: UpscaleOptions | RemoveBackgroundOptions,
  deps: OptionDeps,
): Promise<TaskOptions> =>
  operation === 'upscale' ? upscaleOptions(body, deps) : removeBackgroundOptions(body, deps);
