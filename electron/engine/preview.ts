/** Previews: a crop of a source through several models, as the product would make it, between the tiles of what runs. */
import { join } from 'node:path';
import { EnlargerError, taskErrorCodeOf } from '../contract/errors.ts';
import { scaleOf } from './enlarge.ts';
import type { InferenceThread } from './inference/thread.ts';
import { bitsAfter } from './output-plan.ts';
import type { NetworkFile, PreviewAnswer, PreviewAsked, PreviewMade } from './protocol.ts';
import {
  createRaster,
  createSamples,
  openRaster,
  type Raster,
  type RasterShape,
  type Rect,
} from './raster/raster-file.ts';
import { profileOf, writeShown } from './raster/view-source.ts';
import { appendTrailer } from './raster/trailer.ts';
import { alphaMarginPx } from './upscale/alpha.ts';

/** A model that fails is told of in its place. Throws when the source's raster is gone. */
export async function makePreviews(
  asked: PreviewAsked,
  inference: InferenceThread,
): Promise<PreviewAnswer> {
  const { picture, scratchDir, models } = asked;
  const source = openRaster(picture.rasterPath);
  try {
    const region = regionAround(asked, source.shape);
    const sourcePath = join(scratchDir, 'source.png');
    await writeShown(picture.rasterPath, region, sourcePath);
    const work = { asked, region, source, inference, icc: await profileOf(picture.rasterPath) };
    const made: PreviewMade[] = [];
    for (const [i, model] of models.entries()) made.push(await previewOf(work, i, model));
    return { ...region, sourcePath, made };
  } finally {
    source.close();
  }
}

/** Square where the picture is large enough, and inside it. */
export function regionAround(
  { x, y, sizePx }: Pick<PreviewAsked, 'x' | 'y' | 'sizePx'>,
  { width, height }: { width: number; height: number },
): Rect {
  const span = (middle: number, length: number) => {
    const size = Math.min(sizePx, length);
    const start = Math.round(middle - size / 2);
    return [Math.min(Math.max(start, 0), length - size), size] as const;
  };
  const [left, wide] = span(x, width);
  const [top, high] = span(y, height);
  return { x: left, y: top, width: wide, height: high };
}

interface Work {
  asked: PreviewAsked;
  region: Rect;
  source: Raster;
  inference: InferenceThread;
  icc: Buffer | undefined;
}

async function previewOf(
  work: Work,
  index: number,
  { modelId, passes }: PreviewAsked['models'][number],
): Promise<PreviewMade> {
  const start = performance.now();
  try {
    const folder = work.asked.scratchDir;
    const read = withSurroundings(work.region, work.source.shape, surroundingsPx(passes));
    const cropPath = join(folder, `${index}-crop.v`);
    copyPart(work.source, read, cropPath);
    const { path: enlarged, device } = await runPasses(work, index, cropPath, passes);
    const durationMs = performance.now() - start;
    appendTrailer(enlarged, work.icc ? { icc: work.icc } : {});
    const path = join(folder, `${index}.png`);
    await writeShown(enlarged, partOf(work.region, read, scaleOf(passes)), path);
    return { modelId, path, durationMs, device };
  } catch (error) {
    if (!(error instanceof EnlargerError)) throw error;
    return { modelId, code: taskErrorCodeOf(error), message: error.message };
  }
}

/** What is in a tile changes the whole of it in such a network: more around it comes nearer to the product. */
const inexactSurroundingsPx = 64;

/** Pixels of the source that a result's pixel may depend on, to each side. */
function surroundingsPx(passes: readonly NetworkFile[]): number {
  let px = 0;
  for (const [i, { marginPx, tileExact }] of passes.entries()) {
    const own = marginPx + alphaMarginPx + (tileExact ? 0 : inexactSurroundingsPx);
    px += Math.ceil(own / scaleOf(passes.slice(0, i)));
  }
  return px;
}

function withSurroundings(rect: Rect, { width, height }: RasterShape, px: number): Rect {
  const x = Math.max(0, rect.x - px);
  const y = Math.max(0, rect.y - px);
  const right = Math.min(width, rect.x + rect.width + px);
  const bottom = Math.min(height, rect.y + rect.height + px);
  return { x, y, width: right - x, height: bottom - y };
}

const partOf = (region: Rect, read: Rect, scale: number): Rect => ({
  x: (region.x - read.x) * scale,
  y: (region.y - read.y) * scale,
  width: region.width * scale,
  height: region.height * scale,
});

function copyPart(source: Raster, rect: Rect, toPath: string): void {
  const { bands } = source.shape;
  const { width, height } = rect;
  const samples = createSamples(source.shape, width * height * bands);
  source.readRect(rect, samples, 0, width * bands);
  const crop = createRaster(toPath, { ...source.shape, width, height });
  try {
    crop.writeRect({ x: 0, y: 0, width, height }, samples, 0, width * bands);
  } finally {
    crop.close();
  }
}

/** Asked for together, so that they run together: each takes what the one before leaves. */
async function runPasses(
  { asked, inference }: Work,
  index: number,
  cropPath: string,
  passes: readonly NetworkFile[],
) {
  const pathAfter = (i: number) =>
    i < 0 ? cropPath : join(asked.scratchDir, `${index}-pass-${i + 1}.v`);
  const hooks = {
    signal: new AbortController().signal,
    onBegun: () => undefined,
    onTile: () => undefined,
  };
  const running = passes.map((network, i) =>
    inference.runPass(
      {
        inputPath: pathAfter(i - 1),
        outputPath: pathAfter(i),
        network,
        bits: bitsAfter(i, passes.length, 8),
        device: asked.device,
        cutsIn: true,
      },
      hooks,
    ),
  );
  const settled = await Promise.allSettled(running);
  const failed = settled.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
  const device = settled.at(-1);
  if (device?.status !== 'fulfilled') throw new Error('A preview without a pass');
  return { path: pathAfter(passes.length - 1), device: device.value.device };
}
