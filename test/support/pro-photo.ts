/** The colour space that Lightroom hands files over in, as an ICC profile: ICC.1:2001-04, ISO 22028-2. */
import { spaces } from './delta-e.ts';

/** Of ICC's white, D50. */
const white = [0.9642, 1, 0.8249] as const;

/** ROMM RGB (ProPhoto) with a matrix and a gamma of 1.8. */
export function proPhotoProfile(): Buffer {
  const columns = [0, 1, 2].map((column) => spaces.ProPhoto.toXyz.map((row) => row[column]!));
  const curve = tagOf('curv', Buffer.from([0, 0, 0, 1, 0x01, 0xcd]));
  return profileOf([
    ['desc', descriptionTag('ProPhoto RGB')],
    ['cprt', tagOf('text', Buffer.from('CC0\0'))],
    ['wtpt', xyzTag(white)],
    ['rXYZ', xyzTag(columns[0]!)],
    ['gXYZ', xyzTag(columns[1]!)],
    ['bXYZ', xyzTag(columns[2]!)],
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
  ]);
}

function profileOf(tags: readonly (readonly [name: string, bytes: Buffer])[]): Buffer {
  const head = Buffer.alloc(128);
  head.writeUInt32BE(0x02400000, 8);
  head.write('mntrRGB XYZ ', 12, 'latin1');
  head.write('acsp', 36, 'latin1');
  xyzTag(white).copy(head, 68, 8);
  const table = Buffer.alloc(4 + 12 * tags.length);
  table.writeUInt32BE(tags.length);
  let at = head.length + table.length;
  for (const [i, [name, bytes]] of tags.entries()) {
    table.write(name, 4 + 12 * i, 'latin1');
    table.writeUInt32BE(at, 8 + 12 * i);
    table.writeUInt32BE(bytes.length, 12 + 12 * i);
    at += bytes.length;
  }
  head.writeUInt32BE(at);
  return Buffer.concat([head, table, ...tags.map(([, bytes]) => bytes)]);
}

/** Tags begin at multiples of four bytes. */
function tagOf(type: string, bytes: Buffer): Buffer {
  const length = 8 + Math.ceil(bytes.length / 4) * 4;
  return Buffer.concat([Buffer.from(`${type}\0\0\0\0`, 'latin1'), bytes], length);
}

function xyzTag(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(12);
  for (const [i, value] of values.entries()) bytes.writeInt32BE(Math.round(value * 65_536), 4 * i);
  return tagOf('XYZ ', bytes);
}

function descriptionTag(words: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(words.length + 1);
  return tagOf('desc', Buffer.concat([length, Buffer.from(`${words}\0`), Buffer.alloc(78)]));
}
