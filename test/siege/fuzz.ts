/**
 * `npm run test:fuzz -- [--minutes 60] [--only onnx,EXIF] [--seed 1]`: reads files of strangers with their bytes
 * changed, for so many minutes each kind. A throw that is no refusal, an input that takes more than a second of
 * the processor, and one that holds more than 200 MB are failures; each is written into a file, to become a test.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import sharp from 'sharp';
import { Value } from 'typebox/value';
import { EnlargerError } from '../../packages/contract/src/errors.ts';
import { planName } from '../../packages/contract/src/naming.ts';
import { Strokes } from '../../packages/contract/src/options/strokes.ts';
import {
  commentsOf,
  readSegments,
  xmpOf,
} from '../../packages/photo-files/src/metadata/containers/jpeg-segments.ts';
import { readJxlMetadata } from '../../packages/photo-files/src/metadata/containers/jxl-boxes.ts';
import {
  iptcOf,
  readResources,
} from '../../packages/photo-files/src/metadata/containers/photoshop.ts';
import {
  checksumOf,
  chunksIn,
  readChunks,
  textOfChunk,
} from '../../packages/photo-files/src/metadata/containers/png-chunks.ts';
import { describeIptc, describeProfile } from '../../packages/photo-files/src/metadata/describe.ts';
import { describeExif } from '../../packages/photo-files/src/metadata/exif/describe-exif.ts';
import { readExifBlock } from '../../packages/photo-files/src/metadata/exif/read-exif.ts';
import { ofTiff } from '../../packages/photo-files/src/metadata/source-metadata.ts';
import { decodeFrames } from '../../packages/photo-files/src/animation/decode-frames.ts';
import { inspect } from '../../packages/photo-files/src/inspect.ts';
import { bytesInMemory } from '../../packages/file-records/src/tiff/tiff-directory.ts';
import { distancesTo, pathOf } from '../../packages/painting/src/brush-path.ts';
import { refusalOf, wholeModels, type Format } from '../support/hostile-models.ts';
import { apngOf } from '../support/animations.ts';
import { formSeeds, openFormReader } from './fuzz-forms.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    only: { type: 'string', default: '' },
    seed: { type: 'string', default: '1' },
  },
});
const limitMs = 1000;
const limitBytes = 200 * 1024 * 1024;

interface Target {
  seeds: readonly Uint8Array[];
  /** Makes a changed file one that is not refused at once. */
  complete?: (bytes: Buffer) => Buffer;
  /** Awaited. */
  read: (bytes: Buffer) => unknown;
}

const folder = mkdtempSync(path.join(tmpdir(), 'enlarger-fuzz-'));
const inFile =
  (read: (file: string) => unknown): Target['read'] =>
  async (bytes) => {
    const file = path.join(folder, 'input');
    writeFileSync(file, bytes);
    try {
      await read(file);
    } finally {
      // A file that is written over is flushed to the disk by ext4, for which the reader would wait most of the time.
      rmSync(file);
    }
  };

const picture = () =>
  sharp({ create: { width: 16, height: 16, channels: 3, background: '#579' } })
    .withExif({
      IFD0: { Copyright: 'Someone', ImageDescription: 'A field' },
      IFD3: { GPSLatitude: '51/1 30/1 3230/100' },
    })
    .withIccProfile('p3')
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF/></x:xmpmeta>');
const jpeg = await picture().jpeg().toBuffer();
const { exif = Buffer.alloc(0), icc = Buffer.alloc(0) } = await sharp(jpeg).metadata();
const box = (type: string, content: Buffer) => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
};
const jxl = Buffer.concat([
  box('JXL ', Buffer.from([0x0d, 0x0a, 0x87, 0x0a])),
  box('ftyp', Buffer.from('jxl \0\0\0\0jxl ')),
  box('Exif', Buffer.concat([Buffer.alloc(4), exif])),
  box('xml ', Buffer.from('<x:xmpmeta/>')),
  box('jxlc', Buffer.from([0xff, 0x0a, 0, 0])),
]);
const resources = Buffer.concat([
  Buffer.from('Photoshop 3.0\0', 'latin1'),
  Buffer.from('8BIM\x04\x04\0\0\0\0\0\x0b\x1c\x02\x05\0\x06titles\0', 'latin1'),
]);

const models = (format: Format): Target => ({
  seeds: wholeModels[format],
  read: (bytes) => refusalOf(format, bytes),
});

