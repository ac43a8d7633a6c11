/** Converts a raster to another depth, and flattens its transparency onto a colour if one is given. */
import {
  colourBands,
  hasAlpha,
  type Raster,
  type RasterShape,
  type Samples,
} from './raster-file.ts';
import { mapStrips, type StripOptions } from './strips.ts';

interface RasterConversion {
  bits: 8 | 16;
  /** Background colour, 0..1 in the picture's own numbers, per band; absent: alpha stays. */
  behind?: readonly number[] | undefined;
}

/** Writes the converted raster. @throws the signal's reason, EnlargerError STORAGE_FULL */
export function convertRaster(
  source: Raster,
  toPath: string,
  conversion: RasterConversion,
  options: StripOptions,
): Promise<RasterShape> {
  const { bands } = source.shape;
  const isFlat = conversion.behind !== undefined && hasAlpha(source.shape);
  const shape = { bands: isFlat ? colourBands(source.shape) : bands, bits: conversion.bits };
  const convert = isFlat ? flattenSamples : scaleSamples;
  return mapStrips(source, { path: toPath, shape }, options, (from, to) => {
    const pixels = (from.rows * from.stride) / bands;
    convert(from.samples, to.samples, { bands, pixels, ...conversion });
  });
}

interface StripConversion extends RasterConversion {
  bands: number;
  pixels: number;
}

const topOf = (samples: Samples) => (samples instanceof Uint16Array ? 65535 : 255);

/** Scales each sample by the ratio of full scales, so that white stays white. */
function scaleSamples(from: Samples, to: Samples, { bands, pixels }: StripConversion): void {
  const factor = topOf(to) / topOf(from);
  const length = pixels * bands;
  for (let i = 0; i < length; i += 1) to[i] = Math.round((from[i] as number) * factor);
}

function flattenSamples(
  from: Samples,
  to: Samples,
  { bands, pixels, behind = [] }: StripConversion,
): void {
  const colours = bands - 1;
  const own = 1 / topOf(from);
  const top = topOf(to);
  let at = 0;
  for (let pixel = 0; pixel < pixels * bands; pixel += bands) {
    const alpha = (from[pixel + colours] as number) * own;
    for (let c = 0; c < colours; c += 1) {
      const value = (from[pixel + c] as number) * own * alpha + (behind[c] ?? 1) * (1 - alpha);
      to[at] = Math.round(value * top);
      at += 1;
    }
  }
}
