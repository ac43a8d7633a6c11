/**
 * A raster: a picture's pixels in a scratch file of the libvips `.v` layout (64 bytes of header, then rows of
 * interleaved samples). It is read and written by position, so memory does not grow with the picture.
 */
import type { Rect, Size } from '../../../packages/contract/src/geometry.ts';
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, rmSync } from 'node:fs';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import { isDiskFull } from '../../../packages/files/src/file-errors.ts';
import { writeAll } from '../../../packages/files/src/write-all.ts';

export interface RasterShape extends Size {
  /** 1 grey, 2 grey and alpha, 3 RGB, 4 RGB and alpha. */
  bands: number;
  bits: 8 | 16;
}

export type Samples = Uint8Array | Uint16Array;

const headerBytes = 64;
const magic = 0x08f2a6b6;
const bandFormats = { 8: 0, 16: 2 } as const;

/** libvips' numbers of a raster's possible interpretations, by sharp's names. */
const interpretations = { 'b-w': 1, grey16: 26, srgb: 22, rgb16: 25 } as const;

/** The name of a raster's interpretation. */
export function vipsSpaceOf({ bands, bits }: Pick<RasterShape, 'bands' | 'bits'>) {
  if (bands < 3) return bits === 8 ? 'b-w' : 'grey16';
  return bits === 8 ? 'srgb' : 'rgb16';
}

export const hasAlpha = (shape: RasterShape) => shape.bands % 2 === 0;
/** Number of colour bands: 1 or 3. */
export const colourBands = ({ bands }: Pick<RasterShape, 'bands'>) => (bands < 3 ? 1 : 3);
const sampleBytes = (shape: RasterShape) => shape.bits / 8;
export const rowBytes = (shape: RasterShape) => shape.width * shape.bands * sampleBytes(shape);
/** Size of header and pixels, without a trailer. */
export const rasterBytes = (shape: RasterShape) => headerBytes + rowBytes(shape) * shape.height;

export function createSamples(shape: Pick<RasterShape, 'bits'>, length: number): Samples {
  return shape.bits === 8 ? new Uint8Array(length) : new Uint16Array(length);
}

/** The pixels of `createSamples` with four bands of 8 bits as words, of which alpha is the highest byte. */
export const wordsOf = (samples: Uint8Array): Uint32Array =>
  new Uint32Array(samples.buffer, samples.byteOffset, samples.length >> 2);

function writeHeader(shape: RasterShape): Buffer {
  const header = Buffer.alloc(headerBytes);
  const { width, height, bands, bits } = shape;
  const words = [magic, width, height, bands, bits, bandFormats[bits], 0];
  words.forEach((word, i) => header.writeInt32LE(word, i * 4));
  header.writeInt32LE(interpretations[vipsSpaceOf(shape)], 28);
  header.writeFloatLE(1, 32);
  header.writeFloatLE(1, 36);
  return header;
}

/** @throws if the header is not one that Enlarger or libvips writes for these bands of 8 or 16 bits */
function readHeader(header: Buffer, maxBands: number): RasterShape {
  const [word, width = 0, height = 0, bands = 0, , format] = Array.from({ length: 6 }, (_, i) =>
    header.readInt32LE(i * 4),
  );
  const bits = format === 0 ? 8 : format === 2 ? 16 : undefined;
  if (
    word !== magic ||
    bits === undefined ||
    width < 1 ||
    height < 1 ||
    bands < 1 ||
    bands > maxBands
  ) {
    throw new Error(`Not a raster of ours: ${header.subarray(0, 32).toString('hex')}`);
  }
  return { width, height, bands, bits };
}

/** To be closed by the code that opened it. */
export class Raster {
  readonly shape: RasterShape;
  readonly #fd: number;

  constructor(fd: number, shape: RasterShape) {
    this.#fd = fd;
    this.shape = shape;
  }

