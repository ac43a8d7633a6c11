/**
 * Translates what the command line prints. As in gettext, the English sentence in the code is the key of its
 * translations: `{name}` in it is a place for a value. LC_ALL, LC_MESSAGES or LANG choose the language, on Windows
 * the system does. Errors of the service, which are English, have their code's words before them; its notes are
 * worded by their codes.
 */
import type { Command } from 'commander';
import type { FailureWords } from '../../contract/src/failures/en.ts';
import type { NoteWords } from '../../contract/src/notes/en.ts';
import { readNote } from '../../contract/src/notes/notes.ts';
import { wordNote } from '../../contract/src/notes/word-note.ts';
import type { Catalogue, PluralForms } from './catalogue.ts';
import { widthOf, wrapText } from './columns.ts';

/** What is loaded of a language: the sentences of the command line, the words for failures, and notes. */
type LanguageFiles = readonly [catalogue: Catalogue, failures: FailureWords, notes: NoteWords];

const catalogues: Readonly<Record<string, () => Promise<LanguageFiles>>> = {
  de: async () => [
    (await import('./languages/de.ts')).de,
    (await import('../../contract/src/failures/de.ts')).failuresDe,
    (await import('../../contract/src/notes/de.ts')).notesDe,
  ],
  es: async () => [
    (await import('./languages/es.ts')).es,
    (await import('../../contract/src/failures/es.ts')).failuresEs,
    (await import('../../contract/src/notes/es.ts')).notesEs,
  ],
  fr: async () => [
    (await import('./languages/fr.ts')).fr,
    (await import('../../contract/src/failures/fr.ts')).failuresFr,
    (await import('../../contract/src/notes/fr.ts')).notesFr,
  ],
  it: async () => [
    (await import('./languages/it.ts')).it,
    (await import('../../contract/src/failures/it.ts')).failuresIt,
    (await import('../../contract/src/notes/it.ts')).notesIt,
  ],
  ja: async () => [
    (await import('./languages/ja.ts')).ja,
    (await import('../../contract/src/failures/ja.ts')).failuresJa,
    (await import('../../contract/src/notes/ja.ts')).notesJa,
  ],
  nl: async () => [
    (await import('./languages/nl.ts')).nl,
    (await import('../../contract/src/failures/nl.ts')).failuresNl,
    (await import('../../contract/src/notes/nl.ts')).notesNl,
  ],
  pl: async () => [
    (await import('./languages/pl.ts')).pl,
    (await import('../../contract/src/failures/pl.ts')).failuresPl,
    (await import('../../contract/src/notes/pl.ts')).notesPl,
  ],
  pt: async () => [
    (await import('./languages/pt-BR.ts')).ptBR,
    (await import('../../contract/src/failures/pt-BR.ts')).failuresPtBR,
    (await import('../../contract/src/notes/pt-BR.ts')).notesPtBR,
  ],
  zh: async () => [
    (await import('./languages/zh-Hans.ts')).zhHans,
    (await import('../../contract/src/failures/zh-Hans.ts')).failuresZhHans,
    (await import('../../contract/src/notes/zh-Hans.ts')).notesZhHans,
  ],
};

/** Primary subtags of the languages beside English. */
export const languages = Object.keys(catalogues);

let locale = 'en';
let catalogue: Catalogue = {};
/** Empty in English, in which the service's sentences are. */
let failures: Readonly<Record<string, string>> = {};
/** Undefined in English, in which notes are written. */
let noteWords: NoteWords | undefined;

/**
 * Loads the language of the system, before anything is printed.
 *
 * @param systemLocale BCP 47; asked of the rules that load least, in a fiftieth of the time of a date's
 */
export async function loadLanguage(
  systemLocale = new Intl.PluralRules().resolvedOptions().locale,
): Promise<void> {
  const load = catalogues[systemLocale.split('-', 1)[0] ?? ''];
  const [sentences, words, notes] = (await load?.()) ?? [];
  setCatalogue(load ? systemLocale : 'en', sentences ?? {}, words, notes);
}

export function setCatalogue(
  ofLocale: string,
  to: Catalogue,
  words: Readonly<Record<string, string>> = {},
  notes?: NoteWords,
): void {
  locale = ofLocale;
  catalogue = to;
  failures = words;
  noteWords = notes;
}

