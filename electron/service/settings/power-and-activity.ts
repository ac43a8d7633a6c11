/** Battery and activity as reported by a program on the person's screen; forgotten after two minutes. */
import type { PowerAndActivity } from '../../../packages/contract/src/settings/settings.ts';

export interface PowerAndActivityStore {
  update(surroundings: PowerAndActivity): void;
  now(): PowerAndActivity;
}

const holdsMs = 2 * 60_000;
const unknown: PowerAndActivity = { onBattery: false, personElsewhere: false };

/** @param nowMs monotonic clock */
export function createPowerAndActivityStore(
  nowMs: () => number = () => performance.now(),
): PowerAndActivityStore {
  let latest = unknown;
  let updatedAtMs = -Infinity;
  return {
    update(surroundings) {
      latest = surroundings;
      updatedAtMs = nowMs();
    },
    now: () => (nowMs() - updatedAtMs < holdsMs ? latest : unknown),
  };
}
