/** Previews of a crop through several models, as jobs would make it, between the tiles of a running pass. */
import { join } from 'node:path';
import { EnlargerError, taskErrorCodeOf } from '../../../../packages/contract/src/errors.ts';
import type { Rect, Size } from '../../../../packages/contract/src/geometry.ts';
import { chooseGrain, chooseRestoring, recordOfDamage } from '../../plan/choose-restoring.ts';
import type {
  OpenedPicture,
  PreviewResponse,
  PreviewRequest,
  PreviewResult,
  PreviewModel,
} from '../../protocol/messages.ts';
import { createYield, neverAborted } from '../../cancellation/yield.ts';
import { withRaster, type Raster } from '../../raster/raster-file.ts';
import { withBlur } from '../upscale/measure-blur.ts';
import { cutOutPreview, type ModelPreview } from './cutout-preview.ts';
import { enlargedPreview } from './enlarged-preview.ts';
import { profileOf, writeCrop } from '../../views/view-source.ts';

/**
 * Makes previews; a failed model has its error in place of a result.
 *
 * @throws if the source's raster is gone
 */
export async function makePreviews(
  requested: PreviewRequest,
  inference: ModelPreview['inference'],
): Promise<PreviewResponse> {
  const { scratchDir, models } = requested;
  return withRaster(requested.picture.rasterPath, async (source) => {
    const picture = await blurMeasured(requested, source, inference);
    const request = { ...requested, picture };
    const region = regionAround(request, source.shape);
    const sourcePath = join(scratchDir, 'source.png');
    await writeCrop(picture.rasterPath, region, sourcePath);
    const icc = await profileOf(picture.rasterPath);
    const results: PreviewResult[] = [];
    for (const [index, model] of models.entries())
      results.push(await previewOf({ request, region, source, inference, icc, index }, model));
    return { ...region, sourcePath, made: results, ...measuredOf(request) };
  });
}

/** The picture with its blur, if a network is conditioned by it. */
async function blurMeasured(
  { picture, models }: PreviewRequest,
  source: Raster,
  inference: ModelPreview['inference'],
): Promise<OpenedPicture> {
  const { damage } = picture;
  const passes = models.flatMap((model) => ('passes' in model ? model.passes.slice(0, 1) : []));
  const first = passes.find(({ blurNetwork }) => blurNetwork);
  if (!damage || !first) return picture;
  const yieldTurn = createYield(neverAborted);
  return { ...picture, damage: await withBlur(damage, source, first, inference, yieldTurn) };
}

/** The measured damage, and the condition given to the networks. */
function measuredOf({ picture, models, restore = 'auto', grain, scale }: PreviewRequest) {
  const { damage } = picture;
  const isConditioned = models.some((model) => 'passes' in model && model.passes[0]?.condition);
  if (!damage || models.some((model) => 'mask' in model)) return {};
  const restoring = isConditioned ? chooseRestoring(restore, damage) : undefined;
  const measured = recordOfDamage(damage, restore, restoring, chooseGrain(grain, damage, scale));
  return { measured };
}

/** Position of the crop inside the picture; square if the picture is large enough. */
function regionAround(
  { x, y, sizePx }: Pick<PreviewRequest, 'x' | 'y' | 'sizePx'>,
  { width, height }: Size,
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

async function previewOf(work: ModelPreview, model: PreviewModel): Promise<PreviewResult> {
  const { modelId } = model;
  const path = join(work.request.scratchDir, `${work.index}.png`);
  try {
    return 'mask' in model
      ? { modelId, path, ...(await cutOutPreview(work, model.mask, path)) }
      : { modelId, path, ...(await enlargedPreview(work, model.passes, path)) };
  } catch (error) {
    if (!(error instanceof EnlargerError)) throw error;
    return { modelId, code: taskErrorCodeOf(error), message: error.message };
  }
}
