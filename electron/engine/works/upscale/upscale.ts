/** An enlarging: its passes are chosen, run, and their raster brought to the size and sharpness wanted. */
import type { Size } from '../../../contract/geometry.ts';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { EnlargerError } from '../../../contract/errors.ts';
import type { ChangedPixels } from '../../../contract/task.ts';
import {
  chooseGrain,
  chooseRestoring,
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
import { beginSilenceMs, watched } from '../../watched.ts';
import { createYield } from '../../yield.ts';
import { layGrain } from './grain.ts';
import { holdColours } from './hold-colours.ts';
import { compareWithSource, projectOnSource } from './keep-faithful.ts';
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
import { enlarge, type Enlarged } from './enlarge.ts';
import { createPassClock, type PassClock } from './pass-clock.ts';
import { planUpscale, ranOf, scaleOf } from './plan-upscale.ts';
import type { WantedPart } from './wanted-part.ts';

/** Throws IMAGE_TOO_LARGE. */
export function upscaleWork(job: UpscaleJob, inspected: Inspected, tools: JobTools): WorkPlan {
  const { info } = inspected;
  const plan = planUpscale(job, info, speedAmong(tools.inference.known().speeds));
  const enlarging = createEnlarging({ ...job, passes: plan.passes }, info, tools);
  return {
    ...plan,
    progress: enlarging.clock.plan,
    run: async (step) => enlarging.run(plan.output, await enlarging.know(inspected, step), step),
  };
}

type EnlargingJob = Finishing &
  Pick<Enlargement, 'passes'> &
  Pick<JobFrame, 'sourcePath' | 'scratchDir' | 'device' | 'keepAliveMs' | 'room' | 'views'>;

/** An enlarging whose passes are chosen. */
export interface Enlarging {
  clock: PassClock;
  /** Finds out of the photo what the passes are told. */
  know(inspected: Inspected, step: WorkStep): Promise<Knowing>;
  /**
   * From the step's raster, which is removed, to that of the plan. Outside of what is wanted of it pixels are only
   * repeated.
   */
  run(plan: OutputPlan, knowing: Knowing, step: WorkStep, wanted?: WantedPart): Promise<Worked>;
}

/**
 * @param size of the raster that is enlarged, about
 * @param share of it that will be wanted, about
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
    know: (inspected, step) =>
      timed(step.timings, 'measureMs', () => measureFor(job, inspected, step)),
    async run(plan, knowing, step, wanted) {
      const { timings } = step;
      const { restoring } = knowing;
      const enlarged = await inTurn(tools, step, () =>
        enlarge({ job, plan, clock, restoring, wanted, inference: tools.inference }, step),
      );
      const changed = await timed(timings, 'compareMs', () => compare(job, enlarged, step));
      const finished = await timed(timings, 'encodeMs', () => finish(job, enlarged, plan, step));
      const grain = chooseGrain(job.grain, knowing.damage, plan.width / step.decoded.shape.width);
      if (grain) await timed(timings, 'encodeMs', () => lay(finished, grain, plan, step));
      const measured = measuredOf(job, knowing, grain);
      return { ...workedOf(job, enlarged, finished, changed, step), ...measured, changed };
    },
  };
}

export interface Knowing {
  restoring: Restoring;
  /** Absent where nobody needed to know. */
  damage?: Damage;
}

/** Once a photo: what it went through, where a network or the grain must be told, and what is taken off. */
async function measureFor(
  { passes, sourcePath, restore = 'auto', grain }: EnlargingJob,
  { format }: Inspected,
  { decoded, signal }: WorkStep,
): Promise<Knowing> {
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
  { damage, restoring }: Knowing,
  grain: LaidGrain | undefined,
): Pick<Worked, 'measured'> {
  if (!damage) return {};
  const told = passes[0]?.condition ? restoring : undefined;
  return { measured: recordOfDamage(damage, restore, told, grain) };
}

/** Holds the enlarged raster against the source, which is removed then; `keep` brings it back to it before. */
async function compare(
  { passes, scratchDir, keep, views }: EnlargingJob,
  { rasterPath }: Enlarged,
  { decoded, progress, signal }: WorkStep,
): Promise<ChangedPixels> {
  const onProgress = () => progress.stillAlive(beginSilenceMs);
  const projection = {
    path: rasterPath,
    sourcePath: decoded.path,
    scratchDir,
    scale: scaleOf(passes),
  };
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

/** The raster that is encoded: the enlarged one, unless another size or sharpness was asked for. */
async function finish(
  { sharpen, scratchDir }: EnlargingJob,
  { rasterPath, shape }: Enlarged,
  { format, width, height }: OutputPlan,
  { progress, signal }: WorkStep,
): Promise<Finished> {
  const isReduced = width !== shape.width || height !== shape.height;
  if (!isReduced && !sharpen) return { rasterPath, shape };
  const path = join(scratchDir, 'finished.v');
  const finished = { ...shape, width, height };
  const silenceMs = silenceOf({ format, shape: finished });
  progress.enter('encode', silenceMs);
  await watched(
    finishRaster(rasterPath, path, { width, height, sharpen }),
    () => statSync(path, { throwIfNoEntry: false })?.size ?? 0,
    () => progress.stillAlive(silenceMs),
    signal,
  );
  rmSync(rasterPath);
  return { rasterPath: path, shape: finished };
}

function workedOf(
  { passes }: EnlargingJob,
  enlarged: Enlarged,
  finished: Finished,
  changed: ChangedPixels,
  { decoded }: WorkStep,
): Worked {
  const scale = finished.shape.width / decoded.shape.width;
  const models = [...new Set(passes.map(({ modelId }) => modelId))].join(', ');
  return {
    ...finished,
    scale,
    converted: decoded.converted,
    made: `${madeWith(scale)} with ${models}; ${inWords(changed)}`,
    sourceType: algorithmicallyEnhanced,
    notes: [],
    ran: runOf(enlarged.passes),
  };
}

const madeWith = (scale: number) =>
  scale === 1 ? 'restored' : `enlarged ${Number(scale.toFixed(2))} times`;

const inWords = ({ mean, largest, share }: ChangedPixels) =>
  `reduced to its source it differs by ${mean.toFixed(2)} levels of 255 in the mean and ${largest.toFixed(0)} at most, ${(share * 100).toFixed(1)} % of it by over 2`;

/** The device is the last pass's: most of the pixels were its. */
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
