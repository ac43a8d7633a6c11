import type { TaskRecord } from '../../../packages/contract/src/task.ts';
import { gradeText, noteText } from '../../text/damage-text.ts';
import { text } from '../../text/text.ts';
import { notesOf } from './to-check.ts';

/** Why a person should check a result, in one line. */
export const checkReason = (record: Pick<TaskRecord, 'grade' | 'notes' | 'noteCodes'>): string =>
  gradeText(record.grade) ??
  text.notesCheck(
    notesOf(record)
      .map((note) => noteText(note) ?? note.sentence)
      .join(' '),
  );
