/** Enlarges a photo: the passes are chosen and run, and their raster gets the wanted size and sharpness. */
import type { Size } from '../../../contract/geometry.ts';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { EnlargerError } from '../../../contract/errors.ts';
import { isLossy } from '../../../contract/formats.ts';
import type { ChangedPixels } from '../../../contract/task.ts';
import {
  chooseGrain,
  chooseRestoring,
  idleRestoreNotes,
  nothingTaken,
  recordOfDamage,
  type LaidGrain,
  type Restoring,
} from '../../measure/choose-restoring.ts';
import { readFileCompression } from '../../measure/file-compression.ts';
import { measurePicture, type Damage } from '../../measure/measure-picture.ts';
import { algorithmicallyEnhanced } from '../../metadata/carried-metadata.ts';
import { withRaster } from '../../raster/raster-file.ts';
import { viewChanges } from '../../views/views.ts';
import { beginSilenceMs, bytesWritten, watched } from '../../watched.ts';
import { createYield } from '../../yield.ts';
import { layGrain } from './grain.ts';
import { holdColours } from './fidelity/hold-colours.ts';
import { compareWithSource, projectOnSource } from './fidelity/keep-faithful.ts';
import type { PassDone } from '../../inference/protocol.ts';
import type { OutputPlan } from '../../output-plan.ts';
import type { Enlargement, Finishing, JobFrame, UpscaleJob } from '../../protocol.ts';
import { finishRaster } from '../../raster/finish-raster.ts';
import type { Inspected } from '../../raster/inspect.ts';
import { speedAmong, type SpeedOf } from '../../speeds.ts';
import { silenceOf } from '../../write-result.ts';
import {
  inTurn,
  timed,
  type JobTools,
  type NetworkRun,
  type Worked,
  type WorkPlan,
  type WorkStep,
} from '../work.ts';
import {
  changeInWords,
  changeNotes,
  whatFollows,
  type ToldChange,
} from './fidelity/change-words.ts';
import { enlarge, type Enlarged } from './enlarge.ts';
import { createPassClock, type PassClock } from './pass-clock.ts';
import { planUpscale, ranOf } from './plan-upscale.ts';
import type { WantedPart } from './pass/wanted-part.ts';

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

type EnlargingJob = Finishing &
  Pick<Enlargement, 'passes'> &
  Pick<JobFrame, 'sourcePath' | 'scratchDir' | 'device' | 'keepAliveMs' | 'room' | 'views'> & {
    /** True means that the written file is compressed with loss. */
    isCompressed: boolean;
  };

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
    wanted?: WantedPart,
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
    async run(plan, measurement, step, wanted) {
      const { timings } = step;
      const { restoring } = measurement;
      const enlarged = await inTurn(tools, step, () =>
        enlarge({ job, plan, clock, restoring, wanted, inference: tools.inference }, step),
      );
      const source = step.decoded.shape;
      // The raster that is compared with the source has the result's size, unless the source is larger.
      const isSmaller = plan.width < source.width || plan.height < source.height;
      const sized = isSmaller
        ? enlarged
        : await timed(timings, 'encodeMs', () => reduce(job, enlarged, plan, step));
      const changed = await timed(timings, 'compareMs', () => compare(job, sized, step));
      const finished = await timed(timings, 'encodeMs', () => finish(job, sized, plan, step));
      const grain = chooseGrain(job.grain, measurement.damage, plan.width / source.width);
      if (grain) await timed(timings, 'encodeMs', () => lay(finished, grain, plan, step));
      const told = { changed, after: whatFollows(job, { isSmaller, hasGrain: !!grain }) };
      const measured = measuredOf(job, measurement, grain);
      return { ...workedOf(job, enlarged, finished, told, step), ...measured, changed };
    },
  };
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
  const isTold = passes[0]?.condition !== undefined;
  if (!isTold && grain === undefined) return { restoring: nothingTaken };
  return withRaster(decoded.path, async (raster) => {
    const file = readFileCompression(sourcePath, format);
    const damage = await measurePicture(raster, file, createYield(signal));
    return { damage, restoring: isTold ? chooseRestoring(restore, damage) : nothingTaken };
  });
}

