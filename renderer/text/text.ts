/** Gives the texts in the reader's language, and writes numbers, dates and durations as the reader does. */
import i18next from 'i18next';
import { textsOf, type Texts } from './catalogue.ts';
import { en } from './languages/en/en.ts';
import { languagesIn, localeFor, tagOf, type Language } from './language.ts';

export const languages = languagesIn(
  import.meta.glob<{ default: Language }>('./languages/*.ts', { eager: true }),
);

const chosenLanguage = () =>
  typeof document === 'undefined'
    ? 'system'
    : (document.documentElement.dataset.language ?? 'system');

/** A person chose this locale in the window, which is known before this file runs; else it is the system's. */
export const locale = localeFor(chosenLanguage(), navigator.languages, Object.keys(languages));

void i18next.init({
  lng: locale,
  fallbackLng: 'en',
  initAsync: false,
  interpolation: { escapeValue: false },
  resources: Object.fromEntries(
    Object.entries(languages).map(([tag, { texts }]) => [tag, { translation: texts }]),
  ),
});

export const text: Texts = textsOf(en, (key, values) => i18next.t(key, values ?? {}));
/** The reader's language is written in this direction. */
export const direction = i18next.dir(locale);

/** A usual camera's photo has this size. */
const usualMegapixels = 12;

const unit = (name: string, options: Intl.NumberFormatOptions = {}) =>
  new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'short', ...options });

const pixels = new Intl.NumberFormat(locale, { useGrouping: false });
const numbers = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 });
const counts = new Intl.NumberFormat(locale);
const percents = new Intl.NumberFormat(locale, { style: 'percent' });
const kilobytes = unit('kilobyte', { maximumSignificantDigits: 3 });
const megabytes = unit('megabyte', { maximumSignificantDigits: 3 });
const gigabytes = unit('gigabyte', { maximumSignificantDigits: 3 });
const seconds = unit('second');
const minutes = unit('minute');
const hours = unit('hour');
const together = new Intl.ListFormat(locale, { type: 'unit', style: 'narrow' });
const listed = new Intl.ListFormat(locale, { type: 'conjunction' });
const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });

export function sizeText({ width, height }: { width: number; height: number }): string {
  return `${pixels.format(width)} × ${pixels.format(height)}`;
}

export function bytesText(count: number): string {
  if (count < 1_000_000) return kilobytes.format(count / 1000);
  return count < 1e9 ? megabytes.format(count / 1e6) : gigabytes.format(count / 1e9);
}

/** Writes a number to three digits. */
export function numberText(value: number): string {
  return numbers.format(value);
}

/** Writes a whole number with all its digits. */
export function countText(count: number): string {
  return counts.format(count);
}

/** Writes a percentage, which is given from 0 to 100. */
export function percentText(percent: number): string {
  return percents.format(percent / 100);
}

export function dateText(timestamp: string): string {
  return dates.format(new Date(timestamp));
}

export function listText(words: readonly string[]): string {
  return listed.format(words);
}

export function durationText(durationSeconds: number): string {
  const whole = Math.max(1, Math.round(durationSeconds));
  if (whole < 60) return seconds.format(whole);
  const wholeMinutes = Math.round(whole / 60);
  if (wholeMinutes < 60) return minutes.format(wholeMinutes);
  const rest = wholeMinutes % 60;
  const wholeHours = hours.format(Math.floor(wholeMinutes / 60));
  return rest === 0 ? wholeHours : together.format([wholeHours, minutes.format(rest)]);
}

/** Writes how long the usual photo takes at a speed in megapixels of the source a second. */
export function speedText(megapixelsPerSecond: number): string {
  return text.secondsPerPhoto(durationText(usualMegapixels / megapixelsPerSecond));
}

/** Names a failure in the reader's language; the service's own sentence says more. */
export function failureText(code: string): string {
  return code in en.failures ? i18next.t(`failures.${code}`) : text.failure;
}

/** Finds what a language says of a failure or a model; it is undefined where the language says nothing. */
function saidIn(language: string, of: 'advice' | 'models', key: string): string | undefined {
  const known = languages[language]?.[of] ?? {};
  return Object.hasOwn(known, key) ? known[key] : undefined;
}

/** Says what to do about a failure. It is '' where the service's own sentence is in the reader's language. */
export function adviceText(code: string, language = tagOf(locale)): string {
  return saidIn(language, 'advice', code) ?? '';
}

/** Says what to do about a failure in the reader's language, or else in the service's own sentence. */
export function remedyText({ code, message }: { code: string; message: string }): string {
  return adviceText(code) || message;
}

/** Says what a model is for, in the reader's language where that is known, else in the model's own words. */
export function modelText(
  { id, description }: { id: string; description: string },
  language = tagOf(locale),
): string {
  return saidIn(language, 'models', id) ?? description;
}
