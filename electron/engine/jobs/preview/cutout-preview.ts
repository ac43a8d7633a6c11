/** Cuts out a crop with a mask network, as a job would cut out that crop alone. */
import type { Rect } from '../../../../packages/contract/src/geometry.ts';
import { join } from 'node:path';
import type { DeviceUse } from '../../../../packages/contract/src/task.ts';
import type { InferenceThread } from '../../inference/thread.ts';
import type { MaskNetworkFile, PreviewRequest } from '../../protocol/messages.ts';
import { copyPart, type Raster, withRaster } from '../../raster/raster-file.ts';
import { appendTrailer } from '../../../../packages/photo-files/src/index.ts';
import { composeCutout, type ComposeOrder } from '../cutout/compose/compose-cutout.ts';
import { findMask, type MaskInference } from '../cutout/mask/find-mask.ts';
import { preemptingMasks } from '../cutout/mask/preempting-masks.ts';
import { assertSeparate, assertLargeEnough, assertSubject } from '../cutout/mask/find-subject.ts';
import { refineMask } from '../cutout/refine/refine-mask.ts';
import { tuningOf } from '../cutout/tuning.ts';
import { neverAborted } from '../../cancellation/yield.ts';
import { writeCrop } from '../../views/view-source.ts';

/** Inputs of one model's preview. */
export interface ModelPreview {
  request: PreviewRequest;
  region: Rect;
  source: Raster;
  inference: MaskInference & Pick<InferenceThread, 'runPass' | 'measureBlur'>;
  icc: Buffer | undefined;
  /** Index of the model in the request. */
  index: number;
}

const hooks = { signal: neverAborted, onProgress: () => undefined };

/** Writes a PNG with transparency. @throws EnlargerError NO_SUBJECT, and what the network throws */
export async function cutOutPreview(
  { request, region, source, inference, icc, index }: ModelPreview,
  network: MaskNetworkFile,
  toPath: string,
): Promise<{ durationMs: number; device: DeviceUse }> {
  const { scratchDir, device } = request;
  const job = { network, device, scratchDir, strokes: [], maskOnly: false };
  const preempting = preemptingMasks(inference);
  const cropPath = join(scratchDir, `${index}-crop.v`);
  copyPart(source, region, cropPath);
  return withRaster(cropPath, async (crop) => {
    assertLargeEnough(crop.shape);
    const start = performance.now();
    const found = await findMask(job, { raster: crop, icc }, preempting, hooks);
    const durationMs = performance.now() - start;
    const tuning = tuningOf(network);
    assertSubject(found.mask, tuning);
    assertSeparate(found, tuning);
    const bits = crop.shape.bits === 16 ? 16 : 8;
    const subjectPath = await refineMask(job, bits, crop, found, hooks);
    const limits = { sourcePixels: Infinity, resultPixels: Infinity };
    const plain = { background: 'transparent', maskOnly: false } as const;
    const order: ComposeOrder = { ...plain, limits, scratchDir, bits, icc };
    const { rasterPath, converted, shape } = await composeCutout(order, crop, subjectPath, hooks);
    appendTrailer(rasterPath, icc && !converted ? { icc } : {});
    await writeCrop(rasterPath, { x: 0, y: 0, ...shape }, toPath);
    return { durationMs, device: found.device };
  });
}
