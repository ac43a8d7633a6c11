/** Chooses what is behind the subject, and thereby how the result's pixels are written. */
import type { Rect } from '../../../../contract/geometry.ts';
import { toDisplay, coloursOfHex, inOwnNumbers } from '../../../raster/display-colours.ts';
import type { Raster } from '../../../raster/raster-file.ts';
import type { CutoutJob } from '../../../protocol/messages.ts';
import { blurredSurroundings } from './blurred-surroundings.ts';
import {
  maskPainter,
  opaquePainter,
  shadedPainter,
  shadedRow,
  transparentPainter,
  type GreyToColours,
  type Painter,
  type RowBehind,
} from './compose.ts';
import { pictureBehind, rowsOfPicture } from './picture-behind.ts';
import { softShadow } from './soft-shadow.ts';

interface Backdrop extends Pick<CutoutJob, 'shadow' | 'backgroundPath' | 'limits'> {
  /** The background is 'transparent', 'blur' or a colour in sRGB such as #ffffff. */
  background: string;
  maskOnly: boolean;
  source: Raster;
  cut: Raster;
  region: Rect;
  bits: 8 | 16;
  /** This is the picture's ICC profile; undefined means that its numbers are sRGB. */
  icc: Buffer | undefined;
  scratchDir: string;
  signal: AbortSignal;
  /** This function is called as a heartbeat while native work goes on. */
  stillAlive: () => void;
}

interface ChosenPainter {
  painter: Painter;
  /** True means that the result's numbers are no longer those of the source's profile. */
  converted: boolean;
  notes: string[];
  /** The caller closes the painter when nothing is painted any more. */
  close: () => void;
}

export async function choosePainter(backdrop: Backdrop): Promise<ChosenPainter> {
  const { background, backgroundPath, maskOnly, cut, region, bits, signal } = backdrop;
  const depths = { width: region.width, cut: cut.shape, bits };
  const plain = { converted: false, notes: [], close: () => undefined };
  if (maskOnly) return { ...plain, painter: maskPainter(depths), converted: true };
  const opacity = (backdrop.shadow ?? 0) / 100;
  const shadow = opacity > 0 ? await softShadow(cut, region, opacity, signal) : undefined;
  if (backgroundPath === undefined && background === 'transparent') {
    const painter = shadow ? shadedPainter(depths, shadow, region) : transparentPainter(depths);
    return { ...plain, painter };
  }
  const { behind, bands, notes, close } = await findBehind(backdrop);
  const isGreyInRgb = cut.shape.bands < 3 && bands === 3;
  const greyToColours = isGreyInRgb ? await greyInRgb(backdrop) : undefined;
  const under = shadow ? shadedRow(behind, shadow, region, bands) : behind;
  const painter = opaquePainter(depths, under, region, greyToColours);
  if (!isGreyInRgb) return { painter, converted: false, notes, close };
  const note = 'The grey picture became RGB, for its background has a colour.';
  return { painter, converted: true, notes: [...notes, note], close };
}

interface Behind {
  behind: RowBehind;
  /** There are 1 or 3 bands; a grey picture over a background of three becomes sRGB. */
  bands: number;
  notes: string[];
  close: () => void;
}

async function findBehind(backdrop: Backdrop): Promise<Behind> {
  const { background, backgroundPath, source, cut, region, bits } = backdrop;
  const { scratchDir, limits, signal, stillAlive } = backdrop;
  const plain = { notes: [], close: () => undefined };
  const isGrey = cut.shape.bands < 3;
  if (backgroundPath !== undefined) {
    const { width, height } = region;
    const icc = isGrey ? undefined : backdrop.icc;
    const where = { path: backgroundPath, scratchDir, limits, signal, stillAlive };
    const found = await pictureBehind({ ...where, size: { width, height }, bits, icc });
    const { raster, notes } = found;
    const close = () => raster.close();
    return { behind: rowsOfPicture(raster, region), bands: 3, notes, close };
  }
  if (background === 'blur')
    return {
      ...plain,
      behind: await blurredSurroundings(source, cut, signal),
      bands: isGrey ? 1 : 3,
    };
  const colour = coloursOfHex(background);
  const { width } = cut.shape;
  const isNeutral = new Set(colour).size === 1;
  if (isGrey && !isNeutral) return { ...plain, behind: evenRow(width, colour), bands: 3 };
  const plainly = isGrey ? colour.slice(0, 1) : colour;
  const own = await inOwnNumbers(colour, plainly, backdrop.icc, scratchDir);
  return { ...plain, behind: evenRow(width, own), bands: own.length };
}

function evenRow(width: number, colour: number[]): RowBehind {
  const { length } = colour;
  const row = Float32Array.from({ length: width * length }, (_, i) => colour[i % length] as number);
  return () => row;
}

/** Answers tables for red, green and blue: what each sample of the grey band is in sRGB, 0..1. */
async function greyInRgb({ cut, icc, scratchDir }: Backdrop): Promise<GreyToColours> {
  const top = 2 ** cut.shape.bits - 1;
  const data = Float32Array.from({ length: top + 1 }, (_, sample) => sample / top);
  const ramp = { width: top + 1, height: 1, bands: 1 as const, data, icc };
  const colours = await toDisplay(ramp, scratchDir);
  return [0, 1, 2].map((band) =>
    Float32Array.from({ length: top + 1 }, (_, i) => colours[i * 3 + band] as number),
  );
}
