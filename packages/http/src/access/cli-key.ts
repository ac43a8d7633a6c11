/**
 * The key file of the command line and headless mode, created at the first start, readable by its user only.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { hasCode } from '../../../files/src/file-errors.ts';

/** 256 random bits, so that failed attempts need no counting. */
export function newKey(): string {
  return `enl_${randomBytes(32).toString('base64url')}`;
}

const keyForm = /^enl_[A-Za-z0-9_-]{43}$/;

/** Returns the key, creating the file if needed. Written by rename, so readers never see half a key. */
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
