/** An enlarging: its passes are chosen, run, and their raster brought to the size and sharpness wanted. */
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { EnlargerError } from '../../../contract/errors.ts';
import type { PassDone } from '../../inference/protocol.ts';
import {
  planOutput,
  scaleFor,
  scratchBytes,
  sizeOfTarget,
  type OutputPlan,
} from '../../output-plan.ts';
import type { SourceInspection, UpscaleJob } from '../../protocol.ts';
import { finishRaster } from '../../raster/finish-raster.ts';
import type { Inspected } from '../../raster/inspect.ts';
import { secondsOf } from '../../speeds.ts';
import { watched } from '../../watched.ts';
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
import { enlarge, scaleOf, type Enlarged } from './enlarge.ts';
import { createPassClock } from './pass-clock.ts';

/** Throws IMAGE_TOO_LARGE. */
export function planUpscale(wanted: UpscaleJob, { info }: Inspected, tools: JobTools): WorkPlan {
  const { job, plan } = planPasses(wanted, info);
  const networks = job.passes.map(({ modelId, scale }) => ({ modelId, scale }));
  const scales = networks.map(({ scale }) => scale);
  const { speeds } = tools.inference.known();
  const clock = createPassClock(networks, info, speeds);
  return {
    output: plan,
    diskBytes: scratchBytes(info, scales, plan),
    seconds: secondsOf(networks, info, speeds),
    networks,
    progress: clock.plan,
    async run(step) {
      const enlarged = await inTurn(tools, step, () =>
        enlarge({ job, plan, clock, inference: tools.inference }, step),
      );
      const finished = await timed(step.timings, 'encodeMs', () =>
        finish(job, enlarged, plan, step),
      );
      return workedOf(job, enlarged, finished, step);
    },
  };
}

/** The job with its passes chosen, and what it will make. */
function planPasses(
  wanted: UpscaleJob,
  info: SourceInspection,
): { job: UpscaleJob; plan: OutputPlan } {
  const { target, choices = [] } = wanted;
  if (!target) return { job: wanted, plan: planOutput(info, scaleOf(wanted.passes), wanted) };
  const size = sizeOfTarget(target, info);
  const scale = scaleFor(size, info, choices.map(scaleOf));
  const passes = choices.find((one) => scaleOf(one) === scale) ?? wanted.passes;
  return { job: { ...wanted, passes }, plan: planOutput(info, scale, { ...wanted, size }) };
}

type Finished = Pick<Enlarged, 'rasterPath' | 'shape'>;

/** The raster that is encoded: the enlarged one, unless another size or sharpness was asked for. */
async function finish(
  { sharpen, scratchDir }: UpscaleJob,
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
    finishRaster(rasterPath, shape, path, { width, height, sharpen }),
    () => statSync(path, { throwIfNoEntry: false })?.size ?? 0,
    () => progress.stillAlive(silenceMs),
    signal,
  );
  rmSync(rasterPath);
  return { rasterPath: path, shape: finished };
}

function workedOf(
  { passes }: UpscaleJob,
  enlarged: Enlarged,
  finished: Finished,
  { decoded }: WorkStep,
): Worked {
  const scale = finished.shape.width / decoded.shape.width;
  const models = [...new Set(passes.map(({ modelId }) => modelId))].join(', ');
  return {
    ...finished,
    scale,
    converted: decoded.converted,
    made: `enlarged ${Number(scale.toFixed(2))} times with ${models}`,
    notes: [],
    ran: ranOf(enlarged.passes),
  };
}

/** The device is the last pass's: most of the pixels were its. */
function ranOf(passes: readonly PassDone[]): NetworkRun {
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
