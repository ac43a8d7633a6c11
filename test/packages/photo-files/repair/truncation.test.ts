/** What lacks a part of its data fails, and says how much is there, in every format. */
import { afterAll, describe, expect, it } from 'vitest';
import sharp, { type Sharp } from 'sharp';
import { apngOf } from '../../../support/animations.ts';
import { sharedTestEngine } from '../../../support/engine.ts';
import { asSharp, photo } from '../../../support/images.ts';
import { nearestNetwork } from '../../../support/networks-made.ts';

const engine = sharedTestEngine();
afterAll(() => engine.close());
const enlarge = async (file: Uint8Array, format: 'same' | 'png' | 'jpeg' = 'same') =>
  engine.run({
    sourcePath: await engine.saved(file),
    passes: [nearestNetwork(engine.dir)],
    format,
  });
const share = (file: Buffer, part: number) => file.subarray(0, Math.floor(file.length * part));
const refusal = (message: RegExp) => ({
  code: 'UNREADABLE_IMAGE',
  message: expect.stringMatching(message) as string,
});

const stills: [name: string, encode: (picture: Sharp) => Sharp, message: RegExp][] = [
  ['PNG', (p) => p.png(), /The first \d+ of its 121 rows are there: the PNG of 183 x 121 pixels/],
  ['grey PNG', (p) => p.greyscale().png(), /The first \d+ of its 121 rows are there/],
  ['GIF', (p) => p.gif(), /The first \d+ of its 121 rows are there/],
  ['WebP', (p) => p.webp(), /The first 89 % of its bytes are there/],
  ['AVIF', (p) => p.avif(), /The first 89 % of its bytes are there/],
  ['TIFF', (p) => p.tiff({ compression: 'none' }), /begins like a TIFF but cannot be read/],
];
const rounded = (message: RegExp) => new RegExp(message.source.replace('89', '(89|90)'));

describe('a picture of which a tenth of the bytes is missing', () => {
  it.each(stills)('fails as %s and says how much is there', async (_, encode, message) => {
    const whole = await encode(asSharp(photo(183, 121))).toBuffer();
    await expect(enlarge(share(whole, 0.9))).rejects.toMatchObject(refusal(rounded(message)));
    const { report } = await enlarge(whole);
    expect(report.notes.join()).not.toMatch(/end marker|are there/);
  });
});

const [width, height, count] = [60, 40, 4];
const pages = Array.from({ length: count }, (_, i) => {
  const { data } = photo(width, height);
  const pixelOf = (p: number) => [...data.subarray(3 * p, 3 * p + 3).map((v) => v ^ (i << 5)), 255];
  return Buffer.from(Array.from({ length: width * height }, (__, p) => pixelOf(p)).flat());
});
const moving = () =>
  sharp(Buffer.concat(pages), {
    raw: { width, height: height * count, channels: 4, pageHeight: height },
  });
const gif = () => moving().gif({ keepDuplicateFrames: true }).toBuffer();
const apng = () =>
  apngOf({
    ...{ width, height, plays: 0 },
    frames: pages.map((pixels) => ({ pixels, x: 0, y: 0, width, height, delayMs: 50 })),
  });

describe('an animation that is cut in its last frame', () => {
  it('fails as GIF and says how many frames and rows are there', async () => {
    const cut = share(await gif(), 0.9);
    await expect(enlarge(cut)).rejects.toMatchObject(
      refusal(
        /Its first 3 frames are there, and \d+ of the 40 rows of the next: the GIF of 60 x 40/,
      ),
    );
  });

  it('fails as PNG and says how many frames are there', async () => {
    await expect(enlarge(share(await apng(), 0.9))).rejects.toMatchObject(
      refusal(/The first 3 of its 4 frames are there: the PNG of 60 x 40/),
    );
  });

  it('fails as WebP and says how much is there', async () => {
    const cut = share(await moving().webp({ lossless: true }).toBuffer(), 0.9);
    await expect(enlarge(cut)).rejects.toMatchObject(refusal(/The first (89|90) % of its bytes/));
  });

  it('gives its first frame where that alone is asked for', async () => {
    const { report } = await enlarge(share(await gif(), 0.9), 'jpeg');
    expect(report.output).toMatchObject({ format: 'jpeg', width: 120, height: 80 });
    expect(report.notes.join()).toContain('The first of 4 pictures');
  });

  it('is noted where a GIF ends between its frames, without its end marker', async () => {
    const { report } = await enlarge((await gif()).subarray(0, -1));
    expect(report.output).toMatchObject({ format: 'gif', frames: 4 });
    expect(report.notes.join()).toContain('all 4 frames that are there were read');
    expect((await enlarge(await gif())).report.notes.join()).not.toContain('end marker');
  });
});
