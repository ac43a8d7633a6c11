/** Runs one pass from raster file to raster file, on the best device that manages it; notes tell failures. */
import { rmSync } from 'node:fs';
import { taskCancelled } from '../../contract/errors.ts';
import { createRaster, openRaster, type Raster } from '../raster/raster-file.ts';
import { planPass, runPass, type PassReport } from '../works/upscale/pass/run-pass.ts';
import { countTiles, wantedTiles } from '../works/upscale/pass/wanted-part.ts';
import { onBestDevice, type Runner } from './devices/best-device.ts';
import type { Choice } from './devices/choose-device.ts';
import { learnSpeed } from './measuring/knowledge.ts';
import type { PassDone, PassRequest } from './protocol.ts';
import { openSession, type Session } from './sessions/session.ts';
import type { TensorPicture } from './checks/tensor-parts.ts';
import { createSpotCheck, type SpotCheck } from './checks/spot-check.ts';

export async function runRequest(runner: Runner, request: PassRequest): Promise<PassDone> {
  const { result, device, notes } = await onBestDevice(runner, request, (session, choice) =>
    runOn(runner, request, choice, session),
  );
  return { ...result, device, notes };
}

async function runOn(
  runner: Runner,
  request: PassRequest,
  choice: Choice,
  session: Session,
): Promise<PassReport> {
  const { network } = request;
  const input = openRaster(request.inputPath);
  try {
    rmSync(request.outputPath, { force: true });
    const { width, height, bands } = input.shape;
    const output = createRaster(request.outputPath, {
      width: width * network.scale,
      height: height * network.scale,
      bands,
      bits: request.bits,
    });
    try {
      return await runTiles(runner, request, choice, session, input, output);
    } finally {
      output.close();
    }
  } finally {
    input.close();
  }
}

async function runTiles(
  runner: Runner,
  request: PassRequest,
  choice: Choice,
  session: Session,
  input: Raster,
  output: Raster,
): Promise<PassReport> {
  const { network, wanted } = request;
  const stop = new Int32Array(request.stop);
  const { tilePx, batch = 1 } = choice;
  const plan = planPass(input.shape, network, tilePx);
  const { computedPerCore, columns, rows } = plan;
  let left = countTiles(plan, wantedTiles(input.shape, wanted));
  const total = left;
  const share = left / (columns.length * rows.length);
  const megapixels = (share * (input.shape.width * input.shape.height)) / 1e6;
  const computed = megapixels * computedPerCore;
  const known = knownSpeed(runner, request, choice);
  runner.tell({ seconds: known && megapixels / known });
  const start = performance.now();
  let preemptedMs = 0;
  const spotCheck = spotCheckOf(request, session);
  const assertWanted = () => {
    if (Atomics.load(stop, 0) !== 0) throw taskCancelled();
  };
  const pass = runPass({
    input,
    output,
    network,
    tilePx,
    wanted,
    batch,
    async runTile(tensor, width, height) {
      preemptedMs += await runner.preempt();
      const answer = await session.run(tensor, width, height, request.condition, async (share) => {
        runner.tell({ done: total - left + share, total });
        preemptedMs += await runner.preempt();
        assertWanted();
      });
      left -= tensor.length / (3 * width * height);
      return spotCheck ? checked(spotCheck, { tensor, width, height }, answer, left === 0) : answer;
    },
    onTile: (done) => runner.tell({ done, total }),
    assertWanted,
  });
  const report = await pass.finally(() => spotCheck?.close());
  if (request.preempts) return report;
  const seconds = (performance.now() - start - preemptedMs) / 1000;
  const megapixelsPerSecond = megapixels / seconds;
  if (computed > 0.2 && seconds > 0.1)
    learnSpeed(runner.knowledge, { ...speedKey(request, choice), megapixelsPerSecond });
  return report;
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
