/**
 * Finds the languages of the page. Each is one file in languages/, named by its BCP 47 tag, with its sentences in
 * the folder of that name beside it. docs/translating.md says how one is added.
 */
import type { NoteWords } from '../../packages/contract/src/notes/en.ts';
import type {
  ModelPurposes,
  ObtainablePurposes,
} from '../../packages/contract/src/purposes/purposes.ts';
import type { Advice, Catalogue } from './catalogue.ts';

export interface Language {
  readonly texts: Catalogue<'other'>;
  /** Absent in languages that are written from left to right. */
  readonly direction?: 'rtl';
  /** What to do about a failure, by its code; in English, which the service speaks itself, where it says it technically. */
  readonly advice?: Partial<Advice>;
  /** What the models that ship are for, by their ids; absent in English, in which models/catalogue.json is. */
  readonly models?: ModelPurposes;
  /** Notes on results; absent in English, in which the service writes them. */
  readonly notes?: NoteWords;
  /** What the models that can be downloaded are for; absent in English, in which models/obtainable.json is. */
  readonly obtainable?: ObtainablePurposes;
}

/** A language other than English. `Form`: the plural forms that Intl.PluralRules names for whole numbers. */
export interface Translation<Form extends Intl.LDMLPluralRule>
  extends Pick<Language, 'direction'>, Required<Omit<Language, 'direction' | 'advice'>> {
  readonly advice: Advice;
  readonly texts: Catalogue<Form | 'other'>;
}

/** Keys languages by their tags, in the order of the tags. */
export function byTag<File>(files: Readonly<Record<string, File>>): ReadonlyMap<string, File> {
  const tagged = Object.entries(files).map(([path, file]): [string, File] => [
    /([\w-]+)\.ts$/.exec(path)?.[1] ?? path,
    file,
  ]);
  return new Map(tagged.sort(([left], [right]) => left.localeCompare(right)));
}

const primaryOf = (tag: string): string => tag.split('-', 1)[0]?.toLowerCase() ?? '';

export interface ChosenLanguage {
  /** Tag of a known language. */
  tag: string;
  /** Locale for numbers and dates: with the reader's region, unless the tag has a region or script of its own. */
  locale: string;
}

/**
 * Decides the language and the locale of the page.
 *
 * @param chosen a tag of `known`, or 'system' for the first known language that the reader's system names
 * @param preferred the locales of the reader's system, the best first
 */
export function chooseLanguage(
  chosen: string,
  preferred: readonly string[],
  known: readonly string[],
): ChosenLanguage {
  const languageOf = (locale: string) =>
    known.find((tag) => tag === locale) ??
    known.find((tag) => primaryOf(tag) === primaryOf(locale));
  const tag = known.includes(chosen)
    ? chosen
    : (preferred.map(languageOf).find((found) => found !== undefined) ?? 'en');
  const own = preferred.find((locale) => languageOf(locale) === tag);
  return { tag, locale: tag.includes('-') ? tag : (own ?? tag) };
}

/** A language's name in itself, such as "Deutsch" for 'de'. */
export function ownName(tag: string): string {
  const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag;
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
}
