/** Tells the service what only the application knows: whether there is a battery in use, and where a person works. */
import type { Surroundings } from '../../contract/admin.ts';

interface SeenMachine {
  onBattery: boolean;
  /** Seconds since anybody touched keyboard or mouse. */
  idleSeconds: number;
  /** Whether a window of Enlarger has the keyboard. */
  isFocused: boolean;
}

/** Who reads a page or thinks is still there. */
const awayAfterSeconds = 120;

export const surroundingsOf = ({
  onBattery,
  idleSeconds,
  isFocused,
}: SeenMachine): Surroundings => ({
  onBattery,
  personElsewhere: !isFocused && idleSeconds < awayAfterSeconds,
});

/** Within what the service remembers. */
const tellEveryMs = 30_000;

export interface SurroundingsWatch {
  close(): void;
}

/**
 * Says it at once, again and again, and on every change of power (`onPower` is called with what is to be done then).
 * A service that does not answer is told the next time.
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
