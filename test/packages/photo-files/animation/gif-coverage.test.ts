/** What no frame of a GIF covers is transparent, as browsers show it. */
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { sharedTestEngine } from '../../../support/engine.ts';
import { asSharp, photo, readPixels } from '../../../support/images.ts';
import { nearestNetwork } from '../../../support/networks-made.ts';

const engine = sharedTestEngine();
afterAll(() => engine.close());

/** A GIF whose frames have no transparent colour. */
function withoutTransparency(file: Buffer): Buffer {
  const opaque = Buffer.from(file);
  for (let at = opaque.indexOf('21f904', 0, 'hex'); at > 0;) {
    opaque[at + 3] = (opaque[at + 3] ?? 0) & 0xfe;
    at = opaque.indexOf('21f904', at + 3, 'hex');
  }
  return opaque;
}

/** The frames of 20 x 12 at 5, 3 of a canvas of 30 x 20. */
async function smallOnCanvas(frames: number): Promise<Buffer> {
  const { data } = photo(20, 12 * frames);
  const picture = sharp(data, {
    raw: { width: 20, height: 12 * frames, channels: 3, pageHeight: 12 },
  });
  const file = await picture.gif({ keepDuplicateFrames: true, interFrameMaxError: 0 }).toBuffer();
  file.writeUInt16LE(30, 6);
  file.writeUInt16LE(20, 8);
  // An image descriptor: at the left, at the top, and its size.
  for (let at = file.indexOf('2c00000000', 0, 'hex'); at > 0;) {
    file.writeUInt16LE(5, at + 1);
    file.writeUInt16LE(3, at + 3);
    at = file.indexOf('2c00000000', at + 5, 'hex');
  }
  return withoutTransparency(file);
}

describe('a GIF whose frame is smaller than its canvas', () => {
  it('is transparent around it', async () => {
    const { outputPath, report } = await engine.run({
      sourcePath: await engine.saved(await smallOnCanvas(1)),
      passes: [nearestNetwork(engine.dir)],
    });
    expect(report.output).toMatchObject({ format: 'png', width: 60, height: 40, channels: 4 });
    const { data } = await readPixels(outputPath);
    const alphaAt = (x: number, y: number) => data[(y * 60 + x) * 4 + 3];
    expect([alphaAt(0, 0), alphaAt(6, 20), alphaAt(54, 20), alphaAt(30, 34)]).toEqual([0, 0, 0, 0]);
    expect([alphaAt(12, 8), alphaAt(30, 20), alphaAt(48, 28)]).toEqual([255, 255, 255]);
  });

  it('stays so where it moves', async () => {
    const { outputPath, report } = await engine.run({
      sourcePath: await engine.saved(await smallOnCanvas(3)),
      passes: [nearestNetwork(engine.dir)],
      format: 'webp',
      formatChosen: true,
    });
    expect(report.output).toMatchObject({ frames: 3, width: 60, height: 40 });
    for (const page of [0, 2]) {
      const { data, info } = await sharp(outputPath, { page })
        .raw()
        .toBuffer({ resolveWithObject: true });
      expect(info.channels).toBe(4);
      const alphaAt = (x: number, y: number) => data[(y * 60 + x) * 4 + 3];
      expect([alphaAt(0, 0), alphaAt(30, 20), alphaAt(55, 38)]).toEqual([0, 255, 0]);
    }
  });

  it('is opaque where the frame covers all of it', async () => {
    const { report } = await engine.run({
      sourcePath: await engine.saved(
        withoutTransparency(await asSharp(photo(20, 12)).gif().toBuffer()),
      ),
      passes: [nearestNetwork(engine.dir)],
    });
    expect(report.output).toMatchObject({ format: 'png', channels: 3 });
  });
});
