/** Which results a person should check before use. Pure. */
import type { NoteCode } from '../../../packages/contract/src/notes/en.ts';
import type { ReadNote } from '../../../packages/contract/src/notes/word-note.ts';
import type { TaskRecord } from '../../../packages/contract/src/task.ts';

type Notes = Pick<TaskRecord, 'notes' | 'noteCodes'>;

export interface ReviewFacts {
  readonly phase: string;
  readonly record?: (Notes & Pick<TaskRecord, 'grade' | 'mark'>) | undefined;
}

export interface ResultNote {
  /** In English. */
  sentence: string;
  read?: ReadNote | undefined;
}

/** Codes of notes on devices, or on what was asked for, which say nothing about the picture. */
const technicalCodes: ReadonlySet<string> = new Set<NoteCode>([
  'DEVICE_LEFT',
  'COMPARED_BEFORE',
  'HELD_BEFORE',
]);

const allNotes = (record: Notes | undefined): readonly ResultNote[] =>
  (record?.notes ?? []).map((sentence, index) => ({ sentence, read: record?.noteCodes?.[index] }));

const isTechnical = ({ read }: ResultNote): boolean =>
  read !== undefined && technicalCodes.has(read.code);

/** Notes on the picture. */
export const notesOf = (record: Notes | undefined): readonly ResultNote[] =>
  allNotes(record).filter((note) => !isTechnical(note));

export const technicalNotesOf = (record: Notes | undefined): readonly ResultNote[] =>
  allNotes(record).filter(isTechnical);

/** An unsure cut-out, or a result with notes, until a person accepts or rejects it. */
export function isToCheck({ phase, record }: ReviewFacts): boolean {
  if (phase !== 'FINISHED' || record === undefined || record.mark !== undefined) return false;
  return record.grade === 'look' || record.grade === 'poor' || notesOf(record).length > 0;
}
