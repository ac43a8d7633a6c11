/** Tracks the progress of an enlargement's passes and estimates the remaining time. */
import type { Size } from '../../../../packages/contract/src/geometry.ts';
import type { ProgressPlan } from '../steps/progress.ts';
import type { JobReport } from '../../protocol/messages.ts';
import {
  passMegapixels,
  preparingSeconds,
  secondsOfPasses,
  type SpeedOf,
} from '../../plan/speeds.ts';

export interface PassClock {
  readonly plan: ProgressPlan;
  /** @param seconds of the pass by measured speed; undefined: never measured */
  beginPass(pass: number, seconds: number | undefined): void;
  /** Records the finished tiles of the current pass. @returns the finished share of all passes, 0..1 */
  tile(done: number, total: number): number;
}

/** Shares of the steps; while a speed is unknown, decoding and encoding get a little. */
function sharesOf(
  passes: readonly (number | undefined)[],
  encodeSeconds: number,
): ProgressPlan['shares'] {
  const network = passes.reduce<number>((sum, seconds) => sum + (seconds ?? NaN), 0);
  const whole = preparingSeconds + network + encodeSeconds;
  const [decode, encode] = Number.isNaN(whole)
    ? [0.04, 0.1]
    : [preparingSeconds / whole, encodeSeconds / whole];
  return [
    ['decode', decode],
    ['wait', 0],
    ['network', 1 - decode - encode],
    ['encode', encode],
  ];
}

/** Creates a clock. It uses measured speeds, and after a twentieth of a pass that pass's own time. */
export function createPassClock(
  passes: JobReport['ran'],
  source: Size,
  speedOf: SpeedOf,
  encodeSeconds: number,
): PassClock {
  const megapixels = passMegapixels(passes, source);
  const all = megapixels.reduce((sum, one) => sum + one, 0);
  const seconds = secondsOfPasses(passes, source, speedOf);
  const now = { pass: 0, share: 0, startMs: 0 };

  function secondsLeft(): number | undefined {
    let sum = encodeSeconds;
    for (let pass = now.pass; pass < passes.length; pass += 1) {
      const whole = seconds[pass];
      if (whole === undefined) return undefined;
      sum += pass === now.pass ? whole * (1 - now.share) : whole;
    }
    return sum;
  }

  function updateSeconds(): void {
    if (now.share < 0.05) return;
    seconds[now.pass] = (performance.now() - now.startMs) / 1000 / now.share;
  }

  return {
    plan: {
      shares: sharesOf(seconds, encodeSeconds),
      secondsLeft: (_, step) => (step === 'encode' ? encodeSeconds : secondsLeft()),
    },
    beginPass(pass, known) {
      Object.assign(now, { pass, share: 0, startMs: performance.now() });
      seconds[pass] = known ?? seconds[pass];
    },
    tile(done, total) {
      now.share = done / total;
      updateSeconds();
      const before = megapixels.slice(0, now.pass).reduce((sum, one) => sum + one, 0);
      return (before + now.share * (megapixels[now.pass] ?? 0)) / all;
    },
  };
}
