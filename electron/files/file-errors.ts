/** What the file system's refusals mean to a person. */
import { EnlargerError } from '../contract/errors.ts';
import { faultOf, isFaultOfFiles } from '../contract/faults.ts';

/** Where more can be said than what happened. */
const sentences: Record<string, string> = {
  EACCES: 'you have no right to write there.',
  ENOENT: 'there is no such folder or file, or none can be made there.',
  ENOSPC: 'the disk is full. Free some space, or choose another folder.',
  EDQUOT: 'your share of the disk is used up. Free some space, or choose another folder.',
};

/** A sentence without its beginning, for an error that a file call threw: what happened stands before it. */
export const sentenceOf = (thrown: unknown): string =>
  sentences[codeOf(thrown)] ?? `${faultOf(thrown)}.`;

/** Whether it is the file system that speaks. */
export const isFileProblem = (thrown: unknown): boolean => isFaultOfFiles(codeOf(thrown));

export const hasCode = (thrown: unknown, codes: readonly string[]): boolean =>
  codes.includes(codeOf(thrown));

export const isDiskFull = (thrown: unknown): boolean => hasCode(thrown, ['ENOSPC', 'EDQUOT']);

/** STORAGE_FULL in place of the system's own; anything else as it is. */
export const asStorageFull = (cause: unknown): unknown =>
  isDiskFull(cause)
    ? new EnlargerError('STORAGE_FULL', 'The disk is full; make room and try again.', { cause })
    : cause;

const codeOf = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
