/** Saves a result again in another format: it is decoded and encoded, and no network runs. */
import { join } from 'node:path';
import { formats, isOutputFormat, labelOf } from '../../../contract/formats.ts';
import { computedDepthNote, planConvert } from '../../plan/output-plan.ts';
import type { ProgressPlan } from '../steps/progress.ts';
import type { ConvertJob } from '../../protocol/messages.ts';
import { convertRaster } from '../../raster/convert-raster.ts';
import { inOwnNumbers, coloursOfHex } from '../../raster/display-colours.ts';
import type { Inspected } from '../../raster/inspect.ts';
import { hasAlpha, type RasterShape, consumeRaster } from '../../raster/raster-file.ts';
import { decodeStallMs } from '../../cancellation/uncancellable-work.ts';
import { timed, type WorkPlan, type WorkStep } from '../steps/work.ts';

/** Plans the conversion of a result. It throws IMAGE_TOO_LARGE. */
export function convertWork(job: ConvertJob, inspected: Inspected): WorkPlan {
  const plan = planConvert(job, inspected.info);
  const { bits, format, notes } = plan.output;
  // The note on computed depth is left out: a conversion computes no finer steps,
  // at most a network did before.
  const own = notes.filter((note) => note !== computedDepthNote);
  return {
    ...plan,
    output: { ...plan.output, notes: [...lossyNotes(inspected), ...own] },
    progress,
    async run(step) {
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
/** Decoding is assumed to take this share of the decode step; the conversion takes the rest. */
const decodedShare = 0.6;

interface Converted {
  rasterPath: string;
  shape: RasterShape;
}

/** Converts the decoded raster. The answer is the raster itself where neither its bits nor its alpha change. */
async function convert(
  job: ConvertJob,
  bits: 8 | 16,
  { decoded, icc, progress, signal }: WorkStep,
): Promise<Converted> {
  const { path, shape } = decoded;
  const isFlat = job.background !== undefined && hasAlpha(shape);
  if (!isFlat && shape.bits === bits) return { rasterPath: path, shape };
  const behind = isFlat ? await ownColour(job, shape, icc) : undefined;
  const rasterPath = join(job.scratchDir, 'converted.v');
  return consumeRaster(path, async (source) => {
    const onProgress = (share: number) =>
      progress.part(decodedShare + (1 - decodedShare) * share, decodeStallMs(0));
    const made = await convertRaster(source, rasterPath, { bits, behind }, { signal, onProgress });
    return { rasterPath, shape: made };
  });
}

/**
 * Converts the background colour into the numbers of the picture's profile. For a grey picture the answer is
 * the colour's luma (ITU-R BT.709).
 */
async function ownColour(
  { background = '#ffffff', scratchDir }: ConvertJob,
  { bands }: RasterShape,
  icc: Buffer | undefined,
): Promise<number[]> {
  const colour = coloursOfHex(background);
  const [red = 1, green = 1, blue = 1] = colour;
  if (bands < 3) return [0.2126 * red + 0.7152 * green + 0.0722 * blue];
  return inOwnNumbers(colour, colour, icc, scratchDir);
}

function lossyNotes({ info, encoding }: Inspected): string[] {
  const row = isOutputFormat(info.format) ? formats[info.format] : undefined;
  if (row?.quality !== 'lossy' || encoding.lossless) return [];
  return [
    `It was made from the ${row.label} result, which had lost a little of the detail. Run the task again in this format for all of it.`,
  ];
}
