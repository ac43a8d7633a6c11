import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RecyclingLimits } from '../../../electron/engine/host/watchdog.ts';
import type { JobProgress, NetworkFile } from '../../../electron/engine/protocol/messages.ts';
import { createTestEngine, type TestEngine } from '../../support/engine.ts';
import { asSharp, photo } from '../../support/images.ts';
import { patient } from '../../support/machine-pace.ts';
import { nearestNetwork, slowNetwork } from '../../support/networks-made.ts';
import { embeddedNetwork } from '../../support/networks.ts';

let engine: TestEngine;
let sourcePath: string;
let smallPath: string;
let large: Buffer;
let small: Buffer;

beforeAll(async () => {
  large = await asSharp(photo(900, 700)).png().toBuffer();
  small = await asSharp(photo(150, 100)).png().toBuffer();
});

/** The limits of an engine that watches closely, so that tests need not wait as long as people would. */
const close = { heartbeatMs: 5000, cancelMs: 2000 };

function start(
  limits: Partial<typeof close & { memoryBytes: number }> = {},
  recycling?: RecyclingLimits,
) {
  engine = createTestEngine({
    limits: { ...close, ...limits },
    ...(recycling && { recycling }),
  });
  sourcePath = join(engine.dir, 'source');
  writeFileSync(sourcePath, large);
  smallPath = join(engine.dir, 'small');
  writeFileSync(smallPath, small);
}

/** A job that is in the network for seconds, and the moment at which it is there. */
function longJob(signal?: AbortSignal, network: NetworkFile = slowNetwork(engine.dir)) {
  const inNetwork = Promise.withResolvers<undefined>();
  const done = engine.run(
    { sourcePath, passes: [network] },
    signal,
    ({ step, percent }: JobProgress) => {
      if (step === 'network' && percent > 4) inNetwork.resolve(undefined);
    },
  );
  const ended = done.catch(() => undefined);
  return { done, inNetwork: Promise.race([inNetwork.promise, ended]) };
}

const shortJob = () => engine.run({ sourcePath: smallPath, passes: [nearestNetwork(engine.dir)] });

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

beforeEach(() => start());
afterEach(() => engine.close());

describe('the engine host', () => {
  it('starts the engine only when a job is asked of it; a look has a process of its own', async () => {
    expect(engine.host.pid).toBeUndefined();
    const { width } = await engine.host.inspect(sourcePath, {
      sourcePixels: 1e9,
      resultPixels: 1e9,
    });
    expect(width).toBe(900);
    expect(engine.host.pid).toBeUndefined();
    await shortJob();
    expect(engine.host.pid).toBeGreaterThan(0);
  });

  it('answers what a file is not', async () => {
    const path = join(engine.dir, 'page');
    writeFileSync(path, '<!doctype html><html><body>Sign in</body></html>');
    const asked = engine.host.inspect(path, { sourcePixels: 1e9, resultPixels: 1e9 });
    await expect(asked).rejects.toMatchObject({
      code: 'UNREADABLE_IMAGE',
      message: expect.stringContaining('a web page') as string,
    });
  });

  it('tells a job that its engine died, blames it, and runs the next one in a new engine', async () => {
    const { done, inNetwork } = longJob();
    await inNetwork;
    const first = engine.host.pid!;
    process.kill(first, 'SIGKILL');
    await expect(done).rejects.toMatchObject({ name: 'EngineDied', reason: 'exit', blamed: true });
    await expect(shortJob()).resolves.toBeDefined();
    expect(engine.host.pid).not.toBe(first);
  });

  it('kills an engine that stopped answering, and no process is left', async () => {
    const { done, inNetwork } = longJob();
    await inNetwork;
    const first = engine.host.pid!;
    process.kill(first, 'SIGSTOP');
    await expect(done).rejects.toMatchObject({ name: 'EngineDied', reason: 'hang' });
    await expect.poll(() => isGone(first)).toBe(true);
    await expect(shortJob()).resolves.toBeDefined();
  });

  it('stops an engine in which a cancelled job does not end', async () => {
    const controller = new AbortController();
    const { done, inNetwork } = longJob(controller.signal);
    await inNetwork;
    process.kill(engine.host.pid!, 'SIGSTOP');
    controller.abort();
    await expect(done).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it('starts an idle engine anew, which gives back its memory and forgets no device', async () => {
    await engine.close();
    start({}, { idleMs: 500, idleBytes: 1024 ** 2 });
    const job = shortJob();
    const first = engine.host.pid!;
    await job;
    const known = await engine.host.devices();
    expect(known.devices.some(({ state }) => state === 'in-use')).toBe(true);
    await expect.poll(() => isGone(first), { timeout: patient(10_000) }).toBe(true);
    const second = engine.host.pid!;
    expect(second).not.toBe(first);
    expect(await engine.host.devices()).toEqual(known);
    // An engine that has done nothing yet has nothing to give back.
    await delay(1500);
    expect(engine.host.pid).toBe(second);
    await expect(shortJob()).resolves.toBeDefined();
  });

  it('starts anew for another graphics card, and not while a job runs', async () => {
    await engine.close();
    let card = 0;
    engine = createTestEngine({ card: () => card });
    smallPath = await engine.saved(photo(150, 100));
    const job = shortJob();
    const first = engine.host.pid!;
    card = 1;
    await engine.host.devices();
    expect(engine.host.pid).toBe(first);
    await job;
    await shortJob();
    expect(engine.host.pid).not.toBe(first);
    await expect.poll(() => isGone(first), { timeout: patient(10_000) }).toBe(true);
  });

  it('lets an engine at work go on, however long it takes', async () => {
    await engine.close();
    start({}, { idleMs: 200, idleBytes: 1024 ** 2 });
    await shortJob();
    const controller = new AbortController();
    const { done, inNetwork } = longJob(controller.signal);
    await inNetwork;
    const during = engine.host.pid!;
    await delay(1000);
    expect(engine.host.pid).toBe(during);
    controller.abort();
    await expect(done).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it('kills an engine that takes more memory than allowed', async () => {
    await engine.close();
    // More than the engine holds before the job, where it would be told as one that cannot start.
    start({ memoryBytes: 120 * 1024 ** 2 });
    const { done } = longJob(undefined, embeddedNetwork(4));
    await expect(done).rejects.toMatchObject({ name: 'EngineDied', reason: 'memory' });
  });

  it('leaves a job that was cancelled before it began alone', async () => {
    const { done } = longJob(AbortSignal.abort());
    await expect(done).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it('ignores the signals that a terminal sends to the whole group', async () => {
    sourcePath = await engine.saved(photo(360, 260));
    const { done, inNetwork } = longJob();
    await inNetwork;
    process.kill(engine.host.pid!, 'SIGINT');
    process.kill(engine.host.pid!, 'SIGTERM');
    await expect(done).resolves.toBeDefined();
  });

  it('ends the engine when it is closed, also in the middle of a job, and blames no one', async () => {
    const { done, inNetwork } = longJob();
    await inNetwork;
    const pid = engine.host.pid!;
    await engine.host.close();
    await expect(done).rejects.toMatchObject({ name: 'EngineDied', blamed: false });
    expect(isGone(pid)).toBe(true);
  });

  it('says which devices there are before any was checked', async () => {
    const last = async () => (await engine.host.devices()).devices.at(-1);
    await expect
      .poll(last, { timeout: patient(60_000) })
      .toMatchObject({ provider: 'cpu', state: 'unchecked' });
  });
});
