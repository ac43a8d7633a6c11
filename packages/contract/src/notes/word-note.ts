/** Words a note that was read, in any language. Page and command line load the language that they speak alone. */
import type { NoteWords, PartCode } from './en.ts';

export interface ReadNote {
  /** Of `notesEn`, in this version or another one. */
  code: string;
  /** A part stands as its code, several with spaces between, and the part's values beside the note's. */
  values: Record<string, string>;
}

/** Values that are parts. A device's reason may be a sentence of its own. */
export const partNames: ReadonlySet<string> = new Set([
  ...['objection', 'steps', 'faults', 'reason', 'next', 'count'],
]);

export const place = /\{(\w+)\}/g;

export const fill = (sentence: string, values: Readonly<Record<string, string | number>>): string =>
  sentence.replaceAll(place, (whole, name: string) => String(values[name] ?? whole));

/** Words a note; undefined for an unknown code. @param locale BCP 47 */
export function wordNote(
  { code, values }: ReadNote,
  { notes, parts }: NoteWords,
  locale: string,
): string | undefined {
  const sentence = isKey(notes, code) ? notes[code] : undefined;
  if (sentence === undefined) return undefined;
  const isPart = (key: string): key is PartCode => isKey(parts, key);
  const written = mapValues(values, (value) => numberIn(locale, value));
  const worded = mapValues(written, (value, name) => {
    const keys = partNames.has(name) ? value.split(' ') : [];
    if (!keys.every(isPart) || keys.length === 0) return value;
    return new Intl.ListFormat(locale).format(keys.map((key) => fill(parts[key], written)));
  });
  return fill(sentence, worded);
}

const isKey = <Key extends string>(
  sentences: Readonly<Record<Key, string>>,
  key: string,
): key is Key => Object.hasOwn(sentences, key);

const decimal = /^\d+\.(\d+)$/;

function numberIn(locale: string, value: string): string {
  const [, digits] = decimal.exec(value) ?? [];
  if (digits === undefined) return value;
  const format = { useGrouping: false, minimumFractionDigits: digits.length };
  return new Intl.NumberFormat(locale, format).format(Number(value));
}

const mapValues = (
  values: Readonly<Record<string, string>>,
  change: (value: string, name: string) => string,
): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]));
