/** Reads what a picture's head says and checks it against limits before anything is decoded. */
import { statSync } from 'node:fs';
import type { Metadata } from 'sharp';
import { EnlargerError } from '../../contract/errors.ts';
import type { Limits, SourceInspection } from '../protocol/messages.ts';
import { askForeign } from './foreign/ask-foreign.ts';
import { isForeign } from './foreign/protocol.ts';
import { openPicture } from './libvips.ts';
import { qualityOfSteps, readJpegSteps } from './jpeg-quality.ts';
import { framesOfPng } from '../metadata/containers/png-chunks.ts';
import { captureTimeOf } from '../metadata/exif/read-exif.ts';
import { isRawTiff, isCompleteRaw } from '../../files/tiff/sensor-data.ts';
import { readSourceMetadata, type SourceMetadata } from '../metadata/source-metadata.ts';
import { isLosslessAvif, isLosslessJxl, isLosslessWebp } from './lossless.ts';
import { labelOf, type ReadableFormat } from '../../contract/formats.ts';
import { formatOf, readHead } from './sniff.ts';
import { plainHead } from './tiff/plain-tiff.ts';
import {
  findUnusualTiff,
  isTransparency,
  mostBands,
  readTiffChannels,
  type TiffChannels,
  type UnusualTiff,
} from './tiff/tiff-layout.ts';
import { repairedHead } from './repair/repair.ts';

export interface Inspected {
  /** Its width and height are those of the picture as it is seen, with the orientation applied. */
  info: SourceInspection;
  format: ReadableFormat;
  /** The EXIF orientation is 1 to 8. */
  orientation: number;
  space: string;
  /** It describes a TIFF that must be written anew before it can be decoded. */
  unusual?: UnusualTiff;
  /** What a TIFF's samples are. */
  channels?: TiffChannels;
  /** A TIFF's samples are floating-point numbers. */
  isFloat?: boolean;
  metadata: SourceMetadata;
  encoding: SourceEncoding;
}

/** Says how the file is encoded, which the format `same` keeps where it can be written. */
export interface SourceEncoding {
  lossless: boolean;
  /** Colour has half the resolution in both directions (4:2:0). */
  halfColour: boolean;
}

const unreadable = (message: string, cause?: unknown) =>
  new EnlargerError('UNREADABLE_IMAGE', message, { cause });

/** Inspects a file without decoding its pixels. It throws UNREADABLE_IMAGE or IMAGE_TOO_LARGE. */
export async function inspect(path: string, limits: Limits): Promise<Inspected> {
  const format = formatOfFile(path);
  if (isForeign(format)) assertFileSize(path);
  return format === 'bmp' || format === 'raw' || format === 'jxl'
    ? inspectForeign(path, format, limits)
    : inspectByLibvips(path, format, limits);
}

/** A RAW photo often begins like a TIFF, so a TIFF's directories are looked at, too. */
function formatOfFile(path: string): ReadableFormat {
  const format = formatOf(readHead(path));
  return format === 'tiff' && isRawTiff(path) ? 'raw' : format;
}

/** Foreign files may have at most this size, because their decoders hold the whole file in memory. */
const mostForeignBytes = 1024 ** 3;

