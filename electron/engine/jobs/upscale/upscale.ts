/** Enlarges a photo: the passes are chosen and run, and their raster gets the wanted size and sharpness. */
import type { Size } from '../../../contract/geometry.ts';
import { EnlargerError } from '../../../contract/errors.ts';
import { isLossy } from '../../../contract/formats.ts';
import type { PassResult } from '../../inference/protocol.ts';
import {
  chooseRestoring,
  unusedRestoreNotes,
  noRestoring,
  recordOfDamage,
  type GrainSpec,
  type Restoring,
} from '../../plan/choose-restoring.ts';
import { readFileCompression } from '../../analysis/file-compression.ts';
import { measurePicture } from '../../analysis/measure-picture.ts';
import type { Damage } from '../../protocol/damage.ts';
import { algorithmicallyEnhanced } from '../../metadata/carried-metadata.ts';
import type { OutputPlan } from '../../plan/output-plan.ts';
import type { Enlargement, JobFrame, UpscaleJob } from '../../protocol/messages.ts';
import type { Inspected } from '../../raster/inspect.ts';
import { isNeutral, toEqualColours, toGrey } from '../../raster/neutral.ts';
import { shapeOf, withRaster } from '../../raster/raster-file.ts';
import { speedAmong, type SpeedOf } from '../../plan/speeds.ts';
import { createYield } from '../../cancellation/yield.ts';
import {
  inTurn,
  timed,
  type JobTools,
  type NetworkRun,
  type Worked,
  type WorkPlan,
  type WorkStep,
} from '../steps/work.ts';
import { enlarge, type Enlarged } from './enlarge.ts';
import { changeInWords, changeNotes } from './fidelity/change-words.ts';
import { finishEnlarged, type Finished, type FinishingJob } from './finish-enlarged.ts';
import { createPassClock, type PassClock } from './pass-clock.ts';
import type { RegionMask } from '../../tiles/region-mask.ts';
import { planUpscale, ranOf } from '../../plan/plan-upscale.ts';

/** Plans the enlarging of a photo. It throws IMAGE_TOO_LARGE. */
export function upscaleWork(job: UpscaleJob, inspected: Inspected, tools: JobTools): WorkPlan {
  const { info } = inspected;
  const plan = planUpscale(job, info, speedAmong(tools.inference.known().speeds));
  const isCompressed = isLossy(plan.output.format, job.quality);
  const enlarging = createEnlarging({ ...job, passes: plan.passes, isCompressed }, info, tools);
  return {
    ...plan,
    progress: enlarging.clock.plan,
    run: async (step) => enlarging.run(plan.output, await enlarging.measure(inspected, step), step),
  };
}

type EnlargingJob = FinishingJob &
  Pick<Enlargement, 'passes'> &
  Pick<JobFrame, 'sourcePath' | 'device' | 'keepAliveMs' | 'budget'>;

/** The passes of this enlarging have been chosen. */
export interface Enlarging {
  clock: PassClock;
  /** Measures the photo's damage, which conditions the first pass and the grain. */
  measure(inspected: Inspected, step: WorkStep): Promise<SourceMeasurement>;
  /**
   * Enlarges the step's raster, which is removed, to the raster of the plan. Outside of the wanted
   * part pixels are only repeated.
   */
  run(
    plan: OutputPlan,
    measurement: SourceMeasurement,
    step: WorkStep,
    wanted?: RegionMask,
  ): Promise<Worked>;
}

/**
 * Creates an enlarging. Its clock goes by these estimates of size and share.
 *
 * @param size about the size of the raster that is enlarged
 * @param share about the share of that raster that will be wanted, 0..1
 */
