/** What a photo's file holds beside its picture: named in a note, or kept. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { jpegSegment } from '../../../../packages/photo-files/src/metadata/containers/jpeg-segments.ts';
import {
  jpegPayloadsOf,
  resourceOfIptc,
  writeRawProfile,
  writeResources,
  type ImageResource,
} from '../../../../packages/photo-files/src/metadata/containers/photoshop.ts';
import {
  packedText,
  pngChunkBytes,
} from '../../../../packages/photo-files/src/metadata/containers/png-chunks.ts';
import { pictureIndex } from '../../../../packages/photo-files/src/metadata/containers/multi-picture.ts';
import { sharedTestEngine, type JobOptions } from '../../../support/engine.ts';
import { hasExiftool, readTags, withoutExiftool } from '../../../support/exiftool.ts';
import { asSharp, photo, withAlpha } from '../../../support/images.ts';
import { nearestNetwork } from '../../../support/networks-made.ts';

const engine = sharedTestEngine();
afterAll(() => engine.close());

const source = photo(64, 48);
const jpeg = () => asSharp(source).jpeg({ quality: 95 }).toBuffer();
const enlarge = async (file: Buffer, options: Partial<JobOptions> = {}) =>
  engine.run({
    sourcePath: await engine.saved(file),
    passes: [nearestNetwork(join(engine.dir, 'networks'))],
    format: 'jpeg',
    formatChosen: true,
    ...options,
  });

const words = (...values: number[]) => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [i, value] of values.entries()) bytes.writeUInt32LE(value, 4 * i);
  return bytes;
};

/** Samsung's appended blocks, here one, and their list. */
function samsungTrailer(type: number, name: string): Buffer {
  const block = Buffer.concat([words(type << 16, name.length), Buffer.from(`${name}content`)]);
  const list = Buffer.concat([
    Buffer.from('SEFH'),
    words(101, 1, type << 16, block.length, block.length),
  ]);
  return Buffer.concat([block, list, words(list.length), Buffer.from('SEFT')]);
}
const footerOf = (text: string, length: number) => {
  const bytes = Buffer.alloc(length);
  bytes.write(text, 'latin1');
  return bytes;
};

const film = 'Its film (a motion photo) was left out.';
const trailers: [string, Buffer, string][] = [
  ["Samsung's film", samsungTrailer(0x0a30, 'MotionPhoto_Data'), film],
  ["Samsung's depth", samsungTrailer(0x0ab1, 'DualShot_Depth'), "What Samsung's camera appended"],
  [
    "Samsung's list beyond the file",
    Buffer.concat([words(40_000), Buffer.from('SEFT')]),
    "What Samsung's camera appended",
  ],
  ["Huawei's film", Buffer.from(`film${'LIVE_8912345'.padEnd(20)}`), film],
  ["Canon's recipe", footerOf('CANON OPTIONAL DATA\0', 64), 'recipe of Canon'],
  ["Photo Mechanic's tags", Buffer.from('tags....cbipcbbl'), 'Photo Mechanic'],
  [
    "FotoStation's records",
    Buffer.concat([footerOf('records', 12), Buffer.from([0xa1, 0xb2, 0xc3, 0xd4])]),
    'FotoStation',
  ],
  ['an archive program', Buffer.from('AXS!\0\0\0\x01\0\0\0\0'), 'AFCP'],
];

