/**
 * Declares the shape of a catalogue and of the texts made from it. In a sentence `{{name}}` is a place for a
 * value, `{{count, number}}` is one for a number that is written as the reader writes numbers, and `photos_one`
 * and `photos_other` are the forms of `photos` by its count (Intl.PluralRules).
 */
import type { en } from './languages/en/en.ts';

type English = typeof en;

/** Sentences that have forms by a count. */
type CountedName = {
  [Key in keyof English]: Key extends `${infer Name}_other` ? Name : never;
}[keyof English];
type PlainName = Exclude<keyof English, `${CountedName}_one` | `${CountedName}_other` | 'failures'>;
type FailureCode = keyof English['failures'];

/** A catalogue of another language has the same keys, with the plural forms of that language. */
export type Catalogue<Form extends Intl.LDMLPluralRule = 'one' | 'other'> = {
  readonly [Key in PlainName | `${CountedName}_${Form}`]: string;
} & { readonly failures: Readonly<Record<FailureCode, string>> };

/** A part of the English catalogue in another language, with the plural forms of that language. */
export type TranslatedPart<Part, Form extends Intl.LDMLPluralRule> = {
  readonly [
    Key in keyof Part as Key extends `${infer Name}_other`
      ? `${Name}_${Form}`
      : Key extends `${string}_one`
        ? never
        : Key
  ]: string;
};

/** Two failures explain themselves, and what a refusal is about is said by the service alone. */
export type Advice = Readonly<
  Record<Exclude<FailureCode, 'CANCELLED' | 'TASK_NOT_FOUND' | 'REFUSED'>, string>
>;

type PlaceholderValue<Name> = Name extends `${string}, number` ? number : string | number;
type Places<Sentence> = Sentence extends `${string}{{${infer Name}}}${infer Rest}`
  ? [PlaceholderValue<Name>, ...Places<Rest>]
  : [];

/** A sentence without places is a string; one with places takes their values, in the English order. */
type TextOf<Sentence> =
  Places<Sentence> extends [] ? string : (...values: Places<Sentence>) => string;

type NameOf<Key> = Key extends `${infer Name}_other`
  ? Name
  : Key extends `${string}_one` | 'failures'
    ? never
    : Key;

export type Texts = { readonly [Key in keyof English as NameOf<Key>]: TextOf<English[Key]> };
export type TextName = keyof Texts;

const place = /\{\{(\w+)(, number)?\}\}/g;

/**
 * Makes the texts of a catalogue.
 *
 * @param english says which places a sentence has, and in which order
 * @param locale decides the plural form, and how numbers are written
 */
export function textsOf(english: English, catalogue: Catalogue<'other'>, locale: string): Texts {
  const plurals = new Intl.PluralRules(locale);
  const numbers = new Intl.NumberFormat(locale);
  const sentences: Readonly<Record<string, unknown>> = catalogue;
  const texts: Record<string, string | ((...values: (string | number)[]) => string)> = {};
  /** A form that the language has only for numbers that the page never counts, such as millions, is left out. */
  const sentenceFor = (name: string, count: unknown) =>
    String(
      sentences[name] ??
        sentences[`${name}_${plurals.select(Number(count))}`] ??
        sentences[`${name}_other`],
    );
  for (const [key, sentence] of Object.entries(english)) {
    if (typeof sentence !== 'string' || key.endsWith('_one')) continue;
    const name = key.replace(/_other$/, '');
    const places = [...sentence.matchAll(place)].map((match) => match[1] ?? '');
    const fill = (...values: (string | number)[]) => {
      const given = new Map(places.map((at, index) => [at, values[index] ?? '']));
      return sentenceFor(name, given.get('count')).replace(place, (_, at: string, isNumber) => {
        const value = given.get(at) ?? '';
        return isNumber === undefined ? String(value) : numbers.format(Number(value));
      });
    };
    texts[name] = places.length === 0 ? fill() : fill;
  }
  return texts as Texts;
}
