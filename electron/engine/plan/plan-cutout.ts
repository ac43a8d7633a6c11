/** Plans a cut-out before it is made: format, bits, size, disk, time. It is pure; the service uses it, too. */
import type { Size } from '../../contract/geometry.ts';
import { formats, isOutputFormat } from '../../contract/formats.ts';
import {
  computedDepthNote,
  planOutput,
  scratchBytes,
  sizeWithin,
  type JobPlan,
  type OutputPlan,
  type OutputWish,
} from './output-plan.ts';
import { subjectShare } from './file-size.ts';
import type { EnlargeOrder } from '../../contract/request.ts';
import type {
  CutoutEnlargement,
  CutoutJob,
  NetworkFile,
  Planned,
  SourceInspection,
} from '../protocol/messages.ts';
import { secondsOf, secondsOfCutout, type SpeedOf } from './speeds.ts';
import { choosePasses, ranOf } from './plan-upscale.ts';
import { isPlaced } from '../../painting/place-subject.ts';

export { isPlaced };

export type CutoutWish = Omit<OutputWish, 'size'> &
  Pick<CutoutJob, 'background' | 'backgroundPath' | 'maskOnly' | 'target'> & {
    canvas?: CutoutJob['canvas'] | undefined;
  };

/**
 * Plans the output of a cut-out. Its size is that of the source or the canvas, reduced where that is asked
 * for: a crop is known only later. `same` means the source's format where that can hold the result, else PNG.
 * A mask has 16 bits where no depth was asked for.
 */
export function planCutout(source: SourceInspection, wish: CutoutWish): OutputPlan {
  const bitDepth = wish.maskOnly && wish.bitDepth === 'same' ? 16 : wish.bitDepth;
  const whole = { ...source, ...wish.canvas };
  const size = wish.target && sizeWithin(wish.target, whole);
  const plan = planOutput(whole, 1, { ...wish, bitDepth, size, format: formatOf(source, wish) });
  // The note on computed depth is left out for a mask, for all of a mask is computed.
  const notes = plan.notes.filter((note) => !wish.maskOnly || note !== computedDepthNote);
  return { ...plan, notes };
}

/** Plans a cut-out job that does not enlarge. It throws IMAGE_TOO_LARGE. */
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
  /** This is the size of what is enlarged: of the photo, or of the cut-out where cutting comes first. */
  whole: Size;
  /** This is the plan of the enlarging. Its format does not matter, for its raster is not encoded. */
  enlarging: OutputPlan;
  passes: NetworkFile[];
  /** This is the scale of all passes together. */
  scale: number;
  /** The passes take this long by measured speed; undefined while one was never measured. */
  enlargingSeconds: number | undefined;
  /** All the rest takes this long by measured speed; undefined while the network was never measured. */
  cuttingSeconds: number | undefined;
}

/**
 * The subject and the surroundings of its edge take this share of a photo, in whole tiles: it is the mean of
 * 122 masks at 2, 12 and 24 megapixels.
 */
const seenShare = 0.5;

/** Answers about which share of the enlarged picture goes through the networks. */
export const enlargedShare = (first: EnlargeOrder): number => (first === 'enlarge' ? seenShare : 1);

/** Answers the size of what is enlarged: of the photo, or of the cut-out on its canvas. */
export const wholeOf = (
  source: Size,
  { canvas }: Pick<CutoutWish, 'canvas'>,
  first: EnlargeOrder,
) => (first === 'cutout' && canvas ? canvas : source);

/** Plans a cut-out job that enlarges, too. It throws IMAGE_TOO_LARGE. */
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

/** Answers the most disk that cutting and enlarging, one after the other, take at one time, in bytes. */
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

/** Answers about which share of the whole photo the encoded result takes. A mask is flat but for its edge. */
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

/**
 * Answers the most disk that a cut-out takes at one time, in bytes: the source twice while it is turned
 * upright, or the source, the subject and what is encoded, whichever is more.
 */
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
  // These are the subject on its canvas, and the picture behind it before and after that is fitted.
  const placed = (isPlaced(wish) ? last : 0) + (wish.backgroundPath === undefined ? 0 : 2 * last);
  const refining = source + pixels * channels * deep + subject;
  const feathering = feather === undefined ? 0 : source + 2 * subject;
  // The encoded file takes about a third of its raster.
  const encoding = source + subject + placed + 1.33 * last;
  // Three rasters each have a header of 64 bytes.
  return Math.ceil(Math.max(2 * source, refining, feathering, encoding)) + 3 * 64;
}
