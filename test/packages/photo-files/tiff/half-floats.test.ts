/** TIFFs with floats of 16 bits are read as those of 32 are: as linear light. */
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { numberOfHalf } from '../../../../packages/photo-files/src/tiff/half-floats.ts';
import { sharedTestEngine } from '../../../support/engine.ts';
import { asSharp, readPixels, type Pixels } from '../../../support/images.ts';
import { nearestNetwork } from '../../../support/networks-made.ts';

const engine = sharedTestEngine();
afterAll(() => engine.close());

const [width, height] = [16, 8];
/** Bits of binary16 that are 0, 0.25, 0.5 and 1. */
const halves = [0, 0x3400, 0x3800, 0x3c00];
const levels = [0, 137, 188, 255];

/** Such a TIFF: integers by sharp, whose SampleFormat is declared to be floats. */
async function halfTiff(channels: 1 | 3 | 4, compression: 'none' | 'deflate'): Promise<Buffer> {
  const data = Uint16Array.from({ length: width * height * channels }, (_, i) => halves[i % 4]!);
  const picture: Pixels = { width, height, channels, data };
  const file = await asSharp(picture).tiff({ compression, predictor: 'none' }).toBuffer();
  const directory = file.readUInt32LE(4);
  for (let i = 0; i < file.readUInt16LE(directory); i += 1) {
    const at = directory + 2 + 12 * i;
    if (file.readUInt16LE(at) !== 339) continue;
    const valuesAt = channels === 1 ? at + 8 : file.readUInt32LE(at + 8);
    for (let c = 0; c < channels; c += 1) file.writeUInt16LE(3, valuesAt + 2 * c);
    return file;
  }
  throw new Error('sharp wrote no SampleFormat');
}

describe('floats of 16 bits', () => {
  it.each([
    [1, 'none'],
    [3, 'none'],
    [3, 'deflate'],
  ] as const)('in a TIFF of %i channels, packed by %s, are linear light', async (channels, how) => {
    const sourcePath = await engine.saved(await halfTiff(channels, how));
    const passes = [nearestNetwork(join(engine.dir, 'networks'))];
    const { outputPath, report } = await engine.run({ sourcePath, passes, format: 'tiff' });
    const found = await readPixels(outputPath);
    expect(found.channels).toBe(channels);
    const row = Array.from({ length: 4 }, (_, i) => {
      // Pixels are doubled, and each value repeats after four samples.
      const [pixel, channel] = [Math.floor(i / channels), i % channels];
      return Math.round(found.data[2 * pixel * channels + channel]! / 257);
    });
    expect(row).toEqual(levels);
    expect(report.notes.join()).toContain('linear light');
  });

  it('that are multiplied with transparency are divided by it', async () => {
    const file = await halfTiff(4, 'none');
    const directory = file.readUInt32LE(4);
    for (let i = 0; i < file.readUInt16LE(directory); i += 1)
      if (file.readUInt16LE(directory + 2 + 12 * i) === 338)
        file.writeUInt16LE(1, directory + 2 + 12 * i + 8);
    // Each pixel is 0.25, 0, 0.5 and an alpha of 0.5.
    const at = file.indexOf(Buffer.from(Uint16Array.from(halves).buffer));
    for (let i = 0; i < width * height; i += 1)
      Buffer.from(Uint16Array.of(0x3400, 0, 0x3800, 0x3800).buffer).copy(file, at + 8 * i);
    const passes = [nearestNetwork(join(engine.dir, 'networks'))];
    const sourcePath = await engine.saved(file);
    const { outputPath, report } = await engine.run({ sourcePath, passes, format: 'tiff' });
    const found = await readPixels(outputPath);
    expect([...found.data.slice(0, 4)].map((value) => Math.round(value / 257))).toEqual([
      ...[188, 0, 255, 128],
    ]);
    expect(report.notes.join()).toContain('multiplied with its transparency');
  });

  it('are read by their bits', () => {
    const bits = [0x3555, 0x0001, 0x7bff, 0xc000, 0x7c00, 0x7e00];
    expect(bits.map(numberOfHalf)).toEqual([0.333251953125, 2 ** -24, 65_504, -2, Infinity, NaN]);
  });
});
