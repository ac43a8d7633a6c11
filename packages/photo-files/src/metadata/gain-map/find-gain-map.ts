/**
 * Finds the HDR gain map beside a base picture: Ultra HDR and ISO 21496-1 in a JPEG, ISO 21496-1 in HEIC and
 * AVIF, and Apple's in JPEG and HEIC.
 */
import { findEntry, tags, type ExifModel } from '../exif/exif-model.ts';
import {
  bytesInMemory,
  readDirectory,
  readEntry,
  type TiffBytes,
  type TiffLayout,
  readHeifItems,
  type HeifItems,
  ifComplete,
} from '../../../../file-records/src/index.ts';
import {
  isoGainMapHead,
  payloadsOf,
  readSegmentsOf,
  xmpOf,
  type JpegSegment,
} from '../containers/jpeg-segments.ts';
import { Xmp } from '../xmp/xmp.ts';
import { multiPictureHead, readPictureIndex } from '../containers/multi-picture.ts';
import {
  headroomOfApple,
  levelsOfApple,
  parametersOfHeadroom,
  parametersOfIso,
  parametersOfXmp,
  type GainMapParameters,
} from './parameters.ts';

export interface SourceGainMap {
  /** Range of the map's JPEG in the file, or the number of its item in a HEIF file. */
  place: { kind: 'range'; at: number; sizeBytes: number } | { kind: 'item'; id: number };
  parameters: GainMapParameters;
  /** New values of the levels 0..255, for a map that is not logarithmic. */
  levels?: Uint8Array;
}

/** Undefined if there is none, or one whose parameters are missing or not known. */
export const findJpegGainMap = (
  bytes: TiffBytes,
  exif: ExifModel | undefined,
): SourceGainMap | undefined =>
  ifComplete(() => {
    const segments = readSegmentsOf(bytes, 0, true);
    for (const range of furtherPictures(bytes, segments)) {
      const own = readSegmentsOf(bytes, range.at, true);
      const found = gainOfJpeg(own, exif);
      if (found) return { ...found, place: { kind: 'range', ...range } };
    }
    return undefined;
  });

interface Gain {
  parameters: GainMapParameters;
  levels?: Uint8Array;
}

function gainOfJpeg(
  segments: readonly JpegSegment[],
  exif: ExifModel | undefined,
): Gain | undefined {
  const [iso] = payloadsOf(segments, 0xe2, isoGainMapHead);
  const packet = xmpOf(segments);
  const xmp = packet && Xmp.read(packet);
  const parameters =
    (iso && ifComplete(() => parametersOfIso(iso))) ??
    (xmp?.get('hdrgm', 'Version') === undefined ? undefined : parametersOfXmp(xmp));
  if (parameters) return { parameters };
  return xmp?.get('appleGain', 'HDRGainMapVersion') === undefined
    ? undefined
    : gainOfApple(xmp, exif);
}

/** A larger map is not read. */
const maxMapBytes = 128 * 1024 * 1024;

/** Ranges of the pictures behind the first, by the file's index or else by Google's list of items. */
function furtherPictures(
  bytes: TiffBytes,
  segments: readonly JpegSegment[],
): { at: number; sizeBytes: number }[] {
  const isPicture = ({ at, sizeBytes }: { at: number; sizeBytes: number }) =>
    at > 0 &&
    sizeBytes <= maxMapBytes &&
    at + sizeBytes <= bytes.size &&
    bytes.read(at, 2).readUInt16BE(0) === 0xffd8;
  const indexed = segments.flatMap(({ marker, payload, end }) => {
    const head = payload.toString('latin1', 0, multiPictureHead.length);
    if (marker !== 0xe2 || head !== multiPictureHead) return [];
    const index = payload.subarray(multiPictureHead.length);
    return readPictureIndex(index).flatMap(({ offset, sizeBytes }) =>
      offset === 0 ? [] : [{ at: end - index.length + offset, sizeBytes }],
    );
  });
  return [...indexed, ...listedPictures(bytes, segments)].filter(isPicture);
}

