/** Plans a cut-out: format, depth, size, disk, time. Pure; the service uses it as well. */
import { note } from '../../../packages/contract/src/notes/notes.ts';
import type { Size } from '../../../packages/contract/src/geometry.ts';
import { formats, isOutputFormat } from '../../../packages/contract/src/formats.ts';
import {
  computedDepthNote,
  planOutput,
  scratchBytes,
  sizeWithin,
  type JobPlan,
  type OutputPlan,
  type OutputRequest,
} from './output-plan.ts';
import { subjectShare } from './file-size.ts';
import type { EnlargeOrder } from '../../../packages/contract/src/request.ts';
import type {
  CutoutEnlargement,
  CutoutJob,
  NetworkFile,
  PlannableJob,
  SourceInspection,
} from '../protocol/messages.ts';
import {
  encodeSeconds,
  handoverSeconds,
  secondsOf,
  secondsOfCutout,
  type SpeedOf,
} from './speeds.ts';
import { choosePasses, ranOf } from './plan-upscale.ts';
import { isPlaced } from '../../../packages/painting/src/index.ts';

export { isPlaced };

export type CutoutOutputRequest = Omit<OutputRequest, 'size'> &
  Pick<CutoutJob, 'background' | 'backgroundPath' | 'maskOnly' | 'target'> & {
    canvas?: CutoutJob['canvas'] | undefined;
  };

/**
 * Plans the output of a cut-out. Its size is that of the source or the canvas, reduced if requested; a crop
 * is known only later. `same` means the source's format if that can hold the result, else PNG. A mask has 16
 * bits unless a depth was requested.
 */
export function planCutout(source: SourceInspection, request: CutoutOutputRequest): OutputPlan {
  const bitDepth = request.maskOnly && request.bitDepth === 'same' ? 16 : request.bitDepth;
  // Of an animation the first frame is cut out.
  const whole = { ...source, ...request.canvas, frames: undefined };
  const size = request.target && sizeWithin(request.target, whole);
  const plan = planOutput(whole, 1, {
    ...request,
    bitDepth,
    size,
    format: formatOf(source, request),
  });
  // All of a mask is computed, so the note on computed depth is left out.
  const notes = plan.notes.filter((note) => !request.maskOnly || note !== computedDepthNote);
  if (source.frames !== undefined) notes.push(note('FRAMES_CUT_OUT', { frames: source.frames }));
  return { ...plan, notes };
}

/** Plans a cut-out job without enlargement. @throws EnlargerError IMAGE_TOO_LARGE */
export function planCutoutJob(
  job: PlannableJob<CutoutJob>,
  source: SourceInspection,
  speedOf: SpeedOf,
): JobPlan {
  const output = planCutout(source, job);
  const { modelId } = job.network;
  const seconds = secondsOfCutout(modelId, source, speedOf);
  return {
    output,
    diskBytes: cutoutScratchBytes(source, output, job),
    seconds: seconds && handoverSeconds + seconds + encodeSeconds(output, job.quality, speedOf),
    networks: [{ modelId, scale: 1 }],
  };
}

export const isEnlarged = <Any extends PlannableJob<CutoutJob>>(
  job: Any,
): job is Any & { enlarge: CutoutEnlargement } => job.enlarge !== undefined;

export interface EnlargedCutoutPlan extends JobPlan {
  /** Size of the photo. */
  whole: Size;
  /** Size of what the passes run on. */
  before: Size;
  /** Plan of the enlargement. Its format has no effect: its raster is not encoded. */
  enlarging: OutputPlan;
  passes: NetworkFile[];
  /** Scale of all passes together. */
  scale: number;
  /** Time of the passes by measured speed; undefined while one was never measured. */
  enlargingSeconds: number | undefined;
  /** Time of everything else by measured speed; undefined while the network was never measured. */
  cuttingSeconds: number | undefined;
}

/**
 * Share of a photo, in whole tiles, taken by the subject and the surroundings of its edge: mean of 122 masks
 * at 2, 12 and 24 megapixels.
 */
const visibleShare = 0.5;

/** Approximate share of the enlarged picture that goes through the networks. */
export const enlargedShare = (first: EnlargeOrder): number =>
  first === 'enlarge' ? visibleShare : 1;

