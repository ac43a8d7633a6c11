/**
 * Converts the floating-point samples that libvips decoded from a TIFF to a 16-bit raster. They are linear
 * light, as Photoshop and other programs write 32-bit pictures; white is 1, or the brightest sample above it.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Rect, Size } from '../../contract/src/geometry.ts';
import { createYield, neverAborted } from '../../../electron/engine/cancellation/yield.ts';
import { createRaster } from '../../../electron/engine/raster/raster-file.ts';
import { numberOfHalf } from './tiff/half-floats.ts';

const headerBytes = 64;
/** libvips' band formats: floats of 32 bits, and integers whose bits are those of floats of 16. */
const formats = { float: 6, half: 2 };
const allHalves = () => Float32Array.from({ length: 65_536 }, (_, bits) => numberOfHalf(bits));
const stripBytes = 4 * 1024 * 1024;

const encodeSrgb = (v: number) => (v <= 0.003_130_8 ? v * 12.92 : 1.055 * v ** (1 / 2.4) - 0.055);

interface FloatFile extends Size {
  fd: number;
  bands: number;
  /** The numbers of all samples of 16 bits; undefined if they have 32. */
  halves: Float32Array | undefined;
}

/**
 * Writes the raster.
 *
 * @param alphaBand band with which the colours are multiplied; absent: none
 *
 * @returns the value mapped to white
 */
export async function writeFromFloats(
  path: string,
  toPath: string,
  colours: 1 | 3,
  alphaBand?: number,
): Promise<{ white: number }> {
  const fd = openSync(path, 'r');
  try {
    const header = Buffer.alloc(headerBytes);
    readSync(fd, header, 0, headerBytes, 0);
    const [width = 0, height = 0, bands = 0] = [4, 8, 12].map((at) => header.readInt32LE(at));
    const format = header.readInt32LE(20);
    const halves = format === formats.half ? allHalves() : undefined;
    const isKnown = halves !== undefined || format === formats.float;
    const size = headerBytes + (halves ? 2 : 4) * width * height * bands;
    if (!isKnown || bands < colours || fstatSync(fd).size < size)
      throw new Error('libvips wrote no samples of floating point');
    const file = { fd, width, height, bands, halves };
    let brightest = 0;
    await eachPart(file, (samples) => {
      for (let at = 0; at < samples.length; at += bands)
        for (let c = 0; c < colours; c += 1) {
          const value = samples[at + c] ?? 0;
          if (value > brightest && Number.isFinite(value)) brightest = value;
        }
    });
    const white = Math.max(1, brightest);
    await writeRows(file, toPath, { colours, white, alphaBand });
    return { white };
  } finally {
    closeSync(fd);
  }
}

async function writeRows(
  file: FloatFile,
  toPath: string,
  { colours, white, alphaBand }: { colours: number; white: number; alphaBand: number | undefined },
): Promise<void> {
  const { width, height, bands } = file;
  const raster = createRaster(toPath, { width, height, bands, bits: 16 });
  try {
    await eachPart(file, (samples, rect) => {
      if (alphaBand !== undefined) divide(samples, bands, colours, alphaBand);
      const encoded = new Uint16Array(samples.length);
      for (let i = 0; i < samples.length; i += 1) {
        const value = samples[i] ?? 0;
        const isColour = i % bands < colours;
        // Written this way, NaN becomes black.
        const share = value > 0 ? Math.min(1, isColour ? value / white : value) : 0;
        encoded[i] = Math.round(65_535 * (isColour ? encodeSrgb(share) : share));
      }
      raster.writeRect(rect, encoded, 0, rect.width * bands);
    });
  } finally {
    raster.close();
  }
}

function divide(samples: Float32Array, bands: number, colours: number, alphaBand: number): void {
  for (let at = 0; at < samples.length; at += bands) {
    const alpha = samples[at + alphaBand] ?? 1;
    if (!(alpha > 0 && alpha < 1)) continue;
    for (let c = at; c < at + colours; c += 1) samples[c] = (samples[c] ?? 0) / alpha;
  }
}

/** Reads rows of at most `stripBytes` together, and longer ones in parts. */
async function eachPart(
  { fd, width, height, bands, halves }: FloatFile,
  use: (samples: Float32Array, rect: Rect) => void,
): Promise<void> {
  const yieldTurn = createYield(neverAborted);
  const pixelBytes = (halves ? 2 : 4) * bands;
  const columns = Math.min(width, Math.max(1, Math.floor(stripBytes / pixelBytes)));
  const step = Math.max(1, Math.floor(stripBytes / (pixelBytes * width)));
  for (let y = 0; y < height; y += step)
    for (let x = 0; x < width; x += columns) {
      await yieldTurn();
      const rect = {
        ...{ x, y },
        width: Math.min(columns, width - x),
        height: Math.min(step, height - y),
      };
      const bytes = Buffer.alloc(rect.width * rect.height * pixelBytes);
      readSync(fd, bytes, 0, bytes.length, headerBytes + (y * width + x) * pixelBytes);
      use(floatsIn(bytes, halves), rect);
    }
}

const floatsIn = (bytes: Buffer, halves: Float32Array | undefined): Float32Array =>
  halves
    ? Float32Array.from(
        new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2),
        (bits) => halves[bits] ?? 0,
      )
    : new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