describe('a note names what was left out', () => {
  it.each(trailers)('of %s behind the picture', async (_, trailer, sentence) => {
    const { report } = await enlarge(Buffer.concat([await jpeg(), trailer]));
    const found = report.notes.filter((note) => note.includes('left out'));
    expect(found).toEqual([expect.stringContaining(sentence)]);
  });

  it('and nothing of a photo without further parts', async () => {
    const { report } = await enlarge(await jpeg());
    expect(report.notes.join()).not.toMatch(/left out|was taken/);
  });

  it('of the second view of a camera with two lenses', async () => {
    const [first, second] = [await jpeg(), await asSharp(source).negate().jpeg().toBuffer()];
    const head = Buffer.from('MPF\0');
    const indexed = (index: Buffer) =>
      Buffer.concat([
        first.subarray(0, 2),
        jpegSegment(0xe2, Buffer.concat([head, index])),
        first.subarray(2),
      ]);
    const size = indexed(pictureIndex(0, 0, 0)).length;
    const index = pictureIndex(size, second.length, 10);
    // The types of both: one of two eyes' views.
    const listAt = index.length - 32;
    index.writeUInt32BE(0x2002_0002, listAt);
    index.writeUInt32BE(0x02_0002, listAt + 16);
    const { report } = await enlarge(Buffer.concat([indexed(index), second]));
    expect(report.notes).toContain('The first of 2 pictures in the file was taken.');
  });

  it('of the depth map of an AVIF or HEIC', async () => {
    const file = await asSharp(withAlpha(source, 20)).avif().toBuffer();
    const type = file.indexOf('auxiliary:alpha');
    file.write('auxiliary:depth', type, 'latin1');
    const { report } = await enlarge(file);
    expect(report.notes).toContain('Its depth map was left out.');
  });
});

/** The head of a C2PA manifest: a JUMBF box with its description. */
const manifest = Buffer.concat([
  Buffer.from([0, 0, 0, 38]),
  Buffer.from('jumb', 'latin1'),
  Buffer.from([0, 0, 0, 30]),
  Buffer.from('jumdc2pa\0\x11\0\x10\x80\0\0\xaa\0\x38\x9b\x71\x03c2pa\0', 'latin1'),
]);
const box = (type: string, ...parts: Buffer[]) => {
  const content = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
};
const after = (file: Buffer, at: number, ...parts: Buffer[]) =>
  Buffer.concat([file.subarray(0, at), ...parts, file.subarray(at)]);

/** Content Credentials where each format has them. */
const credentials: [format: string, file: () => Promise<Buffer>][] = [
  [
    'JPEG',
    async () => {
      const head = Buffer.from([0x4a, 0x50, 0, 1, 0, 0, 0, 1]);
      return after(await jpeg(), 2, jpegSegment(0xeb, Buffer.concat([head, manifest])));
    },
  ],
  [
    'PNG',
    async () => {
      const file = await asSharp(source).png().toBuffer();
      return after(file, 33, pngChunkBytes({ type: 'caBX', data: manifest }));
    },
  ],
  [
    'WebP',
    async () => {
      const file = asSharp(source).webp().withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>');
      const bytes = await file.toBuffer();
      const size = Buffer.alloc(4);
      size.writeUInt32LE(manifest.length);
      const chunk = Buffer.concat([Buffer.from('C2PA'), size, manifest]);
      bytes.writeUInt32LE(bytes.length - 8 + chunk.length, 4);
      return Buffer.concat([bytes, chunk]);
    },
  ],
  [
    'AVIF',
    async () => {
      const id = Buffer.from('d8fec3d61b0e483c92975828877ec481', 'hex');
      return Buffer.concat([await asSharp(source).avif().toBuffer(), box('uuid', id, manifest)]);
    },
  ],
  [
    'JPEG XL',
    async () => {
      const { outputPath } = await enlarge(await jpeg(), { format: 'jxl' });
      const file = readFileSync(outputPath);
      const boxed = file.includes('ftypjxl ')
        ? file
        : Buffer.concat([
            Buffer.from('0000000c4a584c200d0a870a', 'hex'),
            box('ftyp', Buffer.from('jxl \0\0\0\0jxl ', 'latin1')),
            box('jxlc', file),
          ]);
      return Buffer.concat([boxed, manifest]);
    },
  ],
];

describe('Content Credentials', () => {
  it.each(credentials)('of a %s are left out with a note', async (_, file) => {
    const { outputPath, report } = await enlarge(await file());
    expect(report.notes.join()).toContain('Content Credentials (C2PA) were left out');
    expect(readFileSync(outputPath).includes('c2pa')).toBe(false);
  });

  it.skipIf(!hasExiftool)(
    `that are kept elsewhere are not pointed to${hasExiftool ? '' : ` (${withoutExiftool})`}`,
    async () => {
      const packet =
        '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:dc="http://purl.org/dc/elements/1.1/" dcterms:provenance="https://example.org/manifest" dc:format="image/jpeg"/></rdf:RDF></x:xmpmeta>';
      const file = await asSharp(source).jpeg().withXmp(packet).toBuffer();
      const tags = await readTags((await enlarge(file)).outputPath);
      expect(tags).toMatchObject({ 'XMP-dc:Format': 'image/jpeg' });
      expect(JSON.stringify(tags)).not.toContain('example.org');
    },
  );
});

