/** Tells the service what only the application knows: whether a battery is in use, and where a person works. */
import type { Surroundings } from '../../contract/settings/settings.ts';

interface SeenMachine {
  onBattery: boolean;
  /** The seconds since anybody touched keyboard or mouse. */
  idleSeconds: number;
  /** Says whether a window of Enlarger has the keyboard. */
  isFocused: boolean;
}

/** A person who only reads or thinks counts as present for so long. */
const awayAfterSeconds = 120;

export const surroundingsOf = ({
  onBattery,
  idleSeconds,
  isFocused,
}: SeenMachine): Surroundings => ({
  onBattery,
  personElsewhere: !isFocused && idleSeconds < awayAfterSeconds,
});

/** The interval is shorter than the time for which the service remembers. */
const tellEveryMs = 30_000;

export interface SurroundingsWatch {
  close(): void;
}

/**
 * Tells the surroundings at once, at each interval, and on every change of power (`onPower` gets the function
 * to call then). A service that does not answer is told the next time.
 */
export function watchSurroundings(options: {
  see: () => SeenMachine;
  tell: (surroundings: Surroundings) => Promise<unknown>;
  onPower: (changed: () => void) => void;
  log: (error: unknown) => void;
  everyMs?: number;
}): SurroundingsWatch {
  const { see, tell, onPower, log, everyMs = tellEveryMs } = options;
  const say = () => void tell(surroundingsOf(see())).catch(log);
  const timer = setInterval(say, everyMs);
  timer.unref();
  onPower(say);
  say();
  return { close: () => clearInterval(timer) };
}
