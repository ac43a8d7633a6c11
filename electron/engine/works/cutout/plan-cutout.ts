/** What a cut-out will be before it is made: format, bits, disk. Pure; the service plans with it too. */
import { formats, isOutputFormat } from '../../../contract/formats.ts';
import {
  computedDepthNote,
  planOutput,
  sizeWithin,
  type OutputPlan,
  type OutputWish,
} from '../../output-plan.ts';
import { subjectShare } from '../../file-size.ts';
import type { CutoutJob, SourceInspection } from '../../protocol.ts';
import { isPlaced } from './compose/place-subject.ts';

export type CutoutWish = Omit<OutputWish, 'size'> &
  Pick<CutoutJob, 'background' | 'backgroundPath' | 'maskOnly' | 'target' | 'canvas'>;

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