/** The items behind the picture are listed with their lengths, the last of which ends the file. */
function listedPictures(bytes: TiffBytes, segments: readonly JpegSegment[]) {
  const packet = xmpOf(segments);
  const items = (packet && Xmp.read(packet)?.containerItems()) ?? [];
  let end = bytes.size;
  return items.toReversed().flatMap(({ semantic, sizeBytes }) => {
    end -= sizeBytes;
    return semantic === 'GainMap' ? [{ at: end, sizeBytes }] : [];
  });
}

const appleGainMap = 'urn:com:apple:photo:2020:aux:hdrgainmap';

/** As for JPEG. */
export const findHeifGainMap = (
  bytes: TiffBytes,
  exif: ExifModel | undefined,
): SourceGainMap | undefined =>
  ifComplete(() => {
    const items = readHeifItems(bytes);
    return items && (isoMapIn(items) ?? appleMapIn(items, exif));
  });

function isoMapIn({ items, references, content, primaryId }: HeifItems): SourceGainMap | undefined {
  for (const { id } of items.filter(({ type }) => type === 'tmap')) {
    const [base, map] =
      references.find(({ type, from }) => type === 'dimg' && from === id)?.to ?? [];
    const payload = content(id);
    if (base !== primaryId || map === undefined || payload?.[0] !== 0) continue;
    const parameters = ifComplete(() => parametersOfIso(payload.subarray(1)));
    if (parameters) return { place: { kind: 'item', id: map }, parameters };
  }
  return undefined;
}

function appleMapIn(items: HeifItems, exif: ExifModel | undefined): SourceGainMap | undefined {
  const map = items.references.find(
    ({ type, from, to }) =>
      type === 'auxl' &&
      to.includes(items.primaryId) &&
      items.property(from, 'auxC')?.includes(appleGainMap, 4, 'latin1') === true,
  )?.from;
  if (map === undefined) return undefined;
  const describing = items.references.find(({ type, to }) => type === 'cdsc' && to.includes(map));
  const packet = describing && items.content(describing.from);
  const gain = gainOfApple(packet && Xmp.read(packet), exif);
  return gain && { ...gain, place: { kind: 'item', id: map } };
}

/** Apple's headroom is in the map's XMP or, of older photos, in the maker notes. */
function gainOfApple(xmp: Xmp | undefined, exif: ExifModel | undefined): Gain | undefined {
  const [stated] = xmp?.numbers('appleGain', 'HDRGainMapHeadroom') ?? [];
  const headroom = stated ?? (exif && headroomOfMakerNote(exif));
  const parameters = headroom === undefined ? undefined : parametersOfHeadroom(headroom);
  return parameters && { parameters, levels: levelsOfApple(headroom ?? 1) };
}

const appleNote = 'Apple iOS\0';
/** Its directory begins behind name, version and byte order. */
const appleDirectoryAt = 14;
const signedRational = 10;

function headroomOfMakerNote({ photo }: ExifModel): number | undefined {
  const note = findEntry(photo, tags.makerNote)?.bytes;
  if (note?.toString('latin1', 0, appleNote.length) !== appleNote) return undefined;
  const layout: TiffLayout = {
    bytes: bytesInMemory(note),
    littleEndian: note.toString('latin1', appleDirectoryAt - 2, appleDirectoryAt) === 'II',
    big: false,
    firstDirectory: appleDirectoryAt,
  };
  const { entries } = readDirectory(layout, appleDirectoryAt);
  const valueOf = (wanted: number): number | undefined => {
    const raw = entries.find(({ tag, type }) => tag === wanted && type === signedRational);
    const value = raw && readEntry(layout, raw)?.bytes;
    if (!value) return undefined;
    const part = (at: number) =>
      layout.littleEndian ? value.readInt32LE(at) : value.readInt32BE(at);
    return part(0) / part(4);
  };
  const [headroom, gain] = [valueOf(33), valueOf(48)];
  return headroom === undefined || gain === undefined ? undefined : headroomOfApple(headroom, gain);
}
