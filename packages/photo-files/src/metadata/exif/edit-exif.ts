/** Corrects EXIF for the result, and removes what identifies a person or a place. Pure. */
import type { Size } from '../../../../contract/src/geometry.ts';
import type { ExifEntry } from '../../../../file-records/src/index.ts';
import {
  findEntry,
  longEntry,
  shortEntry,
  shortsOf,
  tags,
  textEntry,
  withEntry,
  without,
  type ExifModel,
} from './exif-model.ts';

export interface ResultGeometry extends Size {
  /** Result pixels per source pixel, along a side. */
  scale: number;
  /** Whether the picture was turned upright. */
  turned: boolean;
  /** Whether width and height were swapped in turning. */
  sidesExchanged?: boolean;
}

/** Corrects orientation and sizes. The model has no embedded thumbnail. */
export function updateExif(model: ExifModel, facts: ResultGeometry): ExifModel {
  const { littleEndian } = model;
  const sized = (entries: ExifEntry[], tag: number, value: number) =>
    findEntry(entries, tag) ? withEntry(entries, longEntry(tag, value, littleEndian)) : entries;
  const bothSized = (entries: ExifEntry[], widthTag: number, heightTag: number) =>
    sized(sized(entries, widthTag, facts.width), heightTag, facts.height);
  const upright = findEntry(model.image, tags.orientation)
    ? withEntry(model.image, shortEntry(tags.orientation, [1], littleEndian))
    : model.image;
  const photo = bothSized(model.photo, tags.pixelWidth, tags.pixelHeight);
  const dense = (entries: ExifEntry[], [x, y]: readonly [number, number]) =>
    withDensePixels(entries, x, y, facts, littleEndian);
  return {
    ...model,
    image: dense(bothSized(upright, tags.imageWidth, tags.imageHeight), focalPlaneOfTiffEp),
    photo: dense(
      scaledPosition(scaledPosition(photo, tags.subjectArea), tags.subjectLocation),
      focalPlane,
    ),
    interop: bothSized(model.interop, tags.relatedWidth, tags.relatedHeight),
  };

  /** Scales an entry with a position in pixels; removes it if the picture was turned. */
  function scaledPosition(entries: ExifEntry[], tag: number): ExifEntry[] {
    const found = findEntry(entries, tag);
    if (!found) return entries;
    const values = shortsOf(found, littleEndian).map((value) => Math.round(value * facts.scale));
    const holds = !facts.turned && values.length > 0 && values.every((value) => value <= 0xffff);
    return holds
      ? withEntry(entries, shortEntry(tag, values, littleEndian))
      : without(entries, tag);
  }
}

/** FocalPlaneXResolution and FocalPlaneYResolution: pixels per unit of the sensor. */
const focalPlane = [0xa20e, 0xa20f] as const;
const focalPlaneOfTiffEp = [0x920e, 0x920f] as const;
const rational = 5;

/** Scales the pixels per unit of the sensor, swapped if the picture's sides were. */
function withDensePixels(
  entries: ExifEntry[],
  xTag: number,
  yTag: number,
  { scale, sidesExchanged }: ResultGeometry,
  littleEndian: boolean,
): ExifEntry[] {
  const [x, y] = [findEntry(entries, xTag), findEntry(entries, yTag)];
  const scaled = (entry: ExifEntry | undefined, tag: number): ExifEntry[] => {
    if (entry?.type !== rational || entry.bytes.length !== 8) return [];
    const over = littleEndian ? entry.bytes.readUInt32LE(0) : entry.bytes.readUInt32BE(0);
    const under = littleEndian ? entry.bytes.readUInt32LE(4) : entry.bytes.readUInt32BE(4);
    const [newOver, newUnder] = scaledFraction(over, under, scale);
    const parts = [newOver, newUnder].map((part) => longEntry(tag, part, littleEndian).bytes);
    return [{ ...entry, tag, bytes: Buffer.concat(parts) }];
  };
  const [ofX, ofY] = sidesExchanged === true ? [y, x] : [x, y];
  const added = [...scaled(ofX, xTag), ...scaled(ofY, yTag)];
  return [...entries.filter(({ tag }) => !added.some((one) => one.tag === tag)), ...added];
}

/** Multiplies a fraction by a scale, within 32 bits for both parts. */
function scaledFraction(over: number, under: number, scale: number): [number, number] {
  const exact = over * scale;
  if (Number.isInteger(exact) && exact <= 0xffffffff) return [exact, under];
  const largest = Math.max(exact, under);
  const factor = Math.min(
    1000,
    Math.floor(0xffffffff / Math.max(1, largest)) || 0xffffffff / largest,
  );
  return [Math.round(exact * factor), Math.max(1, Math.round(under * factor))];
}

/** Entries with the owner's name and serial numbers. */
const identifying = [tags.cameraOwner, tags.bodySerial, tags.lensSerial];
const hostComputer = 0x013c;
const cameraSerialOfDng = 0xc62f;
const imageUniqueId = 0xa420;
/** Free text, into which applications write positions. */
const userComment = 0x9286;

/** Removes position, serial numbers, owner, and the MakerNote, which holds serial numbers. */
export function privateExif(model: ExifModel): ExifModel {
  const unwanted = [
    ...identifying,
    hostComputer,
    cameraSerialOfDng,
    imageUniqueId,
    userComment,
    tags.makerNote,
  ];
  return {
    ...model,
    image: without(model.image, ...unwanted),
    photo: without(model.photo, ...unwanted),
    gps: [],
  };
}

export const withSoftware = (model: ExifModel, software: string): ExifModel => ({
  ...model,
  image: withEntry(model.image, textEntry(tags.software, software)),
});