export function createEnlarging(
  job: EnlargingJob,
  size: Size,
  tools: JobTools,
  share = 1,
): Enlarging {
  const measured = speedAmong(tools.inference.known().speeds);
  const speedOf: SpeedOf = (pass) => {
    const speed = measured(pass);
    return speed && speed / share;
  };
  const clock = createPassClock(ranOf(job.passes), size, speedOf);
  return {
    clock,
    measure: (inspected, step) =>
      timed(step.timings, 'measureMs', () => measureFor(job, inspected, step)),
    async run(plan, measurement, rgbStep, wanted) {
      const { restoring } = measurement;
      const neutral = await neutralStep(rgbStep);
      const step = neutral ?? rgbStep;
      const enlarged = await inTurn(tools, step, () =>
        enlarge({ job, plan, clock, restoring, wanted, inference: tools.inference }, step),
      );
      const finished = await finishEnlarged(job, enlarged, plan, measurement.damage, step);
      if (neutral) {
        await toEqualColours(finished.rasterPath);
        finished.shape = shapeOf(finished.rasterPath);
      }
      const worked = workedOf(job, enlarged, finished, step);
      return { ...worked, ...measuredOf(job, measurement, finished.grain) };
    },
  };
}

/**
 * Makes the step's raster grey where it is RGB without colour, so that no network can colour it. It is
 * undefined for other rasters.
 */
async function neutralStep(step: WorkStep): Promise<WorkStep | undefined> {
  const { decoded, signal } = step;
  if (!(await isNeutral(decoded.path, { signal }))) return undefined;
  await toGrey(decoded.path);
  return { ...step, decoded: { ...decoded, shape: shapeOf(decoded.path) } };
}

export interface SourceMeasurement {
  restoring: Restoring;
  /** The damage is absent where neither a network nor the grain needed it. */
  damage?: Damage;
}

/** Measures a photo's damage, where a network or the grain depends on it, and decides what is taken off. */
async function measureFor(
  { passes, sourcePath, restore = 'auto', grain }: EnlargingJob,
  { format }: Inspected,
  { decoded, signal }: WorkStep,
): Promise<SourceMeasurement> {
  const isConditioned = passes[0]?.condition !== undefined;
  if (!isConditioned && grain === undefined) return { restoring: noRestoring };
  return withRaster(decoded.path, async (raster) => {
    const file = readFileCompression(sourcePath, format);
    const damage = await measurePicture(raster, file, createYield(signal));
    return { damage, restoring: isConditioned ? chooseRestoring(restore, damage) : noRestoring };
  });
}

function measuredOf(
  { passes, restore = 'auto' }: EnlargingJob,
  { damage, restoring }: SourceMeasurement,
  grain: GrainSpec | undefined,
): Pick<Worked, 'measured'> {
  if (!damage) return {};
  const restored = passes[0]?.condition ? restoring : undefined;
  return { measured: recordOfDamage(damage, restore, restored, grain) };
}

function workedOf(
  job: EnlargingJob,
  enlarged: Enlarged,
  { rasterPath, shape, change }: Finished,
  { decoded }: WorkStep,
): Worked {
  const scale = shape.width / decoded.shape.width;
  const models = [...new Set(job.passes.map(({ modelId }) => modelId))].join(', ');
  return {
    ...{ rasterPath, shape, scale },
    converted: decoded.converted,
    made: `${madeWith(scale)} with ${models}; ${changeInWords(change)}`,
    sourceType: algorithmicallyEnhanced,
    changed: change.changed,
    notes: [...changeNotes(job.keep, change), ...unusedRestoreNotes(job.restore, job.passes)],
    ran: runOf(enlarged.passes),
  };
}

const madeWith = (scale: number) =>
  scale === 1 ? 'restored' : `enlarged ${Number(scale.toFixed(2))} times`;

/** Sums up the passes. The device is that of the last pass, which computed most of the pixels. */
function runOf(passes: readonly PassResult[]): NetworkRun {
  const last = passes.at(-1);
  if (!last) throw new EnlargerError('INTERNAL', 'A job without a pass');
  return {
    device: last.device,
    notes: [...new Set(passes.flatMap(({ notes }) => notes))],
    tiles: {
      count: passes.reduce((sum, { tiles }) => sum + tiles, 0),
      sizePx: Math.max(...passes.map(({ sizePx }) => sizePx)),
      computedPerCore: last.computedPerCore,
    },
  };
}
