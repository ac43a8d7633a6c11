/** Runs one pass from raster file to raster file, on the best device that completes it. */
import { rmSync } from 'node:fs';
import { taskCancelled } from '../../../packages/contract/src/errors.ts';
import { createRaster, type Raster, type RasterShape, withRaster } from '../raster/raster-file.ts';
import { fitsColumns, planColumns, runColumns } from '../tiles/run-columns.ts';
import { planPass, runPass, type PassReport } from '../tiles/run-pass.ts';
import type { TilePlan } from '../tiles/tile-plan.ts';
import { hasFlatTiles } from '../tiles/flat-windows.ts';
import { countTiles, tilesInRegion } from '../tiles/region-mask.ts';
import { ColumnsThreadFailure } from './columns-thread.ts';
import { onBestDevice, type Runner } from './devices/best-device.ts';
import type { Choice } from './devices/choose-device.ts';
import { recordSpeed } from '../plan/device-registry.ts';
import { isCalm, passSpeed } from '../plan/speeds.ts';
import { maxOtherLoad, measureOtherLoad } from './measuring/other-load.ts';
import { sharingThreads, streamedSize } from './measuring/tile-size.ts';
import type { PassResult, PassRequest } from './protocol.ts';
import { isShared, shareColumns } from './shared-columns.ts';
import { openSession, type Session } from './sessions/session.ts';
import type { TensorPicture } from './checks/tensor-parts.ts';
import { createSpotCheck, type SpotCheck } from './checks/spot-check.ts';

export async function runRequest(runner: Runner, request: PassRequest): Promise<PassResult> {
  const { result, device, notes } = await onBestDevice(runner, request, (session, choice) =>
    withRaster(request.inputPath, (input) => runOn({ runner, request, choice, session }, input)),
  );
  return { ...result, device, notes };
}

/** A pass on one device. */
interface DevicePass {
  runner: Runner;
  request: PassRequest;
  choice: Choice;
  session: Session;
}

async function runOn(devicePass: DevicePass, input: Raster): Promise<PassReport> {
  const { outputPath, network, bits } = devicePass.request;
  rmSync(outputPath, { force: true });
  const { width, height, bands } = input.shape;
  const { scale } = network;
  const shape = { width: width * scale, height: height * scale, bands, bits };
  const output = createRaster(outputPath, shape);
  try {
    return await runTiles(devicePass, input, output);
  } catch (error) {
    if (!(error instanceof ColumnsThreadFailure)) throw error;
    // The other thread has failed for good, so this one runs the whole picture.
    return await runTiles(devicePass, input, output);
  } finally {
    output.close();
  }
}

async function runTiles(
  devicePass: DevicePass,
  input: Raster,
  output: Raster,
): Promise<PassReport> {
  const { runner, request, choice, session } = devicePass;
  const { network, region, condition } = request;
  const stop = new Int32Array(request.stopFlag);
  const { batch = 1, tilePx } = choice;
  const openStream = streamingOf(devicePass, input);
  const { columnsBeside } = runner;
  const shared =
    openStream && columnsBeside?.hasFailed === false && isShared(request, choice, input.shape)
      ? shareColumns({ ...request, precision: choice.precision }, columnsBeside)
      : undefined;
  const plan = openStream
    ? planColumns(input.shape, network, shared && sharingThreads)
    : planPass(input.shape, network, tilePx);
  const extent = passExtent(plan, request, input.shape);
  const { total, megapixels } = extent;
  const known = knownSpeed(runner, request, choice);
  runner.emit({ seconds: known ? megapixels / known : undefined });
  const start = performance.now();
  const otherLoad = measureOtherLoad();
  let remaining = total;
  let preemptedMs = 0;
  const spotCheck = spotCheckOf(request, session);
  const throwIfCancelled = () => {
    if (Atomics.load(stop, 0) !== 0) throw taskCancelled();
  };
  const preempt = async () => {
    try {
      preemptedMs += await runner.preempt(shared?.pause);
    } finally {
      shared?.resume();
    }
  };
  const beforeStrip = async (done: number) => {
    runner.emit({ done, total });
    await preempt();
    throwIfCancelled();
  };
  const pass = openStream
    ? (shared ? shared.run : runColumns)({
        ...{ input, output, network, beforeStrip },
        openStream: (width) => openStream(width, condition, shared && 1),
      })
    : runPass({
        ...{ input, output, network, tilePx, region, batch, throwIfCancelled },
        async runTile(tensor, width, height) {
          await preempt();
          const output = await session.run(tensor, width, height, condition, (share) =>
            beforeStrip(total - remaining + share),
          );
          remaining -= tensor.length / (3 * width * height);
          return spotCheck
            ? spotChecked(spotCheck, { tensor, width, height }, output, remaining === 0)
            : output;
        },
        onTile(done) {
          remaining = Math.min(remaining, total - done);
          runner.emit({ done, total });
        },
      });
  let report;
  try {
    report = await pass;
  } finally {
    await spotCheck?.close();
  }
  const seconds = (performance.now() - start - preemptedMs) / 1000;
  recordPassSpeed(devicePass, ranExtent(extent, report), { seconds, otherLoad: otherLoad() });
  return report;
}

