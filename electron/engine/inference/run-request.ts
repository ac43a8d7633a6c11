/** Runs one pass from raster file to raster file, on the best device that manages it. */
import { rmSync } from 'node:fs';
import { taskCancelled } from '../../contract/errors.ts';
import { createRaster, type Raster, type RasterShape, withRaster } from '../raster/raster-file.ts';
import { planPass, runPass, type PassReport } from '../tiles/run-pass.ts';
import { countTiles, tilesInRegion } from '../tiles/region-mask.ts';
import { onBestDevice, type Runner } from './devices/best-device.ts';
import type { Choice } from './devices/choose-device.ts';
import { learnSpeed } from '../plan/knowledge.ts';
import type { PassDone, PassRequest } from './protocol.ts';
import { openSession, type Session } from './sessions/session.ts';
import type { TensorPicture } from './checks/tensor-parts.ts';
import { createSpotCheck, type SpotCheck } from './checks/spot-check.ts';

export async function runRequest(runner: Runner, request: PassRequest): Promise<PassDone> {
  const { result, device, notes } = await onBestDevice(runner, request, (session, choice) =>
    withRaster(request.inputPath, (input) => runOn({ runner, request, choice, session }, input)),
  );
  return { ...result, device, notes };
}

/** A pass on one device. */
interface Running {
  runner: Runner;
  request: PassRequest;
  choice: Choice;
  session: Session;
}

async function runOn(running: Running, input: Raster): Promise<PassReport> {
  const { outputPath, network, bits } = running.request;
  rmSync(outputPath, { force: true });
  const { width, height, bands } = input.shape;
  const { scale } = network;
  const shape = { width: width * scale, height: height * scale, bands, bits };
  const output = createRaster(outputPath, shape);
  try {
    return await runTiles(running, input, output);
  } finally {
    output.close();
  }
}

async function runTiles(running: Running, input: Raster, output: Raster): Promise<PassReport> {
  const { runner, request, choice, session } = running;
  const { network, wanted, condition } = request;
  const stop = new Int32Array(request.stop);
  const { tilePx, batch = 1 } = choice;
  const extent = extentOf(request, input.shape, tilePx);
  const { total, megapixels } = extent;
  const known = knownSpeed(runner, request, choice);
  runner.tell({ seconds: known ? megapixels / known : undefined });
  const start = performance.now();
  let left = total;
  let preemptedMs = 0;
  const spotCheck = spotCheckOf(request, session);
  const throwIfCancelled = () => {
    if (Atomics.load(stop, 0) !== 0) throw taskCancelled();
  };
  const preempt = async () => {
    preemptedMs += await runner.preempt();
  };
  const pass = runPass({
    ...{
      input,
      output,
      network,
      tilePx,
      region: wanted,
      batch,
      throwIfCancelled: throwIfCancelled,
    },
    async runTile(tensor, width, height) {
      await preempt();
      const answer = await session.run(tensor, width, height, condition, async (share) => {
        runner.tell({ done: total - left + share, total });
        await preempt();
        throwIfCancelled();
      });
      left -= tensor.length / (3 * width * height);
      return spotCheck ? checked(spotCheck, { tensor, width, height }, answer, left === 0) : answer;
    },
    onTile: (done) => runner.tell({ done, total }),
  });
  const report = await pass.finally(() => spotCheck?.close());
  learnFrom(running, extent, (performance.now() - start - preemptedMs) / 1000);
  return report;
}

interface Extent {
  /** It tells how many tiles run. */
  total: number;
  /** The megapixels of the input in their cores, and those that are computed, margins included. */
  megapixels: number;
  computed: number;
}

function extentOf({ network, wanted }: PassRequest, shape: RasterShape, tilePx: number): Extent {
  const plan = planPass(shape, network, tilePx);
  const total = countTiles(plan, tilesInRegion(shape, wanted));
  const share = total / (plan.columns.length * plan.rows.length);
  const megapixels = (share * (shape.width * shape.height)) / 1e6;
  return { total, megapixels, computed: megapixels * plan.computedPerCore };
}

/** Learns the speed of a pass, unless it is a preview's or too short to tell one. */
function learnFrom(
  { runner, request, choice }: Running,
  { megapixels, computed }: Extent,
  seconds: number,
): void {
  if (request.preempts || computed <= 0.2 || seconds <= 0.1) return;
  const megapixelsPerSecond = megapixels / seconds;
  learnSpeed(runner.knowledge, { ...speedKey(request, choice), megapixelsPerSecond });
  const { network, room } = request;
  const { precision, provider } = choice;
  const known = runner.outcomes.get(network, precision, provider);
  if (known?.ok && known.isProvisional && room?.isSmall !== true)
    runner.outcomes.set(network, precision, provider, { ...known, megapixelsPerSecond });
}

/** Spot-checks the answer to one tile, or to each of several tiles in one call. */
async function checked(
  spotCheck: SpotCheck,
  { tensor, width, height }: TensorPicture,
  answer: Float32Array,
  isLast: boolean,
): Promise<Float32Array> {
  const length = 3 * width * height;
  const count = tensor.length / length;
  if (count === 1) return spotCheck.check({ tensor, width, height }, answer, isLast);
  // The spot check runs the session, which overwrites its answer before.
  const kept = Float32Array.from(answer);
  const own = kept.length / count;
  for (let i = 0; i < count; i += 1) {
    const tile = { tensor: tensor.subarray(i * length, (i + 1) * length), width, height };
    await spotCheck.check(tile, kept.subarray(i * own, (i + 1) * own), isLast && i === count - 1);
  }
  return kept;
}

/** Opens a spot check, except for the CPU, with which other devices are compared, and for previews. */
function spotCheckOf({ network, condition, preempts, room }: PassRequest, session: Session) {
  if (session.provider === 'cpu' || preempts) return undefined;
  const openReference = () => openSession(network, 'fp32', 'cpu', room?.threads);
  return createSpotCheck({ network, session, openReference, condition });
}

const speedKey = ({ network }: PassRequest, choice: Choice) => ({
  modelId: network.modelId,
  scale: network.scale,
  provider: choice.provider,
  precision: choice.precision,
});

/** Gives the input megapixels a second of past passes, or of the tiles that were measured at first use. */
function knownSpeed(runner: Runner, request: PassRequest, choice: Choice): number | undefined {
  const past = runner.knowledge.speedOf(speedKey(request, choice));
  return past?.megapixelsPerSecond ?? choice.megapixelsPerSecond;
}
