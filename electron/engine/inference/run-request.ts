/** One pass, raster file to raster file, on the best device that gives it; what failed is said in notes. */
import { rmSync } from 'node:fs';
import { EnlargerError } from '../../contract/errors.ts';
import type { NetworkFile } from '../protocol.ts';
import { createRaster, openRaster, type Raster } from '../raster/raster-file.ts';
import { planPass, runPass, type PassReport } from '../upscale/run-pass.ts';
import { firstLine } from './check.ts';
import { chooseDevices, type Choice, type Chooser, type Chosen } from './choose-device.ts';
import { deviceName } from './knowledge.ts';
import type { FromInference, PassDone, PassRequest } from './protocol.ts';
import { openSession, type Session } from './session.ts';

export interface Runner extends Chooser {
  /** One session is kept open: the next task most likely wants the same. */
  sessions: SessionKeeper;
  tell: (message: FromInference) => void;
  chosen: Map<string, Chosen>;
}

export interface SessionKeeper {
  get(key: string, open: () => Promise<Session>): Promise<Session>;
  drop(): Promise<void>;
}

/** Two sessions, so that the two passes of one task do not load each other out. */
const keptSessions = 2;

export function createSessionKeeper(): SessionKeeper {
  const open = new Map<string, Session>();
  return {
    async get(key, make) {
      const known = open.get(key);
      open.delete(key);
      const session = known ?? (await make());
      open.set(key, session);
      const [oldest] = open;
      if (open.size > keptSessions && oldest) {
        open.delete(oldest[0]);
        await oldest[1].close();
      }
      return session;
    },
    async drop() {
      const all = [...open.values()];
      open.clear();
      for (const session of all) await session.close();
    },
  };
}

export async function runRequest(runner: Runner, request: PassRequest): Promise<PassDone> {
  const { choices, left } = await chosenFor(runner, request);
  const notes = [...left];
  for (const [i, choice] of choices.entries()) {
    try {
      const report = await runOn(runner, request, choice);
      runner.knowledge.setDevice(choice.provider, 'in-use');
      const { provider, precision } = choice;
      return { ...report, device: { provider, precision, name: deviceName(provider) }, notes };
    } catch (error) {
      if (!mayHelp(error) || i === choices.length - 1) throw error;
      notes.push(failedOn(runner, request, choice, error));
      await runner.sessions.drop();
    }
  }
  throw new EnlargerError('MODEL_UNAVAILABLE', 'No device here can run this network.');
}

/** Whether another device may do better: not when the task was stopped or the disk is full. */
const mayHelp = (error: unknown) =>
  !(error instanceof EnlargerError) || error.code === 'INVALID_OUTPUT';

/** The same for the same files of weights. */
const filesOf = (network: NetworkFile) => network.variants.map((v) => v.sha256).join();

/** The choice stays until the engine ends or a run fails. */
async function chosenFor(runner: Runner, { network, device }: PassRequest): Promise<Chosen> {
  const key = `${filesOf(network)} ${device}`;
  const known = runner.chosen.get(key);
  if (known) return known;
  const made = await chooseDevices(runner, network, device);
  runner.chosen.set(key, made);
  return made;
}

/** Leaves the device for the rest of this engine's life; answers the sentence for the task's notes. */
function failedOn(runner: Runner, request: PassRequest, choice: Choice, error: unknown): string {
  for (const [key, { choices, left }] of runner.chosen) {
    if (!key.startsWith(filesOf(request.network))) continue;
    const others = choices.filter(
      (c) => c.provider !== choice.provider || c.precision !== choice.precision,
    );
    runner.chosen.set(key, { choices: others.length > 0 ? others : choices, left });
  }
  const reason = firstLine(error);
  if (choice.provider !== 'cpu') runner.knowledge.setDevice(choice.provider, 'left', reason);
  return `Run again on the CPU, because ${deviceName(choice.provider)} in ${choice.precision} failed: ${reason}`;
}

async function runOn(runner: Runner, request: PassRequest, choice: Choice): Promise<PassReport> {
  const { network } = request;
  const file = network.variants.find((variant) => variant.precision === choice.precision);
  const session = await runner.sessions.get(`${file?.sha256 ?? ''} ${choice.provider}`, () =>
    openSession(network, choice.precision, choice.provider),
  );
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
  const { passId, network } = request;
  const stop = new Int32Array(request.stop);
  const { tilePx } = choice;
  const megapixels = (input.shape.width * input.shape.height) / 1e6;
  const computed = megapixels * planPass(input.shape, network, tilePx).computedPerCore;
  const known = knownSpeed(runner, request, choice);
  runner.tell({ kind: 'begun', passId, seconds: known && megapixels / known });
  const start = performance.now();
  const report = await runPass({
    input,
    output,
    network,
    tilePx,
    runTile: session.run,
    onTile: (done, total) => runner.tell({ kind: 'tile', passId, done, total }),
    assertWanted() {
      if (Atomics.load(stop, 0) === 0) return;
      throw new EnlargerError('CANCELLED', 'The task was cancelled.');
    },
  });
  const seconds = (performance.now() - start) / 1000;
  if (computed > 0.2 && seconds > 0.1) learnSpeed(runner, request, choice, megapixels / seconds);
  return report;
}

const speedKey = ({ network }: PassRequest, choice: Choice) => ({
  modelId: network.modelId,
  scale: network.scale,
  provider: choice.provider,
  precision: choice.precision,
});

/** Megapixels of input a second: of past passes, or of the tiles measured at first use. */
function knownSpeed(runner: Runner, request: PassRequest, choice: Choice): number | undefined {
  const past = runner.knowledge.speedOf(speedKey(request, choice));
  return past?.megapixelsPerSecond ?? choice.megapixelsPerSecond;
}

/** Newer passes count more: half of the new value, half of what was known. */
function learnSpeed(runner: Runner, request: PassRequest, choice: Choice, measured: number) {
  const past = runner.knowledge.speedOf(speedKey(request, choice))?.megapixelsPerSecond;
  runner.knowledge.setSpeed({
    ...speedKey(request, choice),
    megapixelsPerSecond: past ? (past + measured) / 2 : measured,
  });
}
