/** An enlarging's way, step by step. Each step is done elsewhere; here stands their order and their time. */
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { EnlargerError } from '../../../contract/errors.ts';
import type { DeviceUse, Timings } from '../../../contract/task.ts';
import type { InferenceThread } from '../../inference/thread.ts';
import type { PassDone } from '../../inference/protocol.ts';
import { decodeSource } from '../../decode-source.ts';
import { enlarge, scaleOf, type Enlarged } from './enlarge.ts';
import { timed } from '../../job-timings.ts';
import type { JobHooks, JobTools } from '../../job-tools.ts';
import {
  estimateOf,
  planOutput,
  scaleFor,
  scratchBytes,
  sizeOfTarget,
  type OutputPlan,
  writtenBits,
} from '../../output-plan.ts';
import { createProgress, type Progress } from '../../progress.ts';
import type { JobReport, SourceInspection, UpscaleJob } from '../../protocol.ts';
import { assertDisk } from '../../raster/disk.ts';
import type { Decoded } from '../../raster/decode.ts';
import { finishRaster } from '../../raster/finish-raster.ts';
import { inspect, type Inspected } from '../../raster/inspect.ts';
import { hasAlpha } from '../../raster/raster-file.ts';
import { watched } from '../../watched.ts';
import { silenceOf, writeResult, type Written } from '../../write-result.ts';
import { decodeSilenceMs } from '../../watch-limits.ts';

/** Rejects with EnlargerError. What it leaves in the scratch folder is the service's to remove. */
export async function runUpscale(
  wanted: UpscaleJob,
  tools: JobTools,
  hooks: JobHooks,
): Promise<JobReport> {
  const timings: Timings = {};
  const inspected = await inspect(wanted.sourcePath, wanted.limits);
  const { job, plan } = planJob(wanted, inspected.info);
  const scales = job.passes.map(({ scale }) => scale);
  const diskBytes = scratchBytes(inspected.info, scales, plan);
  const seconds = secondsOf(job, inspected.info, tools.inference);
  const estimate = estimateOf(plan, diskBytes, seconds);
  hooks.onProgress({ step: 'decode', percent: 0, estimate }, decodeSilenceMs(0));
  await assertDisk(job.scratchDir, diskBytes);
  const progress = progressOf(job, tools, hooks, inspected);

  const decoded = await timed(timings, 'decodeMs', () =>
    decodeSource(job, inspected, progress, hooks.signal),
  );
  const waitedFrom = performance.now();
  progress.enter('wait', Infinity);
  const enlarged = await tools.turn.hold(hooks.signal, () => {
    timings.waitMs = performance.now() - waitedFrom;
    return timed(timings, 'networkMs', () =>
      enlarge(job, decoded, plan, tools.inference, hooks.signal, progress),
    );
  });
  const published = await timed(timings, 'encodeMs', () =>
    encodeResult(job, inspected, decoded, enlarged, plan, progress, hooks.signal),
  );
  return reportOf({ job, inspected, decoded, enlarged, plan, timings, published });
}

/** The job with its passes chosen, and what it will make. */
function planJob(
  wanted: UpscaleJob,
  info: SourceInspection,
): { job: UpscaleJob; plan: OutputPlan } {
  const { target, choices = [] } = wanted;
  if (!target) return { job: wanted, plan: planOutput(info, scaleOf(wanted.passes), wanted) };
  const size = sizeOfTarget(target, info);
  const scale = scaleFor(size, info, choices.map(scaleOf));
  const passes = choices.find((one) => scaleOf(one) === scale) ?? wanted.passes;
  return { job: { ...wanted, passes }, plan: planOutput(info, scale, { ...wanted, size }) };
}

/** The networks' time by measured speed; undefined while one was never measured. */
function secondsOf(
  { passes }: UpscaleJob,
  { width, height }: SourceInspection,
  inference: InferenceThread,
): number | undefined {
  const { speeds } = inference.known();
  let megapixels = (width * height) / 1e6;
  let seconds = 0;
  for (const { modelId, scale } of passes) {
    const known = speeds.findLast((speed) => speed.modelId === modelId && speed.scale === scale);
    if (!known) return undefined;
    seconds += megapixels / known.megapixelsPerSecond;
    megapixels *= scale ** 2;
  }
  return seconds;
}

