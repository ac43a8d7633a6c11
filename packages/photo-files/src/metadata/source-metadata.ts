/** Reads all metadata of a source from every container of its format. */
import { note } from '../../../contract/src/notes/notes.ts';
import type { Metadata } from 'sharp';
import type { ReadableFormat } from '../../../contract/src/formats.ts';
import { densityOf, tags, type ExifModel } from './exif/exif-model.ts';
import {
  commentsOf,
  extendedXmpOf,
  hasIsoGainMap,
  payloadsOf,
  readSegments,
  standardXmpHead,
  xmpOf,
} from './containers/jpeg-segments.ts';
import { otherPartsOfHeif, otherPartsOfJpeg } from './containers/other-parts.ts';
import {
  iptcOf,
  photoshopHead,
  readRawProfile,
  readSegmentedResources,
  readResources,
  resourceOfIptc,
  type ImageResource,
} from './containers/photoshop.ts';
import {
  keywordOf,
  readChunks,
  textOfChunk,
  xmpOfChunks,
  type PngChunk,
} from './containers/png-chunks.ts';
import {
  credentialsOfHeif,
  credentialsOfJpeg,
  credentialsOfJxl,
  credentialsOfPng,
  credentialsOfTiff,
  credentialsOfWebp,
} from './containers/content-credentials.ts';
import { declaredColours, type DeclaredColours } from './declared-colours.ts';
import type { GainMapFile } from './gain-map/attach-gain-map.ts';
import { findHeifGainMap, findJpegGainMap, type SourceGainMap } from './gain-map/find-gain-map.ts';
import { readExifBlock, readTiffExif } from './exif/read-exif.ts';
import { xmpOfGif } from './containers/gif-blocks.ts';
import { readJxlMetadata } from './containers/jxl-boxes.ts';
import { readRawExif } from './tiff/raw-metadata.ts';
import {
  openLayout,
  readDirectory,
  readEntry,
  withFileBytes,
  type RawEntry,
} from '../../../file-records/src/index.ts';
import { Xmp } from './xmp/xmp.ts';

export interface SourceMetadata {
  exif?: ExifModel | undefined;
  xmp?: Buffer | undefined;
  /** Extended part of a JPEG's XMP, which did not fit in one segment. */
  extendedXmp?: Buffer | undefined;
  /** Includes IPTC. */
  photoshop: ImageResource[];
  /** A PNG's text. */
  pngText: PngChunk[];
  /** A PNG's colour declaration, if it has no profile. */
  pngColour: PngChunk[];
  jpegComments: Buffer[];
  /** Sentences on parts that no result can hold. */
  dropped?: string[];
  /** Whether the file contains an HDR gain map. */
  hasGainMap?: boolean;
  /** Absent also for a map that cannot be kept. */
  gainMap?: SourceGainMap | undefined;
  /** Gain map of a result, which is a JPEG. */
  gainMapFile?: GainMapFile;
  icc?: Buffer | undefined;
  /** Colour declaration other than a profile; `icc` is then derived from it. */
  declared?: DeclaredColours | undefined;
  /** Colours of this gamut or curve need more than 8 bits; formats without them get the colours converted. */
  needsDepth?: boolean | undefined;
  /** Pixels per inch. */
  density?: number | undefined;
  /** Whether only profile and resolution are to be written, and no EXIF for the resolution. */
  isBare?: boolean;
}

/** Reads the metadata. Never throws for damaged parts, which are then absent. */
export function readSourceMetadata(
  path: string,
  format: ReadableFormat,
  metadata: Partial<Metadata>,
): SourceMetadata {
  const found = readParts(path, format, metadata);
  const { density = found.exif && densityOf(found.exif) } = found;
  if (format === 'raw') return { ...found, density, needsDepth: true };
  const isGrey = metadata.channels !== undefined && metadata.channels < 3;
  const declared = found.icc ? undefined : declaredColours(path, format, found.pngColour, isGrey);
  if (!declared) return { ...found, density };
  return { ...found, density, icc: declared.icc, declared, needsDepth: declared.needsDepth };
}

