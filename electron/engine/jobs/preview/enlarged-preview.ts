/** Enlarges a crop by a model, as a job would, with as much of its surroundings as the networks need. */
import { join } from 'node:path';
import type { Rect } from '../../../contract/geometry.ts';
import type { Keep } from '../../../contract/request.ts';
import type { DeviceUse } from '../../../contract/task.ts';
import { chooseGrain, chooseRestoring, noRestoring } from '../../plan/choose-restoring.ts';
import { bitsAfter } from '../../plan/output-plan.ts';
import type { NetworkFile } from '../../protocol/messages.ts';
import { finishRaster } from '../../raster/finish-raster.ts';
import {
  copyPart,
  hasAlpha,
  openRaster,
  type RasterShape,
  shapeOf,
  withRaster,
} from '../../raster/raster-file.ts';
import { appendTrailer } from '../../raster/trailer.ts';
import { conditionFor } from '../upscale/enlarge.ts';
import { holdColours } from '../upscale/fidelity/hold-colours.ts';
import { projectOnSource } from '../upscale/fidelity/keep-faithful.ts';
import { layGrain } from '../upscale/grain.ts';
import { alphaMarginPx } from '../../tiles/alpha.ts';
import { scaleOf } from '../../plan/plan-upscale.ts';
import { neverAborted } from '../../cancellation/yield.ts';
import type { ModelPreview } from './cutout-preview.ts';
import { writeCrop } from '../../views/view-source.ts';

/** Writes a PNG in the size that was asked for. It throws what the networks throw. */
export async function enlargedPreview(
  work: ModelPreview,
  passes: readonly NetworkFile[],
  toPath: string,
): Promise<{ durationMs: number; device: DeviceUse }> {
  const { region, icc, asked } = work;
  const { scale } = asked;
  const start = performance.now();
  const last = await runPasses(work, passes);
  const durationMs = performance.now() - start;
  const part = wholePixels(last.read, scaleOf(passes));
  const sizedPath = await sized(work, last, part, scaleOf(passes));
  if (asked.keep) await keepTo(asked.keep, work, part, sizedPath);
  const path = await finished(work, sizedPath);
  appendTrailer(path, icc ? { icc } : {});
  await writeCrop(path, within(scaled(region, scale), scaled(part, scale)), toPath);
  return { durationMs, device: last.device };
}

/** Cuts what the networks made to a part of the photo, and reduces it to the scale that is asked for. */
async function sized(
  { asked: { scale, scratchDir }, index }: ModelPreview,
  last: LastPass,
  part: Rect,
  madeScale: number,
): Promise<string> {
  const path = join(scratchDir, `${index}-part.v`);
  const inMade = within(scaled(part, madeScale), last.read);
  await withRaster(last.path, (made) => copyPart(made, inMade, path));
  if (madeScale === scale) return path;
  const sizedPath = join(scratchDir, `${index}-sized.v`);
  await finishRaster(path, sizedPath, scaled(part, scale));
  return sizedPath;
}

/** Makes the enlarged part faithful to the photo as a job does, in place. */
async function keepTo(
  keep: Keep,
  { source, index, asked: { scratchDir } }: ModelPreview,
  part: Rect,
  path: string,
): Promise<void> {
  const sourcePath = join(scratchDir, `${index}-was.v`);
  copyPart(source, part, sourcePath);
  const options = { signal: neverAborted };
  if (keep === 'colours') await holdColours({ path, sourcePath }, options);
  else await projectOnSource({ path, sourcePath, scratchDir }, options);
}

/** Sharpens and lays grain as a job does at its end, before the surroundings of the crop are cut off. */
async function finished({ asked, index }: ModelPreview, path: string): Promise<string> {
  const { sharpen = 0, scratchDir, picture } = asked;
  const grain = chooseGrain(asked.grain, picture.damage, asked.scale);
  const toPath = sharpen > 0 ? join(scratchDir, `${index}-sharp.v`) : path;
  if (sharpen > 0) await finishRaster(path, toPath, { ...shapeOf(path), sharpen });
  if (grain) await withRaster(toPath, (sharp) => layGrain(sharp, grain, { signal: neverAborted }));
  return toPath;
}

