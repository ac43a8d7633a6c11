/**
 * Limits a job's share of the machine in favour of other programs. Pure, except for the part that sets the
 * process's priority.
 */
import { readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import type { ResourceBudget, ResourceBudgetInput } from '../protocol/resource-budget.ts';

/** @param processors logical processors; a core with two threads counts as two */
export function budgetFor(
  { leave: choice, around }: ResourceBudgetInput,
  processors: number,
): ResourceBudget {
  const share = (part: number) => Math.max(1, Math.floor(processors * part));
  const half: ResourceBudget = {
    threads: share(1 / 2),
    hasLowestPriority: true,
    savesMemory: false,
  };
  if (choice === 'most')
    return { threads: share(1 / 4), hasLowestPriority: true, savesMemory: true };
  if (choice === 'half' || (choice === 'auto' && around.onBattery)) return half;
  return { hasLowestPriority: choice === 'auto' && around.personElsewhere, savesMemory: false };
}

/** Tile side that takes a fifth of the memory of the largest tiles on a CPU. */
const smallTilePx = 160;

/**
 * Limits a tile's side to the budget. The tile of a network that is not tile-exact stays, because another
 * tile would change the picture.
 */
export function tileWithinBudget(
  budget: ResourceBudget | undefined,
  tilePx: number,
  network: { tileExact: boolean; fixedPx?: number; minPx: number },
): number {
  if (budget?.savesMemory !== true || !network.tileExact || network.fixedPx !== undefined)
    return tilePx;
  return Math.min(tilePx, Math.max(network.minPx, smallTilePx));
}

/**
 * Priority of a process whose result a person may be waiting for. Beside a normal program that wants the same
 * core it gets a quarter of it on Linux (weight 335 of 1,359), where 10 would leave it a tenth. Windows has
 * classes, and knows this one as below normal.
 */
const belowNormal = process.platform === 'win32' ? constants.priority.PRIORITY_BELOW_NORMAL : 5;

/** `belowNormal`, or the priority at which this process was started if that is lower still. */
export const workPriority = Math.max(belowNormal, getPriority());

/** Lowers this process's priority; a process that was started at that priority keeps it. */
export function lowerPriority(priority: number): void {
  if (getPriority() < priority) setPriority(priority);
}

/**
 * Sets this process's priority. On Linux and macOS an unprivileged process cannot raise it again, so it stays
 * low until the engine restarts; on an otherwise idle machine that costs nothing.
 */
export function applyPriority({ hasLowestPriority }: ResourceBudget): void {
  const priority = hasLowestPriority ? constants.priority.PRIORITY_LOW : workPriority;
  for (const thread of ownThreads())
    try {
      setPriority(thread, priority);
    } catch {
      // The priority stays: the system refused, or the thread has ended.
    }
}

/** Lists what has a priority of its own: on Linux each thread; elsewhere 0 stands for the process. */
function ownThreads(): number[] {
  if (process.platform !== 'linux') return [0];
  return readdirSync('/proc/self/task').map(Number);
}