  /** Reads a rectangle inside the picture into rows of `strideSamples`, from `offset` on. */
  readRect(rect: Rect, into: Samples, offset: number, strideSamples: number): void {
    this.#eachRow(rect, into, offset, strideSamples, (bytes, position) => {
      const got = readSync(this.#fd, bytes, 0, bytes.length, position);
      if (got !== bytes.length) throw new Error(`A raster ended at ${position + got} bytes`);
    });
  }

  /**
   * Writes rows of `strideSamples`, from `offset` on, to a rectangle inside the picture.
   *
   * @throws EnlargerError STORAGE_FULL
   */
  writeRect(rect: Rect, from: Samples, offset: number, strideSamples: number): void {
    this.#eachRow(rect, from, offset, strideSamples, (bytes, position) => {
      orStorageFull(() => writeAll(this.#fd, bytes, position));
    });
  }

  #eachRow(
    rect: Rect,
    samples: Samples,
    offset: number,
    stride: number,
    act: (bytes: Buffer, position: number) => void,
  ): void {
    const unit = sampleBytes(this.shape);
    const isContiguous =
      rect.width === this.shape.width && stride === rect.width * this.shape.bands;
    const rows = isContiguous ? 1 : rect.height;
    const bytes = rect.width * this.shape.bands * unit * (isContiguous ? rect.height : 1);
    const first = headerBytes + rect.y * rowBytes(this.shape) + rect.x * this.shape.bands * unit;
    for (let row = 0; row < rows; row += 1) {
      const start = samples.byteOffset + (offset + row * stride) * unit;
      act(Buffer.from(samples.buffer, start, bytes), first + row * rowBytes(this.shape));
    }
  }

  close(): void {
    closeSync(this.#fd);
  }
}

/** Reads the samples of a rectangle, row-major without gaps. */
export function samplesIn(raster: Pick<Raster, 'shape' | 'readRect'>, rect: Rect): Samples {
  const stride = rect.width * raster.shape.bands;
  const samples = createSamples(raster.shape, rect.height * stride);
  raster.readRect(rect, samples, 0, stride);
  return samples;
}

/** Copies a rectangle into a raster of its own. */
export function copyPart(source: Raster, rect: Rect, toPath: string): void {
  const { width, height } = rect;
  writeRaster(toPath, { ...source.shape, width, height }, samplesIn(source, rect));
}

/**
 * Creates a raster from rows of `strideSamples`, by default without gaps.
 *
 * @throws EnlargerError STORAGE_FULL
 */
export function writeRaster(
  path: string,
  shape: RasterShape,
  samples: Samples,
  strideSamples = shape.width * shape.bands,
): void {
  const { width, height } = shape;
  const raster = createRaster(path, shape);
  try {
    raster.writeRect({ x: 0, y: 0, width, height }, samples, 0, strideSamples);
  } finally {
    raster.close();
  }
}

/** Converts a full disk to STORAGE_FULL. */
function orStorageFull<T>(write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    throw new EnlargerError('STORAGE_FULL', 'The disk filled up while the picture was enlarged.', {
      cause: error,
    });
  }
}

/**
 * Creates a sparse raster of zeros, which takes disk space only as it is written.
 *
 * @throws EnlargerError STORAGE_FULL
 */
export function createRaster(path: string, shape: RasterShape): Raster {
  return orStorageFull(() => {
    const fd = openSync(path, 'wx+');
    try {
      ftruncateSync(fd, rasterBytes(shape));
      writeAll(fd, writeHeader(shape), 0);
      return new Raster(fd, shape);
    } catch (error) {
      closeSync(fd);
      rmSync(path, { force: true });
      throw error;
    }
  });
}

/**
 * Opens a raster.
 *
 * @param maxBands more than 4 for a file just decoded by libvips, whose further bands are then dropped
 * @throws if the header is not one of Enlarger's, or the file is too short for it
 */
export function openRaster(path: string, maxBands = 4): Raster {
  const fd = openSync(path, 'r+');
  try {
    const header = Buffer.alloc(headerBytes);
    readSync(fd, header, 0, headerBytes, 0);
    const shape = readHeader(header, maxBands);
    if (fstatSync(fd).size < rasterBytes(shape))
      throw new Error(`A raster is shorter than its header says: ${path}`);
    return new Raster(fd, shape);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Opens a raster for the duration of `use`. */
export async function withRaster<T>(
  path: string,
  use: (raster: Raster) => Promise<T> | T,
): Promise<T> {
  const raster = openRaster(path);
  try {
    return await use(raster);
  } finally {
    raster.close();
  }
}

/** Opens a raster for its last use, and removes its file afterwards. */
export async function consumeRaster<T>(
  path: string,
  use: (raster: Raster) => Promise<T> | T,
): Promise<T> {
  try {
    return await withRaster(path, use);
  } finally {
    rmSync(path, { force: true });
  }
}

/** Reads the shape from a raster's header. */
export function shapeOf(path: string): RasterShape {
  const raster = openRaster(path);
  raster.close();
  return raster.shape;
}
