/** Makes EXIF true for the result, and removes what identifies a person or a place. This is pure. */
import type { Size } from '../../../contract/geometry.ts';
import {
  findEntry,
  longEntry,
  shortEntry,
  shortsOf,
  tags,
  textEntry,
  withEntry,
  without,
  type ExifEntry,
  type ExifModel,
} from '../../../files/tiff/exif-model.ts';

export interface ResultFacts extends Size {
  /** Each pixel of the source becomes so many pixels of the result, along a side. */
  scale: number;
  /** It tells whether the picture was turned to stand upright. */
  turned: boolean;
}

/** Makes the entries upright and of the result's size. A model's entries hold no embedded thumbnail. */
export function updateExif(model: ExifModel, facts: ResultFacts): ExifModel {
  const { littleEndian } = model;
  const sized = (entries: ExifEntry[], tag: number, value: number) =>
    findEntry(entries, tag) ? withEntry(entries, longEntry(tag, value, littleEndian)) : entries;
  const bothSized = (entries: ExifEntry[], widthTag: number, heightTag: number) =>
    sized(sized(entries, widthTag, facts.width), heightTag, facts.height);
  const upright = findEntry(model.image, tags.orientation)
    ? withEntry(model.image, shortEntry(tags.orientation, [1], littleEndian))
    : model.image;
  const photo = bothSized(model.photo, tags.pixelWidth, tags.pixelHeight);
  return {
    ...model,
    image: bothSized(upright, tags.imageWidth, tags.imageHeight),
    photo: placed(placed(photo, tags.subjectArea), tags.subjectLocation),
    interop: bothSized(model.interop, tags.relatedWidth, tags.relatedHeight),
  };

  /** Scales an entry that gives a position in pixels. It is removed when the picture was turned. */
  function placed(entries: ExifEntry[], tag: number): ExifEntry[] {
    const found = findEntry(entries, tag);
    if (!found) return entries;
    const values = shortsOf(found, littleEndian).map((value) => Math.round(value * facts.scale));
    const holds = !facts.turned && values.length > 0 && values.every((value) => value <= 0xffff);
    return holds
      ? withEntry(entries, shortEntry(tag, values, littleEndian))
      : without(entries, tag);
  }
}

/** These entries hold the owner's name and serial numbers. */
const named = [tags.cameraOwner, tags.bodySerial, tags.lensSerial];
const hostComputer = 0x013c;
const cameraSerialOfDng = 0xc62f;
const imageUniqueId = 0xa420;

/** Removes position, serial numbers and owner. The MakerNote goes, too, because it holds serial numbers. */
export function privateExif(model: ExifModel): ExifModel {
  const unwanted = [...named, hostComputer, cameraSerialOfDng, imageUniqueId, tags.makerNote];
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
