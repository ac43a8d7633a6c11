/** Finds the setting that a refusal of the service speaks of: its sentence begins with the setting. */
import {
  enlargingChoices,
  RemoveBackgroundOptions,
  sizeFields,
  UpscaleOptions,
} from '../../../packages/contract/src/request.ts';
import type { Problem } from '../../api/calls.svelte.ts';

/** No control is for these fields, so a refusal of one stands above all controls. */
const withoutControl = [
  ...['enlarge', 'strokes', 'points', 'priority'],
  ...['callbackUrl', 'callbackEvents', 'oneVersion', 'onlyAccepted'],
];
const sizes: readonly string[] = sizeFields;
const submitted = Object.keys({
  ...UpscaleOptions.properties,
  ...RemoveBackgroundOptions.properties,
  ...enlargingChoices,
});

/** Each of these fields has a control, which shows the refusals that name the field. */
export const shownFields: readonly string[] = [
  'size',
  ...submitted.filter((name) => !sizes.includes(name) && !withoutControl.includes(name)),
];

const fieldOfCode: Record<string, string> = {
  FORBIDDEN_PATH: 'saveTo',
  MODEL_UNAVAILABLE: 'model',
  IMAGE_TOO_LARGE: 'format',
};

/** Returns the field that a refusal speaks of. It is undefined where the refusal is about no single field. */
export function fieldOf({ code, message }: Problem): string | undefined {
  const named = /^Expected (?:options\.)?(?:enlarge\.)?(\w+)/.exec(message)?.[1] ?? '';
  const field = sizes.includes(named) ? 'size' : named;
  return shownFields.includes(field) ? field : fieldOfCode[code];
}
