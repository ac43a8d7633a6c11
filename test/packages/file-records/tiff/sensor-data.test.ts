/** RAW files that are no TIFF: known by their first bytes, and only whole ones are developed. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatOf } from '../../../../packages/photo-files/src/sniff.ts';
import { isCompleteRaw } from '../../../../packages/file-records/src/tiff/sensor-data.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const folder = temporaryFolder();

/** Canon's heap: header, data, a directory of one entry, and its offset. */
function crw(): Buffer {
  const file = Buffer.alloc(26 + 100 + 12 + 4);
  file.write('II\x1a\0\0\0HEAPCCDR', 'latin1');
  file.writeUInt16LE(1, 126);
  file.writeUInt32LE(100, file.length - 4);
  return file;
}

/** Minolta's header with a sensor of 40 x 30 pixels in 12 bits, and its pixels. */
function mrw(): Buffer {
  const headerBytes = 48;
  const file = Buffer.alloc(headerBytes + (40 * 30 * 12) / 8);
  file.write('\0MRM', 'latin1');
  file.writeUInt32BE(headerBytes - 8, 4);
  file.write('\0PRD', 8, 'latin1');
  file.writeUInt16BE(30, 24);
  file.writeUInt16BE(40, 26);
  file[32] = 12;
  return file;
}

/** Sigma's file: header, data, directory, and its offset. */
function x3f(): Buffer {
  const file = Buffer.alloc(200);
  file.write('FOVb', 'latin1');
  file.write('SECd', 180, 'latin1');
  file.writeUInt32LE(180, file.length - 4);
  return file;
}

describe.each([
  ['CRW', crw()],
  ['MRW', mrw()],
  ['X3F', x3f()],
])('a %s', (name, file) => {
  const isWhole = (bytes: Buffer) => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    return isCompleteRaw(path);
  };

  it('is known as camera RAW', () => {
    expect(formatOf(file)).toBe('raw');
  });

  it('is whole to its last byte, and cut short without it', () => {
    expect(isWhole(file)).toBe(true);
    for (const bytes of [1, 5, 40, file.length - 20])
      expect(isWhole(file.subarray(0, file.length - bytes)), `${bytes} bytes less`).toBe(false);
  });
});
