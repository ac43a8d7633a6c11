/** What of the machine a job takes, and what it leaves to other programs. Pure, but for the process's own priority. */
import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import type { RoomChoice, Surroundings } from '../contract/admin.ts';

export interface Room {
  /** Threads of a network on the CPU; absent: one for each physical core, as onnxruntime has it. */
  threads?: number;
  /** Whether other programs go first always, and not only where as much is asked for as there is. */
  isLast: boolean;
  /** Whether tiles are small and memory is given back after each picture. */
  isSmall: boolean;
}

/** What a person chose, and what was told of the machine. */
export interface RoomAsked {
  leave: RoomChoice;
  around: Surroundings;
}

/** @param processors that the machine has, two of them a core where it has two threads a core */
export function roomFor({ leave: choice, around }: RoomAsked, processors: number): Room {
  const share = (part: number) => Math.max(1, Math.floor(processors * part));
  const half: Room = { threads: share(1 / 2), isLast: true, isSmall: false };
  if (choice === 'most') return { threads: share(1 / 4), isLast: true, isSmall: true };
  if (choice === 'half' || (choice === 'auto' && around.onBattery)) return half;
  return { isLast: choice === 'auto' && around.personElsewhere, isSmall: false };
}

/** Of a tile where little memory is to be taken: a fifth of what the largest ones take on a CPU. */
const smallTilePx = 160;

/** The tile that fits in the room. Those that are not exact stay: another tile makes another picture. */
export function tileWithin(
  room: Room | undefined,
  tilePx: number,
  network: { tileExact: boolean; fixedPx?: number; least: number },
): number {
  if (room?.isSmall !== true || !network.tileExact || network.fixedPx !== undefined) return tilePx;
  return Math.min(tilePx, Math.max(network.least, smallTilePx));
}

/**
 * Where a system lets nobody raise a priority again (Linux, macOS), a lowered one stays until the engine starts
 * anew: on a machine where nothing else runs it costs nothing.
 */
export function takePriority({ isLast }: Room): void {
  const { PRIORITY_LOW, PRIORITY_BELOW_NORMAL } = constants.priority;
  for (const thread of threadsHere())
    try {
      setPriority(thread, isLast ? PRIORITY_LOW : PRIORITY_BELOW_NORMAL);
    } catch {
      // It stays as it is, or the thread has ended.
    }
}

/** On Linux each thread has a priority of its own; elsewhere 0 is the whole process. */
function threadsHere(): number[] {
  if (process.platform !== 'linux') return [0];
  return readdirSync('/proc/self/task').map(Number);
}
