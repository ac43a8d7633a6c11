import { describe, expect, it } from 'vitest';
import { textsOf } from '../../../renderer/text/catalogue.ts';
import { de } from '../../../renderer/text/languages/de/de.ts';
import { en } from '../../../renderer/text/languages/en/en.ts';
import {
  adviceText,
  bytesText,
  durationText,
  failureText,
  modelText,
  text,
} from '../../../renderer/text/text.ts';
import { taskErrorCodes } from '../../../electron/contract/errors.ts';
import catalogue from '../../../models/catalogue.json';

const namesOf = (sentence: string) => [...sentence.matchAll(/\{\{[^}]+\}\}/g)].map(([at]) => at);

describe('the catalogue of texts', () => {
  it('has every text in every language, and none left in English', () => {
    expect(Object.keys(de).sort()).toEqual(Object.keys(en).sort());
    expect(Object.keys(de.failures).sort()).toEqual(Object.keys(en.failures).sort());
    const sentences = Object.entries(en).filter(
      ([, words]) =>
        typeof words === 'string' && / [a-z]/.test(words.replaceAll(/\{\{.*?\}\}/g, '')),
    );
    for (const [name, words] of sentences) expect(de[name as keyof typeof de]).not.toBe(words);
  });

  it('has the same places for values in every language', () => {
    for (const [name, words] of Object.entries(en)) {
      if (typeof words !== 'string') continue;
      const translated: unknown = de[name as keyof typeof de];
      expect(namesOf(translated as string).sort(), name).toEqual(namesOf(words).sort());
    }
  });

  it('has words for each way in which an enlargement can fail', () => {
    const unsaid = taskErrorCodes.filter((code) => failureText(code) === en.failure);
    expect(unsaid).toEqual(['INTERNAL']);
  });

  it('says in German what to do about each failure that has words, but for those that explain themselves', () => {
    const codes = Object.keys(en.failures);
    const unsaid = codes.filter((code) => adviceText(code, 'de') === '');
    expect(unsaid).toEqual(['CANCELLED', 'TASK_NOT_FOUND']);
    expect(codes.map((code) => adviceText(code, 'en')).join('')).toBe('');
    expect(adviceText('constructor', 'de')).toBe('');
  });

  it('says in German what the models that ship are for, and of others what they say themselves', () => {
    for (const model of catalogue.models) {
      expect(modelText(model, 'de'), model.id).not.toBe(model.description);
      expect(modelText(model, 'en')).toBe(model.description);
    }
    const own = { id: 'constructor', description: 'Mine.' };
    expect(modelText(own, 'de')).toBe('Mine.');
  });

  it('counts photos in the singular and the plural', () => {
    expect([text.start(1), text.start(1200)]).toEqual(['Start 1 photo', 'Start 1,200 photos']);
  });

  it('gives values to their places in the order of the English sentence', () => {
    const texts = textsOf(en, (key, values) => `${key} ${JSON.stringify(values ?? {})}`);
    expect(texts.saving(1, 2)).toBe('saving {"done":1,"total":2}');
    expect(texts.saved(3, 'Out')).toBe('saved {"count":3,"folder":"Out"}');
    expect(texts.queue).toBe('queue {}');
  });

  it('writes durations and sizes as a person would say them', () => {
    expect([0.2, 59.6, 61, 3599, 7500].map(durationText)).toEqual([
      '1 sec',
      '1 min',
      '1 min',
      '1 hr',
      '2 hr 5 min',
    ]);
    expect([334_120, 3_670_000, 12_300_000_000].map(bytesText)).toEqual([
      '334 kB',
      '3.67 MB',
      '12.3 GB',
    ]);
  });
});
