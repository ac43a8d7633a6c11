import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { buildProgram } from '../../../packages/command-line/src/program.ts';
import {
  commanderErrors,
  failureText,
  languages,
  loadLanguage,
  setCatalogue,
  t,
  tn,
  translatedError,
} from '../../../packages/command-line/src/text.ts';
import { failuresDe } from '../../../packages/contract/src/failures/de.ts';
import type { Catalogue } from '../../../packages/command-line/src/catalogue.ts';
import { de } from '../../../packages/command-line/src/languages/de.ts';
import { es } from '../../../packages/command-line/src/languages/es.ts';
import { fr } from '../../../packages/command-line/src/languages/fr.ts';
import { it } from '../../../packages/command-line/src/languages/it.ts';
import { ja } from '../../../packages/command-line/src/languages/ja.ts';
import { nl } from '../../../packages/command-line/src/languages/nl.ts';
import { pl } from '../../../packages/command-line/src/languages/pl.ts';
import { ptBR } from '../../../packages/command-line/src/languages/pt-BR.ts';
import { zhHans } from '../../../packages/command-line/src/languages/zh-Hans.ts';
import { startProgram } from '../../support/program.ts';
import { cliProgram } from '../../support/programs.ts';
import { fileSentences } from '../../../packages/files/src/file-errors.ts';

const catalogues: Readonly<Record<string, Catalogue>> = {
  ...{ de, es, fr, it, ja, nl, pl },
  ...{ 'pt-BR': ptBR, 'zh-Hans': zhHans },
};

const root = path.resolve(import.meta.dirname, '../../..');
const folder = path.join(root, 'packages/command-line/src');
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.startsWith('languages'))
  .map((name) => readFileSync(path.join(folder, name), 'utf8'));

const quoted = String.raw`('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")`;
const unquoted = (literal = '') => literal.slice(1, -1).replaceAll(/\\(.)/g, '$1');

/** The sentences that the code passes to `t`, and the English plurals of those that it passes to `tn`. */
function sentencesInCode(): { plain: Set<string>; counted: Set<string> } {
  const plain = new Set<string>();
  const counted = new Set<string>();
  for (const source of sources) {
    for (const [, key] of source.matchAll(new RegExp(String.raw`\bt\(\s*${quoted}`, 'g')))
      plain.add(unquoted(key));
    for (const [, , key] of source.matchAll(
      new RegExp(String.raw`\btn\(\s*[\w.\s-]+,\s*${quoted},\s*${quoted}`, 'g'),
    ))
      counted.add(unquoted(key));
  }
  return { plain, counted };
}

/** What building the program asks for. Descriptions that are put together are asked for part by part. */
function sentencesOfHelp(): Set<string> {
  const asked = new Set<string>();
  setCatalogue(
    'de',
    new Proxy({}, { get: (_, key) => (asked.add(String(key)), `«${String(key)}`) }),
  );
  const nothing = () => Promise.resolve();
  const program = buildProgram('1.0.0', {
    programUrl: import.meta.url,
    serve: nothing,
    photos: nothing,
    editIn: nothing,
    ask: nothing,
  });
  program.helpInformation();
  for (const command of program.commands) command.helpInformation();
  setCatalogue('en', {});
  return new Set([...asked].filter((key) => key !== '' && !key.includes('«')));
}

afterEach(() => setCatalogue('en', {}));

const { plain, counted } = sentencesInCode();
const needed = new Set([...plain, ...sentencesOfHelp(), ...commanderErrors, ...fileSentences]);
const placesIn = (sentence: string) =>
  [...sentence.matchAll(/\{\w+\}/g)].map(([place]) => place).toSorted();

