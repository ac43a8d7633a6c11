/** A service whose JavaScript heap can be read from outside. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startServiceProgram, type HeadlessService } from '../support/headless.ts';
import { writeShippedSpeeds } from '../support/measured-data.ts';
import { hangMs } from './service-cost.ts';

const probe = path.join(import.meta.dirname, 'memory-probe.mjs');
const entry = path.join(import.meta.dirname, '../../electron/headless.ts');

/** The probe appends a line for each signal. */
export const memoryFileOf = (dataDir: string) => path.join(dataDir, 'siege-memory.jsonl');

/** It knows the speeds of the networks that ship, as startHeadless() has it. */
export async function startProbed(dataDir: string): Promise<HeadlessService> {
  await writeShippedSpeeds(dataDir);
  return startServiceProgram(
    ['--expose-gc', '--import', probe, entry, '--port', '0', '--data-dir', dataDir],
    { ENLARGER_SIEGE_MEMORY: memoryFileOf(dataDir) },
  );
}

/** Bytes of JavaScript objects and buffers that a collection leaves. */
export async function liveBytes({ process: { pid } }: HeadlessService, dataDir: string) {
  const file = memoryFileOf(dataDir);
  const lines = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []);
  const known = lines().length;
  if (pid === undefined) throw new Error('The service did not start.');
  process.kill(pid, 'SIGUSR2');
  const ends = performance.now() + hangMs;
  while (performance.now() < ends && lines().length === known) await wait(50);
  const { after } = JSON.parse(lines().at(-1) ?? '') as { after: NodeJS.MemoryUsage };
  return after.heapUsed + after.external;
}
