/** Runs a job in the steps of every operation: inspect, plan, decode, work, write, report. */
import { note } from '../../../packages/contract/src/notes/notes.ts';
import { failpoint } from '../protocol/failpoints.ts';
import { formats } from '../../../packages/contract/src/formats.ts';
import type { Timings } from '../../../packages/contract/src/task.ts';
import { estimateOf, withSourceQuality } from '../plan/estimate.ts';
import { encodeSpeed } from '../plan/speeds.ts';
import { writtenBits } from '../plan/output-plan.ts';
import { createProgress, type ProgressReporter } from './steps/progress.ts';
import type { Job, JobProgress, JobReport, Limits, JobFrame } from '../protocol/messages.ts';
import {
  type DecodedPicture,
  bytesDecoded,
  decode,
  decodeLimitSeconds,
  inspect,
  type InspectedPicture,
  withMappedLight,
  decodeFrames,
  framesName,
  type Animation,
  isForeign,
  maxWaitFactor,
} from '../../../packages/photo-files/src/index.ts';
import { assertDisk } from '../raster/disk.ts';
import { hasAlpha } from '../raster/raster-file.ts';
import { planConvertRun } from './convert/convert.ts';
import { planCutoutRun } from './cutout/cutout.ts';
import { isEnlarged } from '../plan/plan-cutout.ts';
import { maxOtherLoad, measureOtherLoad } from '../inference/measuring/other-load.ts';
import { planEnlargedCutoutRun } from './combined/enlarged-cutout.ts';
import { keptEnlargementsOf, type KeptEnlargements } from './combined/kept-enlargement.ts';
import { planUpscaleRun, type SharedMeasurement } from './upscale/upscale.ts';
import { progressOfFrames, runFrames } from './animation/run-frames.ts';
import { pickDefined } from '../../../packages/contract/src/pick-defined.ts';
import { join } from 'node:path';
import {
  runtimeOptions,
  timed,
  type JobTools,
  type JobOutput,
  type RunnablePlan,
} from './steps/job-context.ts';
import { encodeStallOf, writeResult, type WrittenResult } from './steps/write-result.ts';
import { viewBytesWritten, viewPart, viewSource } from '../views/views.ts';
import {
  bytesWritten,
  decodeStallMs,
  awaitUncancellable,
} from '../cancellation/uncancellable-work.ts';

interface JobHooks {
  signal: AbortSignal;
  onProgress: (progress: JobProgress, stallLimitMs: number) => void;
}

/** Runs one job. The service removes what is left in the scratch folder. @throws EnlargerError */
export async function runJob(requested: Job, given: JobTools, hooks: JobHooks): Promise<JobReport> {
  const { onProgress } = hooks;
  const tools = { ...given, inference: markingBusy(given.inference) };
  const timings: Timings = {};
  const inspected = await inspectFor(requested);
  const job = withSourceQuality(requested, inspected.info);
  const kept = job.operation === 'remove-bg' ? await keptEnlargementsOf(job) : undefined;
  const plan = planWork(job, inspected, tools, { kept });
  const estimate = estimateOf(job, inspected.info, plan);
  if (plan.first) {
    const picture = inspected.info;
    tools.inference.prepare({ network: plan.first, picture, ...runtimeOptions(job) });
  }
  onProgress({ step: 'decode', percent: 0, estimate }, decodeStallMs(0));
  await assertDisk(job.scratchDir, plan.diskBytes);
  if (plan.output.frames === 1) return runStill({ job, inspected, plan, timings }, tools, hooks);
  const moving = await runAnimation({ job, inspected, plan, timings }, tools, hooks);
  if (moving) return moving;
  const still = firstOf(inspected);
  const stillPlan = planWork(job, still, tools);
  return runStill({ job, inspected: still, plan: stillPlan, timings }, tools, hooks);
}

/** Marks speeds of a job that begins now if other programs take much of the processors until they are known. */
function markingBusy(inference: JobTools['inference']): JobTools['inference'] {
  const otherLoad = measureOtherLoad();
  return {
    ...inference,
    noteSpeed: (speed) =>
      inference.noteSpeed(otherLoad() > maxOtherLoad ? { ...speed, isBusy: true } : speed),
  };
}

interface PlannedJob {
  job: Job;
  inspected: InspectedPicture;
  plan: RunnablePlan;
  timings: Timings;
}

