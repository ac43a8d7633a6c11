/** Runs a job in the steps that every operation has: inspect, plan, decode, work, write, report. */
import { failpoint } from '../protocol/failpoints.ts';
import { formats, type OutputFormat } from '../../contract/formats.ts';
import type { Timings } from '../../contract/task.ts';
import { estimateOf, withSourceQuality } from '../plan/estimate.ts';
import { writtenBits } from '../plan/output-plan.ts';
import { createProgress, type Progress } from './steps/progress.ts';
import type { Job, JobProgress, JobReport, Limits, JobFrame } from '../protocol/messages.ts';
import { type Decoded, bytesDecoded, decode, decodeLimitSeconds } from '../raster/decode.ts';
import { assertDisk } from '../raster/disk.ts';
import { inspect, type Inspected } from '../raster/inspect.ts';
import { hasAlpha } from '../raster/raster-file.ts';
import { convertWork } from './convert/convert.ts';
import { cutoutWork } from './cutout/cutout.ts';
import { isEnlarged } from '../plan/plan-cutout.ts';
import { enlargedCutoutWork } from './combined/enlarged-cutout.ts';
import { upscaleWork } from './upscale/upscale.ts';
import { timed, type JobTools, type Worked, type WorkPlan } from './steps/work.ts';
import { silenceOf, writeResult, type Written } from './steps/write-result.ts';
import { isForeign } from '../raster/foreign/protocol.ts';
import { viewBytesWritten, viewSource } from '../views/views.ts';
import { decodeStallMs, awaitUncancellable } from '../cancellation/uncancellable-work.ts';

interface JobHooks {
  signal: AbortSignal;
  onProgress: (progress: JobProgress, stallLimitMs: number) => void;
}

/** Runs one job. It rejects with EnlargerError. The service removes what is left in the scratch folder. */
export async function runJob(wanted: Job, tools: JobTools, hooks: JobHooks): Promise<JobReport> {
  const { signal, onProgress } = hooks;
  const timings: Timings = {};
  const inspected = await inspect(wanted.sourcePath, limitsOf(wanted));
  const job = withSourceQuality(wanted, inspected.info);
  const plan = planWork(job, inspected, tools);
  const estimate = estimateOf(job, inspected.info, plan);
  onProgress({ step: 'decode', percent: 0, estimate }, decodeStallMs(0));
  await assertDisk(job.scratchDir, plan.diskBytes);
  const progress = createProgress(plan.progress, onProgress);

  failpoint('engine-decode');
  const decoded = await timed(timings, 'decodeMs', () =>
    decodeSource(job, inspected, plan.output.format, progress, signal),
  );
  const icc = decoded.converted ? undefined : inspected.metadata.icc;
  failpoint('engine-network');
  const worked = await plan.run({ decoded, icc, timings, progress, signal });
  const last = { ...worked, format: plan.output.format };
  progress.enter('encode', silenceOf(last));
  failpoint('engine-encode');
  const written = await timed(timings, 'encodeMs', () =>
    writeResult(job, inspected, last, progress, signal),
  );
  worked.onWritten?.();
  return reportOf({ inspected, plan, decoded, worked, written, timings });
}

/** Gives a job's limits. The source of a conversion is a result, so it may be as large as results may be. */
const limitsOf = ({ operation, limits }: Job): Limits =>
  operation === 'convert' ? { ...limits, sourcePixels: limits.resultPixels } : limits;

function planWork(job: Job, inspected: Inspected, tools: JobTools): WorkPlan {
  if (job.operation === 'upscale') return upscaleWork(job, inspected, tools);
  if (job.operation === 'convert') return convertWork(job, inspected);
  return isEnlarged(job)
    ? enlargedCutoutWork(job, inspected, tools)
    : cutoutWork(job, inspected, tools);
}

interface Done {
  inspected: Inspected;
  plan: WorkPlan;
  decoded: Decoded;
  worked: Worked;
  written: Written;
  timings: Timings;
}

/** The report's tiles where no network ran. */
const noTiles: JobReport['tiles'] = { count: 0, sizePx: 0, computedPerCore: 1 };

function reportOf({ inspected, plan, decoded, worked, written, timings }: Done): JobReport {
  const { format, width, height, bitDepth, channels, sizeBytes, capturedAt } = inspected.info;
  const { shape, crop, ran, measured, changed, grade } = worked;
  return {
    input: {
      ...{ format, width, height, bitDepth, channels, sizeBytes },
      ...(capturedAt !== undefined && { capturedAt }),
    },
    output: {
      format: plan.output.format,
      width: shape.width,
      height: shape.height,
      bitDepth: writtenBits(plan.output),
      channels: isFlattened(plan, worked) ? 3 : shape.bands,
      sizeBytes: written.sizeBytes,
    },
    ...(crop && { crop }),
    ...(measured && { measured }),
    ...(changed && { changed }),
    ...(grade && { grade }),
    ...(ran && { device: ran.device }),
    timings,
    notes: notesOf(plan, decoded, worked, written),
    ran: plan.networks,
    tiles: ran?.tiles ?? noTiles,
  };
}

const isFlattened = ({ output }: WorkPlan, { shape }: Worked): boolean =>
  !formats[output.format].alpha && hasAlpha(shape);

function notesOf(plan: WorkPlan, decoded: Decoded, worked: Worked, written: Written): string[] {
  const flattened = 'JPEG holds no transparency; white stands behind the picture.';
  return [
    ...plan.output.notes,
    ...decoded.notes,
    ...worked.notes,
    ...(isFlattened(plan, worked) ? [flattened] : []),
    ...written.notes,
    ...(worked.ran?.notes ?? []),
  ];
}

/** Decodes the source and tells of life meanwhile. It throws what `decode` throws, or the signal's reason. */
async function decodeSource(
  job: JobFrame,
  inspected: Inspected,
  toFormat: OutputFormat,
  progress: Pick<Progress, 'enter' | 'stillAlive'>,
  signal: AbortSignal,
): Promise<Decoded> {
  const megapixels = (inspected.info.width * inspected.info.height) / 1e6;
  // A foreign decoder writes only at its end, and its thread is ended after its own limit.
  const silenceMs = isForeign(inspected.format)
    ? 5000 + 1000 * decodeLimitSeconds(megapixels)
    : decodeStallMs(megapixels);
  progress.enter('decode', silenceMs);
  const onGrowth = () => progress.stillAlive(silenceMs);
  const decoded = await awaitUncancellable(
    decode(job.sourcePath, inspected, job.scratchDir, toFormat),
    () => bytesDecoded(job.scratchDir),
    onGrowth,
    signal,
  );
  onGrowth();
  const viewed = viewSource(job.views, inspected, decoded);
  await awaitUncancellable(
    viewed,
    () => viewBytesWritten(job.views?.sourceTilesPath),
    onGrowth,
    signal,
  );
  return decoded;
}
