/** Enlarges a crop with a model, as a job would, with as much of its surroundings as the networks need. */
import { join } from 'node:path';
import type { Rect } from '../../../../packages/contract/src/geometry.ts';
import type { DeviceUse } from '../../../../packages/contract/src/task.ts';
import { chooseGrain, chooseRestoring, noRestoring } from '../../plan/choose-restoring.ts';
import { bitsAfter } from '../../plan/output-plan.ts';
import type { NetworkFile } from '../../protocol/messages.ts';
import { enlargePlain, lanczos3 } from '../../raster/enlarge-plain.ts';
import { finishRaster } from '../../raster/finish-raster.ts';
import {
  copyPart,
  hasAlpha,
  openRaster,
  type RasterShape,
  shapeOf,
  withRaster,
} from '../../raster/raster-file.ts';
import { appendTrailer } from '../../../../packages/photo-files/src/index.ts';
import { blendPlain } from '../upscale/amount.ts';
import { conditionFor } from '../upscale/enlarge.ts';
import { matchColours } from '../upscale/fidelity/match-colours.ts';
import { projectOnSource } from '../upscale/fidelity/back-projection.ts';
import { addGrain } from '../upscale/grain.ts';
import { alphaMarginPx } from '../../tiles/alpha.ts';
import { scaleOf } from '../../plan/plan-upscale.ts';
import { neverAborted } from '../../cancellation/yield.ts';
import type { ModelPreview } from './cutout-preview.ts';
import { writeCrop } from '../../views/view-source.ts';

/** Writes a PNG in the requested size. @throws what the networks throw */
export async function enlargedPreview(
  work: ModelPreview,
  passes: readonly NetworkFile[],
  toPath: string,
): Promise<{ durationMs: number; device: DeviceUse }> {
  const { region, icc, request } = work;
  const { scale } = request;
  const start = performance.now();
  const lastPass = await runPasses(work, passes);
  const durationMs = performance.now() - start;
  const part = wholePixels(lastPass.read, scaleOf(passes));
  const sizedPath = await sized(work, lastPass, part, scaleOf(passes));
  await applyToSized(work, part, sizedPath);
  const path = await finished(work, sizedPath);
  appendTrailer(path, icc ? { icc } : {});
  await writeCrop(path, relativeTo(scaled(region, scale), scaled(part, scale)), toPath);
  return { durationMs, device: lastPass.device };
}

/** Cuts the networks' output to a part of the photo, and resizes it to the requested scale. */
async function sized(
  { request: { scale, scratchDir }, index }: ModelPreview,
  lastPass: LastPass,
  part: Rect,
  madeScale: number,
): Promise<string> {
  const path = join(scratchDir, `${index}-part.v`);
  const inMade = relativeTo(scaled(part, madeScale), lastPass.read);
  await withRaster(lastPass.path, (made) => copyPart(made, inMade, path));
  if (madeScale === scale) return path;
  const sizedPath = join(scratchDir, `${index}-sized.v`);
  const size = scaled(part, scale);
  // libvips would enlarge with a shift.
  if (madeScale > scale) await finishRaster(path, sizedPath, size);
  else
    await withRaster(path, (made) =>
      enlargePlain(made, sizedPath, size, { signal: neverAborted, kernel: lanczos3 }),
    );
  return sizedPath;
}

/** Applies amount and fidelity to the enlarged part as in a job, in place. */
async function applyToSized(
  { source, index, request: { scratchDir, keep, amount = 100 } }: ModelPreview,
  part: Rect,
  path: string,
): Promise<void> {
  if (!keep && amount === 100) return;
  const sourcePath = join(scratchDir, `${index}-was.v`);
  copyPart(source, part, sourcePath);
  const options = { signal: neverAborted };
  if (amount < 100) await blendPlain({ path, sourcePath }, { amount, area: undefined }, options);
  if (keep === 'colours') await matchColours({ path, sourcePath }, options);
  if (keep === 'faithful') await projectOnSource({ path, sourcePath, scratchDir }, options);
}

/** Sharpens and adds grain as at the end of a job, before the crop's surroundings are removed. */
async function finished({ request, index }: ModelPreview, path: string): Promise<string> {
  const { sharpen = 0, scratchDir, picture } = request;
  const grain = chooseGrain(request.grain, picture.damage, request.scale);
  const toPath = sharpen > 0 ? join(scratchDir, `${index}-sharp.v`) : path;
  if (sharpen > 0) await finishRaster(path, toPath, { ...shapeOf(path), sharpen });
  if (grain) await withRaster(toPath, (sharp) => addGrain(sharp, grain, { signal: neverAborted }));
  return toPath;
}

/** Source pixels to each side on which reducing and sharpening depend. */
const finishingPx = 4;

/**
 * Additional surroundings for a network that is not tile-exact: a tile's content changes all of its output,
 * and more of the photo around the crop brings it closer to the job's.
 */
const inexactSurroundingsPx = 64;

/** Pixels to each side, before the passes, on which a pixel of the result may depend. */
function surroundingsPx(passes: readonly NetworkFile[], shape: RasterShape): number {
  const alphaPx = hasAlpha(shape) ? alphaMarginPx : 0;
  let px = 0;
  for (const [i, { marginPx, tileExact }] of passes.entries()) {
    const own = marginPx + alphaPx + (tileExact ? 0 : inexactSurroundingsPx);
    px += Math.ceil(own / scaleOf(passes.slice(0, i)));
  }
  return px;
}

/** Extends a rectangle by its surroundings, within the bounds of another one. */
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

/** Position of a rectangle in a raster that shows `read` at the same scale. */
const relativeTo = ({ x, y, width, height }: Rect, read: Rect): Rect => {
  return { x: x - read.x, y: y - read.y, width, height };
};

/** The whole source pixels in a rectangle given in pixels of the enlarged source. */
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
  /** The raster's rectangle in pixels of the enlarged source. */
  read: Rect;
  device: DeviceUse;
}

/** Runs the passes. Each takes no more of the preceding one than it needs around the region. */
async function runPasses(
  { request, region, source, inference, index }: ModelPreview,
  passes: readonly NetworkFile[],
): Promise<LastPass> {
  const { width, height } = source.shape;
  const restoring = chooseRestoring(request.restore ?? 'auto', request.picture.damage);
  let raster = source;
  let read: Rect = { x: 0, y: 0, width, height };
  const visible = withSurroundings(region, read, finishingPx);
  let lastPass: LastPass | undefined;
  for (const [i, network] of passes.entries()) {
    const scale = scaleOf(passes.slice(0, i));
    const around = surroundingsPx(passes.slice(i), source.shape);
    const needed = withSurroundings(scaled(visible, scale), read, around);
    const inputPath = join(request.scratchDir, `${index}-${i}-in.v`);
    copyPart(raster, relativeTo(needed, read), inputPath);
    if (raster !== source) raster.close();
    const outputPath = join(request.scratchDir, `${index}-${i}-out.v`);
    const bits = bitsAfter(i, passes.length, 8);
    const condition = conditionFor(network, i === 0 ? restoring : noRestoring, request.detail);
    const { device } = await inference.runPass(
      {
        inputPath,
        outputPath,
        network,
        bits,
        device: request.device,
        preempts: true,
        ...condition,
      },
      noHooks,
    );
    read = scaled(needed, network.scale);
    lastPass = { path: outputPath, read, device };
    if (i < passes.length - 1) raster = openRaster(outputPath);
  }
  if (!lastPass) throw new Error('A preview without a pass');
  return lastPass;
}
