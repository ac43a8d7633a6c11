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
 * Whether the networks would change nothing that stays: a network that takes a strength is told 0, or the result
 * is smaller than the photo, which is cleaned by the reduction itself. A strength that a person chose is applied
 * all the same, and so is a network for cleaning that takes none.
 */
function isIdle(
  { restore }: Pick<Enlargement, 'restore'>,
  { passes, scale, size }: PassChoice,
  source: Size,
): boolean {
  const takesStrength = passes[0]?.condition !== undefined;
  if (scale === 1 && !takesStrength) return false;
  const { width, height } = size ?? { width: source.width * scale, height: source.height * scale };
  if (width > source.width || height > source.height) return false;
  const isSmaller = width < source.width || height < source.height;
  if (!takesStrength) return isSmaller;
  return restore === 0 || (isSmaller && typeof restore !== 'number');
}

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
  const { passes, scale, size } = isIdle(job, choice, source)
    ? { ...choice, passes: [], scale: 1 }
    : choice;
  const output = planOutput(source, scale, { ...job, size });
  const networks = ranOf(passes);
  const passScales = networks.map((one) => one.scale);
  return {
    output,
    diskBytes: scratchBytes(source, passScales, output),
    seconds: secondsOf(networks, source, speedOf),
    networks,
    passes,
  };
}