const iptcOfCity = (city: string) => {
  const head = Buffer.from([0x1c, 2, 90, 0, city.length]);
  return resourceOfIptc(Buffer.concat([head, Buffer.from(city, 'latin1')]));
};
/** A path of Photoshop. */
const path: ImageResource = { id: 2000, name: Buffer.alloc(2), data: Buffer.alloc(90_000, 1) };

async function withSegments(...payloads: Buffer[]): Promise<Buffer> {
  const file = await jpeg();
  const segments = payloads.map((payload) => jpegSegment(0xed, payload));
  return Buffer.concat([file.subarray(0, 2), ...segments, file.subarray(2)]);
}

describe.skipIf(!hasExiftool)(
  `Photoshop's resources${hasExiftool ? '' : ` (${withoutExiftool})`}`,
  () => {
    it('of more than one segment are kept whole, with the IPTC in the second', async () => {
      const payloads = jpegPayloadsOf([path, iptcOfCity('Zug')], 65_533);
      expect(payloads).toHaveLength(2);
      const { outputPath } = await enlarge(await withSegments(...payloads));
      expect(await readTags(outputPath)).toMatchObject({ 'IPTC:City': 'Zug' });
      expect((await sharp(outputPath).metadata()).width).toBe(128);
    });

    it('in two blocks are kept both', async () => {
      const blocks = ['Zug', 'Bern'].flatMap((city) => jpegPayloadsOf([iptcOfCity(city)], 65_533));
      const { outputPath } = await enlarge(await withSegments(...blocks));
      const tags = await readTags(outputPath);
      expect([tags['IPTC:City'], tags['IPTC2:City']]).toEqual(['Zug', 'Bern']);
    });
  },
);

/** Text of ImageMagick and older programs, in the chunk that they write it in. */
async function pngWithProfiles(...profiles: [name: string, bytes: Buffer][]): Promise<Buffer> {
  const file = await asSharp(source).png().toBuffer();
  const chunks = profiles.map(([name, bytes]) =>
    pngChunkBytes(packedText(`Raw profile type ${name}`, writeRawProfile(name, bytes))),
  );
  return Buffer.concat([file.subarray(0, 33), ...chunks, file.subarray(33)]);
}

describe.skipIf(!hasExiftool)(
  `profiles in a PNG's text${hasExiftool ? '' : ` (${withoutExiftool})`}`,
  () => {
    const packet = Buffer.from(
      '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" photoshop:City="Chur"/></rdf:RDF></x:xmpmeta>',
    );
    const exif = async () => {
      const file = await asSharp(source)
        .withExif({ IFD0: { Make: 'Maker' } })
        .jpeg()
        .toBuffer();
      return (await sharp(file).metadata()).exif!;
    };
    const xmpHead = Buffer.from('http://ns.adobe.com/xap/1.0/\0');
    const iptc = iptcOfCity('Zug').data;

    it.each([
      [
        'exif, xmp and iptc',
        async () => [
          ['exif', await exif()],
          ['xmp', packet],
          ['iptc', iptc],
        ],
      ],
      [
        'the segments of a JPEG',
        async () => [
          ['APP1', Buffer.concat([xmpHead, packet])],
          ['APP1', await exif()],
          ['8bim', writeResources([resourceOfIptc(iptc)])],
        ],
      ],
    ] as [string, () => Promise<[string, Buffer][]>][])('are kept: %s', async (_, profiles) => {
      const { outputPath } = await enlarge(await pngWithProfiles(...(await profiles())));
      expect(await readTags(outputPath)).toMatchObject({
        'IFD0:Make': 'Maker',
        'XMP-photoshop:City': 'Chur',
        'IPTC:City': 'Zug',
      });
    });
  },
);
