/** Which results a person should check before use. Pure. */
import { isComparisonNote } from '../../../electron/contract/comparison-notes.ts';
import type { TaskRecord } from '../../../electron/contract/task.ts';

export interface ReviewFacts {
  readonly phase: string;
  readonly record?: Pick<TaskRecord, 'grade' | 'notes' | 'mark'> | undefined;
}

/** Notes on a device that was not used, or on what was asked for, say nothing about the picture. */
export const isTechnical = (note: string): boolean =>
  note.includes('was left for the CPU') || isComparisonNote(note);

/** Notes on the picture. */
export const notesOf = (record: Pick<TaskRecord, 'notes'> | undefined): readonly string[] =>
  record?.notes.filter((note) => !isTechnical(note)) ?? [];

/** An unsure cut-out, or a result with notes, until a person accepts or rejects it. */
export function isToCheck({ phase, record }: ReviewFacts): boolean {
  if (phase !== 'FINISHED' || record === undefined || record.mark !== undefined) return false;
  return record.grade === 'look' || record.grade === 'poor' || notesOf(record).length > 0;
}
