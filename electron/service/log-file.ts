/**
 * The log of a data folder is JSON lines in `logs/enlarger.log`, and what was before them in `enlarger.1.log`. It
 * holds no keys, signatures or pictures, and both together never take more than a few megabytes.
 */
import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../contract/log.ts';

const logFileBytes = 2 * 1024 * 1024;
const longestLine = 4096;

/** Writes JSON lines on standard error. */
export const standardError: Log = (level, message, fields) => {
  const line = JSON.stringify({ time: new Date().toISOString(), level, message, ...fields });
  process.stderr.write(`${line}\n`);
};

/** Writes each line to the file, and then to the other log. What cannot be written is left out. */
export function createLogFile(dataDir: string, other: Log, mostBytes = logFileBytes): Log {
  const folder = join(dataDir, 'logs');
  const file = join(folder, 'enlarger.log');
  const add = (line: string) => {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (sizeOf(file) + line.length > mostBytes) renameSync(file, join(folder, 'enlarger.1.log'));
      appendFileSync(file, line, { mode: 0o600 });
    } catch {
      // A full disk, or a folder that went away: the work goes on without its log.
    }
  };
  return (level, message, fields) => {
    const line = JSON.stringify({ time: new Date().toISOString(), level, message, ...fields });
    add(`${withoutSecrets(line).slice(0, longestLine)}\n`);
    other(level, message, fields);
  };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * These are keys as they are sent, made or stored, signatures of links, tokens of pages, passwords in addresses,
 * data.
 */
const secrets: [RegExp, string][] = [
  [/\b(KEY|Bearer|Basic)\s+[^\s"\\]+/gi, '$1 …'],
  [/([?&#](?:signature|token|key)=)[^&\s"\\]+/gi, '$1…'],
  [/(https?:\/\/)[^/\s"@]+@/gi, '$1…@'],
  [/data:[^\s"\\]{20,}/gi, 'data:…'],
  [/(?<![\w/.-])[A-Za-z0-9_-]{43,}(?![\w/-])/g, '…'],
];

export function withoutSecrets(text: string): string {
  return secrets.reduce((left, [secret, said]) => left.replace(secret, said), text);
}
