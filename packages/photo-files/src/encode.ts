/** Encodes a raster as a picture file with its metadata, and as a thumbnail. */
import { rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Sharp } from 'sharp';
import { formats, isLossy, type OutputFormat } from '../../contract/src/formats.ts';
import { EnlargerError } from '../../contract/src/errors.ts';
import type { LightEncoding } from './colour/tone-map.ts';
import { syncFile } from '../../files/src/sync.ts';
import { assertDisk } from '../../../electron/engine/raster/disk.ts';
import { firstLineOf, openOwnRaster } from '../../../electron/engine/raster/libvips.ts';
import type { SourceEncoding } from './inspect.ts';
import type { MetadataWriter } from './metadata/write-metadata.ts';
import type { OutputPlan } from '../../../electron/engine/plan/output-plan.ts';
import { encodeStallMs } from '../../../electron/engine/cancellation/uncancellable-work.ts';
import { requestJxl } from './foreign/client.ts';
import {
  hasAlpha,
  rasterBytes,
  rowBytes,
  shapeOf,
  vipsSpaceOf,
  type RasterShape,
} from '../../../electron/engine/raster/raster-file.ts';
import { toneMapRaster } from './tone-map-raster.ts';
import { appendTrailer, pixelsPerMm } from './trailer.ts';
import { createApngWriter } from './animation/write-apng.ts';
import { inHundredths, type FrameTiming } from './animation/frame-timing.ts';

const defaultQuality = 92;
/** Chroma is not subsampled from this quality on. */
const fullColourFrom = 90;
/**
 * Up to this size a JPEG gets Huffman tables optimised for it, which saves about 4 %. The encoder buffers
 * every coefficient for that, 6 bytes per pixel: 384 megapixels took 4.4 GB and 47 s instead of 51 MB and 6.5
 * s.
 */
const maxOptimisedPixels = 16e6;
const fitsInMemory = ({ width, height }: RasterShape) => width * height <= maxOptimisedPixels;
/** A classic TIFF is limited to 4 GiB; larger rasters become BigTIFF. */
const bigTiffBytes = 3.9e9;

/** All frames of a result, each of the request's shape, below one another in a raster. */
export interface Animation extends FrameTiming {
  path: string;
  frames: number;
}

export interface EncodeRequest {
  rasterPath: string;
  shape: RasterShape;
  plan: Pick<OutputPlan, 'format'>;
  quality: number | undefined;
  /** The source's encoding, if the result is to have the same. */
  sourceEncoding: SourceEncoding | undefined;
  /** Writes the metadata that libvips does not; the rest is in the raster's trailer. */
  metadata: MetadataWriter;
  outputPath: string;
  /** Absent: a still picture. */
  animation?: Animation | undefined;
  /** Called while bytes of the encoded file are moved to insert metadata. */
  onMoved: (bytes: number) => void;
}

/** Writes and syncs the file. @returns its size in bytes @throws EnlargerError STORAGE_FULL, CANNOT_WRITE */
export async function encode(request: EncodeRequest): Promise<number> {
  const { shape, plan, outputPath } = request;
  try {
    const flat =
      !formats[plan.format].alpha && hasAlpha(shape)
        ? inOwnSpace(request).flatten({ background: '#ffffff' })
        : inOwnSpace(request);
    if (plan.format === 'jxl') await writeJxl(request);
    else if (request.animation && plan.format === 'png') await writeApng(flat, request);
    else if (request.animation) await writeAnimation(request, request.animation, plan.format);
    else await asFormat(flat, request, plan.format).toFile(outputPath);
    await request.metadata.finish(outputPath, request.onMoved);
    await syncFile(outputPath);
    return (await stat(outputPath)).size;
  } catch (error) {
    await assertDisk(dirname(outputPath), 16 * 1024 * 1024);
    process.stderr.write(`A result could not be encoded: ${firstLineOf(error)}\n`);
    const name = formats[plan.format].label;
    const why = `The result of ${shape.width} x ${shape.height} pixels could not be written as ${name}`;
    throw new EnlargerError('CANNOT_WRITE', `${why}. Choose another format, such as TIFF.`, {
      cause: error,
    });
  }
}

/**
 * Opens the raster in its own numbers with its trailer's metadata, or converted to sRGB if its profile is to
 * be applied. EXIF is kept only if the trailer has some, because sharp would create one otherwise.
 */
function inOwnSpace({ rasterPath, shape, metadata }: EncodeRequest): Sharp {
  const toDisplay = metadata.appliesProfile;
  const space = toDisplay ? vipsSpaceOf({ ...shape, bands: 3 }) : vipsSpaceOf(shape);
  const picture = openOwnRaster(rasterPath, { toDisplay }).toColourspace(space);
  const carrying =
    toDisplay || metadata.dropsProfile ? picture.keepXmp() : picture.keepIccProfile().keepXmp();
  return metadata.trailer.exif ? carrying.keepExif() : carrying;
}

