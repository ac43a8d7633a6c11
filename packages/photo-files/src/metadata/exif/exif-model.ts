/** EXIF as lists of entries, independent of layout (TIFF 6.0, EXIF 3.0). */
import {
  asciiType,
  typeBytes,
  utf8Type,
  type ExifEntry,
} from '../../../../file-records/src/index.ts';

export const directories = ['image', 'photo', 'gps', 'interop'] as const;
export type Directory = (typeof directories)[number];

/** Without pointers, thumbnails and tags of the pixel layout. */
export type ExifModel = Record<Directory, ExifEntry[]> & {
  littleEndian: boolean;
  /** Offset of the MakerNote from the TIFF header when read. */
  makerNoteAt?: number;
};

export const tags = {
  imageWidth: 0x0100,
  imageHeight: 0x0101,
  orientation: 0x0112,
  xResolution: 0x011a,
  yResolution: 0x011b,
  resolutionUnit: 0x0128,
  software: 0x0131,
  xmp: 0x02bc,
  iptc: 0x83bb,
  photoshop: 0x8649,
  icc: 0x8773,
  photo: 0x8769,
  gps: 0x8825,
  makerNote: 0x927c,
  subjectArea: 0x9214,
  pixelWidth: 0xa002,
  pixelHeight: 0xa003,
  interop: 0xa005,
  subjectLocation: 0xa214,
  cameraOwner: 0xa430,
  bodySerial: 0xa431,
  lensSerial: 0xa435,
  relatedWidth: 0x1001,
  relatedHeight: 0x1002,
} as const;

/** Whether the value is text: ASCII, or UTF-8 since EXIF 3.0. */
export const isText = ({ type }: ExifEntry): boolean => type === asciiType || type === utf8Type;

/** Bytes swapped together for the other byte order; a rational is two numbers. */
export const unitBytes = (type: number): number =>
  type === 5 || type === 10 ? 4 : typeBytes(type);

export const findEntry = (entries: readonly ExifEntry[], tag: number): ExifEntry | undefined =>
  entries.find((entry) => entry.tag === tag);

export const without = (entries: readonly ExifEntry[], ...unwanted: number[]): ExifEntry[] =>
  entries.filter(({ tag }) => !unwanted.includes(tag));

/** Replaces any entry with the same tag. */
export const withEntry = (entries: readonly ExifEntry[], entry: ExifEntry): ExifEntry[] => [
  ...without(entries, entry.tag),
  entry,
];

export function textEntry(tag: number, text: string): ExifEntry {
  const bytes = Buffer.from(`${text}\0`, 'utf8');
  return { tag, type: 2, count: bytes.length, bytes };
}

export function longEntry(tag: number, value: number, littleEndian: boolean): ExifEntry {
  const bytes = Buffer.alloc(4);
  if (littleEndian) bytes.writeUInt32LE(value);
  else bytes.writeUInt32BE(value);
  return { tag, type: 4, count: 1, bytes };
}

export function shortEntry(
  tag: number,
  values: readonly number[],
  littleEndian: boolean,
): ExifEntry {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [i, value] of values.entries()) {
    if (littleEndian) bytes.writeUInt16LE(value, 2 * i);
    else bytes.writeUInt16BE(value, 2 * i);
  }
  return { tag, type: 3, count: values.length, bytes };
}

/** Text of an ASCII entry, up to the first NUL. */
export const textOf = (entry: ExifEntry): string =>
  entry.bytes
    .toString('utf8')
    .replace(/\0[^]*$/, '')
    .trim();

export function shortsOf({ bytes, type }: ExifEntry, littleEndian: boolean): number[] {
  if (type !== 3) return [];
  return Array.from({ length: Math.floor(bytes.length / 2) }, (_, i) =>
    littleEndian ? bytes.readUInt16LE(2 * i) : bytes.readUInt16BE(2 * i),
  );
}

/** Rational entry of an integer. */
function integerRational(tag: number, value: number, littleEndian: boolean): ExifEntry {
  const parts = [value, 1].map((part) => longEntry(tag, part, littleEndian).bytes);
  return { tag, type: 5, count: 1, bytes: Buffer.concat(parts) };
}

const perInch = 2;
const perCentimetre = 3;

/** Pixels per inch; undefined if absent. */
export function densityOf({ image, littleEndian }: ExifModel): number | undefined {
  const entry = findEntry(image, tags.xResolution);
  if (entry?.type !== 5 || entry.bytes.length < 8) return undefined;
  const part = (at: number) =>
    littleEndian ? entry.bytes.readUInt32LE(at) : entry.bytes.readUInt32BE(at);
  const value = part(0) / part(4);
  const unitEntry = findEntry(image, tags.resolutionUnit);
  const [unit = perInch] = unitEntry ? shortsOf(unitEntry, littleEndian) : [];
  const inch = unit === perCentimetre ? value * 2.54 : value;
  return Number.isFinite(inch) && inch > 0 && unit > 1 ? inch : undefined;
}

/** @param density pixels per inch */
export function withDensity(model: ExifModel, density: number): ExifModel {
  const { littleEndian } = model;
  const value = Math.max(1, Math.round(density));
  const image = [tags.xResolution, tags.yResolution].reduce(
    (entries, tag) => withEntry(entries, integerRational(tag, value, littleEndian)),
    model.image,
  );
  return {
    ...model,
    image: withEntry(image, shortEntry(tags.resolutionUnit, [perInch], littleEndian)),
  };
}

export const emptyExif = (): ExifModel => ({
  image: [],
  photo: [],
  gps: [],
  interop: [],
  littleEndian: true,
});
