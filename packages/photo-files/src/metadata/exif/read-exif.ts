/** Reads EXIF from a block (JPEG, PNG, WebP, AVIF, HEIC) or from the directories of a TIFF or RAW file. */
import {
  type ExifEntry,
  bytesInMemory,
  openLayout,
  readDirectory,
  readEntry,
  readNumber,
  type RawEntry,
  type TiffLayout,
} from '../../../../file-records/src/index.ts';
import { tags, type Directory, type ExifModel, findEntry, textOf } from './exif-model.ts';

/** Tags that are not entries: pointers, previews, and blocks that are transferred separately. */
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

/**
 * Tags that describe pixels which a result does not have: a sensor's crops and masks (DNG, Sony, HD Photo) and the
 * scale of a map (GeoTIFF). Programs copy them into the EXIF of a JPEG.
 */
const ofOtherPixels = new Set<number>([
  ...[0x0142, 0x0143, 0x0144, 0x0145], // tiles
  ...[0x74c7, 0x74c8], // SonyCropTopLeft, SonyCropSize
  ...[0x8214, 0x8215], // ImageFullWidth, ImageFullHeight
  ...[0x830e, 0x8482, 0x85d8, 0x87af, 0x87b0, 0x87b1], // GeoTIFF
  ...[0xbc80, 0xbc81], // ImageWidth and ImageHeight of HD Photo
  ...[0xc61f, 0xc620, 0xc68d, 0xc68e], // DefaultCropOrigin, DefaultCropSize, ActiveArea, MaskedAreas
  ...[0xc791, 0xc792, 0xc793], // OriginalDefaultFinalSize, OriginalBestQualitySize, OriginalDefaultCropSize
  0xcd38, // MaskSubArea
]);

/** Whether a tag in the first directory of a TIFF or RAW file describes the photo, not the layout. */
const describesPhoto = (tag: number) =>
  [0x010d, 0x010e, 0x010f, 0x0110, 0x0112, 0x011a, 0x011b, 0x011d, 0x0128, 0x0131, 0x0132].includes(
    tag,
  ) ||
  [0x013b, 0x013c, 0x4746, 0x4749, 0x8298, 0xc4a5].includes(tag) ||
  (tag >= 0x9c9b && tag <= 0x9c9f) ||
  // TIFF/EP and DNG write exposure into the first directory.
  (tag >= 0x829a && tag <= 0x829d) ||
  (tag >= 0x9003 && tag <= 0x920f);

/** Reads sharp's block, with or without its leading "Exif\\0\\0"; undefined for other bytes. */
export function readExifBlock(block: Buffer): ExifModel | undefined {
  const start = block.toString('latin1', 0, 6) === 'Exif\0\0' ? 6 : 0;
  const layout = openLayout(bytesInMemory(block.subarray(start)));
  return layout && readModel(layout, (tag) => !notEntries.has(tag) && !ofOtherPixels.has(tag));
}

/** Reads the EXIF of a file with a TIFF layout; undefined if it has no entries. */
export function readTiffExif(
  layout: TiffLayout,
  accepts: (tag: number) => boolean = describesPhoto,
): ExifModel | undefined {
  const model = readModel(layout, (tag) => accepts(tag) && !notEntries.has(tag));
  const found = model.image.length + model.photo.length + model.gps.length;
  return found > 0 ? model : undefined;
}

/** Limit for the sum of all values: entries may all refer to the same megabytes. */
const maxModelBytes = 8 * 1024 * 1024;

function readModel(layout: TiffLayout, accepts: (tag: number) => boolean): ExifModel {
  const image = readDirectory(layout, layout.firstDirectory).entries;
  const photo = follow(layout, image, tags.photo);
  const gps = follow(layout, image, tags.gps);
  const interop = follow(layout, photo, tags.interop);
  const makerNote = photo.find(({ tag }) => tag === tags.makerNote);
  const own = (tag: number) => !notEntries.has(tag);
  const budget = { leftBytes: maxModelBytes };
  const model: Record<Directory, ExifEntry[]> = {
    image: valuesOf(layout, image, accepts, budget),
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
  accepts: (tag: number) => boolean,
  budget: { leftBytes: number },
): ExifEntry[] {
  const seenTags = new Set<number>();
  return entries.flatMap((raw) => {
    if (!accepts(raw.tag) || seenTags.has(raw.tag) || raw.sizeBytes > budget.leftBytes) return [];
    seenTags.add(raw.tag);
    budget.leftBytes -= raw.sizeBytes;
    return readEntry(layout, raw) ?? [];
  });
}

const dateTimeOriginal = 0x9003;
const subsecTimeOriginal = 0x9291;

/**
 * Capture time by the camera's clock (EXIF 2.32, 4.6.5 D), such as 2024-05-03T12:11:10.25, without a time
 * zone, which cameras seldom record; undefined if EXIF has none.
 */
export function captureTimeOf({ photo, image }: ExifModel): string | undefined {
  // TIFF/EP writes the time into the first directory.
  const entries = [...photo, ...image];
  const original = findEntry(entries, dateTimeOriginal);
  const [, date, time] = original === undefined ? [] : (dateAndTime.exec(textOf(original)) ?? []);
  if (date === undefined || time === undefined) return undefined;
  const fraction = findEntry(photo, subsecTimeOriginal);
  const digits = fraction === undefined ? '' : (/^\d{1,9}/.exec(textOf(fraction))?.[0] ?? '');
  return `${date.replaceAll(':', '-')}T${time}${digits === '' ? '' : `.${digits}`}`;
}

/** The year must begin with 1 or 2: cameras whose clock was never set write zeros or blanks. */
const dateAndTime = /^([12]\d{3}:[01]\d:[0-3]\d) ([0-2]\d:[0-5]\d:[0-6]\d)/;
