/** Reports power and activity to the service: battery, and whether a person works in another program. */
import type { PowerAndActivity } from '../../../packages/contract/src/settings/settings.ts';

interface MachineState {
  onBattery: boolean;
  /** Seconds since the last keyboard or mouse input. */
  idleSeconds: number;
  /** A window of Enlarger has the focus. */
  isFocused: boolean;
}

/** A person who only reads counts as active for this long. */
const awayAfterSeconds = 120;

export const powerAndActivityOf = ({
  onBattery,
  idleSeconds,
  isFocused,
}: MachineState): PowerAndActivity => ({
  onBattery,
  personElsewhere: !isFocused && idleSeconds < awayAfterSeconds,
});

/** Shorter than the service's expiry of two minutes. */
const reportEveryMs = 30_000;

export interface PowerAndActivityReporter {
  close(): void;
}

/**
 * Reports at once, at each interval, and on power changes (`onPower` receives the function to call). Failed
 * reports are repeated at the next interval.
 */
export function reportPowerAndActivity(options: {
  see: () => MachineState;
  tell: (surroundings: PowerAndActivity) => Promise<unknown>;
  onPower: (changed: () => void) => void;
  log: (error: unknown) => void;
  everyMs?: number;
}): PowerAndActivityReporter {
  const { see, tell, onPower, log, everyMs = reportEveryMs } = options;
  const reportNow = () => void tell(powerAndActivityOf(see())).catch(log);
  const timer = setInterval(reportNow, everyMs);
  timer.unref();
  onPower(reportNow);
  reportNow();
  return { close: () => clearInterval(timer) };
}
