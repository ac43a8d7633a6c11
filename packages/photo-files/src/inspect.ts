/** Reads a picture's header and checks it against limits before anything is decoded. */
import { statSync } from 'node:fs';
import type { Metadata } from 'sharp';
import { EnlargerError } from '../../contract/src/errors.ts';
import type { Limits, SourceInspection } from '../../../electron/engine/protocol/messages.ts';
import {
  isPremultipliedHeif,
  ifComplete,
  withFileBytes,
  qualityOfSteps,
  readJpegSteps,
  isRawTiff,
  isCompleteRaw,
} from '../../file-records/src/index.ts';
import { requestForeign } from './foreign/client.ts';
import { isForeign } from './foreign/protocol.ts';
import { openPicture } from '../../../electron/engine/raster/libvips.ts';
import { readsAllFrames } from '../../../electron/engine/plan/plan-animation.ts';
import { picturesInSequence, stillOfSequence } from './metadata/containers/image-sequence.ts';
import { framesOfPng } from './metadata/containers/png-chunks.ts';
import { captureTimeOf } from './metadata/exif/read-exif.ts';
import { readSourceMetadata, type SourceMetadata } from './metadata/source-metadata.ts';
import { isLosslessAvif, isLosslessJxl, isLosslessWebp } from './lossless.ts';
import {
  formats,
  isOutputFormat,
  labelOf,
  type ReadableFormat,
} from '../../contract/src/formats.ts';
import { formatOf, readHead } from './sniff.ts';
import { findSampleKinds } from './tiff/half-floats.ts';
import { plainHead } from './tiff/plain-tiff.ts';
import {
  findUnusualTiff,
  isTransparency,
  maxBands,
  premultipliedAlpha,
  readSampleBits,
  readTiffChannels,
  type TiffChannels,
  type UnusualTiff,
} from './tiff/tiff-layout.ts';
import { repairedHead } from './repair/repair.ts';
import { withTruncation } from './repair/truncation.ts';

export interface InspectedPicture {
  /** Width and height are those with the orientation applied. */
  info: SourceInspection;
  format: ReadableFormat;
  /** EXIF orientation, 1 to 8. */
  orientation: number;
  space: string;
  /** A TIFF that must be rewritten before it can be decoded. */
  unusual?: UnusualTiff;
  /** Meaning of a TIFF's samples. */
  channels?: TiffChannels;
  /** Place of the primary picture in an AVIF or HEIC, from 0. Absent: the first. */
  primaryPage?: number;
  /** The colours in the file are multiplied with its transparency; decoding divides them. */
  isPremultiplied?: boolean;
  /** A TIFF with floating-point samples. */
  isFloat?: boolean;
  /** Its samples have 16 bits (IEEE 754 binary16). */
  isHalfFloat?: boolean;
  /** Number of pictures of an AVIF or HEIC image sequence, of which the primary one is read. */
  sequenceLength?: number;
  /** An animation of which only the first frame is read. */
  isLongAnimation?: boolean;
  metadata: SourceMetadata;
  encoding: SourceEncoding;
}

/** Encoding of the file, which the format `same` keeps where it can. */
export interface SourceEncoding {
  lossless: boolean;
  /** Chroma at half resolution in both directions (4:2:0). */
  halfColour: boolean;
}

const unreadable = (message: string, cause?: unknown) =>
  new EnlargerError('UNREADABLE_IMAGE', message, { cause });

/** Inspects a file without decoding its pixels. @throws EnlargerError UNREADABLE_IMAGE, IMAGE_TOO_LARGE */
export async function inspect(path: string, limits: Limits): Promise<InspectedPicture> {
  const format = formatOfFile(path);
  if (isForeign(format)) assertFileSize(path);
  return withTruncation(path, format, () =>
    format === 'bmp' || format === 'raw' || format === 'jxl'
      ? inspectForeign(path, format, limits)
      : inspectByLibvips(path, format, limits),
  );
}

/** Many RAW formats have a TIFF header, so a TIFF's directories are examined as well. */
function formatOfFile(path: string): ReadableFormat {
  const format = formatOf(readHead(path));
  return format === 'tiff' && isRawTiff(path) ? 'raw' : format;
}

/** Foreign decoders hold the whole file in memory. */
const maxForeignBytes = 1024 ** 3;

function assertFileSize(path: string): void {
  if (statSync(path).size <= maxForeignBytes) return;
  throw new EnlargerError(
    'IMAGE_TOO_LARGE',
    'A HEIC, JPEG XL, BMP or camera RAW file may have at most 1 GB; convert it to TIFF.',
  );
}