function progressOf(
  job: UpscaleJob,
  { inference }: JobTools,
  hooks: JobHooks,
  { info }: Inspected,
): Progress {
  const megapixels = (info.width * info.height) / 1e6;
  const passMegapixels = job.passes.map(
    (_, i) => megapixels * scaleOf(job.passes.slice(0, i)) ** 2,
  );
  return createProgress({
    passMegapixels,
    outputMegapixels: megapixels * scaleOf(job.passes) ** 2,
    knownSpeed(pass) {
      const network = job.passes[pass];
      const { speeds } = inference.known();
      return speeds.findLast((s) => s.modelId === network?.modelId && s.scale === network.scale)
        ?.megapixelsPerSecond;
    },
    emit: hooks.onProgress,
  });
}

async function encodeResult(
  job: UpscaleJob,
  inspected: Inspected,
  decoded: Decoded,
  enlarged: Enlarged,
  plan: OutputPlan,
  progress: Progress,
  signal: AbortSignal,
): Promise<Written> {
  const { format, width, height } = plan;
  const shape = { ...enlarged.shape, width, height };
  const silenceMs = silenceOf({ format, shape });
  progress.enter('encode', silenceMs);
  const finished = await finish(job, enlarged, plan, signal, () => progress.stillAlive(silenceMs));
  const scale = width / decoded.shape.width;
  const { converted } = decoded;
  const last = { ...finished, format, scale, converted, made: madeBy(job, scale) };
  return writeResult(job, inspected, last, progress, signal);
}

/** The raster that is encoded: the enlarged one, unless another size or sharpness was asked for. */
async function finish(
  { sharpen, scratchDir }: UpscaleJob,
  { rasterPath, shape }: Enlarged,
  { width, height }: OutputPlan,
  signal: AbortSignal,
  onGrowth: () => void,
): Promise<Pick<Enlarged, 'rasterPath' | 'shape'>> {
  const isReduced = width !== shape.width || height !== shape.height;
  if (!isReduced && !sharpen) return { rasterPath, shape };
  const path = join(scratchDir, 'finished.v');
  await watched(
    finishRaster(rasterPath, shape, path, { width, height, sharpen }),
    () => statSync(path, { throwIfNoEntry: false })?.size ?? 0,
    onGrowth,
    signal,
  );
  rmSync(rasterPath);
  return { rasterPath: path, shape: { ...shape, width, height } };
}

const madeBy = ({ passes }: UpscaleJob, scale: number) => {
  const models = [...new Set(passes.map(({ modelId }) => modelId))].join(', ');
  return `enlarged ${Number(scale.toFixed(2))} times with ${models}`;
};

function reportOf(done: {
  job: UpscaleJob;
  inspected: Inspected;
  decoded: Decoded;
  enlarged: Enlarged;
  plan: OutputPlan;
  timings: Timings;
  published: Written;
}): JobReport {
  const { job, inspected, decoded, enlarged, plan, timings, published } = done;
  const { format, width, height, bitDepth, channels, sizeBytes: inputBytes } = inspected.info;
  const { passes, shape } = enlarged;
  const flattened = plan.format === 'jpeg' && hasAlpha(shape);
  const alphaNote = flattened
    ? ['JPEG holds no transparency; white stands behind the picture.']
    : [];
  const [first] = passes;
  if (!first) throw new EnlargerError('INTERNAL', 'A job without a pass');
  const tiles = passes.reduce((sum, pass) => sum + pass.tiles, 0);
  return {
    input: { format, width, height, bitDepth, channels, sizeBytes: inputBytes },
    output: {
      format: plan.format,
      width: plan.width,
      height: plan.height,
      bitDepth: writtenBits(plan),
      channels: flattened ? 3 : shape.bands,
      sizeBytes: published.sizeBytes,
    },
    device: slowestDevice(passes) ?? first.device,
    timings,
    notes: [
      ...plan.notes,
      ...decoded.notes,
      ...alphaNote,
      ...published.notes,
      ...new Set(passes.flatMap((pass) => pass.notes)),
    ],
    ran: job.passes.map(({ modelId, scale }) => ({ modelId, scale })),
    tiles: {
      count: tiles,
      sizePx: Math.max(...passes.map((pass) => pass.sizePx)),
      computedPerCore: passes.at(-1)?.computedPerCore ?? 1,
    },
  };
}

/** The device of the last pass: most of the pixels were its. */
const slowestDevice = (passes: PassDone[]): DeviceUse | undefined => passes.at(-1)?.device;
