/**
 * Finds the languages of the page. Each is one file in languages/, named by its tag, with its sentences in it
 * or in a folder of that name beside it. Sentences that it lacks are shown in English.
 */
import type { Catalogue } from './catalogue.ts';

export interface Language {
  /** The name is in the language itself. */
  readonly name: string;
  readonly texts: Partial<Omit<Catalogue, 'failures'>> & {
    readonly failures?: Partial<Catalogue['failures']>;
  };
  /** The advice for a failure is found by its code; without advice the service's own sentence is shown. */
  readonly advice?: Readonly<Record<string, string>>;
  /** The purpose of a model is found by its id; without it the model's own words are shown. */
  readonly models?: Readonly<Record<string, string>>;
}

/** Collects the languages by their tags: 'en', 'de', and whatever else lies in the folder. */
export function languagesIn(
  files: Readonly<Record<string, { default: Language }>>,
): Readonly<Record<string, Language>> {
  const tagged = Object.entries(files).map(([path, file]): [string, Language] => [
    /([\w-]+)\.ts$/.exec(path)?.[1] ?? path,
    file.default,
  ]);
  return Object.fromEntries(tagged.sort(([left], [right]) => left.localeCompare(right)));
}

/** Answers which language a locale is of: 'de' for de-AT. */
export const tagOf = (locale: string): string => locale.split('-', 1)[0]?.toLowerCase() ?? '';

/**
 * Decides the locale to write in. `chosen` is a tag of `known`, or 'system' for the first known language that
 * the reader's system names. The locale keeps its region, so that de-AT writes numbers in another way than
 * de-DE.
 */
export function localeFor(
  chosen: string,
  wanted: readonly string[],
  known: readonly string[],
): string {
  const own = wanted.find((tag) => known.includes(tagOf(tag)));
  if (!known.includes(chosen)) return own ?? 'en';
  return own !== undefined && tagOf(own) === chosen ? own : chosen;
}
