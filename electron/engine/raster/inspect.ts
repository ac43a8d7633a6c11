/** What a picture's head says, checked against limits before anything is decoded. */
import { statSync } from 'node:fs';
import type { Metadata } from 'sharp';
import { EnlargerError } from '../../contract/errors.ts';
import type { Limits, SourceInspection } from '../protocol.ts';
import { openPicture } from './libvips.ts';
import { readSourceMetadata, type SourceMetadata } from './metadata/source-metadata.ts';
import { isLosslessWebp } from './lossless-webp.ts';
import { formatOf, readHead, type ReadableFormat } from './sniff.ts';

export interface Inspected {
  /** Size as the picture is meant to be seen, orientation applied. */
  info: SourceInspection;
  format: ReadableFormat;
  /** EXIF orientation, 1-8. */
  orientation: number;
  space: string;
  metadata: SourceMetadata;
  encoding: SourceEncoding;
}

/** How the file is encoded, which `same` keeps where it can be written. */
export interface SourceEncoding {
  lossless: boolean;
  /** Colour at half the resolution, both ways. */
  halfColour: boolean;
}

const unreadable = (message: string, cause?: unknown) =>
  new EnlargerError('UNREADABLE_IMAGE', message, { cause });

/** Throws UNREADABLE_IMAGE or IMAGE_TOO_LARGE. */
export async function inspect(path: string, limits: Limits): Promise<Inspected> {
  const format = formatOf(readHead(path));
  const metadata = await readMetadata(path, format);
  assertHolds(metadata, format);
  const { width, height } = metadata.autoOrient;
  if (width * height > limits.sourcePixels) {
    throw new EnlargerError(
      'IMAGE_TOO_LARGE',
      `The picture has ${millions(width * height)} megapixels; ${millions(limits.sourcePixels)} are allowed.`,
    );
  }
  const info: SourceInspection = {
    format,
    width,
    height,
    bitDepth: depthOf(metadata),
    channels: metadata.channels,
    sizeBytes: statSync(path).size,
    pages: metadata.pages ?? 1,
  };
  const { space, orientation = 1 } = metadata;
  return {
    info,
    format,
    orientation,
    space,
    metadata: readSourceMetadata(path, format, metadata),
    encoding: {
      lossless: format === 'webp' && isLosslessWebp(path),
      halfColour: metadata.chromaSubsampling?.startsWith('4:2:0') ?? false,
    },
  };
}

export const millions = (pixels: number) => (pixels / 1e6).toFixed(pixels < 1e7 ? 1 : 0);

async function readMetadata(path: string, format: ReadableFormat): Promise<Metadata> {
  try {
    return await openPicture(path, { ignoreIcc: true }).metadata();
  } catch (error) {
    throw unreadable(`The file begins like a ${format.toUpperCase()} but cannot be read.`, error);
  }
}

const sampleTypes = new Set(['uchar', 'ushort']);
const spaces = new Set(['srgb', 'rgb', 'rgb16', 'b-w', 'grey16', 'cmyk', 'lab', 'labs']);

/** Throws for samples and colour spaces that a raster of ours cannot hold. */
function assertHolds(metadata: Metadata, format: ReadableFormat): void {
  const name = format.toUpperCase();
  if (metadata.width < 1 || metadata.height < 1) throw unreadable(`The ${name} has no pixels.`);
  if (format === 'avif' && metadata.compression !== 'av1') {
    throw unreadable('Expected an AVIF picture, but the file is a HEIC photo.');
  }
  if (!sampleTypes.has(metadata.depth) && metadata.space !== 'labs') {
    throw unreadable(
      `Expected 8 or 16 bits for each colour, but the ${name} holds samples of type ${metadata.depth}.`,
    );
  }
  if (!spaces.has(metadata.space) || metadata.channels > 5) {
    throw unreadable(
      `Expected grey, RGB or CMYK colours, but the ${name} holds ${metadata.channels} channels of ${metadata.space}.`,
    );
  }
}

/** Bits of a sample as the file holds them: 8, 10, 12 or 16. */
function depthOf(metadata: Metadata): number {
  if (metadata.depth === 'uchar') return 8;
  const bits = metadata.bitsPerSample;
  return bits && bits > 8 && bits < 16 ? bits : 16;
}
