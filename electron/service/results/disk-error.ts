/** What the file system's refusals mean to a person. */
import { faultOf } from '../../contract/faults.ts';

export function isDiskFull(thrown: unknown): boolean {
  return hasCode(thrown, ['ENOSPC', 'EDQUOT']);
}

/** A sentence for people, for an error that a file call threw. */
export function sentenceOf(thrown: unknown): string {
  if (hasCode(thrown, ['EACCES', 'EPERM'])) return 'it may not be written to.';
  if (hasCode(thrown, ['EROFS'])) return 'it is read-only.';
  if (hasCode(thrown, ['ENOENT', 'ENOTDIR'])) return 'it is not there (any more).';
  if (hasCode(thrown, ['ENAMETOOLONG'])) return 'the name is too long.';
  return `${faultOf(thrown)}.`;
}

export function hasCode(thrown: unknown, codes: readonly string[]): boolean {
  return thrown instanceof Error && 'code' in thrown && codes.includes(String(thrown.code));
}
