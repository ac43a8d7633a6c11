/** Photos with HDR gain maps, as phones and editors write them, and libultrahdr as their reader. */
import { execFileSync } from 'node:child_process';
import { boxesIn } from '../../packages/file-records/src/iso-boxes.ts';
import { readHeifItems } from '../../packages/file-records/src/heif-items.ts';
import { bytesInMemory } from '../../packages/file-records/src/tiff/tiff-directory.ts';

const segment = (marker: number, ...parts: (string | Buffer)[]): Buffer => {
  const payload = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
  );
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(payload.length + 2, 2);
  return Buffer.concat([head, payload]);
};

const withSegments = (jpeg: Buffer, ...segments: Buffer[]): Buffer =>
  Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);

export const packet = (properties: string, inside = '') =>
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" xmlns:HDRGainMap="http://ns.apple.com/HDRGainMap/1.0/" ${properties}>${inside}</rdf:Description></rdf:RDF></x:xmpmeta>`;

/** Segment of a gain map's parameters as XMP. */
export const xmpSegment = (xmp: string) => segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0', xmp);

/** Fractions of ISO 21496-1 over 1000, behind flags. */
export function isoParameters(flags: number, ...values: number[]): Buffer {
  const bytes = Buffer.alloc(5 + 8 * values.length);
  bytes[4] = flags;
  for (const [i, value] of values.entries()) {
    bytes.writeInt32BE(Math.round(value * 1000), 5 + 8 * i);
    bytes.writeUInt32BE(1000, 9 + 8 * i);
  }
  return bytes;
}

export const isoSegment = (parameters: Buffer) =>
  segment(0xe2, 'urn:iso:std:iso:ts:21496:-1\0', parameters);

/** A base picture and its map in one JPEG, with an index in the byte order of Samsung's. */
export function withMap(base: Buffer, map: Buffer, ...mapSegments: Buffer[]): Buffer {
  const whole = withSegments(map, ...mapSegments);
  const version = packet('hdrgm:Version="1.0"');
  const index = Buffer.alloc(82);
  index.write('II*\0', 'latin1');
  index.writeUInt32LE(8, 4);
  index.writeUInt16LE(1, 8);
  index.writeUInt16LE(0xb002, 10);
  index.writeUInt16LE(7, 12);
  index.writeUInt32LE(32, 14);
  index.writeUInt32LE(50, 18);
  const front = xmpSegment(version);
  const primaryBytes = base.length + front.length + 8 + index.length;
  index.writeUInt32LE(primaryBytes, 54);
  index.writeUInt32LE(whole.length, 70);
  index.writeUInt32LE(primaryBytes - (2 + front.length + 8), 74);
  return Buffer.concat([withSegments(base, front, segment(0xe2, 'MPF\0', index)), whole]);
}

const box = (type: string, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
};

const words = (size: 1 | 2 | 4, ...values: number[]) => {
  const bytes = Buffer.alloc(size * values.length);
  for (const [i, value] of values.entries()) bytes.writeUIntBE(value, i * size, size);
  return bytes;
};

const fullBox = (type: string, version: number, ...parts: Buffer[]) =>
  box(type, words(4, version * 2 ** 24), ...parts);

/** The picture of an AVIF by sharp or a HEIC by heif-enc, with its properties. */
function pictureOf(file: Buffer) {
  const bytes = bytesInMemory(file);
  const items = readHeifItems(bytes)!;
  const inside = (parent: { at: number; end: number }, type: string, skip = 0) =>
    boxesIn(bytes, parent.at + skip, parent.end, 100).find((one) => one.type === type)!;
  const meta = inside({ at: 0, end: file.length }, 'meta');
  const list = inside(inside(meta, 'iprp', 4), 'ipco');
  const properties = boxesIn(bytes, list.at, list.end, 100).map(({ at, end }) =>
    file.subarray(at - 8, end),
  );
  return { properties, data: items.content(items.primaryId)! };
}

/**
 * A base picture and its map in one AVIF or HEIC: Apple's auxiliary picture, or the derived picture of ISO 21496-1.
 *
 * @param derived parameters of ISO 21496-1; absent: Apple's, with XMP
 */
