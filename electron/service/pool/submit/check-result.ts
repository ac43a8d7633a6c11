/**
 * What is checked of a result that another machine made, beside its hash: that it is the size, the kind and the
 * precision that was asked for, opens, and shows what its source shows. A lie is a FalseResult with a sentence.
 */
import { formats } from '../../../contract/formats.ts';
import type { EngineHost } from '../../../engine/host.ts';
import { scaleFor, sizeOfTarget, sizeWithin } from '../../../engine/output-plan.ts';
import type {
  CutoutJob,
  Likeness,
  SourceInspection,
  UpscaleJob,
} from '../../../engine/protocol.ts';
import type { PoolResult, Skill } from '../messages.ts';

/** A helper gave back what cannot be right. */
export class FalseResult extends Error {}

type Report = PoolResult['report'];
type Checked = UpscaleJob | CutoutJob;

export interface CheckResultOptions {
  job: Checked;
  source: SourceInspection;
  skill: Pick<Skill, 'precision'>;
  report: Report;
  resultPath: string;
  engine: Pick<EngineHost, 'inspect' | 'work'>;
  scratchDir: string;
}

/** Mean difference in levels that the networks' changes never come near to. */
const mostDifference = 24;
const variesFrom = 8;
const flatBelow = 0.5;
const mostlyOpaque = 0.5;
/** Backgrounds behind which a cut-out has no colours but its source's. */
const coloursOfSource = new Set(['transparent', 'blur']);
const limitMs = 300_000;

export async function checkResult(options: CheckResultOptions): Promise<void> {
  const { job, source, report, resultPath, engine, scratchDir } = options;
  assertReport(options);
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

/** Throws for a picture that is flat, or another one. Pure. */
export function assertLikeness(
  job: Pick<UpscaleJob, 'operation'> | Pick<CutoutJob, 'operation' | 'background' | 'maskOnly'>,
  { difference, sourceDeviation, resultDeviation, opaque }: Likeness,
  { crop }: Pick<Report, 'crop'>,
): void {
  const isCutout = job.operation === 'remove-bg';
  // A mask, or a subject before a colour, may be anything; and where no subject is, nothing is left.
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

/** Throws for a report that cannot be of this job. Pure. */
export function assertReport({
  job,
  source,
  skill,
  report,
}: Pick<CheckResultOptions, 'job' | 'source' | 'skill' | 'report'>): void {
  const { input, output, device } = report;
  if (input.width !== source.width || input.height !== source.height)
    throw new FalseResult(
      `it enlarged a picture of ${input.width} x ${input.height}; the source has ${source.width} x ${source.height}.`,
    );
  if (device?.precision !== skill.precision)
    throw new FalseResult(
      `it ran in ${device?.precision ?? 'no precision'}; expected ${skill.precision}.`,
    );
  const expected = expectedSize(job, input, report);
  if (output.width !== expected.width || output.height !== expected.height)
    throw new FalseResult(
      `its result has ${output.width} x ${output.height} pixels; expected ${expected.width} x ${expected.height}.`,
    );
  if (!(output.format in formats)) throw new FalseResult(`its result is ${output.format}.`);
  if (job.formatChosen && job.format !== 'same' && output.format !== job.format)
    throw new FalseResult(`its result is ${output.format}; expected ${job.format}.`);
}

interface Size {
  width: number;
  height: number;
}

function expectedSize(job: Checked, { width, height }: Size, { crop }: Report): Size {
  if (job.operation === 'remove-bg') {
    const cut = crop ?? { width, height };
    return job.target ? sizeWithin(job.target, cut) : cut;
  }
  const scaleOf = (passes: UpscaleJob['passes']) =>
    passes.reduce((all, { scale }) => all * scale, 1);
  const upright = { width, height };
  if (!job.target) {
    const scale = scaleOf(job.passes);
    return { width: width * scale, height: height * scale };
  }
  const size = sizeOfTarget(job.target, upright);
  // Throws where no scale reaches it, as the engine would have.
  scaleFor(size, upright, (job.choices ?? [job.passes]).map(scaleOf));
  return size;
}
