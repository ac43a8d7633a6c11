/** Photos of many makers' cameras: upright, with make and model, and the maker's own notes readable. */
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import {
  bytesInMemory,
  openLayout,
  readDirectory,
} from '../../../../packages/file-records/src/tiff/tiff-directory.ts';
import { sharedTestEngine } from '../../../support/engine.ts';
import {
  countOfNote,
  makers,
  photoOfMaker,
  ratioOfNote,
  textOfNote,
  valuesOfNote,
  type Maker,
} from '../../../support/maker-notes.ts';
import { nearestNetwork } from '../../../support/networks-made.ts';

const engine = sharedTestEngine();
afterAll(() => engine.close());

/** Bytes from a file's TIFF header on, and where its MakerNote lies in them. */
async function noteIn(picture: Buffer) {
  const { format, exif = Buffer.alloc(0), width, height } = await sharp(picture).metadata();
  const isNamed = exif.toString('latin1', 0, 6) === 'Exif\0\0';
  const bytes = format === 'tiff' ? picture : exif.subarray(isNamed ? 6 : 0);
  const layout = openLayout(bytesInMemory(bytes))!;
  const valueOf = (directory: number, wanted: number) => {
    const { entries } = readDirectory(layout, directory);
    return entries.find(({ tag }) => tag === wanted)!.valueAt;
  };
  const pointerAt = valueOf(layout.firstDirectory, 0x8769);
  const exifAt = layout.littleEndian
    ? bytes.readUInt32LE(pointerAt)
    : bytes.readUInt32BE(pointerAt);
  return { bytes, noteAt: valueOf(exifAt, 0x927c), size: { width, height } };
}

const whole = { text: textOfNote, count: countOfNote, ratio: [...ratioOfNote] };
const named = makers.map((maker): [string, Maker] => [`${maker.make} ${maker.model}`, maker]);

describe('a photo of a camera', () => {
  it('is generated for thirty makers and more', () => {
    expect(
      new Set(makers.map(({ make }) => make.split(/[ ,]/)[0]!.toLowerCase())).size,
    ).toBeGreaterThanOrEqual(30);
  });

  describe.each(named)('%s', (_, maker) => {
    /** In a TIFF the note moves, and what counts from the file's header has to follow. */
    it.each(['jpeg', 'tiff'] as const)('has its notes as %s', async (format) => {
      const photo = await photoOfMaker(maker);
      const before = await noteIn(photo);
      expect(valuesOfNote(maker, before.bytes, before.noteAt)).toEqual(whole);
      const { outputPath } = await engine.run({
        ...{ format, history: 'Enlarger 1.2.3', passes: [nearestNetwork(engine.dir)] },
        sourcePath: await engine.saved(photo),
      });
      const after = await noteIn(readFileSync(outputPath));
      expect(after.size).toEqual({ width: 80, height: 120 });
      expect(valuesOfNote(maker, after.bytes, after.noteAt)).toEqual(whole);
      const text = after.bytes.toString('latin1');
      expect(text).toContain(`${maker.make}\0`);
      expect(text).toContain(`${maker.model}\0`);
    });
  });
});
