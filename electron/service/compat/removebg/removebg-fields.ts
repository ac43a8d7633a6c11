/** What POST /v1.0/removebg asks for, as the fields of a submit. Pure. */
import { FieldRefused } from '../refusal.ts';
import { flagField, integerField, oneOfField, refused, type Read } from '../read-fields.ts';
import { readRoi } from './region-of-interest.ts';
import { namedColour } from '../../../contract/background.ts';

export interface RemovebgOrder {
  /** Of a submit of the operation remove-bg. */
  fields: Record<string, unknown>;
  /** Colours and alpha as two files in a ZIP. */
  asZip: boolean;
  /** Where the subject may stand, once the picture's size is known; undefined: anywhere. */
  roi: ReturnType<typeof readRoi>;
  /** The type that the answer names; undefined: none is asked for. */
  type: string | undefined;
  /** What was asked and changes nothing here, said in a header. */
  notes: string[];
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

/** @param hasPicture whether a picture is to stand behind the subject. Throws FieldRefused. */
export function readRemovebgFields(read: Read, hasPicture: boolean): RemovebgOrder {
  const size = oneOfField(read, 'size', sizes, 'preview');
  const type = oneOfField(read, 'type', types, 'auto');
  const level = oneOfField(read, 'type_level', ['none', '1', '2', 'latest'], '1');
  const keepsSoft = flagField(read, 'semitransparency', true);
  const channels = oneOfField(read, 'channels', ['rgba', 'alpha'], 'rgba');
  const background = backgroundOf(read);
  if (hasPicture && background !== undefined)
    throw new FieldRefused('bg_color', 'Expected one of bg_color, bg_image_url and bg_image_file.');
  const format = oneOfField(read, 'format', ['auto', 'png', 'jpg', 'zip', 'webp'], 'auto');
  const limit = megapixels[size];
  const shadow = shadowOf(read);
  if (channels === 'alpha' && shadow.shadow !== undefined)
    throw new FieldRefused(
      read('shadow_type') === undefined ? 'add_shadow' : 'shadow_type',
      'Expected no shadow beside channels alpha, which is the mask alone.',
    );
  return {
    fields: {
      ...(limit !== undefined && { megapixels: limit }),
      bitDepth: 8,
      ...cropOf(read),
      ...placeOf(read),
      ...(channels === 'alpha'
        ? { maskOnly: true, format: maskFormat(format) }
        : { ...shadow, ...pictureOf(format, background, hasPicture) }),
    },
    roi: readRoi(read('roi')),
    asZip: format === 'zip' && channels === 'rgba',
    type: level === 'none' ? undefined : type === 'auto' ? 'other' : type,
    notes: keepsSoft ? [] : ['semitransparency: soft parts stay soft here'],
  };
}

/** Those who ask for a ZIP read a PNG, too, and there is no second file beside a mask. */
const maskFormat = (format: string) =>
  format === 'jpg' ? 'jpeg' : format === 'webp' ? 'webp' : 'png';

/** A JPEG without a background is on white, as there. */
function pictureOf(
  format: string,
  background: string | undefined,
  hasPicture: boolean,
): Record<string, unknown> {
  const isOpaque = hasPicture || background !== undefined;
  if (format === 'jpg' || (format === 'auto' && isOpaque))
    return { format: 'jpeg', ...(!hasPicture && { background: background ?? 'white' }) };
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

/** Share of the canvas that the subject fills, and where it stands: in the middle once it is scaled. */
function placeOf(read: Read): Record<string, unknown> {
  const scale = read('scale') ?? 'original';
  const position = read('position');
  const percent = Number(/^(\d{2,3})%$/.exec(scale)?.[1] ?? 0);
  if (scale !== 'original' && (percent < 10 || percent > 100))
    throw refused('scale', 'original, or a value from 10% to 100%', scale);
  const isScaled = scale !== 'original';
  if (isScaled && position === 'original')
    throw refused('position', 'center or percentages beside scale', position);
  return { ...(isScaled && { subjectScale: percent }), ...positionOf(position) };
}

function positionOf(position: string | undefined): Record<string, unknown> {
  if (position === undefined || position === 'original') return {};
  if (position === 'center') return { position: { x: 50, y: 50 } };
  const [, across, down = across] =
    /^(\d{1,3}(?:\.\d+)?)%(?:\s+(\d{1,3}(?:\.\d+)?)%)?$/.exec(position) ?? [];
  const [x, y] = [Number(across), Number(down)];
  if (across !== undefined && x <= 100 && y <= 100) return { position: { x, y } };
  throw refused('position', 'original, center, or one or two values from 0% to 100%', position);
}

/** Where none is said. */
const usualOpacity = 50;

/** Shadows on the ground, which that service makes of cars, are not made here. */
function shadowOf(read: Read): { shadow?: number } {
  const isWanted = flagField(read, 'add_shadow');
  const type = read('shadow_type') ?? (isWanted ? 'auto' : 'none');
  const opacity = integerField(read, 'shadow_opacity', { most: 100, usual: usualOpacity });
  if (type === 'none') return {};
  if (type !== 'auto' && type !== 'drop') throw refused('shadow_type', 'none, auto or drop', type);
  return { shadow: opacity };
}
