/**
 * Checks of another machine's result beyond its hash: requested size, format and precision, readable, and
 * resembling its source.
 * @throws FalseResult
 */
import type { Size } from '../../../contract/src/geometry.ts';
import { UserFacingError } from '../../../contract/src/error-messages.ts';
import { formats } from '../../../contract/src/formats.ts';
import type { EngineHost } from '../../../../electron/engine/host/host.ts';
import { sizeWithin } from '../../../../electron/engine/plan/output-plan.ts';
import type {
  CutoutJob,
  Enlargement,
  Likeness,
  SourceInspection,
  UpscaleJob,
} from '../../../../electron/engine/protocol/messages.ts';
import { isPlaced } from '../../../../electron/engine/plan/plan-cutout.ts';
import { choosePasses } from '../../../../electron/engine/plan/plan-upscale.ts';
import type { Capability, FileRole, PoolResult } from '../messages.ts';

/** A helper returned a result that cannot be right. */
export class FalseResult extends UserFacingError {}

type PoolReport = PoolResult['report'];
type CheckedJob = UpscaleJob | CutoutJob;

interface CheckResultOptions {
  job: CheckedJob;
  source: SourceInspection;
  /** Passed `assertReport`. */
  report: PoolReport;
  resultPath: string;
  engine: Pick<EngineHost, 'inspect' | 'work'>;
  scratchDir: string;
}

/** Mean difference that no network's changes reach, in levels of 255. */
const maxDifference = 24;
const variesFrom = 8;
const flatBelow = 0.5;
const mostlyOpaque = 0.5;
/** Backgrounds before which a cut-out shows only the source's colours. */
const coloursOfSource = new Set(['transparent', 'blur']);
const limitMs = 300_000;

export async function checkResult(options: CheckResultOptions): Promise<void> {
  const { job, source, report, resultPath, engine, scratchDir } = options;
  const { output } = report;
  const limits = { ...job.limits, sourcePixels: job.limits.resultPixels };
  const found = await engine.inspect(resultPath, limits).catch((cause: unknown) => {
    throw new FalseResult('its result does not open as a picture.', { cause });
  });
  if (
    found.format !== output.format ||
    found.width !== output.width ||
    found.height !== output.height
  )
    throw new FalseResult(
      `its result is ${found.format} of ${found.width} x ${found.height}; expected ${output.format} of ${output.width} x ${output.height}.`,
    );
  const { sourcePath } = job;
  const likeness = await engine
    .work(
      'likeness',
      {
        sourcePath,
        scratchDir,
        limits: job.limits,
        resultPath,
        resultPixels: job.limits.resultPixels,
      },
      limitMs,
    )
    .catch((cause: unknown) => {
      throw new FalseResult(`its result cannot be decoded (${source.format}).`, { cause });
    });
  assertLikeness(job, likeness, report);
}

/** Pure. @throws FalseResult if the picture is flat or does not resemble its source */
export function assertLikeness(
  job: Pick<UpscaleJob, 'operation'> | Pick<CutoutJob, 'operation' | 'background' | 'maskOnly'>,
  { difference, sourceDeviation, resultDeviation, opaque }: Likeness,
  { crop }: Pick<PoolReport, 'crop'>,
): void {
  const isCutout = job.operation === 'remove-bg';
  // A mask, or a subject on a colour, may look like anything; without a subject nothing is left.
  if (isCutout && (job.maskOnly || !coloursOfSource.has(job.background))) return;
  const mayBeFlat = isCutout && opaque < mostlyOpaque;
  if (!mayBeFlat && sourceDeviation > variesFrom && resultDeviation < flatBelow)
    throw new FalseResult('its result is one flat colour.');
  const showsSource = !isCutout || !crop;
  if (showsSource && difference > maxDifference)
    throw new FalseResult(
      `its result shows another picture: it differs by ${difference.toFixed(0)} levels of 255 on average.`,
    );
}

