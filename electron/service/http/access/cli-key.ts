/**
 * Keeps the key file that the command line and headless mode read. It is made at the first start, and only
 * its user may read it.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { hasCode } from '../../../files/file-errors.ts';

/** Makes a key of 256 random bits. Nobody can guess it, so failed tries need not be counted. */
export function newKey(): string {
  return `enl_${randomBytes(32).toString('base64url')}`;
}

const keyForm = /^enl_[A-Za-z0-9_-]{43}$/;

/** Answers the key in the file, or writes a new one when there is none. A reader never sees half a key. */
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
