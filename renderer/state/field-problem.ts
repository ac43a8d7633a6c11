/** Which of the settings a refusal of the service speaks of. Its sentences begin with the field. */
import type { Problem } from '../api/calls.svelte.ts';

export type FieldName =
  | 'size'
  | 'model'
  | 'format'
  | 'quality'
  | 'bitDepth'
  | 'metadata'
  | 'sharpen'
  | 'restore'
  | 'grain'
  | 'keep'
  | 'background'
  | 'backgroundImage'
  | 'canvas'
  | 'crop'
  | 'maskOnly'
  | 'saveTo'
  | 'name'
  | 'onConflict';

const sizeFields = ['scale', 'width', 'height', 'longEdge', 'megapixels', 'printSize'];
const others: readonly string[] = [
  'model',
  'format',
  'quality',
  'bitDepth',
  'metadata',
  'sharpen',
  'restore',
  'grain',
  'keep',
  'background',
  'backgroundImage',
  'canvas',
  'crop',
  'maskOnly',
  'saveTo',
  'name',
  'onConflict',
] satisfies FieldName[];

const fieldOfCode: Record<string, FieldName> = {
  FORBIDDEN_PATH: 'saveTo',
  MODEL_UNAVAILABLE: 'model',
  IMAGE_TOO_LARGE: 'format',
};

/** Undefined: it is about none of them alone. */
export function fieldOf({ code, message }: Problem): FieldName | undefined {
  const named = /^Expected (?:options\.)?(?:enlarge\.)?(\w+)/.exec(message)?.[1] ?? '';
  if (sizeFields.includes(named)) return 'size';
  return others.includes(named) ? (named as FieldName) : fieldOfCode[code];
}
