/** Maps a request for POST /v1.0/removebg to fields of a submit. Pure. */
import { FieldRefused } from '../refusal.ts';
import { flagField, integerField, oneOfField, refusedValue, type Read } from '../read-fields.ts';
import { readRoi } from './region-of-interest.ts';
import { namedColour } from '../../../contract/src/options/background.ts';

export interface RemovebgOrder {
  /** Fields of a remove-bg submit. */
  fields: Record<string, unknown>;
  /** Respond with a ZIP of colours and alpha. */
  asZip: boolean;
  /** Computes the region of the subject from the picture's size; undefined for anywhere. */
  roi: ReturnType<typeof readRoi>;
  /** Type of subject in the response; undefined if not requested. */
  type: string | undefined;
  /** Options without effect here, named in a response header. */
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
/** Millions of pixels; other sizes keep that of the picture. */
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
 * @param hasPicture a background picture is given
 * @throws FieldRefused for an unsupported value
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

/** Format of a mask; PNG for ZIP, since a mask has no second file and clients read PNG. */
const maskFormat = (format: string) =>
  format === 'jpg' ? 'jpeg' : format === 'webp' ? 'webp' : 'png';

/** A JPEG without background is put on white, as remove.bg does. */
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
  const received = read('bg_color');
  if (received === undefined) return undefined;
  const colour = namedColour(received) ?? colourOf(received.replace(/^#/, ''));
  if (colour === undefined)
    throw refusedValue(
      'bg_color',
      'a colour of 3, 4, 6 or 8 hexadecimal digits, or a name',
      received,
    );
  return colour;
}

/** Hex colour; undefined for other text. @throws FieldRefused for a partial alpha */
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
    throw refusedValue('crop_margin', 'one value from 0% to 50%', margin);
  return { crop: Number(percent) };
}

/** Size of the subject on the canvas, and its position; centred by default. */
function placeOf(read: Read): Record<string, unknown> {
  const scale = read('scale') ?? 'original';
  const position = read('position');
  const percent = Number(/^(\d{2,3})%$/.exec(scale)?.[1] ?? 0);
  if (scale !== 'original' && (percent < 10 || percent > 100))
    throw refusedValue('scale', 'original, or a value from 10% to 100%', scale);
  const isScaled = scale !== 'original';
  if (isScaled && position === 'original')
    throw refusedValue('position', 'center or percentages beside scale', position);
  return { ...(isScaled && { subjectScale: percent }), ...positionOf(position) };
}

function positionOf(position: string | undefined): Record<string, unknown> {
  if (position === undefined || position === 'original') return {};
  if (position === 'center') return { position: { x: 50, y: 50 } };
  const [, across, down = across] =
    /^(\d{1,3}(?:\.\d+)?)%(?:\s+(\d{1,3}(?:\.\d+)?)%)?$/.exec(position) ?? [];
  const [x, y] = [Number(across), Number(down)];
  if (across !== undefined && x <= 100 && y <= 100) return { position: { x, y } };
  throw refusedValue(
    'position',
    'original, center, or one or two values from 0% to 100%',
    position,
  );
}

/** Opacity in percent of a shadow without one. */
const defaultOpacity = 50;

/** @throws FieldRefused for remove.bg's ground shadows of cars */
function shadowOf(read: Read): { shadow?: number } {
  const isWanted = flagField(read, 'add_shadow');
  const type = read('shadow_type') ?? (isWanted ? 'auto' : 'none');
  const opacity = integerField(read, 'shadow_opacity', { max: 100, defaultValue: defaultOpacity });
  if (type === 'none') return {};
  if (type !== 'auto' && type !== 'drop')
    throw refusedValue('shadow_type', 'none, auto or drop', type);
  return { shadow: opacity };
}
