/** Sentences for errors of the file system. */
import { EnlargerError } from '../../contract/src/errors.ts';
import { fileReasons, reasonOf, isFileErrorCode } from '../../contract/src/error-messages.ts';

/** Codes with advice. */
const sentences: Record<string, string> = {
  EACCES: 'you have no right to write there.',
  ENOENT: 'there is no such folder or file, or none can be made there.',
  ENOSPC: 'the disk is full. Free some space, or choose another folder.',
  EDQUOT: 'your share of the disk is used up. Free some space, or choose another folder.',
};

/** All that `sentenceOf` says of errors of the file system. */
export const fileSentences: ReadonlySet<string> = new Set([
  ...Object.values(sentences),
  ...Object.values(fileReasons).map((reason) => `${reason}.`),
]);

/** Reason of a failed file call, as the end of a sentence. */
export const sentenceOf = (thrown: unknown): string =>
  sentences[codeOf(thrown)] ?? `${reasonOf(thrown)}.`;

/** True for errors of the file system. */
export const isFileProblem = (thrown: unknown): boolean => isFileErrorCode(codeOf(thrown));

export const hasCode = (thrown: unknown, codes: readonly string[]): boolean =>
  codes.includes(codeOf(thrown));

export const isDiskFull = (thrown: unknown): boolean => hasCode(thrown, ['ENOSPC', 'EDQUOT']);

/** STORAGE_FULL for a full disk; other errors are returned unchanged. */
export const asStorageFull = (cause: unknown): unknown =>
  isDiskFull(cause)
    ? new EnlargerError('STORAGE_FULL', 'The disk is full; make room and try again.', { cause })
    : cause;

const codeOf = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