function assertPixels(width: number, height: number, limits: Limits): void {
  if (width * height <= limits.sourcePixels) return;
  throw new EnlargerError(
    'IMAGE_TOO_LARGE',
    `The picture has ${millions(width * height)} megapixels; ${millions(limits.sourcePixels)} are allowed.`,
  );
}

/** Processor time for reading a header. */
const headLimitMs = 20_000;

/** No camera writes fewer bits per pixel. LibRaw would develop a file without data to black. */
const minRawBits = 0.25;

async function inspectForeign(
  path: string,
  format: 'bmp' | 'raw' | 'jxl',
  limits: Limits,
): Promise<InspectedPicture> {
  const sizeBytes = statSync(path).size;
  const truncated = () => unreadable('The camera RAW file is cut short.');
  if (format === 'raw' && !isCompleteRaw(path)) throw truncated();
  const request = { format, path, isDeep: false, maxPixels: limits.sourcePixels };
  const { width, height, bits, bands, icc } = await requestForeign(request, headLimitMs);
  if (width < 1 || height < 1) throw unreadable(`The ${labelOf(format)} has no pixels.`);
  assertPixels(width, height, limits);
  if (format === 'raw' && sizeBytes * 8 < width * height * minRawBits) throw truncated();
  const metadata = readSourceMetadata(path, format, icc ? { icc: Buffer.from(icc) } : {});
  const lossless = format === 'jxl' && isLosslessJxl(path);
  return {
    info: {
      format,
      width,
      height,
      bitDepth: bits,
      channels: bands,
      sizeBytes,
      pages: 1,
      lossless,
      ...capturedIn(metadata),
    },
    format,
    orientation: 1,
    space: 'srgb',
    metadata,
    encoding: { lossless, halfColour: false },
  };
}

async function inspectByLibvips(
  path: string,
  format: ReadableFormat,
  limits: Limits,
): Promise<InspectedPicture> {
  const unusual = format === 'tiff' ? findUnusualTiff(path) : undefined;
  const channels = format === 'tiff' ? readTiffChannels(path) : undefined;
  const still = format === 'avif' ? stillOfSequence(path) : undefined;
  const source = unusual ? plainHead(unusual) : (still ?? path);
  const metadata = await readMetadata(source, format, unusual ? 0 : (channels?.page ?? 0));
  const primaryPage = metadata.pagePrimary ?? 0;
  const isHalfFloat =
    format === 'tiff' && isHalfFloatTiff(metadata) && findSampleKinds(path) !== undefined;
  assertHolds(metadata, format, isHalfFloat);
  const { width, height } = metadata.autoOrient;
  assertPixels(width, height, limits);
  const sourceMetadata = readSourceMetadata(path, format, metadata);
  const isHeif = format === 'avif' || format === 'heic';
  // libvips divides the colours of TIFFs itself, but not those whose floats it takes for integers.
  const isPremultiplied = isHeif
    ? ifComplete(() => withFileBytes(path, isPremultipliedHeif)) === true
    : isHalfFloat && channels?.extras.find(isTransparency) === premultipliedAlpha;
  const sequenceLength = isHeif ? picturesInSequence(path) : 1;
  const pages = unusual?.pages ?? (format === 'png' ? framesOfPng(path) : (metadata.pages ?? 1));
  const isAnimation = isAnimatable(format) && pages > 1;
  const info: SourceInspection = {
    format,
    width,
    height,
    bitDepth: depthOf(metadata),
    channels: channels ? keptChannels(metadata, channels) : metadata.channels,
    sizeBytes: statSync(path).size,
    pages,
    ...(isAnimation && readsAllFrames(pages, { width, height }, limits) && { frames: pages }),
    ...capturedIn(sourceMetadata),
  };
  const { orientation = 1 } = metadata;
  const encoding = {
    lossless:
      (format === 'webp' && isLosslessWebp(path)) || (format === 'avif' && isLosslessAvif(path)),
    halfColour: metadata.chromaSubsampling?.startsWith('4:2:0') ?? false,
  };
  const steps = format === 'jpeg' ? readJpegSteps(path) : undefined;
  return {
    info: { ...info, ...encoding, ...(steps && { jpegQuality: qualityOfSteps(steps) }) },
    format,
    orientation,
    space: unusual?.lab ? 'lab' : metadata.space,
    ...(unusual && { unusual }),
    ...(channels && { channels }),
    ...(primaryPage > 0 && { primaryPage }),
    ...((sequenceLength > 1 || still) && { sequenceLength }),
    ...(isAnimation && info.frames === undefined && { isLongAnimation: true }),
    ...(isPremultiplied && { isPremultiplied }),
    ...((isFloatTiff(metadata) || isHalfFloat) && { isFloat: true }),
    ...(isHalfFloat && { isHalfFloat }),
    metadata: sourceMetadata,
    encoding,
  };
}

