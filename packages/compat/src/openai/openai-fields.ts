/** Size, format and response form of an images request, without the model. Pure. */
import type { Size } from '../../../contract/src/geometry.ts';
import { FieldRefused } from '../refusal.ts';
import { flagField, integerField, oneOfField, refusedValue, type Read } from '../read-fields.ts';

export type AnswerAs = 'b64_json' | 'url';

export interface OpenaiOptions {
  background: 'auto' | 'transparent' | 'opaque';
  outputFormat: 'png' | 'jpeg' | 'webp';
  /** Fields of a submit. */
  fields: Record<string, unknown>;
  /** The picture is fitted into the box; undefined keeps the model's size. */
  box: Size | undefined;
  answerAs: AnswerAs;
}

/** Accepted and ignored: they do not affect the picture. */
const ignoredFields = [
  'prompt',
  'user',
  'quality',
  'input_fidelity',
  'moderation',
  'partial_images',
  'style',
];
const known = [
  ...['model', 'image', 'image[]', 'mask', 'n', 'size', 'background', 'stream', 'response_format'],
  ...['output_format', 'output_compression', 'scale', ...ignoredFields],
];

/**
 * @param defaultAnswer response form of a request without one
 * @throws FieldRefused for an unknown field or an unsupported value
 */
export function readOpenaiFields(
  read: Read,
  names: readonly string[],
  defaultAnswer: AnswerAs,
): OpenaiOptions {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new FieldRefused(unknown, `Unknown parameter: '${unknown}'.`);
  if (names.includes('mask'))
    throw new FieldRefused('mask', 'Expected no mask: nothing is painted anew.');
  integerField(read, 'n', { min: 1, max: 1, defaultValue: 1 });
  if (flagField(read, 'stream')) throw refusedValue('stream', 'false', 'true');
  const background = oneOfField(read, 'background', ['auto', 'transparent', 'opaque'], 'auto');
  const outputFormat = oneOfField(read, 'output_format', ['png', 'jpeg', 'webp'], 'png');
  const quality = integerField(read, 'output_compression', { max: 100, defaultValue: 100 });
  return {
    background,
    outputFormat,
    fields: {
      format: outputFormat,
      bitDepth: 8,
      ...(outputFormat !== 'png' && { quality: Math.max(1, quality) }),
    },
    box: boxOf(read('size')),
    answerAs: oneOfField(read, 'response_format', ['b64_json', 'url'], defaultAnswer),
  };
}

function boxOf(size: string | undefined) {
  if (size === undefined || size === 'auto') return undefined;
  const [, width = 0, height = 0] = (/^(\d{1,6})x(\d{1,6})$/.exec(size) ?? []).map(Number);
  if (width > 0 && height > 0) return { width, height };
  throw refusedValue('size', 'auto, or width and height such as 1024x1024', size);
}

/** The field of a submit, width or height, that fits a picture into a box. */
export function fitting(picture: Size, box: Size): { width: number } | { height: number } {
  const isWide = picture.width / picture.height >= box.width / box.height;
  return isWide ? { width: box.width } : { height: box.height };
}
