/**
 * How much of the networks' result is used, and where: the rest is a plain enlargement of the source. The
 * area comes from a mask network or from strokes, on a plane that is interpolated to the result's size.
 */
import type { Size } from '../../../../packages/contract/src/geometry.ts';
import type { Stroke } from '../../../../packages/contract/src/options/strokes.ts';
import {
  boxOf,
  coverage,
  distancesInSteps,
  pathOf,
  type Plane,
} from '../../../../packages/painting/src/index.ts';
import { createYield, runInSteps } from '../../cancellation/yield.ts';
import { loadStallMs } from '../../cancellation/uncancellable-work.ts';
import type { AmountArea, UpscaleJob } from '../../protocol/messages.ts';
import { createEnlargedRows } from '../../raster/enlarge-plain.ts';
import { createPlane } from '../../raster/planes/plane.ts';
import { createRowResampler, resample } from '../../raster/planes/resample.ts';
import { colourBands, withRaster, type Samples } from '../../raster/raster-file.ts';
import { rewriteStrips, type StripOptions } from '../../raster/strips.ts';
import { dilate, type RegionMask } from '../../tiles/region-mask.ts';
import { findByNetwork } from '../cutout/mask/find-mask.ts';
import { assertSubject } from '../cutout/mask/find-subject.ts';
import { partOf, selectsBox } from '../cutout/strokes/look-in-boxes.ts';
import { tuningOf } from '../cutout/tuning.ts';
import { withInferenceLock, type JobContext, type JobTools } from '../steps/job-context.ts';

/** Longer side of the area's plane. */
const planePx = 1024;
/** Opacities of the mask network below and above which a pixel is surely outside and inside. */
const [surelyOut, surelyIn] = [0.1, 0.9] as const;
/** Share of the radius within which a stroke without hardness covers fully. */
const softHardness = 50;

/**
 * Computes where the networks' result is used: 0..1 for each pixel of a plane over the whole photo.
 *
 * @throws EnlargerError NO_SUBJECT, the signal's reason
 */
export async function amountPlane(
  job: UpscaleJob & { amountArea: AmountArea },
  tools: JobTools<'runMask'>,
  context: JobContext,
): Promise<Plane> {
  const { amountArea } = job;
  const photo = context.decoded.shape;
  const base = await basePlane(job, tools, context);
  return paintArea(base, amountArea.strokes, photo, context.signal);
}

async function basePlane(
  job: UpscaleJob & { amountArea: AmountArea },
  tools: JobTools<'runMask'>,
  context: JobContext,
): Promise<Plane> {
  const { amountArea } = job;
  const { decoded, icc, progress, signal } = context;
  const { width, height } = planeSizeOf(decoded.shape);
  if (!('network' in amountArea)) {
    const plane = createPlane(width, height);
    if (amountArea.kind === 'everywhere') plane.data.fill(1);
    return plane;
  }
  const { network } = amountArea;
  const { mask } = await withRaster(decoded.path, (raster) =>
    withInferenceLock(tools, context, () => {
      progress.enter('network', loadStallMs);
      const onProgress = () => progress.heartbeat(loadStallMs);
      const maskJob = { ...job, network, strokes: [] };
      return findByNetwork(maskJob, { raster, icc }, tools.inference, {
        signal,
        onProgress,
        withFeatures: false,
      });
    }),
  );
  assertSubject(mask, tuningOf(network));
  const isSubject = amountArea.kind === 'subject';
  const data = mask.data.map((value) => {
    const share = Math.min(Math.max((value - surelyOut) / (surelyIn - surelyOut), 0), 1);
    return isSubject ? share : 1 - share;
  });
  return resample({ ...mask, data }, Math.max(width, mask.width), Math.max(height, mask.height));
}

function planeSizeOf({ width, height }: Size): Size {
  const scale = Math.min(1, planePx / Math.max(width, height));
  const side = (px: number) => Math.max(1, Math.round(px * scale));
  return { width: side(width), height: side(height) };
}

