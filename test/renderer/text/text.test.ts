import { describe, expect, it } from 'vitest';
import { textsOf } from '../../../renderer/text/catalogue.ts';
import { byTag, chooseLanguage, ownName, type Language } from '../../../renderer/text/language.ts';
import { en } from '../../../renderer/text/languages/en/en.ts';
import {
  adviceOf,
  adviceText,
  bytesText,
  deviceText,
  durationText,
  failureText,
  modelText,
  namesText,
  problemText,
  speedText,
  text,
  timeLeftText,
} from '../../../renderer/text/text.ts';
import { bestForText, isTranslated, purposeText } from '../../../renderer/text/obtainable-text.ts';
import { rowsThere } from '../../../packages/contract/src/failures/rows-there.ts';
import { processorName } from '../../../packages/contract/src/models/processor-name.ts';
import de from '../../../renderer/text/languages/de.ts';
import { goneSentence, otherKindSentence } from '../../../packages/contract/src/error-messages.ts';
import { taskErrorCodes } from '../../../packages/contract/src/errors.ts';
import catalogue from '../../../models/catalogue.json';
import obtainable from '../../../models/obtainable.json';

const languages = byTag(
  import.meta.glob<{ default: Language }>('../../../renderer/text/languages/*.ts', { eager: true }),
);
const translations = [...languages]
  .filter(([tag]) => tag !== 'en')
  .map(([tag, { default: language }]) => ({ tag, language }));

const namesOf = (sentence: string) =>
  [...sentence.matchAll(/\{\{[^}]+\}\}/g)].map(([at]) => at).sort();

/** Every sentence of a language with the English one that it translates. */
const pairsOf = ({ texts }: Language) =>
  Object.entries(texts).flatMap(([name, words]) => {
    if (typeof words !== 'string') return [];
    const english: Readonly<Record<string, unknown>> = en;
    const source = english[name] ?? english[name.replace(/_\w+$/, '_other')];
    return [{ name, words, source: String(source) }];
  });

describe.each(translations)('the catalogue of $tag', ({ tag, language }) => {
  it('has every text, with the plural forms of the language', () => {
    const { pluralCategories } = new Intl.PluralRules(tag).resolvedOptions();
    const forms = pluralCategories.filter((form) => form !== 'many' || tag === 'pl');
    const expected = Object.keys(en).flatMap((name) => {
      if (name.endsWith('_one')) return [];
      const base = /^(.*)_other$/.exec(name)?.[1];
      return base === undefined ? [name] : forms.map((form) => `${base}_${form}`);
    });
    expect(Object.keys(language.texts).sort()).toEqual(expected.sort());
    expect(Object.keys(language.texts.failures).sort()).toEqual(Object.keys(en.failures).sort());
  });

  it('has no sentence that was left in English', () => {
    const left = pairsOf(language).filter(
      ({ words, source }) =>
        words === source && /[A-Za-z]{2,} [a-z]{2,}/.test(source.replaceAll(/\{\{.*?\}\}/g, '')),
    );
    // "Breedte in pixels" is Dutch, too.
    expect(left.map(({ name }) => name)).toEqual(tag === 'nl' ? ['inPixels'] : []);
  });

  it('has the same places for values', () => {
    for (const { name, words, source } of pairsOf(language))
      expect(namesOf(words), name).toEqual(namesOf(source));
  });

  it('says what to do about each failure, and what the models that ship are for', () => {
    const codes = Object.keys(en.failures);
    const unsaid = codes.filter((code) => adviceText(code, language) === '');
    expect(unsaid).toEqual(['CANCELLED', 'TASK_NOT_FOUND', 'REFUSED']);
    expect(adviceText('constructor', language)).toBe('');
    const gone = { code: 'SOURCE_UNREACHABLE', message: goneSentence('/data/uploads/1') };
    expect(adviceOf(gone, language)).toBe(adviceText('RESULT_EXPIRED', language));
    const archive = {
      code: 'UNREADABLE_IMAGE',
      message: otherKindSentence('a ZIP archive; unpack it first'),
    };
    expect(adviceOf(archive, language)).toBe(adviceText('UNSUPPORTED_MEDIA_TYPE', language));
    const none = { code: 'UNREADABLE_IMAGE', message: otherKindSentence('empty') };
    expect(adviceOf(none, language)).toBe(adviceText('UNREADABLE_IMAGE', language));
    for (const model of catalogue.models)
      expect(modelText(model, language), model.id).not.toBe(model.description);
    const own = { id: 'constructor', description: 'Mine.' };
    expect(modelText(own, language)).toBe('Mine.');
  });
});

