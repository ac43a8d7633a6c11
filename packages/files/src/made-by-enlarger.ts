/** Detects pictures made by Enlarger by EXIF Software or the last event of the XMP history. */
import { open } from 'node:fs/promises';
import { markedParts, saysMadeByEnlarger } from '../../contract/src/result-names.ts';
import { bytesAt } from './bytes-at.ts';

/** False for an unreadable file. */
export async function isMadeByEnlarger(file: string): Promise<boolean> {
  return saysMadeByEnlarger(await endsOf(file).catch(() => ''));
}

async function endsOf(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const parts = markedParts(size).map(({ at, length }) => bytesAt(file, at, length));
    return Buffer.concat(await Promise.all(parts)).toString('latin1');
  } finally {
    await file.close();
  }
}
