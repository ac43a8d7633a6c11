/** Translates a request for POST /v1.0/removebg into the fields of a submit. All of it is pure. */
import { FieldRefused } from '../refusal.ts';
import { flagField, integerField, oneOfField, refused, type Read } from '../read-fields.ts';
import { readRoi } from './region-of-interest.ts';
import { namedColour } from '../../../../electron/contract/options/background.ts';

export interface RemovebgOrder {
  /** The fields are those of a submit of the operation remove-bg. */
  fields: Record<string, unknown>;
  /** The answer is a ZIP with colours and alpha as two files. */
  asZip: boolean;
  /** Computes where the subject may stand from the picture's size; undefined means anywhere. */
  roi: ReturnType<typeof readRoi>;
  /** The answer names this type of subject; undefined means that the request wants none. */
  type: string | undefined;
  /** The notes name wishes that change nothing here; a header of the answer shows them. */
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
/** The values are millions of pixels; a size that is not listed leaves the picture its own size. */
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

/**
 * Reads the wishes of a request. It throws FieldRefused for a value that Enlarger cannot honour.
 * @param hasPicture whether a picture is to stand behind the subject
 */
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

/** Chooses a mask's format. A ZIP becomes a PNG, because a mask has no second file and clients read PNGs. */
const maskFormat = (format: string) =>
  format === 'jpg' ? 'jpeg' : format === 'webp' ? 'webp' : 'png';

/** Chooses format and background. A JPEG without a background is put on white, as remove.bg does. */
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

/**
 * Reads a colour of hexadecimal digits; undefined when the text is none. It throws FieldRefused for an alpha
 * other than fully opaque or fully transparent.
 */
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

/**
 * Reads the share of the canvas that the subject fills, and its position. A scaled subject stands in the
 * middle unless a position is given.
 */
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

/** A shadow has this opacity in percent where the request names none. */
const usualOpacity = 50;

/** Reads the shadow. The shadows on the ground that remove.bg makes of cars are refused. */
function shadowOf(read: Read): { shadow?: number } {
  const isWanted = flagField(read, 'add_shadow');
  const type = read('shadow_type') ?? (isWanted ? 'auto' : 'none');
  const opacity = integerField(read, 'shadow_opacity', { most: 100, usual: usualOpacity });
  if (type === 'none') return {};
  if (type !== 'auto' && type !== 'drop') throw refused('shadow_type', 'none, auto or drop', type);
  return { shadow: opacity };
}