describe.each(translations)('the models that can be downloaded, in $tag', ({ language }) => {
  it('are said to be good for something, each of the list and no other', () => {
    expect(Object.keys(language.obtainable ?? {})).toEqual(obtainable.models.map(({ id }) => id));
    for (const model of obtainable.models) {
      expect(isTranslated(model, language)).toBe(true);
      expect(bestForText(model, language)).not.toBe(model.bestFor);
      expect(purposeText(model, language)).not.toContain(model.description);
    }
  });

  it('speak English where the list is newer', () => {
    const model = { id: 'constructor', bestFor: 'old films', description: 'Slow.' };
    expect(isTranslated(model, language)).toBe(false);
    expect(bestForText(model, language)).toBe('old films');
    expect(purposeText(model, language)).toBe('Best for old films. Slow.');
  });

  it('are marked as default in other words than those that make them so', () => {
    const { modelDefault, modelMakeDefault } = language.texts;
    const stem = (words: string) => words.toLowerCase().slice(0, 8);
    expect(stem(modelMakeDefault)).not.toBe(stem(modelDefault));
  });
});

describe('the choice of a language', () => {
  const known = ['de', 'en', 'pt-BR', 'zh-Hans'];

  it.each([
    ['system', ['de-AT', 'en'], 'de', 'de-AT'],
    ['system', ['pt-PT', 'en'], 'pt-BR', 'pt-BR'],
    ['system', ['zh-CN'], 'zh-Hans', 'zh-Hans'],
    ['system', ['ko', 'en-GB'], 'en', 'en-GB'],
    ['system', ['ko'], 'en', 'en'],
    ['de', ['en-US'], 'de', 'de'],
    ['de', ['en-US', 'de-CH'], 'de', 'de-CH'],
    ['xx', ['de'], 'de', 'de'],
  ])('%s of %j is %s, written as %s', (chosen, preferred, tag, locale) => {
    expect(chooseLanguage(chosen, preferred, known)).toEqual({ tag, locale });
  });

  it('names each language in itself', () => {
    expect(known.map(ownName)).toEqual(['Deutsch', 'English', 'Português (Brasil)', '简体中文']);
  });
});

