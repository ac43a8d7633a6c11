import { describe, expect, it } from 'vitest';
import { de } from '../../renderer/text/de.ts';
import { en } from '../../renderer/text/en.ts';
import { bytesText, durationText, failureText } from '../../renderer/text/text.ts';
import { taskErrorCodes } from '../../electron/contract/errors.ts';

describe('the catalogue of texts', () => {
  it('has every text in every language, and none left in English', () => {
    expect(Object.keys(de).sort()).toEqual(Object.keys(en).sort());
    expect(Object.keys(de.failures).sort()).toEqual(Object.keys(en.failures).sort());
    const sentences = Object.entries(en).filter(
      ([, text]) => typeof text === 'string' && text.includes(' ') && !/^\d/.test(text),
    );
    for (const [name, text] of sentences) expect(de[name as keyof typeof de]).not.toBe(text);
  });

  it('has words for each way in which an enlargement can fail', () => {
    const unsaid = taskErrorCodes.filter((code) => failureText(code) === en.failure);
    expect(unsaid).toEqual(['NO_SUBJECT', 'INTERNAL']);
  });

  it('counts photos in the singular and the plural', () => {
    expect([en.start(1), en.start(1200)]).toEqual(['Start 1 photo', 'Start 1,200 photos']);
    expect([de.start(1), de.start(1200)]).toEqual(['1 Foto starten', '1.200 Fotos starten']);
  });

  it('writes durations and sizes as a person would say them', () => {
    expect([0.2, 59.6, 61, 3599, 7500].map(durationText)).toEqual([
      '1 s',
      '1 min',
      '1 min',
      '1 h 0 min',
      '2 h 5 min',
    ]);
    expect([334_120, 3_670_000, 12_300_000_000].map(bytesText)).toEqual([
      '334 kB',
      '3.67 MB',
      '12.3 GB',
    ]);
  });
});
