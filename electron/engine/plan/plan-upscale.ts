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

/** Plans an upscale job. @throws EnlargerError IMAGE_TOO_LARGE */
export function planUpscale(
  job: PlannableJob<UpscaleJob>,
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
