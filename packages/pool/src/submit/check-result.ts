/**
 * A result that another machine made is checked beyond its hash: it must have the size, the format and the
 * precision that were asked for, it must open, and it must show what its source shows. A result that fails a
 * check throws a FalseResult with a sentence.
 */
import type { Size } from '../../../../electron/contract/geometry.ts';
import { UserFacingError } from '../../../../electron/contract/error-messages.ts';
import { formats } from '../../../../electron/contract/formats.ts';
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
import { wholeOf } from '../../../../electron/engine/plan/plan-cutout.ts';
import { choosePasses } from '../../../../electron/engine/plan/plan-upscale.ts';
import type { PoolResult, Skill } from '../messages.ts';

/** A helper gave back a result that cannot be right. */
export class FalseResult extends UserFacingError {}

type Report = PoolResult['report'];
type Checked = UpscaleJob | CutoutJob;

interface CheckResultOptions {
  job: Checked;
  source: SourceInspection;
  /** `assertReport` passed it. */
  report: Report;
  resultPath: string;
  engine: Pick<EngineHost, 'inspect' | 'work'>;
  scratchDir: string;
}

/** The changes that networks make never come near this mean difference, in levels of 255. */
const mostDifference = 24;
const variesFrom = 8;
const flatBelow = 0.5;
const mostlyOpaque = 0.5;
/** Before these backgrounds a cut-out shows no colours but those of its source. */
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

/** Throws a FalseResult when the picture is flat or shows something else than its source. This is pure. */
export function assertLikeness(
  job: Pick<UpscaleJob, 'operation'> | Pick<CutoutJob, 'operation' | 'background' | 'maskOnly'>,
  { difference, sourceDeviation, resultDeviation, opaque }: Likeness,
  { crop }: Pick<Report, 'crop'>,
): void {
  const isCutout = job.operation === 'remove-bg';
  // A mask, or a subject before a colour, may look like anything; without a subject nothing is left.
  if (isCutout && (job.maskOnly || !coloursOfSource.has(job.background))) return;
  const mayBeFlat = isCutout && opaque < mostlyOpaque;
  if (!mayBeFlat && sourceDeviation > variesFrom && resultDeviation < flatBelow)
    throw new FalseResult('its result is one flat colour.');
  const showsSource = !isCutout || !crop;
  if (showsSource && difference > mostDifference)
    throw new FalseResult(
      `its result shows another picture: it differs by ${difference.toFixed(0)} levels of 255 on average.`,
    );
}

/** Throws a FalseResult when the report cannot belong to this job. This is pure. */
export function assertReport({
  job,
  source,
  skill,
  report,
}: Pick<CheckResultOptions, 'job' | 'source' | 'report'> & {
  skill: Pick<Skill, 'precision'>;
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
/** Heads, profiles and thumbnails, whatever the picture's size. */
const maxFixedBytes = 64 * 1024 * 1024;

/**
 * Throws a FalseResult for files that a helper did not store in the job's folder, or that are larger together than
 * anything such a job makes. This is pure.
 * @param folder the job's folder of the storage
 * @param sourceBytes the source's metadata may be in each file
 * @param report `assertReport` passed it
 */
export function assertFiles(
  files: PoolResult['files'],
  { folder, sourceBytes, report }: { folder: string; sourceBytes: number; report: Report },
): void {
  const outside = files.find(({ parcel }) => !parcel.name.startsWith(`${folder}/`));
  if (outside)
    throw new FalseResult(`its file ${outside.parcel.name} is not in the folder of the task.`);
  const pixels = [report.input, report.output].map(({ width, height }) => width * height);
  const maxBytes = maxFixedBytes + 2 * sourceBytes + maxBytesPerPixel * Math.max(...pixels);
  const bytes = files.reduce((sum, { parcel }) => sum + parcel.sizeBytes, 0);
  if (bytes > maxBytes)
    throw new FalseResult(`its files have ${bytes} bytes; expected at most ${maxBytes}.`);
}

interface Expected extends Size {
  /** Either side may differ by so many pixels, where a crop is not reported to the pixel. */
  offPx?: number;
}

function expectedSize(job: Checked, { width, height }: Size, report: Report): Expected {
  const photo = { width, height };
  if (job.operation === 'upscale') return enlargedSize(job, photo);
  const { enlarge, canvas } = job;
  const whole = wholeOf(photo, job, enlarge?.first ?? 'enlarge');
  const large = enlarge ? enlargedSize(enlarge, whole) : whole;
  const factor = large.width / whole.width;
  const cut = cutSize(job, report, photo);
  const isFixed = canvas !== undefined && enlarge?.first !== 'cutout';
  const size = isFixed ? cut : { width: cut.width * factor, height: cut.height * factor };
  const rounded = { width: Math.round(size.width), height: Math.round(size.height) };
  const off = report.crop && enlarge && !isFixed ? Math.ceil(factor) : 0;
  return { ...(job.target ? sizeWithin(job.target, rounded) : rounded), offPx: off };
}

/** The size is in pixels of the photo, or of the canvas where there is one. */
function cutSize(job: CutoutJob, { crop }: Report, photo: Size): Size {
  if (job.canvas) return job.canvas;
  // Without a canvas of its own, a subject that was moved stands on a canvas as large as the photo.
  if (isPlaced(job) && job.crop === undefined) return photo;
  return crop ?? photo;
}

/** Throws, as the engine would have, where no scale reaches the wanted size. */
function enlargedSize(enlargement: Enlargement, whole: Size): Size {
  const { scale, size } = choosePasses(enlargement, whole);
  return size ?? { width: whole.width * scale, height: whole.height * scale };
}
