/** Colours that a file holds multiplied with its transparency are those of the picture again. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sharedTestEngine } from '../../support/engine.ts';
import { asSharp, photo, readPixels, withAlpha, type Pixels } from '../../support/images.ts';
import { nearestNetwork } from '../../support/networks-made.ts';
import { differenceOf, repeated } from '../../support/pixels.ts';

const engine = sharedTestEngine();
afterAll(() => engine.close());

/** Half of it is transparent by 60 %. */
const source = halfClear(withAlpha(photo(64, 48), 20));
function halfClear(picture: Pixels): Pixels {
  const data = picture.data.slice();
  for (let i = 0; i < data.length; i += 4) data[i + 3] = (i / 4) % 64 < 32 ? 102 : 255;
  return { ...picture, data };
}
const note = 'Its colours were multiplied with its transparency; those of the result are not.';

async function expectColours(sourcePath: string, maxLevels: number) {
  const passes = [nearestNetwork(join(engine.dir, 'networks'))];
  const { outputPath, report } = await engine.run({
    ...{ sourcePath, passes },
    format: 'png',
    formatChosen: true,
  });
  const found = await readPixels(outputPath);
  const expected = repeated(source, 2);
  expect(found.channels).toBe(4);
  expect(differenceOf(found, expected).mean).toBeLessThan(maxLevels);
  return report.notes;
}

describe('colours multiplied with transparency', () => {
  it('in a TIFF (ExtraSamples 1) are divided by libvips', async () => {
    const straight = await asSharp(source).tiff({ compression: 'none' }).toBuffer();
    const premultiplied = Buffer.from(straight);
    const at = straight.readUInt32LE(4);
    const entryAt = (tag: number) => {
      for (let i = 0; i < straight.readUInt16LE(at); i += 1)
        if (straight.readUInt16LE(at + 2 + 12 * i) === tag) return at + 2 + 12 * i;
      throw new Error(`No entry ${tag}`);
    };
    premultiplied.writeUInt16LE(1, entryAt(0x0152) + 8);
    const stripsAt = entryAt(0x0111);
    const [pixelsAt, strips] = [
      premultiplied.readUInt32LE(stripsAt + 8),
      premultiplied.readUInt32LE(stripsAt + 4),
    ];
    expect(strips).toBe(1);
    for (let i = 0; i < source.data.length; i += 4)
      for (let c = 0; c < 3; c += 1)
        premultiplied[pixelsAt + i + c] = Math.round(
          (source.data[i + c]! * source.data[i + 3]!) / 255,
        );
    expect(await expectColours(await engine.saved(straight), 0.3)).not.toContain(note);
    await expectColours(await engine.saved(premultiplied), 0.6);
  });

  const hasEncoder = spawnSync('avifenc', ['--version']).error === undefined;
  it.skipIf(!hasEncoder)(
    `in an AVIF (prem) are divided by it${hasEncoder ? '' : ' (skipped: no avifenc)'}`,
    async () => {
      const [png, avif] = [join(engine.dir, 'source.png'), join(engine.dir, 'premultiplied.avif')];
      await asSharp(source).png().toFile(png);
      const quality = ['-s', '6', '--min', '0', '--max', '0', '-y', '444'];
      execFileSync('avifenc', [...quality, '--premultiply', png, avif], { stdio: 'ignore' });
      expect(readFileSync(avif).includes('prem')).toBe(true);
      expect(await expectColours(avif, 2)).toContain(note);
    },
  );
});
