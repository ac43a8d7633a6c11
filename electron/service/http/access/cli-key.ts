/** The key file that the command line and headless mode read: made at the first start, for its user only. */
import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { hasCode } from '../../../files/file-errors.ts';

/** 256 random bits: nothing to guess, so guesses need not be counted. */
export function newKey(): string {
  return `enl_${randomBytes(32).toString('base64url')}`;
}

const keyForm = /^enl_[A-Za-z0-9_-]{43}$/;

/** The key in the file, or a new one when there is no file or no key in it. A reader never sees half a key. */
export function openCliKey(file: string): string {
  const known = readKey(file);
  if (known !== undefined) {
    chmodSync(file, 0o600);
    return known;
  }
  const fresh = `${file}.${randomUUID()}`;
  const key = newKey();
  writeFileSync(fresh, `${key}\n`, { mode: 0o600, flag: 'wx', flush: true });
  renameSync(fresh, file);
  return key;
}

function readKey(file: string): string | undefined {
  try {
    const text = readFileSync(file, 'utf8').trim();
    return keyForm.test(text) ? text : undefined;
  } catch (error) {
    if (hasCode(error, ['ENOENT'])) return undefined;
    throw error;
  }
}
