/** A cut-out's way, step by step. Each step is done elsewhere; here stands their order and their time. */
import { rmSync } from 'node:fs';
import type { Timings } from '../../../contract/task.ts';
import { createCutoutProgress, type CutoutProgress } from './cutout-progress.ts';
import { findMask, type FoundMask } from './mask/find-mask.ts';
import { assertSubject } from './mask/find-subject.ts';
import { composeCutout, refineMask, type Composed } from './compose/make-cutout.ts';
import { cutoutScratchBytes, planCutout } from './plan-cutout.ts';
import { decodeSource } from '../../decode-source.ts';
import { timed } from '../../job-timings.ts';
import type { JobHooks, JobTools } from '../../job-tools.ts';
import { estimateOf, writtenBits, type OutputPlan } from '../../output-plan.ts';
import type { CutoutJob, JobReport, SourceInspection } from '../../protocol.ts';
import type { Decoded } from '../../raster/decode.ts';
import { assertDisk } from '../../raster/disk.ts';
import { inspect, type Inspected } from '../../raster/inspect.ts';
import { openRaster } from '../../raster/raster-file.ts';
import { beginSilenceMs, decodeSilenceMs, tileSilenceMs } from '../../watch-limits.ts';
import { silenceOf, writeResult, type Written } from '../../write-result.ts';

/** Rejects with EnlargerError. What it leaves in the scratch folder is the service's to remove. */
export async function runCutout(
  job: CutoutJob,
  tools: JobTools,
  hooks: JobHooks,
): Promise<JobReport> {
  const timings: Timings = {};
  const inspected = await inspect(job.sourcePath, job.limits);
  const plan = planCutout(inspected.info, job);
  const diskBytes = cutoutScratchBytes(inspected.info, plan);
  const seconds = secondsOf(job, inspected.info, tools);
  const estimate = estimateOf(plan, diskBytes, seconds);
  hooks.onProgress({ step: 'decode', percent: 0, estimate }, decodeSilenceMs(0));
  await assertDisk(job.scratchDir, diskBytes);
  const progress = createCutoutProgress(seconds, hooks.onProgress);

  const decoded = await timed(timings, 'decodeMs', () =>
    decodeSource(job, inspected, progress, hooks.signal),
  );
  const work = { job, inspected, decoded, plan, progress, timings, signal: hooks.signal };
  const { found, composed } = await cutOut(work, tools);
  const written = await timed(timings, 'encodeMs', () => encodeResult(work, composed));
  noteSpeed(work, found, tools);
  return reportOf(work, found, composed, written);
}

interface Work {
  job: CutoutJob;
  inspected: Inspected;
  decoded: Decoded;
  plan: OutputPlan;
  progress: CutoutProgress;
  timings: Timings;
  signal: AbortSignal;
}

/** From the decoded raster to the one that is encoded. */
async function cutOut(
  work: Work,
  tools: JobTools,
): Promise<{ found: FoundMask; composed: Composed }> {
  const { job, inspected, decoded, plan, progress, timings, signal } = work;
  const icc = decoded.converted ? undefined : inspected.metadata.icc;
  const onProgress = (fraction: number) => progress.part(fraction, tileSilenceMs(0));
  const source = openRaster(decoded.path);
  try {
    const waitedFrom = performance.now();
    progress.enter('wait', Infinity);
    const found = await tools.turn.hold(signal, () => {
      timings.waitMs = performance.now() - waitedFrom;
      progress.enter('network', beginSilenceMs);
      const onLook = (done: number, total: number) => progress.part(done / total, beginSilenceMs);
      return timed(timings, 'networkMs', () =>
        findMask(job, { raster: source, icc }, tools.inference, { signal, onLook }),
      );
    });
    signal.throwIfAborted();
    assertSubject(found.mask);
    progress.enter('refine', tileSilenceMs(0));
    const refined = await timed(timings, 'refineMs', () =>
      refineMask(job, plan.bits, source, found.mask, {
        signal,
        onProgress: (part) => onProgress(part * 0.9),
      }),
    );
    const order = { ...job, bits: plan.bits, icc };
    const composed = await timed(timings, 'composeMs', () =>
      composeCutout(order, source, refined, {
        signal,
        onProgress: (part) => onProgress(0.9 + part * 0.1),
      }),
    );
    return { found, composed };
  } finally {
    source.close();
    rmSync(decoded.path, { force: true });
  }
}

function encodeResult(work: Work, composed: Composed): Promise<Written> {
  const { job, inspected, decoded, plan, progress, signal } = work;
  const { format } = plan;
  const converted = decoded.converted || composed.converted;
  const made = `background removed with ${job.network.modelId}`;
  progress.enter('encode', silenceOf({ ...composed, format }));
  const last = { ...composed, format, scale: 1, converted, made };
  return writeResult(job, inspected, last, progress, signal);
}

/** From so many pixels on a picture tells how fast the whole way is; smaller ones tell of the network. */
const tellingMegapixels = 1;

const megapixelsOf = ({ width, height }: SourceInspection) => (width * height) / 1e6;

/** Of the whole way, for the network's own part is the same for every picture. */
function noteSpeed(
  { job, inspected, timings }: Work,
  { device, provider }: FoundMask,
  tools: JobTools,
): void {
  const megapixels = megapixelsOf(inspected.info);
  if (megapixels < tellingMegapixels) return;
  const { decodeMs = 0, networkMs = 0, refineMs = 0, composeMs = 0, encodeMs = 0 } = timings;
  const seconds = (decodeMs + networkMs + refineMs + composeMs + encodeMs) / 1000;
  tools.inference.noteSpeed({
    modelId: job.network.modelId,
    scale: 1,
    provider,
    precision: device.precision,
    megapixelsPerSecond: megapixels / seconds,
  });
}

function secondsOf(
  { network }: CutoutJob,
  info: SourceInspection,
  { inference }: JobTools,
): number | undefined {
  const { speeds } = inference.known();
  const known = speeds.findLast(({ modelId, scale }) => modelId === network.modelId && scale === 1);
  return known && megapixelsOf(info) / known.megapixelsPerSecond;
}

function reportOf(
  { job, inspected, decoded, plan, timings }: Work,
  { looks, sizePx, device, notes }: FoundMask,
  composed: Composed,
  written: Written,
): JobReport {
  const { format, width, height, bitDepth, channels, sizeBytes: inputBytes } = inspected.info;
  const { shape, crop } = composed;
  return {
    input: { format, width, height, bitDepth, channels, sizeBytes: inputBytes },
    output: {
      format: plan.format,
      width: shape.width,
      height: shape.height,
      bitDepth: writtenBits(plan),
      channels: shape.bands,
      sizeBytes: written.sizeBytes,
    },
    ...(crop && { crop }),
    device,
    timings,
    notes: [...plan.notes, ...decoded.notes, ...composed.notes, ...written.notes, ...notes],
    ran: [{ modelId: job.network.modelId, scale: 1 }],
    tiles: { count: looks, sizePx, computedPerCore: 1 },
  };
}
