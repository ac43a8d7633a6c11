/**
 * What an attack costs the service, measured in what other programs of the machine do not change: processor time, bytes
 * and requests. From /proc, so on Linux.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { HeadlessService } from '../support/headless.ts';
import { expectThat } from './table.ts';

/** Limit of the clock in milliseconds, which only what hangs reaches, however busy the machine is. */
export const hangMs = 10 * 60_000;

/** `USER_HZ` of Linux, which is 100 on every architecture that Node runs on. */
const ticksPerSecond = 100;

/** Of a process and of all that it started, also those that have ended. */
export function processorSeconds(pid: number): number {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    // It ended in between; its parent has its time.
    return 0;
  }
  // The name in parentheses may hold spaces. Fields 14 to 17 of proc_pid_stat(5): own time and that of ended children.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const own = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) / ticksPerSecond;
  return childrenOf(pid).reduce((sum, child) => sum + processorSeconds(child), own);
}

export function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1')
        .split(' ')
        .filter(Boolean)
        .map(Number),
    );
  } catch {
    return [];
  }
}

/** Resident bytes now. */
export const residentBytes = (pid: number): number => bytesIn(pid, 'VmRSS');

/** Starts to measure the highest resident size anew. @returns reads it, in bytes above the size at the start */
export function watchPeak(pid: number): () => number {
  const before = residentBytes(pid);
  // 5: the highest size is set to the present one (proc_pid_clear_refs(5)).
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return () => bytesIn(pid, 'VmHWM') - before;
}

function bytesIn(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const found = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(
    readFileSync(`/proc/${pid}/status`, 'latin1'),
  );
  return Number(found?.[1]) * 1024;
}

interface Cost {
  /** Of the service and its processes. */
  processorSeconds: number;
  /** Of the service's process, above what it held before. */
  bytes: number;
}

/** @throws Error with what it cost, above a limit */
export async function expectCost(
  { pid }: HeadlessService,
  limit: Cost,
  work: () => Promise<void>,
): Promise<Cost> {
  const secondsBefore = processorSeconds(pid);
  const peak = watchPeak(pid);
  await work();
  const cost = { processorSeconds: processorSeconds(pid) - secondsBefore, bytes: peak() };
  expectThat(
    cost.processorSeconds < limit.processorSeconds,
    `it cost ${cost.processorSeconds.toFixed(1)} processor seconds`,
  );
  expectThat(cost.bytes < limit.bytes, `it held ${(cost.bytes / 1e6).toFixed(0)} MB`);
  return cost;
}

/** The highest of each, for a row's figures. */
export function describeCosts(costs: readonly Cost[]): string {
  const seconds = Math.max(0, ...costs.map((cost) => cost.processorSeconds));
  const bytes = Math.max(0, ...costs.map((cost) => cost.bytes));
  return `at most ${seconds.toFixed(1)} processor seconds and ${(bytes / 1e6).toFixed(0)} MB each`;
}
