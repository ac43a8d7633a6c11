/** Converts colours between a picture's profile and sRGB with libvips' colour management. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Size } from '../../contract/src/geometry.ts';
import { openOwnRaster, openSamples } from '../../../electron/engine/raster/libvips.ts';
import { writeRaster, type RasterShape } from '../../../electron/engine/raster/raster-file.ts';
import { appendTrailer } from './trailer.ts';

/** Interleaved colours, 0..1 in a picture's own numbers, in one band (grey) or three (RGB). */
export interface ProfiledColours extends Size {
  bands: 1 | 3;
  data: Float32Array;
  /** Absent: sRGB. */
  icc: Buffer | undefined;
}

let lastFile = 0;

/** Converts to interleaved RGB in sRGB, 0..1. Creates and removes a file in the folder. */
export async function toDisplay(colours: ProfiledColours, folder: string): Promise<Float32Array> {
  if (!colours.icc) return colours.bands === 3 ? colours.data : greyToRgb(colours.data);
  const path = join(folder, `colours-${(lastFile += 1)}.v`);
  writeDeep(colours, path);
  try {
    appendTrailer(path, { icc: colours.icc });
    const { data } = await openOwnRaster(path, { toDisplay: true })
      .toColourspace('rgb16')
      .raw({ depth: 'ushort' })
      .toBuffer({ resolveWithObject: true });
    const samples = new Uint16Array(data.buffer, data.byteOffset, data.length / 2);
    return Float32Array.from(samples, (sample) => sample / 65535);
  } finally {
    rmSync(path, { force: true });
  }
}

const greyToRgb = (grey: Float32Array) =>
  Float32Array.from({ length: grey.length * 3 }, (_, i) => grey[Math.floor(i / 3)] as number);

function writeDeep({ width, height, bands, data }: ProfiledColours, path: string): void {
  const shape: RasterShape = { width, height, bands, bits: 16 };
  writeRaster(
    path,
    shape,
    Uint16Array.from(data, (value) => Math.round(value * 65535)),
  );
}

/**
 * Converts a colour of sRGB (0..1) to a profile's numbers, one per channel, computed in 8 bits because sharp
 * cannot convert 16-bit pixels to a profile.
 */
async function fromDisplay(
  colour: readonly number[],
  icc: Buffer,
  folder: string,
): Promise<number[]> {
  const path = join(folder, `profile-${(lastFile += 1)}.icc`);
  writeFileSync(path, icc);
  try {
    const samples = Uint8Array.from(colour, (value) => Math.round(value * 255));
    const found = await openSamples(samples, { width: 1, height: 1, channels: 3 })
      .withIccProfile(path)
      .raw()
      .toBuffer();
    return Array.from(found, (sample) => sample / 255);
  } finally {
    rmSync(path, { force: true });
  }
}

/**
 * Converts a colour of sRGB (0..1) to a picture's own numbers.
 *
 * @returns `plain` if there is no profile, or one that is unreadable or has another number of channels
 */
export async function toProfile(
  colour: readonly number[],
  plain: number[],
  icc: Buffer | undefined,
  folder: string,
): Promise<number[]> {
  const own = icc && (await fromDisplay(colour, icc, folder).catch(() => plain));
  return own?.length === plain.length ? own : plain;
}

/** Parses #rrggbb to 0..1. */
export const coloursOfHex = (hex: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