/** Reducing and sharpening look at no more pixels of the source to each side than these. */
const finishingPx = 4;

/**
 * A network that is not tile-exact gets these further surroundings: a tile's content changes all of its
 * answer, and with more of the photo around the crop it is closer to the job's.
 */
const inexactSurroundingsPx = 64;

/** Tells how many pixels to each side, before the passes, a pixel of the result may depend on. */
function surroundingsPx(passes: readonly NetworkFile[], shape: RasterShape): number {
  const alphaPx = hasAlpha(shape) ? alphaMarginPx : 0;
  let px = 0;
  for (const [i, { marginPx, tileExact }] of passes.entries()) {
    const own = marginPx + alphaPx + (tileExact ? 0 : inexactSurroundingsPx);
    px += Math.ceil(own / scaleOf(passes.slice(0, i)));
  }
  return px;
}

/** Grows a rectangle by its surroundings, within the bounds of another one. */
function withSurroundings(rect: Rect, all: Rect, px: number): Rect {
  const x = Math.max(all.x, rect.x - px);
  const y = Math.max(all.y, rect.y - px);
  const right = Math.min(all.x + all.width, rect.x + rect.width + px);
  const bottom = Math.min(all.y + all.height, rect.y + rect.height + px);
  return { x, y, width: right - x, height: bottom - y };
}

const scaled = ({ x, y, width, height }: Rect, scale: number): Rect => ({
  x: x * scale,
  y: y * scale,
  width: width * scale,
  height: height * scale,
});

/** Tells where a rectangle lies in a raster that shows `read`, whose pixels are as large as its own. */
const within = ({ x, y, width, height }: Rect, read: Rect): Rect => {
  return { x: x - read.x, y: y - read.y, width, height };
};

/** Gives the whole pixels of the source that a rectangle in pixels of the enlarged source shows. */
function wholePixels(read: Rect, scale: number): Rect {
  const [x, y] = [Math.ceil(read.x / scale), Math.ceil(read.y / scale)];
  const width = Math.floor((read.x + read.width) / scale) - x;
  return { x, y, width, height: Math.floor((read.y + read.height) / scale) - y };
}

const noHooks = {
  signal: neverAborted,
  onBegun: () => undefined,
  onTile: () => undefined,
};

interface LastPass {
  path: string;
  /** The rectangle that the raster shows, in pixels of the enlarged source. */
  read: Rect;
  device: DeviceUse;
}

/** Runs the passes. Each pass takes no more of the one before than it needs around the region. */
async function runPasses(
  { asked, region, source, inference, index }: ModelPreview,
  passes: readonly NetworkFile[],
): Promise<LastPass> {
  const { width, height } = source.shape;
  const restoring = chooseRestoring(asked.restore ?? 'auto', asked.picture.damage);
  let raster = source;
  let read: Rect = { x: 0, y: 0, width, height };
  const seen = withSurroundings(region, read, finishingPx);
  let last: LastPass | undefined;
  for (const [i, network] of passes.entries()) {
    const scale = scaleOf(passes.slice(0, i));
    const around = surroundingsPx(passes.slice(i), source.shape);
    const wanted = withSurroundings(scaled(seen, scale), read, around);
    const inputPath = join(asked.scratchDir, `${index}-${i}-in.v`);
    copyPart(raster, within(wanted, read), inputPath);
    if (raster !== source) raster.close();
    const outputPath = join(asked.scratchDir, `${index}-${i}-out.v`);
    const bits = bitsAfter(i, passes.length, 8);
    const condition = conditionFor(network, i === 0 ? restoring : noRestoring);
    const { device } = await inference.runPass(
      { inputPath, outputPath, network, bits, device: asked.device, preempts: true, ...condition },
      noHooks,
    );
    read = scaled(wanted, network.scale);
    last = { path: outputPath, read, device };
    if (i < passes.length - 1) raster = openRaster(outputPath);
  }
  if (!last) throw new Error('A preview without a pass');
  return last;
}
