/** Chooses the background, and thereby how the result's pixels are written. */
import { note } from '../../../../../packages/contract/src/notes/notes.ts';
import type { Rect } from '../../../../../packages/contract/src/geometry.ts';
import {
  toDisplay,
  coloursOfHex,
  toProfile,
} from '../../../../../packages/photo-files/src/index.ts';
import type { Raster } from '../../../raster/raster-file.ts';
import type { CutoutJob } from '../../../protocol/messages.ts';
import { blurBackdrop } from './blurred-backdrop.ts';
import {
  maskPainter,
  opaquePainter,
  shadedPainter,
  shadedRow,
  transparentPainter,
  type GreyToColours,
  type Painter,
  type BackdropRow,
} from './compose.ts';
import { openBackdropPicture, rowsOfPicture } from './picture-backdrop.ts';
import { softShadow } from './soft-shadow.ts';

interface BackdropOptions extends Pick<CutoutJob, 'shadow' | 'backgroundPath' | 'limits'> {
  /** 'transparent', 'blur' or a colour in sRGB such as #ffffff. */
  background: string;
  maskOnly: boolean;
  source: Raster;
  cut: Raster;
  region: Rect;
  bits: 8 | 16;
  /** ICC profile of the picture; undefined: sRGB. */
  icc: Buffer | undefined;
  scratchDir: string;
  signal: AbortSignal;
  /** Reports progress during native work. */
  stillAlive: () => void;
}

interface PainterChoice {
  painter: Painter;
  /** Whether the result's numbers are no longer those of the source's profile. */
  converted: boolean;
  notes: string[];
  /** To be called after the last row. */
  close: () => void;
}

export async function choosePainter(options: BackdropOptions): Promise<PainterChoice> {
  const { background, backgroundPath, maskOnly, cut, region, bits, signal } = options;
  const depths = { width: region.width, cut: cut.shape, bits };
  const plain = { converted: false, notes: [], close: () => undefined };
  if (maskOnly) return { ...plain, painter: maskPainter(depths), converted: true };
  const opacity = (options.shadow ?? 0) / 100;
  const shadow = opacity > 0 ? await softShadow(cut, region, opacity, signal) : undefined;
  if (backgroundPath === undefined && background === 'transparent') {
    const painter = shadow ? shadedPainter(depths, shadow, region) : transparentPainter(depths);
    return { ...plain, painter };
  }
  const { behind, bands, notes, close } = await openBackdrop(options);
  const isGreyInRgb = cut.shape.bands < 3 && bands === 3;
  const greyToColours = isGreyInRgb ? await greyInRgb(options) : undefined;
  const under = shadow ? shadedRow(behind, shadow, region, bands) : behind;
  const painter = opaquePainter(depths, under, region, greyToColours);
  if (!isGreyInRgb) return { painter, converted: false, notes, close };
  return { painter, converted: true, notes: [...notes, note('GREY_BECAME_RGB')], close };
}

interface BackdropRows {
  behind: BackdropRow;
  /** 1 or 3; a grey picture over a background of three bands becomes sRGB. */
  bands: number;
  notes: string[];
  close: () => void;
}

async function openBackdrop(options: BackdropOptions): Promise<BackdropRows> {
  const { background, backgroundPath, source, cut, region, bits } = options;
  const { scratchDir, limits, signal, stillAlive } = options;
  const plain = { notes: [], close: () => undefined };
  const isGrey = cut.shape.bands < 3;
  if (backgroundPath !== undefined) {
    const { width, height } = region;
    const icc = isGrey ? undefined : options.icc;
    const where = { path: backgroundPath, scratchDir, limits, signal, stillAlive };
    const found = await openBackdropPicture({ ...where, size: { width, height }, bits, icc });
    const { raster, notes } = found;
    const close = () => raster.close();
    return { behind: rowsOfPicture(raster, region), bands: 3, notes, close };
  }
  if (background === 'blur')
    return {
      ...plain,
      behind: await blurBackdrop(source, cut, signal),
      bands: isGrey ? 1 : 3,
    };
  const colour = coloursOfHex(background);
  const { width } = cut.shape;
  const isNeutral = new Set(colour).size === 1;
  if (isGrey && !isNeutral) return { ...plain, behind: uniformRow(width, colour), bands: 3 };
  const channels = isGrey ? colour.slice(0, 1) : colour;
  const own = await toProfile(colour, channels, options.icc, scratchDir);
  return { ...plain, behind: uniformRow(width, own), bands: own.length };
}

function uniformRow(width: number, colour: number[]): BackdropRow {
  const { length } = colour;
  const row = Float32Array.from({ length: width * length }, (_, i) => colour[i % length] as number);
  return () => row;
}

/** Lookup tables for red, green and blue: the value in sRGB, 0..1, of each sample of the grey band. */
async function greyInRgb({ cut, icc, scratchDir }: BackdropOptions): Promise<GreyToColours> {
  const top = 2 ** cut.shape.bits - 1;
  const data = Float32Array.from({ length: top + 1 }, (_, sample) => sample / top);
  const ramp = { width: top + 1, height: 1, bands: 1 as const, data, icc };
  const colours = await toDisplay(ramp, scratchDir);
  return [0, 1, 2].map((band) =>
    Float32Array.from({ length: top + 1 }, (_, i) => colours[i * 3 + band] as number),
  );
}
