/** Runs all passes of a job, from raster to raster. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { PassResult } from '../../inference/protocol.ts';
import type { InferenceThread, PassHooks } from '../../inference/thread.ts';
import { conditionOf, noRestoring, type Restoring } from '../../plan/choose-restoring.ts';
import { bitsAfter, type OutputPlan } from '../../plan/output-plan.ts';
import type { NetworkFile, UpscaleJob } from '../../protocol/messages.ts';
import type { RasterShape } from '../../raster/raster-file.ts';
import { loadStallMs, tileStallMs } from '../../cancellation/uncancellable-work.ts';
import { runtimeOptions, type JobContext } from '../steps/job-context.ts';
import type { PassClock } from './pass-clock.ts';
import { scaleOf } from '../../plan/plan-upscale.ts';
import { smallestTilePx } from '../../tiles/tile-plan.ts';
import { dilate, type RegionMask } from '../../tiles/region-mask.ts';

export interface EnlargedRaster {
  rasterPath: string;
  shape: RasterShape;
  passes: PassResult[];
}

interface PassesOrder {
  job: Pick<UpscaleJob, 'passes' | 'scratchDir' | 'device' | 'keepAliveMs' | 'budget' | 'detail'>;
  plan: OutputPlan;
  clock: PassClock;
  /** Restoring of the first pass; later passes enlarge a clean picture. */
  restoring: Restoring;
  /** Region of the photo that will be visible; undefined: all of it. */
  region: RegionMask | undefined;
  inference: Pick<InferenceThread, 'runPass'>;
}

/**
 * Runs the passes one after the other. The input of each pass but the first is removed after that pass; the
 * source stays for the comparison with the result.
 */
export async function enlarge(
  { job, plan, clock, restoring, region, inference }: PassesOrder,
  context: JobContext,
): Promise<EnlargedRaster> {
  const { passes, scratchDir, detail } = job;
  const { shape } = context.decoded;
  let inputPath = context.decoded.path;
  const done: PassResult[] = [];
  context.progress.enter('network', loadStallMs);
  for (const [i, network] of passes.entries()) {
    const outputPath = join(scratchDir, `pass-${i + 1}.v`);
    const bits = bitsAfter(i, passes.length, plan.bits);
    const condition = conditionFor(network, i === 0 ? restoring : noRestoring, detail);
    const part = region && regionFor(region, i, passes, shape);
    const request = {
      ...{ inputPath, outputPath, network, bits },
      ...runtimeOptions(job),
      ...condition,
      ...(part && { region: part }),
    };
    done.push(await inference.runPass(request, hooksOfPass(i, clock, context)));
    if (i > 0) rmSync(inputPath);
    inputPath = outputPath;
  }
  return {
    rasterPath: inputPath,
    passes: done,
    shape: { ...plan.enlarged, bands: shape.bands, bits: plan.bits },
  };
}

/** Upper limit for the tiles of ordinary networks. */
const ordinaryTilePx = 1024;

/**
 * Dilates the region that a pass must compute, because the windows of the next pass's tiles exceed their
 * cores.
 */
function regionFor(
  region: RegionMask,
  pass: number,
  passes: readonly NetworkFile[],
  { width, height }: RasterShape,
): RegionMask {
  const next = passes[pass + 1];
  if (!next) return region;
  const { fixedPx = 0, marginPx } = next;
  const tilePx = Math.max(ordinaryTilePx, fixedPx, 8 * marginPx, smallestTilePx(next));
  return dilate(region, tilePx / scaleOf(passes.slice(0, pass + 1)) / Math.max(width, height));
}

/** Condition of a pass as a field of its request; absent if the network takes none. */
export const conditionFor = (
  { condition }: Pick<NetworkFile, 'condition'>,
  restoring: Restoring,
  detail: number | undefined,
): { condition?: number[] } =>
  condition ? { condition: conditionOf(condition, restoring, detail) } : {};

/** Reports each tile as progress, with the stall limit of the next. */
function hooksOfPass(pass: number, clock: PassClock, { progress, signal }: JobContext): PassHooks {
  let lastMs = performance.now();
  let slowestMs = 0;
  return {
    signal,
    onBegun(seconds) {
      lastMs = performance.now();
      clock.beginPass(pass, seconds);
      progress.heartbeat(loadStallMs);
    },
    onTile(done, total) {
      const now = performance.now();
      slowestMs = Math.max(slowestMs, now - lastMs);
      lastMs = now;
      const stallMs = done === total ? loadStallMs : tileStallMs(slowestMs);
      progress.part(clock.tile(done, total), stallMs);
    },
  };
}
