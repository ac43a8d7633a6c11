/** EXIF as lists of entries, whatever file or directory layout they came from. TIFF 6.0, EXIF 2.32. */

export interface ExifEntry {
  tag: number;
  /** TIFF field type, 1-13. */
  type: number;
  count: number;
  /** The value, in the byte order of its model. */
  bytes: Buffer;
}

export const directories = ['image', 'photo', 'gps', 'interop'] as const;
export type Directory = (typeof directories)[number];

/** Pointers, thumbnails and what lays out pixels are never among the entries. */
export type ExifModel = Record<Directory, ExifEntry[]> & {
  littleEndian: boolean;
  /** Offset of the MakerNote's bytes from the TIFF header they were read behind. */
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

const bytesOfType = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];

/** Bytes of one value; 0 for a type that TIFF does not know. */
export const typeBytes = (type: number): number => bytesOfType[type] ?? 0;

/** Bytes of what is swapped for the other byte order: a rational is two numbers. */
export const unitBytes = (type: number): number =>
  type === 5 || type === 10 ? 4 : typeBytes(type);

export const findEntry = (entries: readonly ExifEntry[], tag: number): ExifEntry | undefined =>
  entries.find((entry) => entry.tag === tag);

export const without = (entries: readonly ExifEntry[], ...unwanted: number[]): ExifEntry[] =>
  entries.filter(({ tag }) => !unwanted.includes(tag));

/** The entries with this one in the place of another of its tag. */
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

/** The text of an ASCII entry, without its zeros. */
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
