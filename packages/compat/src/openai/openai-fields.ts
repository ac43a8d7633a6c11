/** Reads what an images request asks for beside the model: size, format and form of the answer. It is pure. */
import type { Size } from '../../../../electron/contract/geometry.ts';
import { FieldRefused } from '../refusal.ts';
import { flagField, integerField, oneOfField, refused, type Read } from '../read-fields.ts';

export type AnswerAs = 'b64_json' | 'url';

export interface OpenaiWishes {
  background: 'auto' | 'transparent' | 'opaque';
  outputFormat: 'png' | 'jpeg' | 'webp';
  /** The fields are those of a submit. */
  fields: Record<string, unknown>;
  /** The picture is made to fit into the box; undefined leaves the size as the model makes it. */
  box: Size | undefined;
  answerAs: AnswerAs;
}

/** These fields say nothing about the picture: any value is accepted and ignored. */
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
 * Reads the wishes of a request. It throws FieldRefused for an unknown field and for a value that Enlarger
 * cannot honour.
 * @param usualAnswer the form of the answer where the request names none
 */
export function readOpenaiFields(
  read: Read,
  names: readonly string[],
  usualAnswer: AnswerAs,
): OpenaiWishes {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new FieldRefused(unknown, `Unknown parameter: '${unknown}'.`);
  if (names.includes('mask'))
    throw new FieldRefused('mask', 'Expected no mask: nothing is painted anew.');
  integerField(read, 'n', { least: 1, most: 1, usual: 1 });
  if (flagField(read, 'stream')) throw refused('stream', 'false', 'true');
  const background = oneOfField(read, 'background', ['auto', 'transparent', 'opaque'], 'auto');
  const outputFormat = oneOfField(read, 'output_format', ['png', 'jpeg', 'webp'], 'png');
  const quality = integerField(read, 'output_compression', { most: 100, usual: 100 });
  return {
    background,
    outputFormat,
    fields: {
      format: outputFormat,
      bitDepth: 8,
      ...(outputFormat !== 'png' && { quality: Math.max(1, quality) }),
    },
    box: boxOf(read('size')),
    answerAs: oneOfField(read, 'response_format', ['b64_json', 'url'], usualAnswer),
  };
}

function boxOf(size: string | undefined) {
  if (size === undefined || size === 'auto') return undefined;
  const [, width = 0, height = 0] = (/^(\d{1,6})x(\d{1,6})$/.exec(size) ?? []).map(Number);
  if (width > 0 && height > 0) return { width, height };
  throw refused('size', 'auto, or width and height such as 1024x1024', size);
}

/** Chooses the field of a submit, width or height, that makes a picture fit into a box. */
export function fitting(picture: Size, box: Size): { width: number } | { height: number } {
  const isWide = picture.width / picture.height >= box.width / box.height;
  return isWide ? { width: box.width } : { height: box.height };
}