describe('the texts of the page', () => {
  it('has words for each way in which an enlargement can fail', () => {
    const unsaid = taskErrorCodes.filter((code) => failureText(code) === en.failure);
    expect(unsaid).toEqual(['INTERNAL']);
  });

  it('leaves advice and purposes of models to the service in English', () => {
    // The service's sentence of a folder speaks of absolute paths, and it says none while it is away.
    const ofPage = ['NO_FOLDER', 'OFFLINE'];
    const codes = Object.keys(en.failures).filter((code) => !ofPage.includes(code));
    expect(codes.map((code) => adviceText(code)).join('')).toBe('');
    for (const model of catalogue.models) expect(modelText(model)).toBe(model.description);
  });

  it('counts photos in the singular and the plural', () => {
    expect([text.start(1), text.start(1200)]).toEqual(['Start 1 photo', 'Start 1,200 photos']);
  });

  it('gives values to their places in the order of the English sentence', () => {
    const turned = { ...en, saving: '{{total, number}} hold {{done, number}}' };
    const texts = textsOf(en, turned, 'de');
    expect(texts.saving(1, 2000)).toBe('2.000 hold 1');
    expect(texts.saved(3, 'Out')).toBe('3 photos saved to Out.');
    expect(texts.versionCount(1, 3)).toBe('Version 1 of 3');
    expect(texts.queue).toBe('Queue');
  });

  it.each([
    ['pl', 1, '1 zdjęcie'],
    ['pl', 3, '3 zdjęcia'],
    ['pl', 25, '25 zdjęć'],
    ['fr', 0, '0 photo'],
    ['fr', 2_000_000, '2 000 000 photos'],
    ['ja', 1, '1枚'],
  ])('uses the plural forms of %s for %d', (tag, count, words) => {
    const language = translations.find((one) => one.tag === tag)!.language;
    const started = textsOf(en, language.texts, tag).start(count).replaceAll(/\s/g, ' ');
    expect(started).toContain(words);
  });

  it('writes durations and sizes as a person would say them', () => {
    expect([0.2, 59.6, 61, 3599, 7500].map(durationText)).toEqual([
      '1 sec',
      '1 min',
      '1 min',
      '1 hr',
      '2 hr 5 min',
    ]);
    expect([0.2, 43, 60, 61, 119, 599, 700, 7500].map(timeLeftText)).toEqual([
      '1 sec',
      '43 sec',
      '1 min',
      '1 min 10 sec',
      '2 min',
      '10 min',
      '12 min',
      '2 hr 5 min',
    ]);
    expect([334_120, 3_670_000, 12_300_000_000].map(bytesText)).toEqual([
      '334 kB',
      '3.67 MB',
      '12.3 GB',
    ]);
    expect([0, 1, 512, 9480, 999_700].map(bytesText)).toEqual([
      '0 kB',
      '1 kB',
      '1 kB',
      '9 kB',
      '1 MB',
    ]);
  });
});

describe('a failure of a picture that is there in part', () => {
  const wordsOf = (message: string) => problemText({ code: 'UNREADABLE_IMAGE', message });
  const size = 'the JPEG of 1200 x 820 pixels is damaged or cut short.';

  it('says how much is there, as the service wrote it', () => {
    expect(wordsOf(`${rowsThere(480, 820)}: ${size}`)).toBe('Cut off: 41% of it is missing');
    expect(wordsOf(`${rowsThere(819, 820)}: ${size}`)).toBe('Cut off: 1% of it is missing');
    expect(wordsOf(`${rowsThere(0, 820)}: ${size}`)).toBe('Cut off: 100% of it is missing');
  });

  it('calls no picture that is seen none that can be read', () => {
    expect(wordsOf(size)).toBe('Damaged or cut off');
    expect(wordsOf('The file begins like a JPEG but cannot be read.')).toBe(
      'Not a picture that can be read',
    );
  });
});

it('names a processor with its threads, and other devices as they are called', () => {
  expect(deviceText({ name: processorName({ name: 'AMD EPYC', threads: 2 }) })).toBe(
    'AMD EPYC, 2 threads',
  );
  expect(deviceText({ name: 'WebGPU' })).toBe('WebGPU');
  const german = textsOf(en, de.texts, 'de');
  expect(german.processor('AMD EPYC', 2)).toBe('AMD EPYC, 2 Threads');
});

it('writes the first names one to a line, and how many more there are', () => {
  expect(namesText(['a.jpg', 'b.jpg'], 2)).toBe('a.jpg\nb.jpg');
  expect(namesText(['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg'], 2)).toBe('a.jpg\nb.jpg\n+2');
});

it('the time of a usual photo names the scale at which it was measured, of a cut-out none', () => {
  const speed = { provider: 'cpu', precision: 'int8', megapixelsPerSecond: 0.6 };
  expect(speedText({ ...speed, scale: 4 })).toBe(
    'About 20 sec per photo of 12 megapixels on this computer (4×)',
  );
  expect(speedText({ ...speed, scale: 1 })).toBe(
    'About 20 sec per photo of 12 megapixels on this computer',
  );
});
