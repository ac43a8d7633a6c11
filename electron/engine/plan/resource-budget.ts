/**
 * Decides how much of the machine a job takes and what it leaves to other programs. This is pure, except for the part
 * that sets the process's own priority.
 */
import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import type { Room, RoomAsked } from '../protocol/room.ts';

/** @param processors the machine's logical processors: a core with two threads counts as two */
export function roomFor({ leave: choice, around }: RoomAsked, processors: number): Room {
  const share = (part: number) => Math.max(1, Math.floor(processors * part));
  const half: Room = { threads: share(1 / 2), isLast: true, isSmall: false };
  if (choice === 'most') return { threads: share(1 / 4), isLast: true, isSmall: true };
  if (choice === 'half' || (choice === 'auto' && around.onBattery)) return half;
  return { isLast: choice === 'auto' && around.personElsewhere, isSmall: false };
}

/** The side of a tile where little memory is taken: a fifth of what the largest tiles on a CPU take. */
const smallTilePx = 160;

/**
 * Limits a tile's side to the room. The tile of a network that is not tile-exact stays, because another tile
 * would make another picture.
 */
export function tileWithin(
  room: Room | undefined,
  tilePx: number,
  network: { tileExact: boolean; fixedPx?: number; least: number },
): number {
  if (room?.isSmall !== true || !network.tileExact || network.fixedPx !== undefined) return tilePx;
  return Math.min(tilePx, Math.max(network.least, smallTilePx));
}

/**
 * Sets this process's priority. Where a system lets nobody raise a priority again (Linux, macOS), a lowered
 * priority stays until the engine starts anew; on a machine where nothing else runs it costs nothing.
 */
export function takePriority({ isLast }: Room): void {
  const { PRIORITY_LOW, PRIORITY_BELOW_NORMAL } = constants.priority;
  for (const thread of threadsHere())
    try {
      setPriority(thread, isLast ? PRIORITY_LOW : PRIORITY_BELOW_NORMAL);
    } catch {
      // The system refused, and the priority stays as it is, or the thread has ended.
    }
}

/** Lists what has a priority: on Linux each thread has its own; elsewhere 0 stands for the whole process. */
function threadsHere(): number[] {
  if (process.platform !== 'linux') return [0];
  return readdirSync('/proc/self/task').map(Number);
}
