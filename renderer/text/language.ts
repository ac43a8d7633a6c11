/**
 * The languages of the page: each is one file in languages/, named by its tag, with its sentences in it or in a
 * folder of that name beside it. What it does not say is shown in English.
 */
import type { Catalogue } from './catalogue.ts';

export interface Language {
  /** In the language itself. */
  readonly name: string;
  readonly texts: Partial<Omit<Catalogue, 'failures'>> & {
    readonly failures?: Partial<Catalogue['failures']>;
  };
  /** What to do about a failure, by its code; without it the service's own sentence says it. */
  readonly advice?: Readonly<Record<string, string>>;
  /** What a model is for, by its id; without it the model's own words say it. */
  readonly models?: Readonly<Record<string, string>>;
}

/** By their tags: 'en', 'de', and whatever else lies in the folder. */
export function languagesIn(
  files: Readonly<Record<string, { default: Language }>>,
): Readonly<Record<string, Language>> {
  const tagged = Object.entries(files).map(([path, file]): [string, Language] => [
    /([\w-]+)\.ts$/.exec(path)?.[1] ?? path,
    file.default,
  ]);
  return Object.fromEntries(tagged.sort(([left], [right]) => left.localeCompare(right)));
}

const languageOf = (tag: string) => tag.split('-', 1)[0]?.toLowerCase() ?? '';

/**
 * The locale to write in. `chosen`: a tag of `known`, or 'system' for the first that the reader's system names:
 * with its region, so that de-AT writes numbers in another way than de-DE.
 */
export function localeFor(
  chosen: string,
  wanted: readonly string[],
  known: readonly string[],
): string {
  const own = wanted.find((tag) => known.includes(languageOf(tag)));
  if (!known.includes(chosen)) return own ?? 'en';
  return own !== undefined && languageOf(own) === chosen ? own : chosen;
}

/** Which of the languages a locale is. */
export function tagOf(locale: string): string {
  return languageOf(locale);
}