interface PassExtent {
  /** Number of tiles that run. */
  total: number;
  /** Input megapixels of their cores, and those computed, margins included. */
  megapixels: number;
  computed: number;
}

/**
 * Opens streams of rows for a pass in columns, unless the session has none, only a part of the picture is wanted, a
 * smaller tile than usual is to save memory, or some of the square tiles are likely to be spared.
 */
function streamingOf(
  { request: { network, region }, choice: { tilePx }, session }: DevicePass,
  input: Raster,
): Session['openStream'] {
  const { shape } = input;
  if (region !== undefined || tilePx !== streamedSize(network)) return undefined;
  if (!fitsColumns(shape, network)) return undefined;
  return hasFlatTiles(input, planPass(shape, network, tilePx)) ? undefined : session.openStream;
}

function passExtent(plan: TilePlan, { region }: PassRequest, shape: RasterShape): PassExtent {
  const total = countTiles(plan, tilesInRegion(shape, region));
  const share = total / (plan.columns.length * plan.rows.length);
  const megapixels = (share * (shape.width * shape.height)) / 1e6;
  return { total, megapixels, computed: megapixels * plan.computedPerCore };
}

/** The part of a pass that the network ran on. */
function ranExtent(
  { total, megapixels, computed }: PassExtent,
  { reused }: PassReport,
): PassExtent {
  const share = total === 0 ? 0 : (total - reused) / total;
  return { total: total - reused, megapixels: share * megapixels, computed: share * computed };
}

interface PassTime {
  seconds: number;
  /** Share of the processors that other programs took meanwhile, 0..1. */
  otherLoad: number;
}

/** Records the speed of a pass, unless it is a preview or tells too little. */
function recordPassSpeed(
  { runner, request, choice }: DevicePass,
  { megapixels, computed }: PassExtent,
  time: PassTime,
): void {
  const kind = speedKey(request, choice);
  const isKnown = isCalm(runner.registry.speedOf(kind));
  const isBusy = time.otherLoad > maxOtherLoad;
  const speed = passSpeed({ megapixels, computed, seconds: time.seconds, isBusy }, isKnown);
  if (request.preempts || speed === undefined) return;
  recordSpeed(runner.registry, { ...kind, ...speed });
  const { megapixelsPerSecond } = speed;
  const { network, budget } = request;
  const { precision, provider } = choice;
  const known = runner.outcomes.get(network, precision, provider);
  if (known?.ok && known.isProvisional && budget?.savesMemory !== true)
    runner.outcomes.set(network, precision, provider, { ...known, megapixelsPerSecond });
}

/** Spot-checks the output of one tile, or of each tile in a batch. */
async function spotChecked(
  spotCheck: SpotCheck,
  { tensor, width, height }: TensorPicture,
  output: Float32Array,
  isLast: boolean,
): Promise<Float32Array> {
  const length = 3 * width * height;
  const count = tensor.length / length;
  if (count === 1) return spotCheck.check({ tensor, width, height }, output, isLast);
  // The spot check runs the session, which overwrites its preceding output.
  const copy = Float32Array.from(output);
  const tileLength = copy.length / count;
  for (let i = 0; i < count; i += 1) {
    const tile = { tensor: tensor.subarray(i * length, (i + 1) * length), width, height };
    await spotCheck.check(
      tile,
      copy.subarray(i * tileLength, (i + 1) * tileLength),
      isLast && i === count - 1,
    );
  }
  return copy;
}

/** Creates a spot check, except for the CPU, which is the reference, and for previews. */
function spotCheckOf({ network, condition, preempts, budget }: PassRequest, session: Session) {
  if (session.provider === 'cpu' || preempts) return undefined;
  const openReference = () => openSession(network, 'fp32', 'cpu', budget?.threads);
  return createSpotCheck({ network, session, openReference, condition });
}

const speedKey = ({ network }: PassRequest, choice: Choice) => ({
  modelId: network.modelId,
  scale: network.scale,
  provider: choice.provider,
  precision: choice.precision,
});

/** Input megapixels per second of earlier passes, or of the tiles measured at first use; undefined if doubtful. */
function knownSpeed(runner: Runner, request: PassRequest, choice: Choice): number | undefined {
  const past = runner.registry.speedOf(speedKey(request, choice));
  const known = past ?? choice;
  return known.isDoubtful === true ? undefined : known.megapixelsPerSecond;
}
