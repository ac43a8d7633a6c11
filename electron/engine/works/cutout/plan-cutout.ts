/** What a cut-out will be before it is made: format, bits, disk. Pure; the service plans with it too. */
import type { Size } from '../../../contract/geometry.ts';
import { formats, isOutputFormat } from '../../../contract/formats.ts';
import {
  computedDepthNote,
  planOutput,
  scratchBytes,
  sizeWithin,
  type JobPlan,
  type OutputPlan,
  type OutputWish,
} from '../../output-plan.ts';
import { subjectShare } from '../../file-size.ts';
import type { EnlargeOrder } from '../../../contract/submit.ts';
import type {
  CutoutEnlargement,
  CutoutJob,
  NetworkFile,
  Planned,
  SourceInspection,
} from '../../protocol.ts';
import { secondsOf, secondsOfCutout, type SpeedOf } from '../../speeds.ts';
import { choosePasses, ranOf } from '../upscale/plan-upscale.ts';
import { isPlaced } from './compose/place-subject.ts';

export type CutoutWish = Omit<OutputWish, 'size'> &
  Pick<CutoutJob, 'background' | 'backgroundPath' | 'maskOnly' | 'target'> & {
    canvas?: CutoutJob['canvas'] | undefined;
  };

/**
 * The size of the source or the canvas, reduced where that is asked for: where the subject stands is known later. `same`
 * is the source's format where it can hold the result, else PNG. A mask has 16 bits where nothing else was said.
 */
export function planCutout(source: SourceInspection, wish: CutoutWish): OutputPlan {
  const bitDepth = wish.maskOnly && wish.bitDepth === 'same' ? 16 : wish.bitDepth;
  const whole = { ...source, ...wish.canvas };
  const size = wish.target && sizeWithin(wish.target, whole);
  const plan = planOutput(whole, 1, { ...wish, bitDepth, size, format: formatOf(source, wish) });
  // All of a mask is computed.
  const notes = plan.notes.filter((note) => !wish.maskOnly || note !== computedDepthNote);
  return { ...plan, notes };
}

/** Of a job that does not enlarge. Throws IMAGE_TOO_LARGE. */
export function planCutoutJob(
  job: Planned<CutoutJob>,
  source: SourceInspection,
  speedOf: SpeedOf,
): JobPlan {
  const output = planCutout(source, job);
  const { modelId } = job.network;
  return {
    output,
    diskBytes: cutoutScratchBytes(source, output, job),
    seconds: secondsOfCutout(modelId, source, speedOf),
    networks: [{ modelId, scale: 1 }],
  };
}

export const isEnlarged = <Any extends Planned<CutoutJob>>(
  job: Any,
): job is Any & { enlarge: CutoutEnlargement } => job.enlarge !== undefined;

export interface EnlargedCutoutPlan extends JobPlan {
  /** What is enlarged, before it is: the photo, or the cut-out where that comes first. */
  whole: Size;
  /** Of the enlarging. Its raster stays a raster: the format is nothing to it. */
  enlarging: OutputPlan;
  passes: NetworkFile[];
  /** Of the passes. */
  scale: number;
  /** Of the passes alone, and of all the rest. */
  enlargingSeconds: number | undefined;
  cuttingSeconds: number | undefined;
}

/** Of the subject and what is around its edge, in whole tiles: the mean of 122 masks at 2, 12 and 24 megapixels. */
const seenShare = 0.5;

/** How much of what is enlarged goes through the networks, about. */
export const enlargedShare = (first: EnlargeOrder): number => (first === 'enlarge' ? seenShare : 1);

/** What is enlarged: the photo, or the cut-out on its canvas. */
export const wholeOf = (
  source: Size,
  { canvas }: Pick<CutoutWish, 'canvas'>,
  first: EnlargeOrder,
) => (first === 'cutout' && canvas ? canvas : source);

