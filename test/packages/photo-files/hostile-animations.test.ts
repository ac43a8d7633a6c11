/** Animated PNGs that lie about their frames are refused before a frame is decoded, in little time and memory. */
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import {
  pngChunkBytes,
  type PngChunk,
} from '../../../packages/photo-files/src/metadata/containers/png-chunks.ts';
import { readApng } from '../../../packages/photo-files/src/metadata/containers/apng-chunks.ts';
import { decodeFrames } from '../../../packages/photo-files/src/animation/decode-frames.ts';
import { inspect } from '../../../packages/photo-files/src/inspect.ts';
import { bytesInMemory } from '../../../packages/file-records/src/tiff/tiff-directory.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const [width, height] = [8, 6];
const limits = { sourcePixels: 400e6, resultPixels: 16e9 };

const words = (...values: number[]) => {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, i) => bytes.writeUInt32BE(value, 4 * i));
  return bytes;
};
const header = (wide: number, high: number): PngChunk => ({
  type: 'IHDR',
  data: Buffer.concat([words(wide, high), Buffer.from([8, 6, 0, 0, 0])]),
});
const control = (number: number, wide: number, high: number): PngChunk => ({
  type: 'fcTL',
  data: Buffer.concat([words(number, wide, high, 0, 0), Buffer.from([0, 1, 0, 10, 0, 0])]),
});
const pixels = (wide: number, high: number) => deflateSync(Buffer.alloc(high * (1 + 4 * wide)));
const numbered = (number: number, data: Buffer): PngChunk => ({
  type: 'fdAT',
  data: Buffer.concat([words(number), data]),
});

/** Of two frames; `between` stands behind the pixels of the first. */
function apngOf({
  second = [width, height],
  between = [],
  data = pixels(...second),
}: {
  second?: [width: number, height: number];
  between?: PngChunk[];
  data?: Buffer;
}): Buffer {
  const chunks: PngChunk[] = [
    header(width, height),
    { type: 'acTL', data: words(2, 0) },
    control(0, width, height),
    { type: 'IDAT', data: pixels(width, height) },
    ...between,
    control(1, ...second),
    numbered(2, data),
    { type: 'IEND', data: Buffer.alloc(0) },
  ];
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, ...chunks.map(pngChunkBytes)]);
}

async function framesOf(bytes: Buffer) {
  const folder = temporaryFolder();
  const file = join(folder, 'a.png');
  writeFileSync(file, bytes);
  const scratch = mkdtempSync(join(folder, 'scratch-'));
  const inspected = await inspect(file, limits);
  expect(inspected.info).toMatchObject({ width, height, frames: 2 });
  const { signal } = new AbortController();
  const decoded = await decodeFrames(file, inspected, scratch, { format: 'png', bits: 16 }, signal);
  return { decoded, written: readdirSync(scratch) };
}

it('two frames that are as they say are decoded', async () => {
  expect(await framesOf(apngOf({}))).toMatchObject({ decoded: { frames: 2 } });
});

it('a second header, behind the first pixels, makes no frame larger than the picture', async () => {
  const bytes = apngOf({ second: [2000, 2000], between: [header(2000, 2000)] });
  expect(await framesOf(bytes)).toEqual({ decoded: undefined, written: [] });
});

it('a frame of more bytes than its pixels can take is not read into memory', async () => {
  const bytes = apngOf({ data: Buffer.alloc(200_000) });
  expect(await framesOf(bytes)).toEqual({ decoded: undefined, written: [] });
});

it.each(['sBIT', 'PLTE', 'tRNS'])('a second %s ends the reading', (type) => {
  const one = { type, data: Buffer.alloc(3) };
  expect(() => readApng(bytesInMemory(apngOf({ between: [one] })))).not.toThrow();
  expect(() => readApng(bytesInMemory(apngOf({ between: [one, one] })))).toThrow(
    `Expected one ${type}`,
  );
});