/** Paints strokes over an area, in order. @throws the signal's reason */
export async function paintArea(
  area: Plane,
  strokes: readonly Stroke[],
  photo: Size,
  signal: AbortSignal,
): Promise<Plane> {
  const yieldTurn = createYield(signal);
  const data = area.data.slice();
  for (const stroke of strokes) {
    if (selectsBox(stroke)) {
      fillBox({ ...area, data }, stroke);
      continue;
    }
    const path = pathOf(stroke, area, photo);
    const box = boxOf(path, area, 0);
    if (!box) continue;
    const { kind, hardness = softHardness } = stroke;
    const reach = await runInSteps(distancesInSteps(path, box), yieldTurn);
    const towards = kind === 'keep' ? 1 : 0;
    for (let at = 0; at < reach.data.length; at += 1) {
      const covered = coverage(reach.data[at] as number, hardness / 100);
      if (covered === 0) continue;
      const to = (box.y + Math.floor(at / box.width)) * area.width + box.x + (at % box.width);
      const value = data[to] as number;
      data[to] = value + (towards - value) * covered;
    }
  }
  return { ...area, data };
}

/** Fills the box of a stroke. */
function fillBox(area: Plane, stroke: Stroke): void {
  const { x, y, width, height } = partOf(stroke, area, 0);
  const value = stroke.kind === 'keep' ? 1 : 0;
  for (let at = y * area.width + x; at < (y + height) * area.width; at += area.width)
    area.data.fill(value, at, at + width);
}

/** The region that the networks must compute, with the pixels to which interpolation spreads it. */
export function regionOf({ width, height, data }: Plane): RegionMask {
  const region = { width, height, data: Uint8Array.from(data, (value) => (value > 0 ? 1 : 0)) };
  return dilate(region, 2 / Math.max(width, height));
}

interface AmountBlend {
  /** Percent of the networks' result. */
  amount: number;
  /** Where it is used; undefined: everywhere. */
  area: Plane | undefined;
}

/**
 * Blends the plain enlargement of the source into a result, in place. Alpha stays the result's.
 *
 * @param path the enlarged raster, in no direction smaller than the source
 * @throws the signal's reason
 */
export async function blendPlain(
  { path, sourcePath }: { path: string; sourcePath: string },
  { amount, area }: AmountBlend,
  options: StripOptions,
): Promise<void> {
  await withRaster(sourcePath, (source) =>
    withRaster(path, async (enlarged) => {
      const { shape } = enlarged;
      const plainRow = createEnlargedRows(source, shape);
      const shareRow = area && createRowResampler(area, shape);
      const gain = (2 ** shape.bits - 1) / (2 ** source.shape.bits - 1);
      await rewriteStrips(enlarged, options, ({ samples, y, rows, stride }) => {
        for (let row = 0; row < rows; row += 1)
          blendRow(samples.subarray(row * stride, (row + 1) * stride), plainRow(y + row), {
            ...{ amount, gain, bands: shape.bands, top: 2 ** shape.bits - 1 },
            shares: shareRow?.(y + row),
          });
      });
    }),
  );
}

interface RowBlend {
  amount: number;
  /** Levels of the result for each level of the source. */
  gain: number;
  bands: number;
  top: number;
  shares: Float32Array | undefined;
}

function blendRow(
  samples: Samples,
  plain: Float32Array,
  { amount, gain, bands, top, shares }: RowBlend,
): void {
  const colours = colourBands({ bands });
  for (let x = 0, at = 0; at < samples.length; x += 1, at += bands) {
    const opacity = (amount / 100) * (shares ? (shares[x] as number) : 1);
    for (let band = at; band < at + colours; band += 1) {
      const under = (plain[band] as number) * gain;
      const value = under + ((samples[band] as number) - under) * opacity;
      samples[band] = Math.min(Math.max(Math.round(value), 0), top);
    }
  }
}