/** An animation whose further frames cannot be read, as a still picture. */
function firstOf(inspected: InspectedPicture): InspectedPicture {
  const info = { ...inspected.info };
  delete info.frames;
  return { ...inspected, info };
}

/** Runs all frames of an animation; undefined if one of them cannot be read. */
async function runAnimation(
  { job, inspected, plan, timings }: PlannedJob,
  tools: JobTools,
  { signal, onProgress }: JobHooks,
): Promise<JobReport | undefined> {
  const progress = createProgress(progressOfFrames(plan.seconds), onProgress);
  const { scratchDir, sourcePath, views } = job;
  const { width, height, frames = 1 } = inspected.info;
  const stallMs = decodeStallMs((frames * width * height) / 1e6);
  progress.enter('decode', stallMs);
  const frameRaster = await timed(timings, 'decodeMs', () =>
    awaitUncancellable(
      decodeFrames(sourcePath, inspected, scratchDir, plan.output, signal),
      () => bytesWritten(join(scratchDir, framesName)),
      () => progress.heartbeat(stallMs),
      signal,
    ),
  );
  if (!frameRaster) return undefined;
  const shared = {};
  const output = await runFrames(
    {
      ...{ job, inspected, decoded: frameRaster },
      planFrame: (frameJob) => planWork(frameJob, inspected, tools, { shared }),
      onFirst: (frame) => viewSource(views, inspected, frame),
    },
    { icc: inspected.metadata.icc, timings, progress, signal },
  );
  const written = await writeOutput({ job, inspected, plan, timings }, output, progress, signal);
  const decoded = {
    path: '',
    shape: frameRaster.shape,
    notes: frameRaster.notes,
    converted: false,
  };
  return reportOf({ inspected, plan, decoded, output, written, timings });
}

async function runStill(
  { job, inspected, plan, timings }: PlannedJob,
  { inference }: JobTools<'noteSpeed'>,
  { signal, onProgress }: JobHooks,
): Promise<JobReport> {
  const progress = createProgress(plan.progress, onProgress);
  failpoint('engine-decode');
  const decoded = await timed(timings, 'decodeMs', () =>
    decodeSource(job, inspected, plan.output, progress, signal),
  ).catch(async (error: unknown) => {
    signal.throwIfAborted();
    await viewPart(job, inspected, error);
    throw error;
  });
  const viewed = viewDecoded(job, inspected, decoded, progress, signal);
  // A job that fails first does not await it.
  viewed.catch(() => undefined);
  const icc = decoded.converted ? undefined : inspected.metadata.icc;
  failpoint('engine-network');
  const views: Promise<void>[] = [];
  const beside = (view: Promise<void>) => void views.push(view);
  const context = { decoded, viewed, icc, timings, progress, signal, beside };
  let output;
  let written;
  try {
    output = await plan.run(context);
    written = await writeOutput({ job, inspected, plan, timings }, output, progress, signal);
  } finally {
    // Whoever hears of a failure removes the folder of the views.
    await Promise.all(views);
  }
  const speed = encodeSpeed(plan.output, job.quality, encoderTimings(job, timings));
  if (speed) inference.noteSpeed(speed);
  return reportOf({ inspected, plan, decoded, output, written, timings });
}

/** Timings of the steps after the networks; those of a cut-out, but the encoder's, count as its network's. */
const encoderTimings = ({ operation }: Job, timings: Timings) =>
  operation === 'remove-bg' ? pickDefined(timings, ['encodeMs']) : timings;

async function writeOutput(
  { job, inspected, plan, timings }: PlannedJob,
  output: JobOutput & { animation?: Animation },
  progress: ProgressReporter,
  signal: AbortSignal,
): Promise<WrittenResult> {
  const lastRaster = { ...output, format: plan.output.format };
  progress.enter('encode', encodeStallOf(lastRaster));
  failpoint('engine-encode');
  const written = await timed(timings, 'encodeMs', () =>
    writeResult(job, inspected, lastRaster, progress, signal),
  );
  output.onWritten?.();
  return written;
}

/** Backgrounds have the brightness of paper and screens, so a cut-out does too. */
async function inspectFor(job: Job): Promise<InspectedPicture> {
  const inspected = await inspect(job.sourcePath, limitsOf(job));
  if (job.operation !== 'remove-bg') return inspected;
  return { ...inspected, metadata: withMappedLight(inspected.metadata) };
}

/** The source of a conversion is a result, so it may be as large as results may be. */
const limitsOf = ({ operation, limits }: Job): Limits =>
  operation === 'convert' ? { ...limits, sourcePixels: limits.resultPixels } : limits;

