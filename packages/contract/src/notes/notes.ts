/**
 * Notes on results and models: written as English sentences, which stores, messages and clients hold, and read back
 * as code and values, from which they are worded in other languages.
 */
import { notesEn, partsEn, type NoteCode, type PartCode } from './en.ts';
import { fill, partNames, place, type ReadNote } from './word-note.ts';

type ValuesIn<Sentence extends string> = Sentence extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ValuesIn<Rest>
  : never;
type ValuesOf<Sentence extends string> = Readonly<Record<ValuesIn<Sentence>, string | number>>;
type NoteValues<Sentence extends string> = [ValuesIn<Sentence>] extends [never]
  ? []
  : [values: ValuesOf<Sentence>];

/** Words a note in English. */
export const note = <Code extends NoteCode>(
  code: Code,
  ...[values]: NoteValues<(typeof notesEn)[Code]>
): string => fill(notesEn[code], values ?? {});

/** Words a part of a note in English. */
export const part = <Code extends PartCode>(
  code: Code,
  ...[values]: NoteValues<(typeof partsEn)[Code]>
): string => fill(partsEn[code], values ?? {});

/** Reads a note back. Returns undefined for another sentence, of another version for example. */
export function readNote(sentence: string): ReadNote | undefined {
  const found = readAmong(notePatterns, sentence);
  if (!found) return undefined;
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(found.values)) {
    const parts = partNames.has(name) ? readParts(value) : undefined;
    Object.assign(values, ...(parts ?? []).map((one) => one.values));
    values[name] = parts?.map(({ code }) => code).join(' ') ?? value;
  }
  return { code: found.code, values };
}

function readParts(
  value: string,
): { code: PartCode; values: Record<string, string> }[] | undefined {
  const whole = readAmong(partPatterns, value);
  if (whole) return [whole];
  const parts = value.split(/, | and /).map((item) => readAmong(partPatterns, item));
  return parts.every((found) => found !== undefined) ? parts : undefined;
}

type Patterns<Code> = readonly (readonly [code: Code, pattern: RegExp])[];

function patternsOf<Code extends string>(
  sentences: Readonly<Record<Code, string>>,
): Patterns<Code> {
  return (Object.entries(sentences) as [Code, string][]).map(([code, sentence]) => {
    const escaped = sentence.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`);
    return [code, new RegExp(`^${escaped.replaceAll(place, '(?<$1>.+)')}$`, 's')];
  });
}

function readAmong<Code>(
  patterns: Patterns<Code>,
  sentence: string,
): { code: Code; values: Record<string, string> } | undefined {
  for (const [code, pattern] of patterns) {
    const match = pattern.exec(sentence);
    if (match) return { code, values: { ...match.groups } };
  }
  return undefined;
}

const notePatterns = patternsOf<NoteCode>(notesEn);
const partPatterns = patternsOf<PartCode>(partsEn);
