/** Reads EXIF from a block (JPEG, PNG, WebP, AVIF, HEIC) or from a TIFF or RAW file's directories. */
import {
  tags,
  type Directory,
  type ExifEntry,
  type ExifModel,
  findEntry,
  textOf,
} from '../../../files/tiff/exif-model.ts';
import {
  bytesInMemory,
  openLayout,
  readDirectory,
  readEntry,
  readNumber,
  type RawEntry,
  type TiffLayout,
} from '../../../files/tiff/tiff-directory.ts';

/** These tags become no entries: pointers, previews, and blocks that are carried by themselves. */
const notEntries = new Set<number>([
  tags.photo,
  tags.gps,
  tags.interop,
  0x014a, // SubIFDs
  0x0201, // JPEGInterchangeFormat
  0x0202, // and its length
  tags.xmp,
  tags.iptc,
  tags.photoshop,
  tags.icc,
  0xea1c, // padding
]);

/** Tells whether a tag in the first directory of a TIFF or RAW file describes the photo, not the layout. */
const saysOfPhoto = (tag: number) =>
  [0x010d, 0x010e, 0x010f, 0x0110, 0x0112, 0x011a, 0x011b, 0x011d, 0x0128, 0x0131, 0x0132].includes(
    tag,
  ) ||
  [0x013b, 0x013c, 0x4746, 0x4749, 0x8298, 0xc4a5].includes(tag) ||
  (tag >= 0x9c9b && tag <= 0x9c9f) ||
  // TIFF/EP and DNG write exposure into the first directory.
  (tag >= 0x829a && tag <= 0x829d) ||
  (tag >= 0x9003 && tag <= 0x920f);

/** Reads sharp's block, with or without its leading "Exif\0\0". It is undefined for other bytes. */
export function readExifBlock(block: Buffer): ExifModel | undefined {
  const start = block.toString('latin1', 0, 6) === 'Exif\0\0' ? 6 : 0;
  const layout = openLayout(bytesInMemory(block.subarray(start)));
  return layout && readModel(layout, (tag) => !notEntries.has(tag));
}

/** Reads the EXIF of a file with a TIFF layout. It is undefined when it has no entries. */
export function readTiffExif(
  layout: TiffLayout,
  wanted: (tag: number) => boolean = saysOfPhoto,
): ExifModel | undefined {
  const model = readModel(layout, (tag) => wanted(tag) && !notEntries.has(tag));
  const found = model.image.length + model.photo.length + model.gps.length;
  return found > 0 ? model : undefined;
}

/** The sum of all values is bounded, because entries may all point to the same megabytes. */
const mostModelBytes = 8 * 1024 * 1024;

function readModel(layout: TiffLayout, wanted: (tag: number) => boolean): ExifModel {
  const image = readDirectory(layout, layout.firstDirectory).entries;
  const photo = follow(layout, image, tags.photo);
  const gps = follow(layout, image, tags.gps);
  const interop = follow(layout, photo, tags.interop);
  const makerNote = photo.find(({ tag }) => tag === tags.makerNote);
  const own = (tag: number) => !notEntries.has(tag);
  const budget = { leftBytes: mostModelBytes };
  const model: Record<Directory, ExifEntry[]> = {
    image: valuesOf(layout, image, wanted, budget),
    photo: valuesOf(layout, photo, own, budget),
    gps: valuesOf(layout, gps, own, budget),
    interop: valuesOf(layout, interop, own, budget),
  };
  const { littleEndian } = layout;
  return { ...model, littleEndian, ...(makerNote && { makerNoteAt: makerNote.valueAt }) };
}

function follow(layout: TiffLayout, entries: RawEntry[], tag: number): RawEntry[] {
  const pointer = entries.find((entry) => entry.tag === tag);
  const at = pointer && readNumber(layout, pointer);
  return at === undefined ? [] : readDirectory(layout, at).entries;
}

function valuesOf(
  layout: TiffLayout,
  entries: RawEntry[],
  wanted: (tag: number) => boolean,
  budget: { leftBytes: number },
): ExifEntry[] {
  const seen = new Set<number>();
  return entries.flatMap((raw) => {
    if (!wanted(raw.tag) || seen.has(raw.tag) || raw.sizeBytes > budget.leftBytes) return [];
    seen.add(raw.tag);
    budget.leftBytes -= raw.sizeBytes;
    return readEntry(layout, raw) ?? [];
  });
}

const dateTimeOriginal = 0x9003;
const subsecTimeOriginal = 0x9291;

/**
 * Answers when a photo was taken by its camera's clock (EXIF 2.32, 4.6.5 D), such as 2024-05-03T12:11:10.25.
 * It has no time zone, which cameras seldom give. It is undefined where EXIF gives no time.
 */
export function captureTimeOf({ photo, image }: ExifModel): string | undefined {
  // TIFF/EP writes the time into the first directory.
  const entries = [...photo, ...image];
  const told = findEntry(entries, dateTimeOriginal);
  const [, date, time] = told === undefined ? [] : (dateAndTime.exec(textOf(told)) ?? []);
  if (date === undefined || time === undefined) return undefined;
  const fraction = findEntry(photo, subsecTimeOriginal);
  const digits = fraction === undefined ? '' : (/^\d{1,9}/.exec(textOf(fraction))?.[0] ?? '');
  return `${date.replaceAll(':', '-')}T${time}${digits === '' ? '' : `.${digits}`}`;
}

/** The year must begin with 1 or 2, because cameras whose clock was never set write zeros or blanks. */
const dateAndTime = /^([12]\d{3}:[01]\d:[0-3]\d) ([0-2]\d:[0-5]\d:[0-6]\d)/;