function measuredOf(
  { passes, restore = 'auto' }: EnlargingJob,
  { damage, restoring }: SourceMeasurement,
  grain: LaidGrain | undefined,
): Pick<Worked, 'measured'> {
  if (!damage) return {};
  const told = passes[0]?.condition ? restoring : undefined;
  return { measured: recordOfDamage(damage, restore, told, grain) };
}

/** Compares a raster with the source, which is then removed. `keep` first brings the raster back to it. */
async function compare(
  { scratchDir, keep, views }: EnlargingJob,
  { rasterPath }: Pick<Enlarged, 'rasterPath'>,
  { decoded, progress, signal }: WorkStep,
): Promise<ChangedPixels> {
  const onProgress = () => progress.stillAlive(beginSilenceMs);
  const projection = { path: rasterPath, sourcePath: decoded.path, scratchDir };
  onProgress();
  if (keep === 'colours') await holdColours(projection, { signal, onProgress });
  const { changed, map } = await (keep === 'faithful' ? projectOnSource : compareWithSource)(
    projection,
    { signal, onProgress },
  );
  rmSync(decoded.path);
  await viewChanges(views, map);
  return changed;
}

async function lay(
  { rasterPath, shape }: Finished,
  grain: LaidGrain,
  { format }: OutputPlan,
  { progress, signal }: WorkStep,
): Promise<void> {
  const silenceMs = silenceOf({ format, shape });
  await withRaster(rasterPath, async (raster) => {
    progress.stillAlive(silenceMs);
    await layGrain(raster, grain, { signal, onProgress: () => progress.stillAlive(silenceMs) });
  });
}

type Finished = Pick<Enlarged, 'rasterPath' | 'shape'>;

/** Reduces the enlarged raster to the size of the plan. */
const reduce = (
  { scratchDir }: EnlargingJob,
  enlarged: Finished,
  plan: OutputPlan,
  step: WorkStep,
): Promise<Finished> =>
  finished(enlarged, { path: join(scratchDir, 'sized.v'), sharpen: 0 }, plan, step);

/** Makes the raster that is encoded: it has the plan's size, and it is sharpened. */
const finish = (
  { sharpen, scratchDir }: EnlargingJob,
  sized: Finished,
  plan: OutputPlan,
  step: WorkStep,
): Promise<Finished> =>
  finished(sized, { path: join(scratchDir, 'finished.v'), sharpen }, plan, step);

/**
 * Resizes and sharpens a raster, which is then removed. The answer is the raster itself if nothing changes.
 */
async function finished(
  { rasterPath, shape }: Finished,
  { path, sharpen }: { path: string; sharpen: number | undefined },
  { format, width, height }: OutputPlan,
  { progress, signal }: WorkStep,
): Promise<Finished> {
  const isReduced = width !== shape.width || height !== shape.height;
  if (!isReduced && !sharpen) return { rasterPath, shape };
  const made = { ...shape, width, height };
  const silenceMs = silenceOf({ format, shape: made });
  progress.enter('encode', silenceMs);
  await watched(
    finishRaster(rasterPath, path, { width, height, sharpen }),
    () => bytesWritten(path),
    () => progress.stillAlive(silenceMs),
    signal,
  );
  rmSync(rasterPath);
  return { rasterPath: path, shape: made };
}

function workedOf(
  job: EnlargingJob,
  enlarged: Enlarged,
  finished: Finished,
  told: ToldChange,
  { decoded }: WorkStep,
): Worked {
  const scale = finished.shape.width / decoded.shape.width;
  const models = [...new Set(job.passes.map(({ modelId }) => modelId))].join(', ');
  return {
    ...finished,
    scale,
    converted: decoded.converted,
    made: `${madeWith(scale)} with ${models}; ${changeInWords(told)}`,
    sourceType: algorithmicallyEnhanced,
    notes: [...changeNotes(job.keep, told), ...idleRestoreNotes(job.restore, job.passes)],
    ran: runOf(enlarged.passes),
  };
}

const madeWith = (scale: number) =>
  scale === 1 ? 'restored' : `enlarged ${Number(scale.toFixed(2))} times`;

/** Sums up the passes. The device is that of the last pass, which computed most of the pixels. */
function runOf(passes: readonly PassDone[]): NetworkRun {
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