/** The same of a cut-out that is enlarged, too. Throws IMAGE_TOO_LARGE. */
export function planEnlargedCutout(
  job: Planned<CutoutJob> & { enlarge: CutoutEnlargement },
  source: SourceInspection,
  speedOf: SpeedOf,
): EnlargedCutoutPlan {
  const { first } = job.enlarge;
  const { width, height } = wholeOf(source, job, first);
  const whole = { width, height };
  const { passes, scale, size } = choosePasses(job.enlarge, whole);
  const anyFormat = { ...job, size, format: 'tiff', formatChosen: false } as const;
  const planned = planOutput({ ...source, ...whole }, scale, anyFormat);
  const large = { ...source, width: planned.width, height: planned.height };
  const output = planCutout(large, first === 'cutout' ? { ...job, canvas: undefined } : job);
  const enlarging = { ...planned, bits: output.bits };
  const networks = ranOf(passes);
  const { modelId } = job.network;
  const growing = secondsOf(networks, whole, speedOf);
  const enlargingSeconds = growing === undefined ? undefined : growing * enlargedShare(first);
  const cuttingSeconds = secondsOfCutout(
    modelId,
    first === 'enlarge' ? enlarging : source,
    speedOf,
  );
  const isKnown = cuttingSeconds !== undefined && enlargingSeconds !== undefined;
  return {
    ...{ output, whole, enlarging, passes, scale, enlargingSeconds, cuttingSeconds },
    diskBytes: enlargedCutoutBytes(job, source, { output, whole, enlarging, passes }),
    seconds: isKnown ? cuttingSeconds + enlargingSeconds : undefined,
    networks: [{ modelId, scale: 1 }, ...networks],
  };
}

/** Most disk that both take at one time, one after the other. */
function enlargedCutoutBytes(
  { enlarge: { first }, ...wish }: ScratchWish & { enlarge: CutoutEnlargement },
  source: SourceInspection,
  {
    output,
    whole,
    enlarging,
    passes,
  }: Pick<EnlargedCutoutPlan, 'output' | 'whole' | 'enlarging' | 'passes'>,
): number {
  const { width, height } = enlarging;
  const bitDepth = output.bits;
  const passScales = passes.map(({ scale }) => scale);
  if (first === 'enlarge') {
    const large = { ...source, width, height, bitDepth };
    const feather = wish.feather && (wish.feather * width) / whole.width;
    const cutting = cutoutScratchBytes(large, output, { ...wish, feather });
    return Math.max(scratchBytes(source, passScales, enlarging), cutting);
  }
  const channels = source.channels < 3 ? 2 : 4;
  const growing = scratchBytes({ ...whole, bitDepth, channels }, passScales, enlarging);
  return Math.max(cutoutScratchBytes(source, { ...output, ...whole }, wish), growing);
}

function formatOf(source: SourceInspection, wish: CutoutWish): OutputWish['format'] {
  if (wish.format !== 'same' || source.format === 'raw') return wish.format;
  const isFilled = wish.background !== 'transparent' || wish.backgroundPath !== undefined;
  const isOpaque = isFilled && source.format === 'jpeg';
  const holdsAlpha = isOutputFormat(source.format) && formats[source.format].alpha;
  return isOpaque || holdsAlpha ? 'same' : 'png';
}

/** How much there is to be encoded beside the whole photo, about. A mask is flat but for its edge. */
export function shareOf({
  background,
  backgroundPath,
  maskOnly,
}: Pick<CutoutJob, 'background' | 'backgroundPath' | 'maskOnly'>): number {
  if (maskOnly) return maskShare;
  return background === 'blur' || backgroundPath !== undefined ? filledShare : subjectShare;
}

const maskShare = 0.06;
const filledShare = 0.7;

type ScratchWish = Pick<CutoutJob, 'backgroundPath' | 'canvas' | 'subjectScale' | 'position'> & {
  feather?: number | undefined;
};

/** Most disk that is taken at one time: the source twice while it is turned, or the source, the subject and what is encoded. */
export function cutoutScratchBytes(
  { width, height, bitDepth, channels }: SourceInspection,
  plan: OutputPlan,
  { feather, ...wish }: ScratchWish = {},
): number {
  const bytes = Math.ceil(bitDepth / 8);
  const pixels = width * height;
  const source = pixels * channels * bytes;
  const deep = plan.bits > 8 ? 2 : bytes;
  const subject = pixels * (channels < 3 ? 2 : 4) * deep;
  const canvas = wish.canvas ? wish.canvas.width * wish.canvas.height : pixels;
  const last = canvas * 4 * (plan.bits / 8);
  // The subject on its canvas, and the picture behind it before and after it is fitted.
  const placed = (isPlaced(wish) ? last : 0) + (wish.backgroundPath === undefined ? 0 : 2 * last);
  const refining = source + pixels * channels * deep + subject;
  const feathering = feather === undefined ? 0 : source + 2 * subject;
  const encoding = source + subject + placed + 1.33 * last;
  return Math.ceil(Math.max(2 * source, refining, feathering, encoding)) + 3 * 64;
}