/** Metadata of a picture whose HDR or linear light is mapped to an ordinary screen whatever the result could hold. */
export function withMappedLight(metadata: SourceMetadata): SourceMetadata {
  const { declared } = metadata;
  if (!declared?.light) return metadata;
  return { ...metadata, declared: { ...declared, hdr: undefined }, pngColour: [] };
}

function readParts(
  path: string,
  format: ReadableFormat,
  metadata: Partial<Metadata>,
): SourceMetadata {
  const { exif, xmp, iptc, icc, density } = metadata;
  const common: SourceMetadata = {
    exif: exif && readExifBlock(exif),
    xmp,
    photoshop: iptc ? readResources(iptc) : [],
    pngText: [],
    pngColour: [],
    jpegComments: [],
    icc,
    density,
  };
  if (format === 'jpeg') return { ...common, ...ofJpeg(path, common.exif) };
  if (format === 'png') return { ...common, ...ofPng(path, common) };
  if (format === 'jxl') return { ...common, ...ofJxl(path) };
  if (format === 'gif') return { ...common, xmp: xmpOfGif(path) };
  if (format === 'bmp') return { ...common, density: densityOfBmp(path) };
  if (format === 'heic' || format === 'avif') return { ...common, ...ofHeif(path, common.exif) };
  if (format === 'webp') return { ...common, dropped: withFileBytes(path, credentialsOfWebp) };
  if (format === 'raw') return { ...common, exif: readRawExif(path) };
  return { ...common, ...ofTiff(path) };
}

function ofJpeg(path: string, exif: ExifModel | undefined): Partial<SourceMetadata> {
  const segments = readSegments(path);
  const xmp = xmpOf(segments);
  const parsed = xmp && Xmp.read(xmp);
  const guid = parsed?.get('xmpNote', 'HasExtendedXMP');
  const extendedXmp = guid ? extendedXmpOf(segments, guid) : undefined;
  const gainMap = withFileBytes(path, (bytes) => findJpegGainMap(bytes, exif));
  // Ultra HDR 1.0 names its gain map in the XMP.
  const isNamed = parsed?.get('hdrgm', 'Version') !== undefined || hasIsoGainMap(segments);
  const hasGainMap = isNamed || gainMap !== undefined;
  return {
    ...{ xmp, extendedXmp, jpegComments: commentsOf(segments), hasGainMap, gainMap },
    // libvips gives the first segment alone.
    photoshop: readSegmentedResources(payloadsOf(segments, 0xed, photoshopHead)),
    dropped: [
      ...withFileBytes(path, (bytes) => otherPartsOfJpeg(bytes, segments)),
      ...credentialsOfJpeg(segments),
    ],
  };
}

/** A tone-mapping item (ISO 21496-1), or the auxiliary picture of iPhones. */
const heifGainMap = /infe[^]{8,10}tmap|urn:com:apple:photo:2020:aux:hdrgainmap/;
/** The list of the file's items is within these bytes. */
const heifHeadBytes = 65_536;

const ofHeif = (path: string, exif: ExifModel | undefined): Partial<SourceMetadata> =>
  withFileBytes(path, (bytes) => ({
    hasGainMap: heifGainMap.test(bytes.read(0, heifHeadBytes).toString('latin1')),
    gainMap: findHeifGainMap(bytes, exif),
    dropped: [...otherPartsOfHeif(bytes), ...credentialsOfHeif(bytes)],
  }));

function ofJxl(path: string): Partial<SourceMetadata> {
  const { exif, xmp } = readJxlMetadata(path);
  return { exif: exif && readExifBlock(exif), xmp, dropped: withFileBytes(path, credentialsOfJxl) };
}

const inchesOfMetre = 0.0254;

/** Horizontal resolution in a BMP's header, which is in pixels per metre. */
const densityOfBmp = (path: string): number | undefined =>
  withFileBytes(path, (bytes) => {
    const head = bytes.read(38, 4);
    const perMetre = head.length === 4 ? head.readInt32LE(0) : 0;
    return perMetre > 0 ? perMetre * inchesOfMetre : undefined;
  });

