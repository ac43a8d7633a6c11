/** What POST /v1.0/removebg asks for, as the fields of a submit. Pure. */
import { FieldRefused } from '../refusal.ts';
import { flagField, oneOfField, refused, type Read } from '../read-fields.ts';
import { namedColour } from '../colour-names.ts';

export interface RemovebgOrder {
  /** Of a submit of the operation remove-bg. */
  fields: Record<string, unknown>;
  /** Colours and alpha as two files in a ZIP. */
  asZip: boolean;
  /** The type that the answer names; undefined: none is asked for. */
  type: string | undefined;
}

const sizes = [
  'preview',
  'small',
  'regular',
  'medium',
  'hd',
  'full',
  '4k',
  '50MP',
  'auto',
] as const;
/** Millions of pixels; what is not here has its own size. */
const megapixels: Partial<Record<(typeof sizes)[number], number>> = {
  preview: 0.25,
  small: 0.25,
  regular: 0.25,
  medium: 1.5,
  hd: 4,
};
const types = [
  'auto',
  'person',
  'product',
  'car',
  'animal',
  'graphic',
  'graphics',
  'transportation',
  'car_interior',
  'car_part',
  'other',
] as const;

/** Throws FieldRefused. */
export function readRemovebgFields(read: Read): RemovebgOrder {
  const size = oneOfField(read, 'size', sizes, 'preview');
  const type = oneOfField(read, 'type', types, 'auto');
  const level = oneOfField(read, 'type_level', ['none', '1', '2', 'latest'], '1');
  flagField(read, 'semitransparency', true);
  assertWholeRegion(read('roi'));
  const channels = oneOfField(read, 'channels', ['rgba', 'alpha'], 'rgba');
  const background = backgroundOf(read);
  const format = oneOfField(read, 'format', ['auto', 'png', 'jpg', 'zip', 'webp'], 'auto');
  const limit = megapixels[size];
  return {
    fields: {
      ...(limit !== undefined && { megapixels: limit }),
      bitDepth: 8,
      ...cropOf(read),
      ...(channels === 'alpha' ? { maskOnly: true, format: 'png' } : pictureOf(format, background)),
    },
    asZip: format === 'zip' && channels === 'rgba',
    type: level === 'none' ? undefined : type === 'auto' ? 'other' : type,
  };
}

/** A JPEG without a background is on white, as there. */
function pictureOf(format: string, background: string | undefined): Record<string, unknown> {
  if (format === 'jpg' || (format === 'auto' && background !== undefined))
    return { format: 'jpeg', background: background ?? 'white' };
  const made = format === 'webp' ? 'webp' : 'png';
  return { format: made, ...(background !== undefined && { background }) };
}

function backgroundOf(read: Read): string | undefined {
  const given = read('bg_color');
  if (given === undefined) return undefined;
  const colour = namedColour(given) ?? colourOf(given.replace(/^#/, ''));
  if (colour === undefined)
    throw refused('bg_color', 'a colour of 3, 4, 6 or 8 hexadecimal digits, or a name', given);
  return colour;
}

/** Undefined for what is none. With alpha digits only where they say opaque or transparent. */
function colourOf(digits: string): string | undefined {
  if (!/^([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(digits)) return undefined;
  const long = digits.length < 6 ? digits.replace(/./g, '$&$&') : digits;
  const alpha = long.slice(6).toLowerCase();
  if (alpha === '00') return 'transparent';
  if (alpha !== '' && alpha !== 'ff')
    throw new FieldRefused('bg_color', 'Expected bg_color to be opaque or fully transparent.');
  return `#${long.slice(0, 6).toLowerCase()}`;
}

function cropOf(read: Read): Record<string, unknown> {
  if (!flagField(read, 'crop')) return {};
  const margin = read('crop_margin') ?? '0';
  const percent = /^(\d{1,2}(?:\.0+)?)%$/.exec(margin)?.[1] ?? (/^0(px)?$/.test(margin) ? '0' : '');
  if (percent === '' || Number(percent) > 50)
    throw refused('crop_margin', 'one value from 0% to 50%', margin);
  return { crop: Number(percent) };
}

function assertWholeRegion(roi: string | undefined): void {
  const whole = /^0(%|px)?\s+0(%|px)?\s+100%\s+100%$/;
  if (roi !== undefined && !whole.test(roi))
    throw refused('roi', 'the whole picture (0% 0% 100% 100%)', roi);
}

/** What would change the picture and is not made here. */
export function assertPossible(read: Read, backgroundFiles: number): void {
  const scale = read('scale');
  if (scale !== undefined && scale !== 'original' && scale !== '100%')
    throw refused('scale', 'original', scale);
  const position = read('position');
  if (position !== undefined && position !== 'original')
    throw refused('position', 'original', position);
  if (flagField(read, 'add_shadow')) throw refused('add_shadow', 'false', 'true');
  const shadow = read('shadow_type');
  if (shadow !== undefined && shadow !== 'none') throw refused('shadow_type', 'none', shadow);
  const url = read('bg_image_url');
  if (url !== undefined) throw refused('bg_image_url', 'empty', url);
  if (backgroundFiles > 0) throw refused('bg_image_file', 'empty', 'a picture');
}
