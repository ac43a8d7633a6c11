/** All passes of a job, raster to raster, and what they need of the disk. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { PassDone } from './inference/protocol.ts';
import type { InferenceThread } from './inference/thread.ts';
import type { Progress } from './progress.ts';
import type { NetworkFile, SourceInspection, UpscaleJob } from './protocol.ts';
import type { Decoded } from './raster/decode.ts';
import type { OutputPlan } from './raster/output-plan.ts';
import { rasterBytes, type RasterShape } from './raster/raster-file.ts';
import { beginSilenceMs, tileSilenceMs } from './watch-limits.ts';

export interface Enlarged {
  rasterPath: string;
  shape: RasterShape;
  passes: PassDone[];
}

export const scaleOf = (passes: NetworkFile[]) =>
  passes.reduce((scale, pass) => scale * pass.scale, 1);

/** Between passes colours are kept in 16 bits, so that nothing is rounded twice. */
const bitsAfter = (pass: number, job: UpscaleJob, plan: OutputPlan) =>
  pass === job.passes.length - 1 ? plan.bits : 16;

/** Most disk that is taken at one time: a pass's input and output, and a third for the encoded file. */
export function scratchBytes(info: SourceInspection, job: UpscaleJob, plan: OutputPlan): number {
  const bands = info.channels;
  let before = rasterBytes({ ...info, bands, bits: info.bitDepth > 8 ? 16 : 8 }) * 2;
  let most = before;
  let scale = 1;
  for (const [i, pass] of job.passes.entries()) {
    scale *= pass.scale;
    const bits = bitsAfter(i, job, plan);
    const after = rasterBytes({
      width: info.width * scale,
      height: info.height * scale,
      bands,
      bits,
    });
    most = Math.max(most, before + after);
    before = after;
  }
  return Math.max(most, before * 1.33);
}

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
    const request = { inputPath, outputPath, network, bits: bitsAfter(i, job, plan) };
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
    shape: { width: plan.width, height: plan.height, bands, bits: plan.bits },
  };
}
