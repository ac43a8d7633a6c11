/** Which of the settings a refusal of the service speaks of. Its sentences begin with the field. */
import {
  enlargingChoices,
  RemoveBackgroundOptions,
  sizeFields,
  UpscaleOptions,
} from '../../../electron/contract/submit.ts';
import type { Problem } from '../../api/calls.svelte.ts';

/** What no control is for: a refusal of it stands above all of them. */
const withoutControl = ['enlarge', 'strokes', 'priority', 'callbackUrl'];
const sizes: readonly string[] = sizeFields;
const submitted = Object.keys({
  ...UpscaleOptions.properties,
  ...RemoveBackgroundOptions.properties,
  ...enlargingChoices,
});

/** What a control is for; one of these shows each refusal that names it. */
export const shownFields: readonly string[] = [
  'size',
  ...submitted.filter((name) => !sizes.includes(name) && !withoutControl.includes(name)),
];

const fieldOfCode: Record<string, string> = {
  FORBIDDEN_PATH: 'saveTo',
  MODEL_UNAVAILABLE: 'model',
  IMAGE_TOO_LARGE: 'format',
};

/** Undefined: it is about none of them alone. */
export function fieldOf({ code, message }: Problem): string | undefined {
  const named = /^Expected (?:options\.)?(?:enlarge\.)?(\w+)/.exec(message)?.[1] ?? '';
  const field = sizes.includes(named) ? 'size' : named;
  return shownFields.includes(field) ? field : fieldOfCode[code];
}