/** The name that a template gives: longer, or one that leads to another folder, is a fault. */
function nameBy(bytes: Buffer): string {
  const [template = '', sourceName = 'photo.jpg', model = ''] = bytes.toString('utf8').split('\n');
  const result = { sourceName, scale: 2, size: '8x12in', model, date: new Date(0), format: 'jpeg' };
  const name = planName(template, result, 3);
  if (name !== path.basename(name) || name === '..' || Buffer.byteLength(name) > 255)
    throw new Error(`The name is ${JSON.stringify(name)}.`);
  return name;
}

const square = { width: 1024, height: 1024 };

/** What a submit's strokes cover, where they are strokes. */
function coverBy(bytes: Buffer): unknown {
  let given: unknown;
  try {
    given = JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
  if (!Value.Check(Strokes, given)) return undefined;
  return given.map((stroke) =>
    distancesTo(pathOf(stroke, square, square), { x: 0, y: 0, ...square }),
  );
}

const frameSize = { width: 8, height: 6 };
const frames = [40, 120, 220].map((level) => Buffer.alloc(4 * 8 * 6, level));
const moving = () =>
  sharp(Buffer.concat(frames), {
    raw: { width: 8, height: 18, channels: 4, pageHeight: 6 },
  });
const apng = await apngOf({
  ...frameSize,
  plays: 0,
  frames: [
    { ...frameSize, pixels: frames[0]!, x: 0, y: 0, delayMs: 40 },
    {
      width: 4,
      height: 3,
      pixels: frames[1]!.subarray(0, 48),
      x: 2,
      y: 1,
      delayMs: 0,
      isOver: true,
    },
    { ...frameSize, pixels: frames[2]!, x: 0, y: 0, delayMs: 9, disposal: 'restore' },
  ],
});
/** So that a file that says large frames, and has them, is refused and not decoded for seconds. */
const limits = { sourcePixels: 1e6, resultPixels: 1e6 };

/** Inspects the file, and decodes its frames where all are read. */
async function readFrames(file: string): Promise<void> {
  const scratchDir = mkdtempSync(path.join(folder, 'frames-'));
  try {
    const inspected = await inspect(file, limits);
    if (inspected.info.frames === undefined) return;
    const output = { format: 'webp', bits: 8 } as const;
    await decodeFrames(file, inspected, scratchDir, output, new AbortController().signal);
  } catch (error) {
    if (!(error instanceof EnlargerError)) throw error;
  } finally {
    rmSync(scratchDir, { recursive: true });
  }
}

const animation = (seed: Buffer): Target => ({ seeds: [seed], read: inFile(readFrames) });

/** Libvips reads nothing of a chunk whose checksum is wrong. */
function withChecksums(png: Buffer): Buffer {
  for (const { at, length } of chunksIn(bytesInMemory(png)))
    if (at + length + 4 <= png.length)
      checksumOf(png.subarray(at - 4, at + length)).copy(png, at + length);
  return png;
}

const text = (...lines: string[]) => lines.map((line) => Buffer.from(line));

const targets: Record<string, Target> = {
  templates: {
    seeds: text(
      '{name}-{scale}x.{ext}\nsea.view.jpg\nnatural',
      '{date} {model} {n}\nCON.JPEG\nmine',
      '{{name}}/../{name}\n..\u202egpj.jpg\n\u{1f468}\u200d\u{1f469}',
    ),
    read: nameBy,
  },
  strokes: {
    seeds: text(
      JSON.stringify([
        {
          kind: 'keep',
          radius: 0.05,
          points: [
            [0.1, 0.2],
            [0.8, 0.9],
            [1.5, -0.5],
          ],
        },
        { kind: 'remove', radius: 0.25, hardness: 40, points: [[0.5, 0.5]] },
      ]),
    ),
    read: coverBy,
  },
  forms: { seeds: formSeeds, read: await openFormReader() },
  onnx: models('onnx'),
  ncnn: models('ncnn'),
  pth: models('pth'),
  safetensors: models('safetensors'),
  EXIF: {
    seeds: [exif],
    read: (bytes) => {
      const model = readExifBlock(bytes);
      return model && describeExif(model);
    },
  },
  TIFF: { seeds: [await picture().tiff().toBuffer()], read: inFile((file) => ofTiff(file)) },
  Photoshop: { seeds: [resources], read: (bytes) => iptcOf(readResources(bytes)) },
  IPTC: { seeds: [resources.subarray(26)], read: describeIptc },
  ICC: { seeds: [icc], read: describeProfile },
  PNG: {
    seeds: [await picture().png().toBuffer()],
    read: inFile((file) => readChunks(file).text.map((chunk) => textOfChunk(chunk, 65_536))),
  },
  JPEG: {
    seeds: [jpeg],
    read: inFile((file) => {
      const segments = readSegments(file);
      return [xmpOf(segments), commentsOf(segments)];
    }),
  },
  APNG: { ...animation(apng), complete: withChecksums },
  GIF: animation(
    await moving()
      .gif({ delay: [40, 0, 90], keepDuplicateFrames: true })
      .toBuffer(),
  ),
  WebP: animation(
    await moving()
      .webp({ delay: [40, 0, 90] })
      .toBuffer(),
  ),
  'JPEG XL': { seeds: [jxl], read: inFile((file) => readJxlMetadata(file)) },
};

type Edit = {
  kind: 'set' | 'insert' | 'cut' | 'copy';
  at: number;
  bytes: Uint8Array;
  length: number;
};

const telling = [0, 1, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff];
const wide = fc.constantFrom(...telling).chain((value) =>
  fc.constantFrom(1, 2, 4).map((width) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return new Uint8Array(width === 4 ? bytes : bytes.subarray(4 - width));
  }),
);
const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom<Edit['kind'][]>('set', 'set', 'set', 'insert', 'cut', 'copy'),
  at: fc.nat(),
  bytes: fc.oneof(wide, fc.uint8Array({ minLength: 1, maxLength: 8 })),
  length: fc.oneof(fc.nat(16), fc.nat(4096)),
});

