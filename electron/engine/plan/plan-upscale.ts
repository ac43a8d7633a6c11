/** Plans an enlarging before it is made: passes, size, disk, time. It is pure; the service uses it, too. */
import type { Size } from '../../contract/geometry.ts';
import { planOutput, scaleFor, scratchBytes, sizeOfTarget, type JobPlan } from './output-plan.ts';
import type {
  Enlargement,
  NetworkFile,
  Planned,
  SourceInspection,
  UpscaleJob,
} from '../protocol/messages.ts';
import { secondsOf, type SpeedOf } from './speeds.ts';

/** Answers the scale of all passes together. */
export const scaleOf = (passes: readonly Pick<NetworkFile, 'scale'>[]) =>
  passes.reduce((scale, pass) => scale * pass.scale, 1);

export const ranOf = (passes: readonly NetworkFile[]) =>
  passes.map(({ modelId, scale }) => ({ modelId, scale }));

interface ChosenPasses {
  passes: NetworkFile[];
  scale: number;
  /** This is the result's size, where one was asked for. */
  size?: Size;
}

/** Chooses the passes of the smallest scale that reaches the size asked for. It throws IMAGE_TOO_LARGE. */
export function choosePasses(
  { passes, target, choices = [passes] }: Enlargement,
  whole: Size,
): ChosenPasses {
  if (!target) return { passes, scale: scaleOf(passes) };
  const size = sizeOfTarget(target, whole);
  const scale = scaleFor(size, whole, choices.map(scaleOf));
  return { passes: choices.find((one) => scaleOf(one) === scale) ?? passes, scale, size };
}

/** Plans an upscale job. It throws IMAGE_TOO_LARGE. */
export function planUpscale(
  job: Planned<UpscaleJob>,
  source: SourceInspection,
  speedOf: SpeedOf,
): JobPlan & { passes: NetworkFile[] } {
  const { passes, scale, size } = choosePasses(job, source);
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
