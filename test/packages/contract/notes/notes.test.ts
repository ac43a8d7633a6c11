import { describe, expect, it } from 'vitest';
import {
  notesEn,
  partsEn,
  type NoteCode,
  type NoteWords,
} from '../../../../packages/contract/src/notes/en.ts';
import { notesDe } from '../../../../packages/contract/src/notes/de.ts';
import { notesEs } from '../../../../packages/contract/src/notes/es.ts';
import { notesFr } from '../../../../packages/contract/src/notes/fr.ts';
import { notesIt } from '../../../../packages/contract/src/notes/it.ts';
import { notesJa } from '../../../../packages/contract/src/notes/ja.ts';
import { notesNl } from '../../../../packages/contract/src/notes/nl.ts';
import { notesPl } from '../../../../packages/contract/src/notes/pl.ts';
import { notesPtBR } from '../../../../packages/contract/src/notes/pt-BR.ts';
import { notesZhHans } from '../../../../packages/contract/src/notes/zh-Hans.ts';
import { note, part, readNote } from '../../../../packages/contract/src/notes/notes.ts';
import { wordNote } from '../../../../packages/contract/src/notes/word-note.ts';

const languages: Readonly<Record<string, NoteWords>> = {
  ...{ de: notesDe, es: notesEs, fr: notesFr, it: notesIt, ja: notesJa, nl: notesNl, pl: notesPl },
  ...{ 'pt-BR': notesPtBR, 'zh-Hans': notesZhHans },
};

const namesIn = (sentence: string) =>
  [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).toSorted();
const english = Object.entries(notesEn) as [NoteCode, string][];

describe('a note', () => {
  it.each(english)('%s is read back with its values', (code, sentence) => {
    const values = Object.fromEntries(namesIn(sentence).map((name, i) => [name, `Value ${i}`]));
    const written = sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
    expect(readNote(written)).toEqual({ code, values });
  });

  it('has its parts as codes', () => {
    const objection = part('SIDE_TOO_LONG', {
      ...{ format: 'JPEG', max: 65500, width: 70000, height: 10 },
    });
    expect(readNote(note('TIFF_INSTEAD', { objection }))).toEqual({
      code: 'TIFF_INSTEAD',
      values: {
        ...{ objection: 'SIDE_TOO_LONG', format: 'JPEG', max: '65500' },
        ...{ width: '70000', height: '10' },
      },
    });
    const steps = 'sharpening, grain and compression';
    expect(readNote(note('COMPARED_BEFORE', { steps }))?.values).toEqual({
      steps: 'SHARPENING GRAIN COMPRESSION',
    });
  });

  it('of another version is not read', () => {
    expect(readNote('Something else.')).toBeUndefined();
    expect(wordNote({ code: 'OTHER', values: {} }, notesDe, 'de')).toBeUndefined();
  });
});

describe.each(Object.entries(languages))('notes in %s', (_, { notes, parts }) => {
  it('name the same values', () => {
    const valuesOf = (sentences: Readonly<Record<string, string>>) =>
      Object.entries(sentences).map(([code, sentence]) => [code, namesIn(sentence)]);
    expect(valuesOf(notes)).toEqual(valuesOf(notesEn));
    expect(valuesOf(parts)).toEqual(valuesOf(partsEn));
  });
});

describe('a note in a language', () => {
  const worded = (sentence: string, words: NoteWords, locale: string) => {
    const read = readNote(sentence);
    return read && wordNote(read, words, locale);
  };

  it('has its parts, lists and numbers as the language writes them', () => {
    const stretched = note('SUBJECT_STRETCHED', { factor: '1.6' });
    expect(worded(stretched, notesDe, 'de')).toContain('1,6-fach');
    const held = note('HELD_BEFORE', { steps: 'sharpening and grain', levels: 1 });
    expect(worded(held, notesDe, 'de')).toContain('gehalten: Schärfen und Korn.');
    expect(worded(held, notesJa, 'ja')).toContain('シャープ、粒状感');
    const again = note('RUN_AGAIN', {
      ...{ next: part('THE_CPU'), device: 'CUDA', precision: 'fp16' },
      reason: part('DEVICE_LOST'),
    });
    expect(worded(again, notesPl, 'pl')).toBe(
      'Obliczono ponownie (procesor), bo CUDA zawiodło w fp16: sterownik się zatrzymał i uruchomił od nowa.',
    );
  });

  it('keeps a reason that is a sentence of its own', () => {
    const left = note('DEVICE_LEFT', { device: 'CUDA', reason: 'Its results were wrong.' });
    expect(worded(left, notesFr, 'fr')).toBe(
      'Le CPU a été utilisé au lieu de CUDA. Raison : Its results were wrong.',
    );
  });
});