function edited(seed: Uint8Array, edits: readonly Edit[]): Buffer {
  let bytes = Buffer.from(seed);
  for (const { kind, at: place, bytes: put, length } of edits) {
    const at = bytes.length === 0 ? 0 : place % bytes.length;
    const rest = bytes.subarray(at);
    if (kind === 'set') bytes.set(put.subarray(0, rest.length), at);
    else if (kind === 'insert') bytes = Buffer.concat([bytes.subarray(0, at), put, rest]);
    else if (kind === 'cut') bytes = Buffer.concat([bytes.subarray(0, at), rest.subarray(length)]);
    else bytes = Buffer.concat([bytes.subarray(0, at), rest.subarray(0, length), rest]);
  }
  return bytes;
}

async function assertQuick(read: Target['read'], bytes: Buffer): Promise<void> {
  const before = process.cpuUsage();
  const heldBefore = held();
  const peakBefore = peak();
  await read(bytes);
  const { user } = process.cpuUsage(before);
  const grown = Math.max(held() - heldBefore, peak() - peakBefore);
  if (user / 1000 > limitMs) throw new Error(`It took ${Math.round(user / 1000)} ms.`);
  if (grown > limitBytes) throw new Error(`It held ${Math.round(grown / 2 ** 20)} MB.`);
}

function held(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Bytes of the process at its highest, so that what is freed again counts as well. */
function peak(): number {
  return process.resourceUsage().maxRSS * 1024;
}

const only = values.only === '' ? Object.keys(targets) : values.only.split(',');
let failures = 0;
console.log('| reader | inputs | processor minutes | outcome |\n|---|---:|---:|---|');
for (const [name, { seeds, read, complete = (bytes: Buffer) => bytes }] of Object.entries(
  targets,
)) {
  if (!only.includes(name)) continue;
  let inputs = 0;
  const before = process.cpuUsage();
  const input = fc.tuple(
    fc.constantFrom(...seeds),
    fc.array(edit, { minLength: 1, maxLength: 12 }),
  );
  const property = fc.asyncProperty(input, async ([seed, edits]) => {
    inputs += 1;
    await assertQuick(read, complete(edited(seed, edits)));
  });
  const found = await fc.check(property, {
    seed: Number(values.seed),
    numRuns: Number.MAX_SAFE_INTEGER,
    // Its plugin has no type that a property of values takes.
    // oxlint-disable-next-line typescript/no-deprecated
    interruptAfterTimeLimit: Number(values.minutes) * 60_000,
  });
  const { user, system } = process.cpuUsage(before);
  const spent = ((user + system) / 60e6).toFixed(1);
  const example = found.counterexample?.[0];
  if (example === undefined) {
    console.log(`| ${name} | ${inputs} | ${spent} | nothing found |`);
    continue;
  }
  failures += 1;
  const file = path.join(folder, `${name.replace(' ', '-')}.bin`);
  writeFileSync(file, complete(edited(...example)));
  const { errorInstance } = found;
  const reason = errorInstance instanceof Error ? errorInstance.stack : String(errorInstance);
  console.log(`| ${name} | ${inputs} | ${spent} | FAILED, ${file} |\n${reason}`);
}
process.exitCode = failures > 0 ? 1 : 0;
