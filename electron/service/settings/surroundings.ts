/** Keeps what a program on the person's screen said of battery and work, and forgets it after two minutes. */
import type { Surroundings } from '../../contract/settings/settings.ts';

export interface SurroundingsKeeper {
  tell(surroundings: Surroundings): void;
  now(): Surroundings;
}

const holdsMs = 2 * 60_000;
const unknown: Surroundings = { onBattery: false, personElsewhere: false };

/** @param nowMs the time of a clock that never goes back */
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
