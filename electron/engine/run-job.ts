/** A job's way, step by step. Each step is done elsewhere; here stands their order and their time. */
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { EnlargerError } from '../contract/errors.ts';
import type { DeviceUse, Timings } from '../contract/task.ts';
import type { InferenceThread } from './inference/thread.ts';
import type { PassDone } from './inference/protocol.ts';
import { enlarge, scaleOf, type Enlarged } from './enlarge.ts';
import {
  estimateOf,
  planOutput,
  scaleFor,
  scratchBytes,
  sizeOfTarget,
  type OutputPlan,
} from './output-plan.ts';
import { createProgress, type Progress } from './progress.ts';
import type { JobProgress, JobReport, SourceInspection, UpscaleJob } from './protocol.ts';
import { carriedMetadata, type History } from './raster/carried-metadata.ts';
import { bytesDecoded, decode, decodeLimitSeconds, type Decoded } from './raster/decode.ts';
import { assertDisk } from './raster/disk.ts';
import { encode, writeThumbnail, type EncodeRequest } from './raster/encode.ts';
import { finishRaster } from './raster/finish-raster.ts';
import { isForeign } from './raster/foreign/protocol.ts';
import { inspect, type Inspected } from './raster/inspect.ts';
import { planMetadata } from './raster/metadata/write-metadata.ts';
import { hasAlpha, rowBytes } from './raster/raster-file.ts';
import { appendTrailer } from './raster/trailer.ts';
import type { Turn } from './turn.ts';
import { bytesOfView, viewResult, viewSource } from './views.ts';
import { decodeSilenceMs, encodeSilenceMs } from './watch-limits.ts';
import { watched } from './watched.ts';

export interface JobTools {
  inference: InferenceThread;
  turn: Turn;
}

export interface JobHooks {
  signal: AbortSignal;
  onProgress: (progress: JobProgress, nextWithinMs: number) => void;
}

/** Rejects with EnlargerError. What it leaves in the scratch folder is the service's to remove. */
export async function runJob(
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
    decodeWatched(job, inspected, progress, hooks.signal),
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
    publishable(job, inspected, decoded, enlarged, plan, progress, hooks.signal),
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

async function timed<T>(
  timings: Timings,
  name: 'decodeMs' | 'networkMs' | 'encodeMs',
  run: () => Promise<T>,
): Promise<T> {
  const start = performance.now();
  try {
    return await run();
  } finally {
    timings[name] = performance.now() - start;
  }
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

async function decodeWatched(
  job: UpscaleJob,
  inspected: Inspected,
  progress: Progress,
  signal: AbortSignal,
): Promise<Decoded> {
  const megapixels = (inspected.info.width * inspected.info.height) / 1e6;
  // A foreign decoder writes at its end, and its thread is ended after its limit.
  const silenceMs = isForeign(inspected.format)
    ? 5000 + 1000 * decodeLimitSeconds(megapixels)
    : decodeSilenceMs(megapixels);
  progress.enter('decode', silenceMs);
  const onGrowth = () => progress.stillAlive(silenceMs);
  const decoded = await watched(
    decode(job.sourcePath, inspected, job.scratchDir),
    () => bytesDecoded(job.scratchDir),
    onGrowth,
    signal,
  );
  onGrowth();
  const viewed = viewSource(job.views, inspected, decoded);
  await watched(viewed, () => bytesOfView(job.views?.sourceTilesPath), onGrowth, signal);
  return decoded;
}

interface Published {
  sizeBytes: number;
  notes: string[];
}

/** Result and thumbnail, written and synced under the names that the job gave. */
async function publishable(
  job: UpscaleJob,
  inspected: Inspected,
  decoded: Decoded,
  enlarged: Enlarged,
  plan: OutputPlan,
  progress: Progress,
  signal: AbortSignal,
): Promise<Published> {
  const { width, height } = plan;
  const silenceMs = encodeSilenceMs(plan.format, (width * height) / 1e6);
  progress.enter('encode', silenceMs);
  const { rasterPath, shape } = await finish(job, enlarged, plan, signal, () =>
    progress.stillAlive(silenceMs),
  );
  const turned = inspected.orientation > 1;
  const scale = width / decoded.shape.width;
  const carried = carriedMetadata(inspected.metadata, {
    choice: job.metadata,
    facts: { width, height, scale, turned, converted: decoded.converted },
    history: historyOf(job, scale),
  });
  const metadata = planMetadata(plan.format, carried.metadata, shape.bands < 3);
  appendTrailer(rasterPath, metadata.trailer);
  const { outputPath, quality } = job;
  const like = plan.format === inspected.format ? inspected.encoding : undefined;
  let movedBytes = 0;
  const onMoved = (bytes: number) => (movedBytes += bytes);
  const work = encodeAll(
    { rasterPath, shape, plan, quality, like, metadata, outputPath, onMoved },
    job,
  );
  const sizeBytes = await watched(
    work,
    () =>
      movedBytes +
      (statSync(outputPath, { throwIfNoEntry: false })?.size ?? 0) +
      bytesOfView(job.views?.resultTilesPath),
    () => progress.stillAlive(silenceMs),
    signal,
  );
  return { sizeBytes, notes: [...carried.notes, ...metadata.notes] };
}

/** Encoders hold some rows: of a very wide picture those of all together would be much. */
const wideRowBytes = 512 * 1024;

async function encodeAll(request: EncodeRequest, job: UpscaleJob): Promise<number> {
  const { rasterPath, shape } = request;
  const isWide = rowBytes(shape) > wideRowBytes;
  const thumbnail = writeThumbnail(rasterPath, job.thumbPath);
  if (isWide) await thumbnail;
  const tiles = viewResult(job.views, rasterPath, shape);
  if (isWide) await tiles;
  const [sizeBytes] = await Promise.all([encode(request), thumbnail, tiles]);
  return sizeBytes;
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

/** What the result's metadata says of its making. */
function historyOf({ history, passes }: UpscaleJob, scale: number): History | undefined {
  if (!history) return undefined;
  const models = [...new Set(passes.map(({ modelId }) => modelId))].join(', ');
  const parameters = `enlarged ${Number(scale.toFixed(2))} times with ${models}`;
  return { software: history, parameters, when: new Date().toISOString() };
}

function reportOf(done: {
  job: UpscaleJob;
  inspected: Inspected;
  decoded: Decoded;
  enlarged: Enlarged;
  plan: OutputPlan;
  timings: Timings;
  published: Published;
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
      bitDepth: plan.format === 'avif' && plan.bits === 16 ? 10 : plan.bits,
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
