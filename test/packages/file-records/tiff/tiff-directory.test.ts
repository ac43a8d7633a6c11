import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withFileBytes } from '../../../../packages/file-records/src/tiff/tiff-directory.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

function readFrom(offset: number, length: number) {
  const path = join(temporaryFolder(), 'short.bin');
  writeFileSync(path, 'abcdef');
  return withFileBytes(path, (bytes) => bytes.read(offset, length));
}

it.each([
  [0, 2 ** 31 - 1, 'abcdef'],
  [4, 218_103_821, 'ef'],
  [6, 4, ''],
  [4_000_000_000, 4, ''],
])(
  'at %i, %i bytes that a file says it has take no more memory than it has',
  (at, length, text) => {
    const bytes = readFrom(at, length);
    expect(bytes.toString('latin1')).toBe(text);
    expect(bytes.buffer.byteLength).toBeLessThan(100_000);
  },
);