/** Plans a cut-out job with enlargement. @throws EnlargerError IMAGE_TOO_LARGE */
export function planEnlargedCutout(
  job: PlannableJob<CutoutJob> & { enlarge: CutoutEnlargement },
  source: SourceInspection,
  speedOf: SpeedOf,
): EnlargedCutoutPlan {
  const { first } = job.enlarge;
  const { width, height } = source;
  const whole = { width, height };
  const { passes, scale, size, before } = choosePasses(job.enlarge, whole);
  const anyFormat = { ...job, size, format: 'tiff', formatChosen: false } as const;
  const planned = planOutput({ ...source, ...before, frames: undefined }, scale, anyFormat);
  const large = { ...source, width: planned.width, height: planned.height };
  const output = planCutout(large, job);
  const enlarging = { ...planned, bits: output.bits };
  const networks = ranOf(passes);
  const { modelId } = job.network;
  const growing = secondsOf(networks, before, speedOf);
  const enlargingSeconds = growing === undefined ? undefined : growing * enlargedShare(first);
  const cutting = secondsOfCutout(modelId, first === 'enlarge' ? enlarging : source, speedOf);
  const cuttingSeconds = cutting && cutting + encodeSeconds(output, job.quality, speedOf);
  const isKnown = cuttingSeconds !== undefined && enlargingSeconds !== undefined;
  return {
    ...{ output, whole, before, enlarging, passes, scale, enlargingSeconds, cuttingSeconds },
    diskBytes: enlargedCutoutBytes(job, source, { output, whole, enlarging, passes }),
    seconds: isKnown ? cuttingSeconds + enlargingSeconds : undefined,
    networks: [{ modelId, scale: 1 }, ...networks],
  };
}

/** Peak disk usage of cutting and enlarging, one after the other, in bytes. */
function enlargedCutoutBytes(
  { enlarge: { first }, ...request }: ScratchOptions & { enlarge: CutoutEnlargement },
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
    const feather = request.feather && (request.feather * width) / whole.width;
    const cutting = cutoutScratchBytes(large, output, { ...request, feather });
    return Math.max(scratchBytes(source, passScales, enlarging), cutting);
  }
  const channels = source.channels < 3 ? 2 : 4;
  const growing = scratchBytes({ ...whole, bitDepth, channels }, passScales, enlarging);
  const cutting = cutoutScratchBytes(source, { ...output, ...whole }, request);
  if (!request.canvas) return Math.max(cutting, growing);
  const large = { ...source, width, height, bitDepth, channels };
  return Math.max(cutting, growing, cutoutScratchBytes(large, output, request));
}

function formatOf(source: SourceInspection, request: CutoutOutputRequest): OutputRequest['format'] {
  if (request.format !== 'same' || source.format === 'raw') return request.format;
  const isFilled = request.background !== 'transparent' || request.backgroundPath !== undefined;
  const isOpaque = isFilled && source.format === 'jpeg';
  const holdsAlpha = isOutputFormat(source.format) && formats[source.format].alpha;
  return isOpaque || holdsAlpha ? 'same' : 'png';
}

/** Approximate share of the whole photo that the encoded result takes. A mask is flat except at its edge. */
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

type ScratchOptions = Pick<CutoutJob, 'backgroundPath' | 'canvas' | 'subjectScale' | 'position'> & {
  feather?: number | undefined;
};

/**
 * Peak disk usage of a cut-out in bytes: the source twice while it is turned upright, or the source, the
 * subject and the encoded raster, whichever is more.
 */
export function cutoutScratchBytes(
  { width, height, bitDepth, channels }: SourceInspection,
  plan: OutputPlan,
  { feather, ...request }: ScratchOptions = {},
): number {
  const bytes = Math.ceil(bitDepth / 8);
  const pixels = width * height;
  const source = pixels * channels * bytes;
  const deep = plan.bits > 8 ? 2 : bytes;
  const subject = pixels * (channels < 3 ? 2 : 4) * deep;
  const canvas = request.canvas ? request.canvas.width * request.canvas.height : pixels;
  const last = canvas * 4 * (plan.bits / 8);
  // The subject on its canvas, and the picture behind it before and after fitting.
  const placed =
    (isPlaced(request) ? last : 0) + (request.backgroundPath === undefined ? 0 : 2 * last);
  const refining = source + pixels * channels * deep + subject;
  const feathering = feather === undefined ? 0 : source + 2 * subject;
  // The encoded file takes about a third of its raster.
  const encoding = source + subject + placed + 1.33 * last;
  // Three raster headers of 64 bytes.
  return Math.ceil(Math.max(2 * source, refining, feathering, encoding)) + 3 * 64;
}
