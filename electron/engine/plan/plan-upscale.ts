/** Plans an enlargement: passes, size, disk, time. Pure; the service uses it as well. */
import type { Size } from '../../contract/geometry.ts';
import { planOutput, scaleFor, scratchBytes, sizeOfTarget, type JobPlan } from './output-plan.ts';
import type {
  Enlargement,
  NetworkFile,
  PlannableJob,
  SourceInspection,
  UpscaleJob,
} from '../protocol/messages.ts';
import { secondsOf, type SpeedOf } from './speeds.ts';

/** Scale of all passes together. */
export const scaleOf = (passes: readonly Pick<NetworkFile, 'scale'>[]) =>
  passes.reduce((scale, pass) => scale * pass.scale, 1);

export const ranOf = (passes: readonly NetworkFile[]) =>
  passes.map(({ modelId, scale }) => ({ modelId, scale }));

interface PassChoice {
  passes: NetworkFile[];
  scale: number;
  /** Result size, if a target was requested. */
  size?: Size;
}

/** Chooses the passes of the smallest scale that reaches the target. @throws EnlargerError IMAGE_TOO_LARGE */
export function choosePasses(
  { passes, target, choices = [passes] }: Enlargement,
  whole: Size,
): PassChoice {
  if (!target) return { passes, scale: scaleOf(passes) };
  const size = sizeOfTarget(target, whole);
  const scale = scaleFor(size, whole, choices.map(scaleOf));
  return { passes: choices.find((one) => scaleOf(one) === scale) ?? passes, scale, size };
}

/**
 * Whether the networks would change nothing that stays: their amount or strength is 0, or the result
 * is smaller than the photo, which is cleaned by the reduction itself. A strength that a person chose is applied
 * all the same, and so is a network for cleaning that takes none.
 */
function isIdle(
  { restore, amount }: Pick<Enlargement, 'restore' | 'amount'>,
  { passes, scale, size }: PassChoice,
  source: Size,
): boolean {
  if (amount === 0) return true;
  const takesStrength = passes[0]?.condition !== undefined;
  if (scale === 1 && !takesStrength) return false;
  const { width, height } = size ?? { width: source.width * scale, height: source.height * scale };
  if (width > source.width || height > source.height) return false;
  const isSmaller = width < source.width || height < source.height;
  if (!takesStrength) return isSmaller;
  return restore === 0 || (isSmaller && typeof restore !== 'number');
}

/** No passes, and the size that they would have led to. */
const idleChoice = ({ scale, size }: PassChoice, { width, height }: Size): PassChoice => ({
  passes: [],
  scale: 1,
  size: size ?? { width: width * scale, height: height * scale },
});

const maskNetworkOf = ({ amountArea }: Pick<UpscaleJob, 'amountArea'>) =>
  amountArea && amountArea.kind !== 'painted'
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
): JobPlan & { passes: NetworkFile[] } {
  const choice = choosePasses(job, source);
  const { passes, scale, size } = isIdle(job, choice, source) ? idleChoice(choice, source) : choice;
  const output = planOutput(source, scale, { ...job, size });
  const passScales = passes.map((one) => one.scale);
  const enlarging = ranOf(passes);
  return {
    output,
    diskBytes: scratchBytes(source, passScales, output),
    seconds: secondsOf(enlarging, source, speedOf),
    networks: [...(passes.length > 0 ? maskNetworkOf(job) : []), ...enlarging],
    passes,
  };
}