/** Primary subtag of the language that was loaded. */
export const primaryLanguage = (): string => locale.split('-', 1)[0] ?? '';

type Values = Readonly<Record<string, string | number>>;

/** Translates a sentence. One without a translation stays English. */
export function t(english: string, values: Values = {}): string {
  const found = catalogue[english];
  return filled(typeof found === 'string' ? found : english, values);
}

/** Translates a sentence that has a count, which stands where `{count}` is. */
export function tn(count: number, one: string, other: string, values: Values = {}): string {
  const forms = catalogue[other];
  const english = count === 1 ? one : other;
  const form = typeof forms === 'object' ? pluralOf(forms, count) : undefined;
  return filled(form ?? english, { count: count.toLocaleString(locale), ...values });
}

const pluralOf = (forms: PluralForms, count: number) =>
  forms[new Intl.PluralRules(locale).select(count)] ?? forms.other;

/** Puts what a failure is in the language before the service's sentence, which has the figures of the case. */
export function failureText(code: string, message: string): string {
  const words = Object.hasOwn(failures, code) ? failures[code] : undefined;
  return words === undefined ? message : `${words} (${message})`;
}

/** Words a note of a result or a model. One of another version stays English. */
export function noteText(note: string): string {
  const read = noteWords && readNote(note);
  return (noteWords && read && wordNote(read, noteWords, locale)) ?? note;
}

/** A value is put in as it is, whatever it is made of. */
const filled = (sentence: string, values: Values): string =>
  sentence.replaceAll(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));

/** Lets commander's own words be translated, in all commands that are added afterwards. */
export function speakLanguage(program: Command): Command {
  return program
    .configureHelp({
      displayWidth: widthOf,
      boxWrap: wrapText,
      styleTitle: (title) => t(title),
      styleOptionDescription: translatedFacts,
      styleArgumentDescription: translatedFacts,
    })
    .configureOutput({ outputError: (message, write) => write(translatedError(message)) })
    .helpOption('-h, --help', t('display help for command'));
}

/** Translates the help of all commands, whose descriptions are declared in English. */
export function translateHelp(program: Command): void {
  program.description(t(program.description()));
  if (program.commands.length > 0)
    program.helpCommand('help [command]', t('display help for command'));
  for (const option of program.options) option.description = t(option.description);
  for (const argument of program.registeredArguments)
    argument.description = t(argument.description);
  for (const command of program.commands) translateHelp(command);
}

/** Translates what commander itself adds to a description. That a flag is not set by default needs no words. */
const translatedFacts = (description: string) =>
  description
    .replace(/ \(default: false\)$/, '')
    .replace(/(?<=[(,] ?)choices(?=: )/, t('choices'))
    .replace(/(?<=[(,] ?)default(?=: )/, t('default'));

/** Commander's own errors that people meet, each with places for the words in quotes. */
export const commanderErrors = [
  "error: unknown option '{first}'",
  "error: unknown command '{first}'",
  "error: too many arguments for '{first}'. {rest}",
  'Expected {count} arguments but got {second}.',
  'Expected 1 argument but got {second}.',
  "error: missing required argument '{first}'",
  "error: required option '{first}' not specified",
  "error: option '{first}' argument missing",
  "error: option '{first}' argument '{second}' is invalid. {rest}",
  "error: command-argument value '{first}' is invalid for argument '{second}'. {rest}",
  '(Did you mean one of {first}?)',
  '(Did you mean {first}?)',
  'Allowed choices are {choices}.',
] as const;

/** Translates an error of commander; parts that it does not know stay English. */
export function translatedError(message: string): string {
  return message
    .split('\n')
    .map((line) => {
      for (const sentence of commanderErrors) {
        const pattern = sentence
          .replaceAll(/[().?]/g, String.raw`\$&`)
          .replaceAll(/\{(\w+)\}/g, '(?<$1>.*)');
        const found = new RegExp(`^${pattern}$`).exec(line);
        if (found) {
          const { rest, ...places } = { ...found.groups };
          return t(sentence, { ...places, ...(rest && { rest: translatedError(rest) }) });
        }
      }
      return line;
    })
    .join('\n');
}
