/** What is behind the subject, and so how the result's pixels are written. */
import { fromDisplay, toDisplay } from '../../../raster/display-colours.ts';
import type { Raster, Rect } from '../../../raster/raster-file.ts';
import { blurredSurroundings } from './blurred-surroundings.ts';
import {
  maskPainter,
  opaquePainter,
  transparentPainter,
  type GreyToColours,
  type Painter,
  type RowBehind,
} from './compose.ts';

export interface Backdrop {
  /** 'transparent', 'blur' or a colour in sRGB such as #ffffff. */
  background: string;
  maskOnly: boolean;
  source: Raster;
  cut: Raster;
  region: Rect;
  bits: 8 | 16;
  /** Absent: the picture's numbers are sRGB's. */
  icc: Buffer | undefined;
  scratchDir: string;
  signal: AbortSignal;
}

export interface ChosenPainter {
  painter: Painter;
  /** Whether the result's numbers are no longer of the source's profile. */
  converted: boolean;
  notes: string[];
}

export async function choosePainter(backdrop: Backdrop): Promise<ChosenPainter> {
  const { background, maskOnly, source, cut, region, bits, signal } = backdrop;
  const depths = { width: region.width, cut: cut.shape, bits };
  const plain = { converted: false, notes: [] };
  if (maskOnly) return { painter: maskPainter(depths), converted: true, notes: [] };
  if (background === 'transparent') return { painter: transparentPainter(depths), ...plain };
  if (background === 'blur') {
    const behind = await blurredSurroundings(source, cut, signal);
    return { painter: opaquePainter(depths, behind, region), ...plain };
  }
  const colour = colourOf(background);
  const isNeutral = new Set(colour).size === 1;
  if (cut.shape.bands < 3 && !isNeutral) return overColourInRgb(backdrop, colour);
  const behind = evenRow(source.shape.width, await ownColour(backdrop, colour));
  return { painter: opaquePainter(depths, behind, region), ...plain };
}

/** Red, green and blue of #rrggbb as 0..1. */
const colourOf = (hex: string) =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);

/** In the picture's numbers, one for each of its colour bands. A profile that is none is passed over. */
async function ownColour({ cut, icc, scratchDir }: Backdrop, colour: number[]): Promise<number[]> {
  const own = cut.shape.bands < 3 ? colour.slice(0, 1) : colour;
  if (!icc) return own;
  const converted = await fromDisplay(colour, icc, scratchDir).catch(() => own);
  return converted.length === own.length ? converted : own;
}

function evenRow(width: number, colour: number[]): RowBehind {
  const { length } = colour;
  const row = Float32Array.from({ length: width * length }, (_, i) => colour[i % length] as number);
  return () => row;
}

/** A grey picture over a colour is no longer grey: it becomes sRGB. */
async function overColourInRgb(backdrop: Backdrop, colour: number[]): Promise<ChosenPainter> {
  const { source, cut, region, bits } = backdrop;
  const depths = { width: region.width, cut: cut.shape, bits };
  const behind = evenRow(source.shape.width, colour);
  const painter = opaquePainter(depths, behind, region, await greyInRgb(backdrop));
  const notes = ['The grey picture became RGB, for its background has a colour.'];
  return { painter, converted: true, notes };
}

async function greyInRgb({ cut, icc, scratchDir }: Backdrop): Promise<GreyToColours> {
  const top = 2 ** cut.shape.bits - 1;
  const data = Float32Array.from({ length: top + 1 }, (_, sample) => sample / top);
  const ramp = { width: top + 1, height: 1, bands: 1 as const, data, icc };
  const colours = await toDisplay(ramp, scratchDir);
  return [0, 1, 2].map((band) =>
    Float32Array.from({ length: top + 1 }, (_, i) => colours[i * 3 + band] as number),
  );
}
