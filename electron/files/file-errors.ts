/** Says in sentences for people why the file system refused. */
import { EnlargerError } from '../contract/errors.ts';
import { faultOf, isFaultOfFiles } from '../contract/faults.ts';

/** Of these codes more can be said than what happened. */
const sentences: Record<string, string> = {
  EACCES: 'you have no right to write there.',
  ENOENT: 'there is no such folder or file, or none can be made there.',
  ENOSPC: 'the disk is full. Free some space, or choose another folder.',
  EDQUOT: 'your share of the disk is used up. Free some space, or choose another folder.',
};

/** Says why a file call failed, as the end of a sentence in which the caller says what failed. */
export const sentenceOf = (thrown: unknown): string =>
  sentences[codeOf(thrown)] ?? `${faultOf(thrown)}.`;

/** Tells whether the file system threw the error. */
export const isFileProblem = (thrown: unknown): boolean => isFaultOfFiles(codeOf(thrown));

export const hasCode = (thrown: unknown, codes: readonly string[]): boolean =>
  codes.includes(codeOf(thrown));

export const isDiskFull = (thrown: unknown): boolean => hasCode(thrown, ['ENOSPC', 'EDQUOT']);

/** Turns the system's error of a full disk into STORAGE_FULL. Any other error stays as it is. */
export const asStorageFull = (cause: unknown): unknown =>
  isDiskFull(cause)
    ? new EnlargerError('STORAGE_FULL', 'The disk is full; make room and try again.', { cause })
    : cause;

const codeOf = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
