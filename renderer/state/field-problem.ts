/** Which of the settings a refusal of the service speaks of. Its sentences begin with the field. */
import type { Problem } from '../api/calls.svelte.ts';

const sizeFields = ['scale', 'width', 'height', 'longEdge', 'megapixels', 'printSize'];
const others = [
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
] as const;
type FieldName = 'size' | (typeof others)[number];

const fieldOfCode: Record<string, FieldName> = {
  FORBIDDEN_PATH: 'saveTo',
  MODEL_UNAVAILABLE: 'model',
  IMAGE_TOO_LARGE: 'format',
};

/** Undefined: it is about none of them alone. */
export function fieldOf({ code, message }: Problem): FieldName | undefined {
  const named = /^Expected (?:options\.)?(?:enlarge\.)?(\w+)/.exec(message)?.[1] ?? '';
  if (sizeFields.includes(named)) return 'size';
  return others.find((field) => field === named) ?? fieldOfCode[code];
}
