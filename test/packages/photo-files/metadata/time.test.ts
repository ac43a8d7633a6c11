/**
 * Reading metadata takes time that is linear in a file's size, whatever it holds: a second for a megabyte.
 */
import { deflateSync } from 'node:zlib';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRawProfile } from '../../../../packages/photo-files/src/metadata/containers/photoshop.ts';
import { xmpOfGif } from '../../../../packages/photo-files/src/metadata/containers/gif-blocks.ts';
import { readJxlMetadata } from '../../../../packages/photo-files/src/metadata/containers/jxl-boxes.ts';
import { textOfChunk } from '../../../../packages/photo-files/src/metadata/containers/png-chunks.ts';
import { describeIptc } from '../../../../packages/photo-files/src/metadata/describe.ts';
import { withoutInstructions } from '../../../../packages/photo-files/src/metadata/linear-text.ts';
import { Xmp } from '../../../../packages/photo-files/src/metadata/xmp/xmp.ts';
import { jxlOfBoxes } from '../../../support/jxl-boxes.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const size = 1_000_000;
const maxMs = 1000;
const fill = (part: string, bytes = size) => part.repeat(Math.floor(bytes / part.length));

/** Measures the processor's time of this thread, in which other programs do not count. */
function costMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

const packetOf = (inside: string, attributes = '') =>
  Buffer.from(
    `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:a="u" ${attributes}>${inside}</rdf:Description></rdf:RDF></x:xmpmeta>`,
  );

function useXmp(packet: Buffer): void {
  const xmp = Xmp.read(packet);
  if (!xmp) return;
  xmp.describe();
  xmp.remove((_, name) => name === 'gps');
  xmp.write();
}

const nested = (open: string, close: string, bytes: number) => {
  const times = Math.floor(bytes / (open.length + close.length));
  return open.repeat(times) + close.repeat(times);
};

describe('a megabyte of anything', () => {
  it.each([
    ['zeros before an end', Buffer.from(`${packetOf('').toString()}${fill('\0')}x`)],
    ['instructions without end', Buffer.from(fill('<?xml '))],
    ['instructions with one end', Buffer.from(`${fill('<?xpacket')}>`)],
    ['elements', packetOf(fill('<a:b/>', 220_000))],
    ['nested elements', packetOf(nested('<a:b>', '</a:b>', 210_000))],
    [
      'nested packets',
      packetOf(nested('<rdf:RDF><rdf:Description>', '</rdf:Description></rdf:RDF>', 900_000)),
    ],
    ['more elements than are read', packetOf(fill('<a:b/>'))],
    ['attributes', packetOf('', Array.from({ length: 35_000 }, (_, i) => `a:b${i}="1"`).join(' '))],
    ['entities', packetOf(fill('&amp;'))],
    ['blanks in a tag', packetOf(`<a${fill(' ')}`)],
  ])('of XMP: %s', (_, packet) => {
    expect(costMs(() => useXmp(packet))).toBeLessThan(maxMs);
  });

  it.each([
    ['blanks', fill(' ')],
    ['lines', fill('\n')],
    ['words', `a${fill(' \n')}`],
    ['digits and blanks', `a\n${fill('1 ')}`],
    ['hex that ends wrong', `iptc\n5\n${fill('00 ')}!`],
  ])('of a raw profile in a PNG: %s', (_, text) => {
    expect(costMs(() => readRawProfile(text))).toBeLessThan(maxMs);
  });

  it('of keywords in IPTC', () => {
    const one = Buffer.from([0x1c, 2, 25, 0, 1, 0x61]);
    const data = Buffer.alloc(size - (size % one.length), one);
    expect(costMs(() => describeIptc(data))).toBeLessThan(maxMs);
  });

  it('of sub-blocks of one byte in a GIF', () => {
    const file = join(temporaryFolder(), 'a.gif');
    const head = Buffer.from('GIF89a\x08\0\x06\0\0\0\0\x21\xfe', 'latin1');
    writeFileSync(file, Buffer.concat([head, Buffer.from(fill('\x01a')), Buffer.from([0, 0x3b])]));
    // With a read for each it took 1.4 s.
    expect(costMs(() => xmpOfGif(file))).toBeLessThan(maxMs / 3);
  });

  it('of frames of one pixel in a GIF', () => {
    const file = join(temporaryFolder(), 'a.gif');
    const head = Buffer.from('GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1');
    const frame = ',\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0';
    writeFileSync(file, Buffer.concat([head, Buffer.from(fill(frame), 'latin1')]));
    // With a read of 64 kB for each it took 1.1 s.
    expect(costMs(() => xmpOfGif(file))).toBeLessThan(maxMs / 3);
  });

  it('of packed boxes in a JPEG XL', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'a.jxl'), jxlOfBoxes(400));
    expect(costMs(() => readJxlMetadata(join(folder, 'a.jxl')))).toBeLessThan(maxMs);
  });

  it('of packed text in a PNG', () => {
    const data = Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(4 * 1024 ** 2))]);
    const chunks = Array.from({ length: Math.floor(size / data.length) }, () => ({
      type: 'zTXt',
      data,
    }));
    const read = () => chunks.forEach((chunk) => textOfChunk(chunk, 64 * 1024));
    expect(costMs(read)).toBeLessThan(maxMs);
  });

  it('made of any few words again and again', () => {
    const words = [
      '<',
      '>',
      '<?',
      '?>',
      '<?xml',
      '<a:b>',
      '</a:b>',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '&',
      ';',
      '"',
      '=',
      ' ',
      '\n',
      '\0',
      '00',
      'a',
    ];
    const parts = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(parts, (some) => {
        const text = fill(some.join(''), size / 5);
        const cost = costMs(() => {
          useXmp(Buffer.from(text));
          useXmp(packetOf(text));
          readRawProfile(text);
          readRawProfile(`a\n${text}`);
        });
        return cost < maxMs;
      }),
      { numRuns: 40 },
    );
  });
});

describe('processing instructions', () => {
  it('go by name, and nothing else does', () => {
    const names = ['xpacket', 'xml'];
    expect(withoutInstructions('<?xpacket a?>b<?xml c?>d<?other e?>f', names)).toBe(
      'bd<?other e?>f',
    );
    expect(withoutInstructions('a<?xml b>c<?xml', names)).toBe('a<?xml b>c<?xml');
  });
});