function asFormat(
  picture: Sharp,
  request: EncodeRequest,
  format: Exclude<OutputFormat, 'jxl'>,
): Sharp {
  const { shape, metadata, quality = defaultQuality } = request;
  const sourceEncoding = request.quality === undefined ? request.sourceEncoding : undefined;
  const hasFullColour = sourceEncoding ? !sourceEncoding.halfColour : quality >= fullColourFrom;
  const chromaSubsampling = hasFullColour ? '4:4:4' : '4:2:0';
  switch (format) {
    case 'jpeg':
      return picture.jpeg({ quality, chromaSubsampling, optimiseCoding: fitsInMemory(shape) });
    case 'png':
      return picture.png({ compressionLevel: 6 });
    case 'webp':
      if (sourceEncoding?.lossless) return picture.webp({ lossless: true, quality: 75 });
      return picture.webp({ quality, smartSubsample: quality >= fullColourFrom });
    case 'avif':
      if (sourceEncoding?.lossless)
        return picture.avif({ lossless: true, bitdepth: shape.bits === 16 ? 10 : 8 });
      return picture.avif({ quality, chromaSubsampling, bitdepth: shape.bits === 16 ? 10 : 8 });
    case 'gif':
      return picture.gif({ effort: 7, keepDuplicateFrames: true });
    case 'tiff':
      return picture.tiff({
        compression: 'deflate',
        predictor: 'horizontal',
        tileHeight: rowsOfStrip(shape),
        ...resolutionOf(metadata),
        bigtiff: rasterBytes(shape) > bigTiffBytes,
      });
  }
}

/** Encodes WebP or GIF from the raster of all frames, a frame at a time. */
async function writeAnimation(
  request: EncodeRequest,
  { path, frames, delaysMs, plays }: Animation,
  format: Exclude<OutputFormat, 'jxl'>,
): Promise<void> {
  const { trailer } = request.metadata;
  appendTrailer(path, { ...trailer, animation: { frames, frameHeight: request.shape.height } });
  const delay = format === 'gif' ? inHundredths(delaysMs) : [...delaysMs];
  const picture = asFormat(inOwnSpace({ ...request, rasterPath: path }), request, format);
  const timing = { delay, loop: plays };
  await (format === 'gif' ? picture.gif(timing) : picture.webp(timing)).toFile(request.outputPath);
}

/** Writes an animated PNG: the first frame with all metadata, and the others' pixels after it. */
async function writeApng(first: Sharp, request: EncodeRequest): Promise<void> {
  const { animation, outputPath, shape } = request;
  if (!animation) throw new Error('An animated PNG without frames');
  const framePath = `${outputPath}.frame`;
  const writer = createApngWriter(outputPath, shape, animation);
  try {
    for (let i = 0; i < animation.frames; i += 1) {
      const part = { left: 0, top: i * shape.height, width: shape.width, height: shape.height };
      const frame =
        i === 0
          ? first
          : openOwnRaster(animation.path).extract(part).toColourspace(vipsSpaceOf(shape));
      await asFormat(frame, request, 'png').toFile(framePath);
      writer.append(framePath);
    }
    writer.end();
  } finally {
    writer.close();
    rmSync(framePath, { force: true });
  }
}

/** Encodes JPEG XL from the raster's file, whose trailer holds the profile. */
async function writeJxl(request: EncodeRequest): Promise<void> {
  const { rasterPath, outputPath, shape, quality = defaultQuality } = request;
  const limitMs = encodeStallMs('jxl', (shape.width * shape.height) / 1e6);
  await requestJxl(
    { rasterPath, outputPath, quality, lossless: !isLossy('jxl', quality) },
    limitMs,
  );
}

/** libvips buffers a few strips, so the strips of a very wide picture must have few rows. */
const stripBytes = 4 * 1024 * 1024;

function rowsOfStrip(shape: RasterShape): number {
  const rows = Math.floor(stripBytes / rowBytes(shape) / 16) * 16;
  return Math.min(256, Math.max(16, rows));
}

/** sharp takes a TIFF's resolution only from its options, in pixels per millimetre. */
function resolutionOf({ trailer }: MetadataWriter) {
  const perMm = pixelsPerMm(trailer);
  return { xres: perMm, yres: perMm, resolutionUnit: 'inch' } as const;
}

export const thumbnailPx = 512;

interface ThumbnailOptions {
  sidePx?: number;
  /** HDR or linear light of the raster, which is mapped to an ordinary screen. */
  light?: LightEncoding | undefined;
}

/** Writes a WebP in sRGB that fits in a square of `sidePx`, whatever the raster's profile. */
export async function writeThumbnail(
  rasterPath: string,
  thumbPath: string,
  { sidePx = thumbnailPx, light }: ThumbnailOptions = {},
): Promise<void> {
  const inSquare = [sidePx, sidePx, { fit: 'inside', withoutEnlargement: true }] as const;
  const smallPath = light && `${rasterPath}.small.v`;
  if (smallPath) {
    const source = openOwnRaster(rasterPath);
    const { icc } = await source.metadata();
    await source
      .resize(...inSquare)
      .toColourspace(vipsSpaceOf(shapeOf(rasterPath)))
      .toFile(smallPath);
    await toneMapRaster(smallPath, light);
    appendTrailer(smallPath, icc ? { icc } : {});
  }
  await openOwnRaster(smallPath ?? rasterPath, { toDisplay: true })
    .resize(...inSquare)
    .webp({ quality: 80 })
    .toFile(thumbPath);
  if (smallPath) rmSync(smallPath);
  await syncFile(thumbPath);
}
