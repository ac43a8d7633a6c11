/**
 * Log of a data folder: JSON lines in `logs/enlarger.log`, older ones in `enlarger.1.log`; together a few
 * megabytes at most. No keys, signatures or pictures.
 */
import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../packages/contract/src/log.ts';

const logFileBytes = 2 * 1024 * 1024;
const maxLineLength = 4096;

/** Log on standard error, as JSON lines. */
export const standardError: Log = (level, message, fields) => {
  const line = JSON.stringify({ time: new Date().toISOString(), level, message, ...fields });
  process.stderr.write(`${line}\n`);
};

/** Appends each line to the file and passes it to the other log. Write errors are ignored. */
export function createLogFile(dataDir: string, other: Log, maxBytes = logFileBytes): Log {
  const folder = join(dataDir, 'logs');
  const file = join(folder, 'enlarger.log');
  const add = (line: string) => {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (sizeOf(file) + line.length > maxBytes) renameSync(file, join(folder, 'enlarger.1.log'));
      appendFileSync(file, line, { mode: 0o600 });
    } catch {
      // Full disk or missing folder: work continues without its log.
    }
  };
  return (level, message, fields) => {
    const line = JSON.stringify({ time: new Date().toISOString(), level, message, ...fields });
    add(`${withoutSecrets(line).slice(0, maxLineLength)}\n`);
    other(level, message, fields);
  };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Keys, signatures of links, page tokens, passwords in URLs, data URLs. */
const secrets: [RegExp, string][] = [
  [/\b(KEY|Bearer|Basic)\s+[^\s"\\]+/gi, '$1 …'],
  [/([?&#](?:signature|token|key)=)[^&\s"\\]+/gi, '$1…'],
  [/(https?:\/\/)[^/\s"@]+@/gi, '$1…@'],
  [/data:[^\s"\\]{20,}/gi, 'data:…'],
  [/(?<![\w/.-])[A-Za-z0-9_-]{43,}(?![\w/-])/g, '…'],
];

export function withoutSecrets(text: string): string {
  return secrets.reduce(
    (masked, [secret, replacement]) => masked.replace(secret, replacement),
    text,
  );
}
