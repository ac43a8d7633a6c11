/** Writes figures of pictures and of requests as the reader writes them. */
import type { Timings } from '../../packages/contract/src/task.ts';
import { locale, text } from './text.ts';

const fineSeconds = new Intl.NumberFormat(locale, {
  style: 'unit',
  unit: 'second',
  unitDisplay: 'short',
  maximumSignificantDigits: 2,
});
const shares = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
const megapixels = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 });

/** A shorter time than this means nothing to a person. */
const shownMs = 95;

/** Returns the time that a photo took, without its wait for another; it is undefined while not known. */
export function ownSeconds({
  totalMs,
  waitMs = 0,
}: {
  totalMs?: number;
  waitMs?: number;
}): number | undefined {
  return totalMs === undefined ? undefined : (totalMs - waitMs) / 1000;
}

/** What the parts of a photo's work are shown as. */
const steps = {
  waited: ['queuedMs', 'waitMs'],
  read: ['fetchMs', 'decodeMs', 'measureMs'],
  network: ['networkMs'],
  refined: ['refineMs'],
  written: ['compareMs', 'composeMs', 'encodeMs', 'publishMs'],
} as const satisfies Record<string, readonly (keyof Timings)[]>;
type Step = keyof typeof steps;

/** Returns the steps that took a time which means something, in their order, and the network's in any case. */
export function stepsOf(timings: Timings = {}): { step: Step; durationMs: number }[] {
  return (Object.keys(steps) as Step[])
    .map((step) => ({
      step,
      durationMs: steps[step].reduce((sum, part) => sum + (timings[part] ?? 0), 0),
    }))
    .filter(
      ({ step, durationMs }) => durationMs >= shownMs || (step === 'network' && durationMs > 0),
    );
}

/** Writes the duration of short work, such as "0.31 sec". */
export function secondsText(durationMs: number): string {
  if (durationMs < shownMs) return text.instant;
  return fineSeconds.format(durationMs / 1000);
}

const levels = new Intl.NumberFormat(locale, { maximumSignificantDigits: 2 });

/** Writes a difference, in levels of 255. */
export function levelsText(amount: number): string {
  return levels.format(amount);
}

/** Writes a share from 0 to 1 in percent, such as "1.4 %". */
export function shareText(share: number): string {
  return shares.format(share);
}

/** Writes millions of pixels, without the unit. */
export function megapixelsText({ width, height }: { width: number; height: number }): string {
  return megapixels.format((width * height) / 1e6);
}

const times = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });
const milliseconds = new Intl.NumberFormat(locale, {
  style: 'unit',
  unit: 'millisecond',
  unitDisplay: 'short',
  maximumFractionDigits: 0,
});

export function timeText(timestamp: string): string {
  return times.format(new Date(timestamp));
}

export function durationMsText(durationMs: number): string {
  return milliseconds.format(durationMs);
}