/** What one job shares with others, or one frame with others. */
interface SharedWork {
  shared?: SharedMeasurement;
  kept?: KeptEnlargements | undefined;
}

function planWork(
  job: Job,
  inspected: InspectedPicture,
  tools: JobTools,
  { shared, kept }: SharedWork = {},
): RunnablePlan {
  if (job.operation === 'upscale') return planUpscaleRun(job, inspected, tools, shared);
  if (job.operation === 'convert') return planConvertRun(job, inspected, tools);
  return isEnlarged(job)
    ? planEnlargedCutoutRun(job, inspected, tools, kept)
    : planCutoutRun(job, inspected, tools);
}

interface JobRun {
  inspected: InspectedPicture;
  plan: RunnablePlan;
  decoded: DecodedPicture;
  output: JobOutput;
  written: WrittenResult;
  timings: Timings;
}

/** For a job without a network. */
const noTiles: JobReport['tiles'] = { count: 0, sizePx: 0, computedPerCore: 1 };

function reportOf({ inspected, plan, decoded, output, written, timings }: JobRun): JobReport {
  const { format, width, height, bitDepth, channels, sizeBytes } = inspected.info;
  const { shape, crop, ran, measured, changed, grade } = output;
  const { frames } = plan.output;
  return {
    input: {
      ...{ format, width, height, bitDepth, channels, sizeBytes },
      ...pickDefined(inspected.info, ['frames', 'capturedAt']),
    },
    output: {
      format: plan.output.format,
      width: shape.width,
      height: shape.height,
      bitDepth: writtenBits(plan.output),
      channels: isFlattened(plan, output) ? 3 : shape.bands,
      sizeBytes: written.sizeBytes,
      ...(frames > 1 && { frames }),
    },
    ...(crop && { crop }),
    ...(measured && { measured }),
    ...(changed && { changed }),
    ...(grade && { grade }),
    ...(ran && { device: ran.device }),
    timings,
    notes: notesOf(plan, decoded, output, written),
    ran: plan.networks,
    tiles: ran?.tiles ?? noTiles,
  };
}

const isFlattened = ({ output }: RunnablePlan, { shape }: JobOutput): boolean =>
  !formats[output.format].alpha && hasAlpha(shape);

function notesOf(
  plan: RunnablePlan,
  decoded: DecodedPicture,
  output: JobOutput,
  written: WrittenResult,
): string[] {
  return [
    ...plan.output.notes,
    ...decoded.notes,
    ...output.notes,
    ...(isFlattened(plan, output) ? [note('TRANSPARENCY_FILLED')] : []),
    ...written.notes,
    ...(output.ran?.notes ?? []),
  ];
}

/** Decodes the source and reports progress meanwhile. @throws what `decode` throws, the signal's reason */
async function decodeSource(
  job: JobFrame,
  inspected: InspectedPicture,
  output: RunnablePlan['output'],
  progress: Pick<ProgressReporter, 'enter' | 'heartbeat'>,
  signal: AbortSignal,
): Promise<DecodedPicture> {
  const megapixels = (inspected.info.width * inspected.info.height) / 1e6;
  // A foreign decoder writes only at its end, and its thread has a time limit of its own.
  const stallMs = isForeign(inspected.format)
    ? 5000 + 1000 * maxWaitFactor * decodeLimitSeconds(megapixels)
    : decodeStallMs(megapixels);
  progress.enter('decode', stallMs);
  const onGrowth = () => progress.heartbeat(stallMs);
  const decoded = await awaitUncancellable(
    decode(job.sourcePath, inspected, job.scratchDir, output),
    () => bytesDecoded(job.scratchDir),
    onGrowth,
    signal,
  );
  onGrowth();
  return decoded;
}

/** Writes the views of the decoded source. @throws the signal's reason */
function viewDecoded(
  { views }: JobFrame,
  inspected: InspectedPicture,
  decoded: DecodedPicture,
  progress: Pick<ProgressReporter, 'heartbeat'>,
  signal: AbortSignal,
): Promise<void> {
  const megapixels = (decoded.shape.width * decoded.shape.height) / 1e6;
  return awaitUncancellable(
    viewSource(views, inspected, decoded),
    () => viewBytesWritten(views?.sourceTilesPath),
    () => progress.heartbeat(decodeStallMs(megapixels)),
    signal,
  );
}
