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
import { mannerOf, type WorkStep } from '../steps/work.ts';
import type { PassClock } from './pass-clock.ts';
import { scaleOf } from '../../plan/plan-upscale.ts';
import { smallestTilePx } from '../../tiles/tile-plan.ts';
import { dilate, type RegionMask } from '../../tiles/region-mask.ts';

export interface Enlarged {
  rasterPath: string;
  shape: RasterShape;
  passes: PassResult[];
}

interface PassesToRun {
  job: Pick<UpscaleJob, 'passes' | 'scratchDir' | 'device' | 'keepAliveMs' | 'budget'>;
  plan: OutputPlan;
  clock: PassClock;
  /** The first pass takes off this damage; the later passes enlarge a clean picture. */
  restoring: Restoring;
  /** This is the part of the photo that will be seen; undefined means all of it. */
  wanted: RegionMask | undefined;
  inference: InferenceThread;
}

/**
 * Runs the passes one after the other. The input of every pass but the first is removed as soon as that pass
 * has ended; the first input, the source, stays for the comparison with the result.
 */
export async function enlarge(
  { job, plan, clock, restoring, wanted, inference }: PassesToRun,
  step: WorkStep,
): Promise<Enlarged> {
  const { passes, scratchDir } = job;
  const { shape } = step.decoded;
  let inputPath = step.decoded.path;
  const done: PassResult[] = [];
  step.progress.enter('network', loadStallMs);
  for (const [i, network] of passes.entries()) {
    const outputPath = join(scratchDir, `pass-${i + 1}.v`);
    const bits = bitsAfter(i, passes.length, plan.bits);
    const condition = conditionFor(network, i === 0 ? restoring : noRestoring);
    const part = wanted && wantedFor(wanted, i, passes, shape);
    const request = {
      ...{ inputPath, outputPath, network, bits },
      ...mannerOf(job),
      ...condition,
      ...(part && { wanted: part }),
    };
    done.push(await inference.runPass(request, hooksOfPass(i, clock, step)));
    if (i > 0) rmSync(inputPath);
    inputPath = outputPath;
  }
  return {
    rasterPath: inputPath,
    passes: done,
    shape: { ...plan.enlarged, bands: shape.bands, bits: plan.bits },
  };
}

/** The tiles of a usual network are no larger than this. */
const usualTilePx = 1024;

/** Widens the part that a pass must compute, for the windows of the next pass's tiles exceed their cores. */
function wantedFor(
  wanted: RegionMask,
  pass: number,
  passes: readonly NetworkFile[],
  { width, height }: RasterShape,
): RegionMask {
  const next = passes[pass + 1];
  if (!next) return wanted;
  const { fixedPx = 0, marginPx } = next;
  const tilePx = Math.max(usualTilePx, fixedPx, 8 * marginPx, smallestTilePx(next));
  return dilate(wanted, tilePx / scaleOf(passes.slice(0, pass + 1)) / Math.max(width, height));
}

/** Answers the condition of a pass as a field of its request; it is absent where the network takes none. */
export const conditionFor = (
  { condition }: Pick<NetworkFile, 'condition'>,
  restoring: Restoring,
): { condition?: number[] } => (condition ? { condition: conditionOf(condition, restoring) } : {});

/** Reports each tile as progress, together with how long the next tile may stay silent. */
function hooksOfPass(pass: number, clock: PassClock, { progress, signal }: WorkStep): PassHooks {
  let lastMs = performance.now();
  let slowestMs = 0;
  return {
    signal,
    onBegun(seconds) {
      lastMs = performance.now();
      clock.beginPass(pass, seconds);
      progress.stillAlive(loadStallMs);
    },
    onTile(done, total) {
      const now = performance.now();
      slowestMs = Math.max(slowestMs, now - lastMs);
      lastMs = now;
      const silenceMs = done === total ? loadStallMs : tileStallMs(slowestMs);
      progress.part(clock.tile(done, total), silenceMs);
    },
  };
}
