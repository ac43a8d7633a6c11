/** All passes of a job, raster to raster. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { PassDone } from '../../inference/protocol.ts';
import type { InferenceThread } from '../../inference/thread.ts';
import { bitsAfter, type OutputPlan } from '../../output-plan.ts';
import type { Progress } from '../../progress.ts';
import type { NetworkFile, UpscaleJob } from '../../protocol.ts';
import type { Decoded } from '../../raster/decode.ts';
import type { RasterShape } from '../../raster/raster-file.ts';
import { beginSilenceMs, tileSilenceMs } from '../../watch-limits.ts';

export interface Enlarged {
  rasterPath: string;
  shape: RasterShape;
  passes: PassDone[];
}

export const scaleOf = (passes: readonly NetworkFile[]) =>
  passes.reduce((scale, pass) => scale * pass.scale, 1);

/** All passes, raster to raster; each one's input is removed behind it. */
export async function enlarge(
  job: UpscaleJob,
  decoded: Decoded,
  plan: OutputPlan,
  inference: InferenceThread,
  signal: AbortSignal,
  progress: Progress,
): Promise<Enlarged> {
  let inputPath = decoded.path;
  const passes: PassDone[] = [];
  progress.enter('network', beginSilenceMs);
  for (const [i, network] of job.passes.entries()) {
    const outputPath = join(job.scratchDir, `pass-${i + 1}.v`);
    let last = performance.now();
    let slowestMs = 0;
    const request = {
      inputPath,
      outputPath,
      network,
      bits: bitsAfter(i, job.passes.length, plan.bits),
    };
    const done = await inference.runPass(
      { ...request, device: job.device },
      {
        signal,
        onBegun(seconds) {
          last = performance.now();
          progress.beginPass(i, seconds);
          progress.stillAlive(beginSilenceMs);
        },
        onTile(count, total) {
          const now = performance.now();
          slowestMs = Math.max(slowestMs, now - last);
          last = now;
          const silenceMs = tileSilenceMs(slowestMs);
          progress.tile(count, total, count === total ? beginSilenceMs : silenceMs);
        },
      },
    );
    passes.push(done);
    rmSync(inputPath);
    inputPath = outputPath;
  }
  const { bands } = decoded.shape;
  return {
    rasterPath: inputPath,
    passes,
    shape: { ...plan.enlarged, bands, bits: plan.bits },
  };
}
