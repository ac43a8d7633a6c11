/** What the file system says, in words for people. */
import { faultOf } from '../contract/faults.ts';

const sentences: Record<string, string> = {
  EACCES: 'you have no right to write there.',
  EPERM: 'the system does not allow it.',
  EROFS: 'the disk can only be read.',
  ENOSPC: 'the disk is full. Free some space, or choose another folder with --out.',
  EDQUOT:
    'your share of the disk is used up. Free some space, or choose another folder with --out.',
  ENOENT: 'there is no such folder or file, or none can be made there.',
  ENOTDIR: 'a part of the path is a file and no folder.',
  EISDIR: 'it is a folder and no file.',
  ENAMETOOLONG: 'the name is too long for this disk.',
  EMFILE: 'too many files are open. Close other programs and try again.',
  EIO: 'the disk does not answer. Look whether it is still connected.',
  ELOOP: 'its links lead round in circles.',
};

/** A sentence without its beginning: what happened stands before it. */
export function sentenceOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (error instanceof SyntaxError) return 'it is no JSON.';
  const own = error instanceof Error && code === '' ? error.message : `${faultOf(error)}.`;
  return sentences[code] ?? own;
}

/** Whether it is the file system that speaks. */
export const isFileProblem = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code) in sentences;
