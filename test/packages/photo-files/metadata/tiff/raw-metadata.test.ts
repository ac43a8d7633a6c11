import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { describeExif } from '../../../../../packages/photo-files/src/metadata/exif/describe-exif.ts';
import { readRawExif } from '../../../../../packages/photo-files/src/metadata/tiff/raw-metadata.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

function box(type: string, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
}

/** A TIFF with the maker alone. */
function tiffWithMake(make: string): Buffer {
  const tiff = Buffer.alloc(26 + make.length + 1);
  tiff.write('II*\0', 'latin1');
  tiff.writeUInt32LE(8, 4);
  tiff.writeUInt16LE(1, 8);
  tiff.writeUInt16LE(0x010f, 10);
  tiff.writeUInt16LE(2, 12);
  tiff.writeUInt32LE(make.length + 1, 14);
  tiff.writeUInt32LE(26, 18);
  tiff.write(make, 26, 'latin1');
  return tiff;
}

it('the EXIF of a CR3 is that of its boxes, also where another box names them', () => {
  const file = path.join(temporaryFolder(), 'photo.cr3');
  const names = box('CTBO', Buffer.from('CMT1CMT2'));
  const canon = box('uuid', Buffer.alloc(16), names, box('CMT1', tiffWithMake('Canon')));
  writeFileSync(file, Buffer.concat([box('ftyp', Buffer.from('crx ')), box('moov', canon)]));
  const model = readRawExif(file);
  expect(model && JSON.stringify(describeExif(model))).toContain('Canon');
});
