/**
 * The page's texts in the reader's language, and numbers, dates and durations as the reader writes them. Only that
 * language is loaded, beside English, which the texts are declared by.
 */
import { isGone, isOtherKind } from '../../packages/contract/src/error-messages.ts';
import {
  damagedWords,
  readRowsThere,
  type RowsThere,
} from '../../packages/contract/src/failures/rows-there.ts';
import type { ModelSpeed } from '../../packages/contract/src/models/model.ts';
import { readProcessorName } from '../../packages/contract/src/models/processor-name.ts';
import type { TaskFailure } from '../../packages/contract/src/task.ts';
import { textsOf, type Texts } from './catalogue.ts';
import { en } from './languages/en/en.ts';
import { byTag, chooseLanguage, type Language } from './language.ts';

const languages = byTag(import.meta.glob<{ default: Language }>('./languages/*.ts'));
export const languageTags: readonly string[] = [...languages.keys()];

/** The language that a person chose, which main.ts notes before this file runs, or 'system'. */
const chosen =
  typeof document === 'undefined'
    ? 'system'
    : (document.documentElement.dataset.language ?? 'system');

const { tag, locale } = chooseLanguage(chosen, navigator.languages, languageTags);
export { locale };
export const language: Language = (await languages.get(tag)?.())?.default ?? { texts: en };

export const text: Texts = textsOf(en, language.texts, locale);
/** The reader's language is written in this direction. */
export const direction = language.direction ?? 'ltr';

/** A usual camera's photo has this size. */
const defaultMegapixels = 12;

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

/** Fewer bytes are whole kilobytes, at least one. */
export function bytesText(count: number): string {
  if (count < 999_500)
    return kilobytes.format(Math.max(Math.sign(count), Math.round(count / 1000)));
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

/** Writes the first names one to a line, and the number of the rest. */
export function namesText(names: readonly string[], max: number): string {
  const rest = names.length - max;
  return [...names.slice(0, max), ...(rest > 0 ? [`+${countText(rest)}`] : [])].join('\n');
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

/** Writes the time that is left, by tens of seconds as long as these matter, so that it is seen to fall. */
export function timeLeftText(durationSeconds: number): string {
  const tens = 10 * Math.ceil(durationSeconds / 10);
  if (durationSeconds < 60 || tens % 60 === 0 || tens > maxExactSeconds)
    return durationText(durationSeconds < 60 ? durationSeconds : tens);
  return together.format([minutes.format(Math.floor(tens / 60)), seconds.format(tens % 60)]);
}
/** Longer times are written in whole minutes. */
const maxExactSeconds = 600;

/** Names a device, a processor with its threads. */
export function deviceText({ name }: { name: string }): string {
  const processor = readProcessorName(name);
  return processor === undefined ? name : text.processor(processor.name, processor.threads);
}

/** Writes how long the usual photo takes, and at which scale. */
export function speedText({ scale, megapixelsPerSecond }: ModelSpeed): string {
  const words = text.secondsPerPhoto(durationText(defaultMegapixels / megapixelsPerSecond));
  return scale > 1 ? `${words} (${text.scaleBadge(scale)})` : words;
}

/** Names a failure in the reader's language; the service's own sentence says more. */
export function failureText(code: string): string {
  return ownValue(language.texts.failures, code) ?? text.failure;
}

/** At least 1, as of a photo that lacks its last row. */
const percentMissing = ({ rows, height }: RowsThere) =>
  Math.max(1, Math.round(100 * (1 - rows / height)));

/** The same of a case, with what its sentence says of a picture that is there in part. */
export function problemText({ code, message }: TaskFailure): string {
  const there = readRowsThere({ code, message });
  if (there !== undefined) return text.cutOff(percentMissing(there));
  if (code === 'UNREADABLE_IMAGE' && message.includes(damagedWords)) return text.damagedPicture;
  return failureText(code);
}

/** What to do about a failure; '' where the service's own sentence is in the reader's language. */
export function adviceText(code: string, { advice }: Language = language): string {
  return ownValue(advice, code) ?? '';
}

/**
 * The same of a case: no address leads to a photo that the service had itself, and no new copy of a file that is no
 * photo can be read.
 */
export function adviceOf({ code, message }: TaskFailure, spoken: Language = language): string {
  if (isGone(message)) return adviceText('RESULT_EXPIRED', spoken);
  return adviceText(isOtherKind(message) ? 'UNSUPPORTED_MEDIA_TYPE' : code, spoken);
}

/** What to do about a failure in the reader's language, or else the service's own sentence. */
export function remedyText(problem: TaskFailure): string {
  return adviceOf(problem) || problem.message;
}

/** What a model is for, in the reader's language where that is known, else in the model's own words. */
export function modelText(
  { id, description }: { id: string; description: string },
  { models }: Language = language,
): string {
  return ownValue(models, id) ?? description;
}

export const ownValue = <Value>(
  known: Readonly<Record<string, Value>> | undefined,
  key: string,
): Value | undefined => (known !== undefined && Object.hasOwn(known, key) ? known[key] : undefined);