/** Pure. @throws FalseResult if the report cannot belong to this job */
export function assertReport({
  job,
  source,
  skill,
  report,
}: Pick<CheckResultOptions, 'job' | 'source' | 'report'> & {
  skill: Pick<Capability, 'precision'>;
}): void {
  const { input, output, device } = report;
  if (input.width !== source.width || input.height !== source.height)
    throw new FalseResult(
      `it enlarged a picture of ${input.width} x ${input.height}; the source has ${source.width} x ${source.height}.`,
    );
  if (device?.precision !== skill.precision)
    throw new FalseResult(
      `it ran in ${device?.precision ?? 'no precision'}; expected ${skill.precision}.`,
    );
  const { offPx = 0, ...expected } = expectedSize(job, input, report);
  const isOff = (side: 'width' | 'height') => Math.abs(output[side] - expected[side]) > offPx;
  if (isOff('width') || isOff('height'))
    throw new FalseResult(
      `its result has ${output.width} x ${output.height} pixels; expected ${expected.width} x ${expected.height}.`,
    );
  if (!(output.format in formats)) throw new FalseResult(`its result is ${output.format}.`);
  if (job.formatChosen && job.format !== 'same' && output.format !== job.format)
    throw new FalseResult(`its result is ${output.format}; expected ${job.format}.`);
}

/** Raw samples of 16-bit RGBA take half of it; views and masks fit into the rest. */
const maxBytesPerPixel = 16;
/** Headers, profiles and thumbnails, independent of size. */
const maxFixedBytes = 64 * 1024 * 1024;

/** Files that the service reads into memory; pictures of 512 or 1024 pixels a side, and fields in JSON. */
const maxBytesOf: Partial<Record<FileRole, number>> = {
  thumb: 4_000_000,
  sourceThumb: 4_000_000,
  changes: 4_000_000,
  mask: 4_000_000,
  metadata: 32_000_000,
};

/**
 * Pure.
 * @param folder the job's storage folder
 * @param sourceBytes each file may contain the source's metadata
 * @param report passed `assertReport`
 * @throws FalseResult for files outside the folder, or larger in total than such a job's output can be
 */
export function assertFiles(
  files: PoolResult['files'],
  { folder, sourceBytes, report }: { folder: string; sourceBytes: number; report: PoolReport },
): void {
  const outside = files.find(({ parcel }) => !parcel.name.startsWith(`${folder}/`));
  if (outside)
    throw new FalseResult(`its file ${outside.parcel.name} is not in the folder of the task.`);
  const large = files.find(({ role, parcel }) => parcel.sizeBytes > (maxBytesOf[role] ?? Infinity));
  if (large)
    throw new FalseResult(
      `its ${large.role} has ${large.parcel.sizeBytes} bytes; expected at most ${maxBytesOf[large.role]}.`,
    );
  const pixels = [report.input, report.output].map(({ width, height }) => width * height);
  const maxBytes = maxFixedBytes + 2 * sourceBytes + maxBytesPerPixel * Math.max(...pixels);
  const bytes = files.reduce((sum, { parcel }) => sum + parcel.sizeBytes, 0);
  if (bytes > maxBytes)
    throw new FalseResult(`its files have ${bytes} bytes; expected at most ${maxBytes}.`);
}

interface ExpectedSize extends Size {
  /** Tolerance per side in pixels, where a crop is not reported exactly. */
  offPx?: number;
}

function expectedSize(job: CheckedJob, { width, height }: Size, report: PoolReport): ExpectedSize {
  const photo = { width, height };
  if (job.operation === 'upscale') return enlargedSize(job, photo);
  const { enlarge, canvas } = job;
  const large = enlarge ? enlargedSize(enlarge, photo) : photo;
  const factor = large.width / photo.width;
  const cut = cutSize(job, report, photo);
  const isFixed = canvas !== undefined;
  const size = isFixed ? cut : { width: cut.width * factor, height: cut.height * factor };
  const rounded = { width: Math.round(size.width), height: Math.round(size.height) };
  const off = report.crop && enlarge && !isFixed ? Math.ceil(factor) : 0;
  return { ...(job.target ? sizeWithin(job.target, rounded) : rounded), offPx: off };
}

/** In pixels of the photo, or of the canvas if there is one. */
function cutSize(job: CutoutJob, { crop }: PoolReport, photo: Size): Size {
  if (job.canvas) return job.canvas;
  // Without its own canvas, a moved subject is on a canvas of the photo's size.
  if (isPlaced(job) && job.crop === undefined) return photo;
  return crop ?? photo;
}

/** Throws like the engine if no scale reaches the size. */
function enlargedSize(enlargement: Enlargement, whole: Size): Size {
  const { scale, size } = choosePasses(enlargement, whole);
  return size ?? { width: whole.width * scale, height: whole.height * scale };
}
