/** Converts a result to another format: decodes and encodes, without a network. */
import { note } from '../../../../packages/contract/src/notes/notes.ts';
import { join } from 'node:path';
import { formats, isOutputFormat, labelOf } from '../../../../packages/contract/src/formats.ts';
import { computedDepthNote, planConvert } from '../../plan/output-plan.ts';
import { speedAmong } from '../../plan/speeds.ts';
import type { ProgressPlan } from '../steps/progress.ts';
import type { ConvertJob } from '../../protocol/messages.ts';
import { convertRaster } from '../../raster/convert-raster.ts';
import {
  toProfile,
  coloursOfHex,
  type InspectedPicture,
} from '../../../../packages/photo-files/src/index.ts';
import { hasAlpha, type RasterShape, consumeRaster } from '../../raster/raster-file.ts';
import { decodeStallMs } from '../../cancellation/uncancellable-work.ts';
import { timed, type JobTools, type RunnablePlan, type JobContext } from '../steps/job-context.ts';

/** Plans the conversion of a result. @throws EnlargerError IMAGE_TOO_LARGE */
export function planConvertRun(
  job: ConvertJob,
  inspected: InspectedPicture,
  tools: JobTools<'known'>,
): RunnablePlan {
  const plan = planConvert(job, inspected.info, speedAmong(tools.inference.known().speeds));
  const { bits, format, notes } = plan.output;
  // No note on computed depth: a conversion computes no finer steps; at most an earlier network did.
  const own = notes.filter((note) => note !== computedDepthNote);
  return {
    ...plan,
    output: { ...plan.output, notes: [...lossyNotes(inspected), ...own] },
    progress,
    async run(step) {
      await step.viewed;
      const converted = await timed(step.timings, 'composeMs', () => convert(job, bits, step));
      const made = `saved again as ${labelOf(format)}`;
      return { ...converted, scale: 1, converted: step.decoded.converted, made, notes: [] };
    },
  };
}

const progress: ProgressPlan = {
  shares: [
    ['decode', 0.5],
    ['encode', 0.5],
  ],
  secondsLeft: () => undefined,
};
/** Assumed share of decoding in the decode step; the conversion takes the rest. */
const decodedShare = 0.6;

interface ConvertedRaster {
  rasterPath: string;
  shape: RasterShape;
}

/** Converts the decoded raster; returns it unchanged if neither its depth nor its alpha changes. */
async function convert(
  job: ConvertJob,
  bits: 8 | 16,
  { decoded, icc, progress, signal }: JobContext,
): Promise<ConvertedRaster> {
  const { path, shape } = decoded;
  const isFlat = job.background !== undefined && hasAlpha(shape);
  if (!isFlat && shape.bits === bits) return { rasterPath: path, shape };
  const behind = isFlat ? await backgroundInProfile(job, shape, icc) : undefined;
  const rasterPath = join(job.scratchDir, 'converted.v');
  return consumeRaster(path, async (source) => {
    const onProgress = (share: number) =>
      progress.part(decodedShare + (1 - decodedShare) * share, decodeStallMs(0));
    const made = await convertRaster(source, rasterPath, { bits, behind }, { signal, onProgress });
    return { rasterPath, shape: made };
  });
}

/**
 * Converts the background colour to the numbers of the picture's profile; for a grey picture to its luma
 * (BT.709).
 */
async function backgroundInProfile(
  { background = '#ffffff', scratchDir }: ConvertJob,
  { bands }: RasterShape,
  icc: Buffer | undefined,
): Promise<number[]> {
  const colour = coloursOfHex(background);
  const [red = 1, green = 1, blue = 1] = colour;
  if (bands < 3) return [0.2126 * red + 0.7152 * green + 0.0722 * blue];
  return toProfile(colour, colour, icc, scratchDir);
}

function lossyNotes({ info, encoding }: InspectedPicture): string[] {
  const row = isOutputFormat(info.format) ? formats[info.format] : undefined;
  if (row?.quality !== 'lossy' || encoding.lossless) return [];
  return [note('LOSSY_SOURCE', { format: row.label })];
}
