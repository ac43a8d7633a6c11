/** Describes EXIF for display, with the standard's names and with units. */
import { withoutTrailingZeros } from '../linear-text.ts';
import { typeBytes, type ExifEntry } from '../../../../file-records/src/index.ts';
import {
  directories,
  findEntry,
  isText,
  textOf,
  type Directory,
  type ExifModel,
} from './exif-model.ts';
import { exifName } from './exif-names.ts';
import { exifWords } from './exif-words.ts';

interface ExifField {
  directory: Directory;
  name: string;
  value: string;
}

export function describeExif(model: ExifModel): ExifField[] {
  return directories.flatMap((directory) =>
    model[directory].flatMap((entry) => {
      const name = exifName(directory, entry.tag);
      const value = valueOf(name, entry, model);
      return value === undefined ? [] : [{ directory, name, value }];
    }),
  );
}

/** Entries shown in the value of another entry. */
const shownElsewhere = new Set([
  'GPSLatitudeRef',
  'GPSLongitudeRef',
  'GPSAltitudeRef',
  'ComponentsConfiguration',
]);

function valueOf(name: string, entry: ExifEntry, model: ExifModel): string | undefined {
  if (shownElsewhere.has(name)) return undefined;
  if (name.startsWith('XP')) return withoutTrailingZeros(entry.bytes.toString('utf16le'));
  if (name === 'UserComment') return commentOf(entry.bytes, model.littleEndian);
  if (isText(entry)) return datesAsIso(name, textOf(entry));
  if (entry.type === 7) return undefinedBytes(name, entry.bytes);
  const numbers = numbersOf(entry, model.littleEndian);
  const [first] = numbers;
  if (first === undefined) return undefined;
  return exifWords[name]?.[first] ?? withUnit(name, first, numbers, model);
}

const datesAsIso = (name: string, text: string) =>
  /Date/.test(name) ? text.replace(/^(\d{4}):(\d\d):(\d\d)/, '$1-$2-$3') : text;

function undefinedBytes(name: string, bytes: Buffer): string {
  const text = withoutTrailingZeros(bytes.toString('latin1'));
  if (/Version$/.test(name) && /^\d{4}$/.test(text))
    return `${Number(text.slice(0, 2))}.${text.slice(2)}`;
  const isPlain = text.length > 3 && /^[\x20-\x7e]+$/.test(text);
  return isPlain ? text : `${bytes.length} bytes`;
}

/** Decodes a comment, whose first eight bytes name the character set (EXIF 2.32, UserComment). */
function commentOf(bytes: Buffer, littleEndian: boolean): string {
  const isUnicode = bytes.toString('latin1', 0, 7) === 'UNICODE';
  const encoding = isUnicode ? (littleEndian ? 'utf-16le' : 'utf-16be') : 'utf-8';
  return new TextDecoder(encoding).decode(bytes.subarray(8)).replace(/\0/g, '').trim();
}

const maxNumbers = 16;

/** An entry's numbers, rationals as quotients; empty for a type without numbers. */
function numbersOf({ bytes, type, count }: ExifEntry, littleEndian: boolean): number[] {
  const size = typeBytes(type);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const read: Partial<Record<number, (at: number) => number>> = {
    1: (at) => view.getUint8(at),
    3: (at) => view.getUint16(at, littleEndian),
    4: (at) => view.getUint32(at, littleEndian),
    5: (at) => view.getUint32(at, littleEndian) / view.getUint32(at + 4, littleEndian),
    6: (at) => view.getInt8(at),
    8: (at) => view.getInt16(at, littleEndian),
    9: (at) => view.getInt32(at, littleEndian),
    10: (at) => view.getInt32(at, littleEndian) / view.getInt32(at + 4, littleEndian),
    11: (at) => view.getFloat32(at, littleEndian),
    12: (at) => view.getFloat64(at, littleEndian),
  };
  const one = read[type];
  const length = Math.min(count, maxNumbers, Math.floor(bytes.length / Math.max(1, size)));
  return one ? Array.from({ length }, (_, i) => one(i * size)) : [];
}

const rounded = (value: number, digits = 2) => String(Number(value.toFixed(digits)));

function secondsOf(value: number): string {
  return value > 0 && value < 0.3 ? `1/${rounded(1 / value, 0)} s` : `${rounded(value)} s`;
}

function withUnit(name: string, first: number, numbers: number[], model: ExifModel): string {
  switch (name) {
    case 'ExposureTime':
      return secondsOf(first);
    case 'ShutterSpeedValue':
      return secondsOf(2 ** -first);
    case 'FNumber':
      return `f/${rounded(first, 1)}`;
    case 'ApertureValue':
    case 'MaxApertureValue':
      return `f/${rounded(2 ** (first / 2), 1)}`;
    case 'FocalLength':
    case 'FocalLengthIn35mmFilm':
      return `${rounded(first)} mm`;
    case 'ExposureBiasValue':
      return `${first > 0 ? '+' : ''}${rounded(first)} EV`;
    case 'SubjectDistance':
      return `${rounded(first)} m`;
    case 'Flash':
      return first % 2 === 1 ? 'fired' : 'not fired';
    case 'LensSpecification':
      return lensOf(numbers);
    default:
      return name.startsWith('GPS') ? gpsValue(name, first, numbers, model) : listOf(numbers);
  }
}

const listOf = (numbers: number[]) => numbers.map((number) => rounded(number, 4)).join(', ');

/** Describes a lens by its shortest and longest focal length, and the smallest f-number at each. */
function lensOf([shortest = 0, longest = 0, wide = NaN, tele = NaN]: number[]): string {
  const span = (a: number, b: number) => (a === b ? rounded(a) : `${rounded(a)}-${rounded(b)}`);
  const apertures = [wide, tele].every(Number.isFinite) ? ` f/${span(wide, tele)}` : '';
  return `${span(shortest, longest)} mm${apertures}`;
}

function gpsValue(name: string, first: number, numbers: number[], { gps }: ExifModel): string {
  const refOf = (tag: number) => {
    const entry = findEntry(gps, tag);
    return entry && isText(entry) ? ` ${textOf(entry)}` : '';
  };
  const [, minutes = 0, seconds = 0] = numbers;
  const degrees = `${rounded(first + minutes / 60 + seconds / 3600, 6)}°`;
  if (name === 'GPSLatitude') return degrees + refOf(0x01);
  if (name === 'GPSLongitude') return degrees + refOf(0x03);
  if (name === 'GPSAltitude') return `${rounded(isBelowSea(gps) ? -first : first, 1)} m`;
  if (name === 'GPSVersionID') return numbers.join('.');
  if (name !== 'GPSTimeStamp') return listOf(numbers);
  return [first, minutes, Math.floor(seconds)].map((n) => String(n).padStart(2, '0')).join(':');
}

const isBelowSea = (gps: readonly ExifEntry[]) => findEntry(gps, 0x05)?.bytes[0] === 1;
