/** Which results a person should check before use. Pure. */
import type { TaskRecord } from '../../../electron/contract/task.ts';

export interface ReviewFacts {
  readonly phase: string;
  readonly record?: Pick<TaskRecord, 'grade' | 'notes' | 'mark'> | undefined;
}

/** Notes on a device that was not used say nothing about the picture. */
export const isOfDevice = (note: string): boolean => note.includes('was left for the CPU');

/** Notes on the picture. */
export const notesOf = (record: Pick<TaskRecord, 'notes'> | undefined): readonly string[] =>
  record?.notes.filter((note) => !isOfDevice(note)) ?? [];

const doubts = { good: 0, look: 2, poor: 4 };

/** How unsure a result is, for sorting: by its grade, then by whether there are notes on it. */
export const doubtOf = (record: ReviewFacts['record']): number =>
  doubts[record?.grade ?? 'good'] + Math.min(1, notesOf(record).length);

/** An unsure cut-out, or a result with notes, until a person accepts or rejects it. */
export function isToCheck({ phase, record }: ReviewFacts): boolean {
  if (phase !== 'FINISHED' || record === undefined || record.mark !== undefined) return false;
  return record.grade === 'look' || record.grade === 'poor' || notesOf(record).length > 0;
}
