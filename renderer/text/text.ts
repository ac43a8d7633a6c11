/** The texts in the reader's language, and numbers as that language writes them. */
import { de } from './de.ts';
import { en, type Texts } from './en.ts';

const catalogues: Record<string, Texts> = { en, de };

const languageOf = (tag: string) => tag.slice(0, 2).toLowerCase();

/** The reader's own, with its region: de-AT writes numbers in another way than de-DE. */
export const locale = navigator.languages.find((tag) => languageOf(tag) in catalogues) ?? 'en';
export const text: Texts = catalogues[languageOf(locale)] ?? en;

const pixels = new Intl.NumberFormat(locale, { useGrouping: false });
const bytes = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 });
const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });

export function sizeText({ width, height }: { width: number; height: number }): string {
  return `${pixels.format(width)} × ${pixels.format(height)}`;
}

export function bytesText(count: number): string {
  if (count < 1_000_000) return `${bytes.format(count / 1000)} kB`;
  return count < 1e9 ? `${bytes.format(count / 1e6)} MB` : `${bytes.format(count / 1e9)} GB`;
}

export function dateText(timestamp: string): string {
  return dates.format(new Date(timestamp));
}

export function durationText(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds));
  if (whole < 60) return text.seconds(whole);
  const minutes = Math.round(whole / 60);
  if (minutes < 60) return text.minutes(minutes);
  return text.hours(Math.floor(minutes / 60), minutes % 60);
}

/** What failed in the reader's language; the service's own sentence says more. */
export function failureText(code: string): string {
  return text.failures[code] ?? text.failure;
}