/** Formats whose further pictures are frames that can be read. */
const isAnimatable = (format: ReadableFormat): boolean =>
  isOutputFormat(format) && formats[format].animated === true;

function capturedIn({ exif }: SourceMetadata): Pick<SourceInspection, 'capturedAt'> {
  const capturedAt = exif && captureTimeOf(exif);
  return capturedAt === undefined ? {} : { capturedAt };
}

const millions = (pixels: number) => (pixels / 1e6).toFixed(pixels < 1e7 ? 1 : 0);

/** Number of channels that are decoded: colours and one of transparency. Inks become three colours. */
function keptChannels(metadata: Metadata, { extras }: TiffChannels): number {
  const isGrey = metadata.space === 'b-w' || metadata.space === 'grey16';
  return (isGrey ? 1 : 3) + (extras.some(isTransparency) ? 1 : 0);
}

async function readMetadata(
  source: string | Buffer,
  format: ReadableFormat,
  page: number,
): Promise<Metadata> {
  try {
    const first = await openPicture(source, { ignoreIcc: true, page }).metadata();
    const { pagePrimary = 0 } = first;
    if (pagePrimary === 0) return first;
    return await openPicture(source, { ignoreIcc: true, page: pagePrimary }).metadata();
  } catch (error) {
    const repaired =
      format === 'jpeg' && typeof source === 'string' ? await repairedHead(source) : undefined;
    if (repaired) return openPicture(repaired, { ignoreIcc: true }).metadata();
    const bits =
      format === 'tiff' && typeof source === 'string' ? readSampleBits(source) : undefined;
    const why =
      bits === undefined || tiffBits.includes(bits)
        ? `The file begins like a ${labelOf(format)} but cannot be read.`
        : `Expected 1, 2, 4, 8, 16 or 32 bits for each colour, but the TIFF holds ${bits}; save it with 16 bits for each channel.`;
    throw unreadable(why, error);
  }
}

/** Bits of samples that libvips reads. */
const tiffBits: readonly number[] = [1, 2, 4, 8, 16, 32];

const sampleTypes = new Set(['uchar', 'ushort']);
const spaces = new Set(['srgb', 'rgb', 'rgb16', 'b-w', 'grey16', 'cmyk', 'lab', 'labs']);

/** Floating-point grey or RGB, which libvips does not convert. */
const isFloats = ({ depth, space }: Metadata): boolean =>
  depth === 'float' && (space === 'scrgb' || space === 'b-w' || space === 'grey16');
const isFloatTiff = (metadata: Metadata): boolean =>
  isFloats(metadata) && metadata.bitsPerSample === 32;
/** libvips takes such samples for floats of 32 bits. */
const isHalfFloatTiff = (metadata: Metadata): boolean =>
  isFloats(metadata) && metadata.bitsPerSample === 16;

/** @throws EnlargerError UNREADABLE_IMAGE for samples and colour spaces that a raster cannot hold */
function assertHolds(metadata: Metadata, format: ReadableFormat, isHalfFloat: boolean): void {
  const name = labelOf(format);
  if (metadata.width < 1 || metadata.height < 1) throw unreadable(`The ${name} has no pixels.`);
  if (format === 'avif' && metadata.compression !== 'av1') {
    throw unreadable('Expected an AVIF picture, but the file holds another compression.');
  }
  const isFloat = format === 'tiff' && (isFloatTiff(metadata) || isHalfFloat);
  if (!sampleTypes.has(metadata.depth) && metadata.space !== 'labs' && !isFloat) {
    throw unreadable(
      `Expected 8 or 16 bits for each colour, but the ${name} holds samples of type ${metadata.depth}; save it with 16 bits for each channel.`,
    );
  }
  if (!(spaces.has(metadata.space) || isFloat) || metadata.channels > maxBands) {
    throw unreadable(
      `Expected grey, RGB or CMYK colours, but the ${name} holds ${metadata.channels} channels of ${metadata.space}.`,
    );
  }
}

/** Bits per sample in the file: 8, 10, 12 or 16. */
function depthOf(metadata: Metadata): number {
  if (metadata.depth === 'uchar') return 8;
  const bits = metadata.bitsPerSample;
  return bits && bits > 8 && bits < 16 ? bits : 16;
}