function assertFileSize(path: string): void {
  if (statSync(path).size <= mostForeignBytes) return;
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

/** Reading a head ends after this time as a failure. */
const headLimitMs = 20_000;

/** No camera writes fewer bits for a pixel. Of a file without data LibRaw would make a black picture. */
const leastRawBits = 0.25;

async function inspectForeign(
  path: string,
  format: 'bmp' | 'raw' | 'jxl',
  limits: Limits,
): Promise<Inspected> {
  const sizeBytes = statSync(path).size;
  const cutShort = () => unreadable('The camera RAW file is cut short.');
  if (format === 'raw' && !isCompleteRaw(path)) throw cutShort();
  const request = { format, path, isDeep: false, maxPixels: limits.sourcePixels };
  const { width, height, bits, bands, icc } = await askForeign(request, headLimitMs);
  if (width < 1 || height < 1) throw unreadable(`The ${labelOf(format)} has no pixels.`);
  assertPixels(width, height, limits);
  if (format === 'raw' && sizeBytes * 8 < width * height * leastRawBits) throw cutShort();
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
): Promise<Inspected> {
  const unusual = format === 'tiff' ? findUnusualTiff(path) : undefined;
  const channels = format === 'tiff' ? readTiffChannels(path) : undefined;
  const source = unusual ? plainHead(unusual) : path;
  const metadata = await readMetadata(source, format, unusual ? 0 : (channels?.page ?? 0));
  assertHolds(metadata, format);
  const { width, height } = metadata.autoOrient;
  assertPixels(width, height, limits);
  const found = readSourceMetadata(path, format, metadata);
  const info: SourceInspection = {
    format,
    width,
    height,
    bitDepth: depthOf(metadata),
    channels: channels ? keptChannels(metadata, channels) : metadata.channels,
    sizeBytes: statSync(path).size,
    pages: unusual?.pages ?? (format === 'png' ? framesOfPng(path) : (metadata.pages ?? 1)),
    ...capturedIn(found),
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
    ...(isFloatTiff(metadata) && { isFloat: true }),
    metadata: found,
    encoding,
  };
}

function capturedIn({ exif }: SourceMetadata): Pick<SourceInspection, 'capturedAt'> {
  const capturedAt = exif && captureTimeOf(exif);
  return capturedAt === undefined ? {} : { capturedAt };
}

const millions = (pixels: number) => (pixels / 1e6).toFixed(pixels < 1e7 ? 1 : 0);

/** Counts the channels that are decoded: colours and one of transparency. Inks become three colours. */
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
    return await openPicture(source, { ignoreIcc: true, page }).metadata();
  } catch (error) {
    const repaired =
      format === 'jpeg' && typeof source === 'string' ? await repairedHead(source) : undefined;
    if (repaired) return openPicture(repaired, { ignoreIcc: true }).metadata();
    throw unreadable(`The file begins like a ${labelOf(format)} but cannot be read.`, error);
  }
}

const sampleTypes = new Set(['uchar', 'ushort']);
const spaces = new Set(['srgb', 'rgb', 'rgb16', 'b-w', 'grey16', 'cmyk', 'lab', 'labs']);

/** Whether the samples are floating-point numbers of 32 bits, of grey or RGB, which libvips keeps as they are. */
const isFloatTiff = ({ depth, space, bitsPerSample }: Metadata): boolean =>
  depth === 'float' && bitsPerSample === 32 && (space === 'scrgb' || space === 'b-w');

/** Throws UNREADABLE_IMAGE for samples and colour spaces that a raster cannot hold. */
function assertHolds(metadata: Metadata, format: ReadableFormat): void {
  const name = labelOf(format);
  if (metadata.width < 1 || metadata.height < 1) throw unreadable(`The ${name} has no pixels.`);
  if (format === 'avif' && metadata.compression !== 'av1') {
    throw unreadable('Expected an AVIF picture, but the file holds another compression.');
  }
  const isFloat = format === 'tiff' && isFloatTiff(metadata);
  if (!sampleTypes.has(metadata.depth) && metadata.space !== 'labs' && !isFloat) {
    throw unreadable(
      `Expected 8 or 16 bits for each colour, but the ${name} holds samples of type ${metadata.depth}; save it with 16 bits for each channel.`,
    );
  }
  if (!(spaces.has(metadata.space) || isFloat) || metadata.channels > mostBands) {
    throw unreadable(
      `Expected grey, RGB or CMYK colours, but the ${name} holds ${metadata.channels} channels of ${metadata.space}.`,
    );
  }
}

/** Answers how many bits a sample has in the file: 8, 10, 12 or 16. */
function depthOf(metadata: Metadata): number {
  if (metadata.depth === 'uchar') return 8;
  const bits = metadata.bitsPerSample;
  return bits && bits > 8 && bits < 16 ? bits : 16;
}
