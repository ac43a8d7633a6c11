/** Plans an enlargement: passes, size, disk, time. Pure; the service uses it as well. */
import type { Size } from '../../../packages/contract/src/geometry.ts';
import { bytesOfFrames } from './plan-animation.ts';
import {
  planOutput,
  scaleFor,
  scratchBytes,
  sizeOfTarget,
  smallerOf,
  type JobPlan,
} from './output-plan.ts';
import type {
  Enlargement,
  NetworkFile,
  PlannableJob,
  SourceInspection,
  UpscaleJob,
} from '../protocol/messages.ts';
import { encodeSeconds, preparingSeconds, secondsOf, type SpeedOf } from './speeds.ts';

/** Scale of all passes together. */
export const scaleOf = (passes: readonly Pick<NetworkFile, 'scale'>[]) =>
  passes.reduce((scale, pass) => scale * pass.scale, 1);

export const ranOf = (passes: readonly NetworkFile[]) =>
  passes.map(({ modelId, scale }) => ({ modelId, scale }));

interface PassChoice {
  passes: NetworkFile[];
  /** Scale of all passes together. */
  scale: number;
  /** Size of what the passes run on: the picture, or the result if that is smaller. */
  before: Size;
  /** Result size, if it is not that of the passes' output. */
  size?: Size;
}

/**
 * Chooses the passes of the scale nearest to the target. A picture is reduced before its passes run, and has none
 * if they would change nothing that stays.
 *
 * @throws EnlargerError IMAGE_TOO_LARGE
 */
export function choosePasses(enlargement: Enlargement, whole: Size): PassChoice {
  const { passes, target, choices = [passes] } = enlargement;
  const size = target ? sizeOfTarget(target, whole) : enlargedBy(scaleOf(passes), whole);
  const before = smallerOf(size, whole);
  const scale = target ? scaleFor(size, before, choices.map(scaleOf)) : scaleOf(passes);
  const chosen = choices.find((one) => scaleOf(one) === scale) ?? passes;
  return isIdle(enlargement, chosen, { size, whole })
    ? { passes: [], scale: 1, before, size }
    : { passes: chosen, scale, before, size };
}

const enlargedBy = (scale: number, { width, height }: Size): Size => ({
  width: width * scale,
  height: height * scale,
});

/**
 * Whether the networks would change nothing that stays: their amount or strength is 0, or the result
 * is smaller than the photo, which is cleaned by the reduction itself. A strength that a person chose is applied
 * all the same, and so is a network for cleaning that takes none.
 */
function isIdle(
  { restore, amount }: Pick<Enlargement, 'restore' | 'amount'>,
  passes: readonly NetworkFile[],
  { size, whole }: { size: Size; whole: Size },
): boolean {
  if (amount === 0) return true;
  const takesStrength = passes[0]?.condition !== undefined;
  if (scaleOf(passes) === 1 && !takesStrength) return false;
  if (size.width > whole.width || size.height > whole.height) return false;
  const isSmaller = size.width < whole.width || size.height < whole.height;
  if (!takesStrength) return isSmaller;
  return restore === 0 || (isSmaller && typeof restore !== 'number');
}

const maskNetworkOf = ({ amountArea }: Pick<UpscaleJob, 'amountArea'>) =>
  amountArea && 'network' in amountArea
    ? [{ modelId: amountArea.network.modelId, scale: 1 as const }]
    : [];

/**
 * Plans an upscale job. It has no passes where a network would have nothing to do.
 *
 * @throws EnlargerError IMAGE_TOO_LARGE
 */
export function planUpscale(
  job: PlannableJob<UpscaleJob>,
  source: SourceInspection,
  speedOf: SpeedOf,
): JobPlan & Pick<PassChoice, 'passes' | 'before'> & { encodeSeconds: number } {
  const { passes, scale, size, before } = choosePasses(job, source);
  const output = planOutput({ ...source, ...before }, scale, { ...job, size });
  const passScales = passes.map((one) => one.scale);
  const enlarging = ranOf(passes);
  const seconds = secondsOf(enlarging, before, speedOf);
  const encoding = encodeSeconds(output, job.quality, speedOf);
  return {
    output,
    diskBytes: scratchBytes(source, passScales, output) + bytesOfFrames(source, output),
    seconds:
      seconds === undefined ? undefined : preparingSeconds + seconds * output.frames + encoding,
    encodeSeconds: encoding,
    networks: [...(passes.length > 0 ? maskNetworkOf(job) : []), ...enlarging],
    ...{ passes, before },
  };
}
