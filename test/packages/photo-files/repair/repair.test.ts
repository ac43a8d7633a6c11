import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sharedTestEngine } from '../../../support/engine.ts';
import { asSharp, photo, readPixels } from '../../../support/images.ts';
import { tiffOf } from '../../../support/made-files.ts';
import { nearestNetwork } from '../../../support/networks-made.ts';
import { differenceOf } from '../../../support/pixels.ts';

const engine = sharedTestEngine();
afterAll(() => engine.close());
const enlarge = (sourcePath: string) =>
  engine.run({ sourcePath, passes: [nearestNetwork(join(engine.dir, 'networks'))], format: 'png' });
const enlargeBytes = async (file: Uint8Array) => enlarge(await engine.saved(file));

const encodeJpeg = (progressive: boolean) =>
  asSharp(photo(183, 121)).jpeg({ progressive, quality: 90 }).toBuffer();
const wholeJpeg = await encodeJpeg(false);
const progressiveJpeg = await encodeJpeg(true);

const inserted = (file: Buffer, at: number, ...bytes: number[]) =>
  Buffer.concat([file.subarray(0, at), Buffer.from(bytes), file.subarray(at)]);
const patched = (file: Buffer, at: number, byte: number) => {
  const copy = Buffer.from(file);
  copy[at] = byte;
  return copy;
};
const markerOf = (file: Buffer, code: number) => file.indexOf(Buffer.from([0xff, code]));

/** Each file has a fault of structure that real cameras, scanners or programs leave, and whole pixels. */
const faults: [name: string, file: Buffer][] = [
  [
    'a last coefficient of 0 in its scan (Samsung)',
    patched(wholeJpeg, markerOf(wholeJpeg, 0xda) + 12, 0),
  ],
  ['no end marker', wholeJpeg.subarray(0, -2)],
  ['half an end marker', wholeJpeg.subarray(0, -1)],
  ['stray zeros before its tables', inserted(wholeJpeg, markerOf(wholeJpeg, 0xdb), 0, 0, 0)],
  ['stray bytes before its scan', inserted(wholeJpeg, markerOf(wholeJpeg, 0xda), 1, 2, 3, 4, 5)],
  ['version 2 of JFIF', patchedJfif(2)],
  ['version 0 of JFIF', patchedJfif(0)],
];

function patchedJfif(version: number): Buffer {
  const segment = Buffer.from([0xff, 0xe0, 0, 16, ...Buffer.from('JFIF\0'), version, 1]);
  const rest = Buffer.from([1, 0, 72, 0, 72, 0, 0]);
  const hasOwn = markerOf(wholeJpeg, 0xe0) === 2;
  const body = hasOwn ? wholeJpeg.subarray(20) : wholeJpeg.subarray(2);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), segment, rest, body]);
}

describe('a JPEG whose pixels are whole', () => {
  it.each(faults)('is enlarged with a note, with %s', async (_, file) => {
    const expected = await readPixels((await enlargeBytes(wholeJpeg)).outputPath);
    const { outputPath, report } = await enlargeBytes(file);
    expect(differenceOf(await readPixels(outputPath), expected).most).toBe(0);
    expect(report.notes.join()).toContain('breaks the rules of its format');
  });

  it('is enlarged when it is progressive and lacks its end marker', async () => {
    const expected = await readPixels((await enlargeBytes(progressiveJpeg)).outputPath);
    const { outputPath } = await enlargeBytes(progressiveJpeg.subarray(0, -2));
    expect(differenceOf(await readPixels(outputPath), expected).most).toBe(0);
  });
});

describe('a JPEG that is damaged', () => {
  it('fails when it is cut, and says how many rows are there', async () => {
    const cut = wholeJpeg.subarray(0, wholeJpeg.length * 0.9);
    await expect(enlargeBytes(cut)).rejects.toMatchObject({
      code: 'UNREADABLE_IMAGE',
      message: expect.stringMatching(/The first \d+ of its 121 rows are there/) as string,
    });
  });

  it('fails when its last scan is missing', async () => {
    const lastScan = progressiveJpeg.lastIndexOf(Buffer.from([0xff, 0xda]));
    const lastTables = progressiveJpeg.lastIndexOf(Buffer.from([0xff, 0xc4]));
    const cut = progressiveJpeg.subarray(
      0,
      lastTables > 0 ? Math.min(lastScan, lastTables) : lastScan,
    );
    await expect(enlargeBytes(cut)).rejects.toMatchObject({ code: 'UNREADABLE_IMAGE' });
  });

  it('fails when much of the middle of its data is gone', async () => {
    const from = markerOf(wholeJpeg, 0xda) + 200;
    const gone = Buffer.concat([wholeJpeg.subarray(0, from), wholeJpeg.subarray(from + 2000)]);
    await expect(enlargeBytes(gone)).rejects.toMatchObject({ code: 'UNREADABLE_IMAGE' });
  });
});

describe('a TIFF', () => {
  const source = photo(61, 40);
  const sampleAt = (x: number, y: number, band: number) =>
    source.data[(y * 61 + x) * 3 + band] ?? 0;
  const whole = tiffOf(61, 40, sampleAt, { bits: 8, bands: 3, photometric: 2 });
  const directoryAt = whole.readUInt32LE(4);
  const entryAt = (tag: number) => {
    for (let at = directoryAt + 2; ; at += 12) if (whole.readUInt16LE(at) === tag) return at;
  };

  const exchanged = Buffer.from(whole);
  whole.copy(exchanged, directoryAt + 2, directoryAt + 14, directoryAt + 26);
  whole.copy(exchanged, directoryAt + 14, directoryAt + 2, directoryAt + 14);
  const looped = Buffer.from(whole);
  looped.writeUInt32LE(directoryAt, directoryAt + 2 + 12 * whole.readUInt16LE(directoryAt));
  const unsized = Buffer.from(whole);
  unsized.writeUInt32LE(0, entryAt(0x0117) + 8);

  it.each([
    ['entries out of order', exchanged],
    ['a directory that is followed by itself', looped],
    ['a strip without a size', unsized],
  ])('is enlarged with a note, with %s', async (_, file) => {
    const expected = await readPixels((await enlargeBytes(whole)).outputPath);
    const { outputPath, report } = await enlargeBytes(file);
    expect(differenceOf(await readPixels(outputPath), expected).most).toBe(0);
    expect(report.notes.join()).toContain('breaks the rules of its format');
  });
});