export function heifWithMap(
  baseFile: Buffer,
  mapFile: Buffer,
  description: { derived: Buffer } | { xmp: string },
): Buffer {
  const [base, map] = [pictureOf(baseFile), pictureOf(mapFile)];
  const isApple = 'xmp' in description;
  const isAvif = baseFile.includes('av01');
  const coding = isAvif ? 'av01' : 'hvc1';
  const further = isApple
    ? Buffer.from(description.xmp)
    : Buffer.concat([Buffer.from([0]), description.derived]);
  const auxiliary = fullBox(
    'auxC',
    0,
    Buffer.from('urn:com:apple:photo:2020:aux:hdrgainmap\0', 'latin1'),
  );
  const properties = [...base.properties, ...map.properties, ...(isApple ? [auxiliary] : [])];
  const indices = (from: number, count: number) =>
    Buffer.concat([
      words(1, count),
      words(1, ...Array.from({ length: count }, (_, i) => from + i)),
    ]);
  const ofMap = map.properties.length + (isApple ? 1 : 0);
  const entry = (id: number, type: string, flags: number, tail = '') =>
    box(
      'infe',
      words(4, 2 * 2 ** 24 + flags),
      words(2, id, 0),
      Buffer.from(`${type}\0${tail}`, 'latin1'),
    );
  const data = [base.data, map.data, further];
  const meta = (dataAt: number) =>
    fullBox(
      'meta',
      0,
      fullBox('hdlr', 0, Buffer.from('\0\0\0\0pict\0\0\0\0\0\0\0\0\0\0\0\0\0', 'latin1')),
      fullBox('pitm', 0, words(2, 1)),
      fullBox(
        'iinf',
        0,
        words(2, 3),
        entry(1, coding, 0),
        entry(2, coding, 1),
        isApple ? entry(3, 'mime', 1, 'application/rdf+xml\0') : entry(3, 'tmap', 0),
      ),
      fullBox(
        'iref',
        0,
        ...(isApple
          ? [box('auxl', words(2, 2, 1, 1)), box('cdsc', words(2, 3, 1, 2))]
          : [box('dimg', words(2, 3, 2, 1, 2))]),
      ),
      box(
        'iprp',
        box('ipco', ...properties),
        fullBox(
          'ipma',
          0,
          words(4, 2),
          ...[words(2, 1), indices(1, base.properties.length)],
          ...[words(2, 2), indices(1 + base.properties.length, ofMap)],
        ),
      ),
      fullBox(
        'iloc',
        0,
        Buffer.from([0x44, 0x00]),
        words(2, 3),
        ...data.flatMap((part, i) => [
          words(2, i + 1, 0, 1),
          words(
            4,
            dataAt + data.slice(0, i).reduce((sum, one) => sum + one.length, 0),
            part.length,
          ),
        ]),
      ),
    );
  const brand = box(
    'ftyp',
    Buffer.from(isAvif ? 'avif\0\0\0\0avifmif1' : 'heic\0\0\0\0heicmif1', 'latin1'),
  );
  const dataAt = brand.length + meta(0).length + 8;
  return Buffer.concat([brand, meta(dataAt), box('mdat', ...data)]);
}

/** A process of its own: the engine's libvips loads no Ultra HDR. */
const reader = `
const sharp = require('sharp');
(async () => {
  const picture = sharp(process.argv[1]);
  const { gainMap } = await picture.metadata();
  if (!gainMap) return console.log('null');
  const { data, info } = await picture.withGainMap().toColourspace('scrgb').raw({ depth: 'float' })
    .toBuffer({ resolveWithObject: true });
  const map = await sharp(gainMap.image).metadata();
  const light = [...new Float32Array(data.buffer, data.byteOffset, data.length / 4)];
  console.log(JSON.stringify({ ...info, light, map: { width: map.width, height: map.height, channels: map.channels } }));
})();
`;

export interface HdrPicture {
  width: number;
  height: number;
  channels: number;
  /** Linear light, 1 is white of an ordinary screen. */
  light: number[];
  map: { width: number; height: number; channels: number };
}

/** What libultrahdr reads of a JPEG at full headroom; null if it finds no gain map. */
export const readHdr = (path: string): HdrPicture | null =>
  JSON.parse(
    execFileSync(process.execPath, ['-e', reader, path], {
      cwd: import.meta.dirname,
      maxBuffer: 256 * 1024 * 1024,
    }).toString(),
  ) as HdrPicture | null;
