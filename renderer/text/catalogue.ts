/**
 * Declares the shape of a catalogue and of the texts made from it. A catalogue holds sentences as i18next
 * reads them: `{{name}}` is a place for a value, `{{count, number}}` is one for a number that is written as
 * the reader writes numbers, and `photos_one` and `photos_other` are the forms of `photos` by its count.
 */
import type { en } from './languages/en/en.ts';

type English = typeof en;

/** A catalogue of another language has the same keys with sentences of its own. */
export type Catalogue = {
  readonly [Key in Exclude<keyof English, 'failures'>]: string;
} & { readonly failures: { readonly [Code in keyof English['failures']]: string } };

type Place<Name> = Name extends `${string}, number` ? number : string | number;
type Places<Sentence> = Sentence extends `${string}{{${infer Name}}}${infer Rest}`
  ? [Place<Name>, ...Places<Rest>]
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

const place = /\{\{(\w+)(?:, number)?\}\}/g;
const forms = /_(zero|one|two|few|many|other)$/;

/** Makes the texts over any translator. `english` says which places a sentence has, and in which order. */
export function textsOf(
  english: English,
  translate: (key: string, values?: Record<string, string | number>) => string,
): Texts {
  const texts: Record<string, string | ((...values: (string | number)[]) => string)> = {};
  for (const [key, sentence] of Object.entries(english)) {
    if (typeof sentence !== 'string' || key.endsWith('_one')) continue;
    const name = key.replace(forms, '');
    const places = [...sentence.matchAll(place)].map((match) => match[1] ?? '');
    texts[name] =
      places.length === 0
        ? translate(name)
        : (...values) =>
            translate(
              name,
              Object.fromEntries(places.map((at, index) => [at, values[index] ?? ''])),
            );
  }
  return texts as Texts;
}
