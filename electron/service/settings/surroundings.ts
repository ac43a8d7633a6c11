/** Battery and activity as reported by a program on the person's screen; forgotten after two minutes. */
import type { Surroundings } from '../../contract/settings/settings.ts';

export interface SurroundingsKeeper {
  tell(surroundings: Surroundings): void;
  now(): Surroundings;
}

const holdsMs = 2 * 60_000;
const unknown: Surroundings = { onBattery: false, personElsewhere: false };

/** @param nowMs monotonic clock */
export function createSurroundings(
  nowMs: () => number = () => performance.now(),
): SurroundingsKeeper {
  let told = unknown;
  let toldAtMs = -Infinity;
  return {
    tell(surroundings) {
      told = surroundings;
      toldAtMs = nowMs();
    },
    now: () => (nowMs() - toldAtMs < holdsMs ? told : unknown),
  };
}