describe('each language of the command line', () => {
  test('is found among those that are loaded', () => {
    const primary = Object.keys(catalogues).map((tag) => tag.split('-')[0]);
    expect(primary).toEqual(languages);
  });

  test.each(Object.entries(catalogues))(
    '%s has every sentence, and none beside',
    (_, catalogue) => {
      expect(needed.size).toBeGreaterThan(200);
      const known = Object.keys(catalogue);
      expect([...needed, ...counted].filter((key) => !known.includes(key))).toEqual([]);
      expect(known.filter((key) => !needed.has(key) && !counted.has(key))).toEqual([]);
    },
  );

  test.each(Object.entries(catalogues))(
    '%s keeps places, and has its plurals',
    (tag, catalogue) => {
      const { pluralCategories } = new Intl.PluralRules(tag).resolvedOptions();
      for (const [key, sentence] of Object.entries(catalogue)) {
        const forms = typeof sentence === 'string' ? { other: sentence } : sentence;
        for (const form of Object.values(forms)) expect(placesIn(form)).toEqual(placesIn(key));
        // Millions of pictures have a form of their own in some languages, which may be left out.
        const wanted = pluralCategories.filter((name) => name !== 'many' || tag === 'pl');
        if (counted.has(key)) expect(Object.keys(forms)).toEqual(expect.arrayContaining(wanted));
        else expect(typeof sentence).toBe('string');
      }
    },
  );
});

test('values are put into the sentence as they are', () => {
  setCatalogue('de', { 'Added {id}.': '{id} ist da.' });
  expect(t('Added {id}.', { id: '$& {id}' })).toBe('$& {id} ist da.');
  expect(t('Not translated: {id}', { id: 3 })).toBe('Not translated: 3');
});

test('a count chooses the form, and is written as the language writes numbers', () => {
  setCatalogue('pl', {
    '{count} pictures': {
      one: '{count} zdjęcie',
      few: '{count} zdjęcia',
      many: '{count} zdjęć',
      other: '{count} zdjęcia',
    },
  });
  const words = (count: number) => tn(count, '{count} picture', '{count} pictures');
  expect([1, 3, 5, 12345].map(words)).toEqual([
    '1 zdjęcie',
    '3 zdjęcia',
    '5 zdjęć',
    `${(12345).toLocaleString('pl')} zdjęć`,
  ]);
  setCatalogue('en', {});
  expect([1, 3].map(words)).toEqual(['1 picture', '3 pictures']);
});

test('a region without a language of its own takes the one it has; an unknown language is English', async () => {
  await loadLanguage('de-AT');
  expect(t('There are no tasks.')).toBe(de['There are no tasks.']);
  await loadLanguage('sv-SE');
  expect(t('There are no tasks.')).toBe('There are no tasks.');
});

test("commander's errors are translated with their values", async () => {
  await loadLanguage('de');
  const message = translatedError("error: unknown option '--scal'\n(Did you mean --scale?)\n");
  expect(message).toMatch(/--scal'?.*\n.*--scale/);
  expect(message).not.toMatch(/unknown|mean/);
  const many = "error: too many arguments for 'tasks'. Expected 0 arguments but got 2: show, abc.";
  expect(translatedError(many)).toMatch(/'?tasks'?.*0.*2: show, abc/);
  expect(translatedError(many)).not.toMatch(/many|Expected/);
  expect(translatedError('something else')).toBe('something else');
});

test("a failure's words stand before the service's sentence, which English has alone", async () => {
  await loadLanguage('de');
  const said = failureText('UNREADABLE_IMAGE', 'Expected a picture.');
  expect(said).toBe(`${failuresDe.UNREADABLE_IMAGE} (Expected a picture.)`);
  expect(failureText('NO_SUCH_CODE', 'It is so.')).toBe('It is so.');
  await loadLanguage('en-GB');
  expect(failureText('UNREADABLE_IMAGE', 'Expected a picture.')).toBe('Expected a picture.');
});

test('the program speaks the language of the terminal', async () => {
  const helpIn = async (locale: string) => {
    const env = { ...process.env, LC_ALL: locale };
    return (await startProgram(process.execPath, [cliProgram, 'tasks', '--help'], env).ended)
      .stdout;
  };
  expect(await helpIn('de_DE.UTF-8')).toContain(de['list the newest tasks']);
  expect(await helpIn('C')).toContain('list the newest tasks');
});