/** Profiles in text, as ImageMagick and older programs write them into PNG. */
const rawProfiles = {
  iptc: /^Raw profile type (iptc|8bim)$/i,
  exif: /^Raw profile type (exif|app1)$/i,
  xmp: /^Raw profile type (xmp|app1)$/i,
};

function ofPng(path: string, { exif, xmp }: SourceMetadata): Partial<SourceMetadata> {
  const { colour, text } = readChunks(path);
  const profilesOf = (keyword: RegExp) =>
    text.flatMap((chunk) =>
      keyword.test(keywordOf(chunk)) ? (readRawProfile(textOfChunk(chunk) ?? '') ?? []) : [],
    );
  const [iptc] = profilesOf(rawProfiles.iptc);
  const [rawExif] = profilesOf(rawProfiles.exif).filter((profile) => !isPacket(profile));
  const [rawXmp] = profilesOf(rawProfiles.xmp).filter((profile) => isPacket(profile));
  const isCarriedElsewhere = (chunk: PngChunk) =>
    /^(Raw profile type|XML:com\.adobe\.xmp)/.test(keywordOf(chunk));
  return {
    exif: exif ?? (rawExif && readExifBlock(rawExif)),
    xmp: xmpOfChunks(text) ?? xmp ?? (rawXmp && packetIn(rawXmp)),
    pngColour: colour,
    dropped: withFileBytes(path, credentialsOfPng),
    pngText: text.filter((chunk) => !isCarriedElsewhere(chunk)),
    ...(iptc && {
      photoshop: iptc[0] === iptcMarker ? [resourceOfIptc(iptc)] : readResources(iptc),
    }),
  };
}

/** First byte of IPTC without Photoshop's resources around it. */
const iptcMarker = 0x1c;
/** A packet, or the segment of a JPEG with one. */
const isPacket = (profile: Buffer): boolean =>
  profile[0] === '<'.charCodeAt(0) ||
  profile.toString('latin1', 0, standardXmpHead.length) === standardXmpHead;
const packetIn = (profile: Buffer): Buffer =>
  profile[0] === '<'.charCodeAt(0) ? profile : profile.subarray(standardXmpHead.length);

/** Reads a TIFF's metadata, because sharp does not read its EXIF directory. */
export function ofTiff(path: string): Pick<SourceMetadata, 'exif' | 'photoshop' | 'dropped'> {
  return withFileBytes(path, (bytes) => {
    const layout = openLayout(bytes);
    if (!layout) return { photoshop: [] };
    const { entries } = readDirectory(layout, layout.firstDirectory);
    const bytesOf = (wanted: number) => {
      const raw = entries.find(({ tag }) => tag === wanted);
      return raw && readEntry(layout, raw);
    };
    const resources = readResources(bytesOf(tags.photoshop)?.bytes ?? Buffer.alloc(0));
    const iptc = bytesOf(tags.iptc);
    const hasOwn = iptcOf(resources) !== undefined;
    const added = iptc && !hasOwn ? [resourceOfIptc(recordsOf(iptc, layout.littleEndian))] : [];
    const photoshop = [...added, ...resources];
    return { exif: readTiffExif(layout), photoshop, dropped: unsupportedInTiff(entries) };
  });
}

/** Reverts the byte order of IPTC that some programs write as LONG. */
function recordsOf({ bytes, type }: { bytes: Buffer; type: number }, littleEndian: boolean) {
  const startsRight = bytes[0] === 0x1c;
  if (type !== 4 || startsRight || !littleEndian) return bytes;
  return Buffer.from(bytes).swap32();
}

/** Notes on the tags that no result can hold. */
const unsupportedTags: [tags: number[], note: string][] = [
  [[0x830e, 0x8480, 0x8482, 0x85d8, 0x87af, 0xa480], note('GEOTIFF_DROPPED')],
  [[0x935c], note('LAYERS_DROPPED')],
];

const unsupportedInTiff = (entries: readonly RawEntry[]): string[] => [
  ...unsupportedTags.flatMap(([wanted, sentence]) =>
    entries.some(({ tag }) => wanted.includes(tag)) ? [sentence] : [],
  ),
  ...credentialsOfTiff(entries.map(({ tag }) => tag)),
];
