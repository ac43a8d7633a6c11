/** What a cut-out will be before it is made: format, bits, disk. Pure; the service plans with it too. */
import { formats, isOutputFormat } from '../../../contract/formats.ts';
import {
  computedDepthNote,
  planOutput,
  sizeWithin,
  type OutputPlan,
  type OutputWish,
} from '../../output-plan.ts';
import type { CutoutJob, SourceInspection } from '../../protocol.ts';

export type CutoutWish = Omit<OutputWish, 'size'> &
  Pick<CutoutJob, 'background' | 'maskOnly' | 'target'>;

/**
 * The source's own size, reduced where that is asked for: where the subject stands is known later. `same` is the source's format
 * where it can hold the result, else PNG. A mask has 16 bits where nothing else was said.
 */
export function planCutout(source: SourceInspection, wish: CutoutWish): OutputPlan {
  const bitDepth = wish.maskOnly && wish.bitDepth === 'same' ? 16 : wish.bitDepth;
  const size = wish.target && sizeWithin(wish.target, source);
  const plan = planOutput(source, 1, { ...wish, bitDepth, size, format: formatOf(source, wish) });
  // All of a mask is computed.
  const notes = plan.notes.filter((note) => !wish.maskOnly || note !== computedDepthNote);
  return { ...plan, notes };
}

function formatOf(source: SourceInspection, wish: CutoutWish): OutputWish['format'] {
  if (wish.format !== 'same' || source.format === 'raw') return wish.format;
  const isOpaque = wish.background !== 'transparent' && source.format === 'jpeg';
  const holdsAlpha = isOutputFormat(source.format) && formats[source.format].alpha;
  return isOpaque || holdsAlpha ? 'same' : 'png';
}

/** Most disk that is taken at one time: the source twice while it is turned, or the source, the subject and what is encoded. */
export function cutoutScratchBytes(
  { width, height, bitDepth, channels }: SourceInspection,
  plan: OutputPlan,
  { feather }: { feather?: number | undefined } = {},
): number {
  const bytes = Math.ceil(bitDepth / 8);
  const pixels = width * height;
  const source = pixels * channels * bytes;
  const deep = plan.bits > 8 ? 2 : bytes;
  const subject = pixels * (channels < 3 ? 2 : 4) * deep;
  const last = pixels * 4 * (plan.bits / 8);
  const refining = source + pixels * channels * deep + subject;
  const feathering = feather === undefined ? 0 : source + 2 * subject;
  const encoding = source + subject + 1.33 * last;
  return Math.ceil(Math.max(2 * source, refining, feathering, encoding)) + 3 * 64;
}
