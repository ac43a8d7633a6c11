/** The sentence on how much of a cut-off picture arrived. Clients read the figures out of stored failures. */
import type { TaskFailure } from '../task.ts';

export interface RowsThere {
  rows: number;
  height: number;
}

export const rowsThere = (rows: number, height: number): string =>
  rows === 0
    ? `None of its ${height} rows is there`
    : `The first ${rows} of its ${height} rows ${rows === 1 ? 'is' : 'are'} there`;

/** Ends the sentence on a file whose head can be read. */
export const damagedWords = 'is damaged or cut short';

const sentence = /^(?:The first (\d+)|None) of its (\d+) rows (?:is|are) there/;

/** Returns undefined for other failures. */
export function readRowsThere({ code, message }: TaskFailure): RowsThere | undefined {
  const [, rows = '0', height] = (code === 'UNREADABLE_IMAGE' && sentence.exec(message)) || [];
  return height === undefined ? undefined : { rows: Number(rows), height: Number(height) };
}
