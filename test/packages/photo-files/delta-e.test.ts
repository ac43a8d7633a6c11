import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deltaE2000, labOf, spaces, type Lab, type RgbSpace } from '../../support/delta-e.ts';
import { sharedTestEngine, type TestEngine } from '../../support/engine.ts';
import { hasExiftool, readBlock, withoutExiftool, writeTags } from '../../support/exiftool.ts';
import { asSharp, readPixels, type Pixels } from '../../support/images.ts';
import { embeddedNetwork } from '../../support/networks.ts';
import { corpusArchive, photographs } from '../../support/shared.ts';

describe('the difference of two colours', () => {
  it.each([
    // Sharma, Wu, Dalal, table 1: rows 1, 7, 17, 24 and 31.
    [[50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425],
    [[50, 0, 0], [50, -1, 2], 2.3669],
    [[50, 2.5, 0], [73, 25, -18], 27.1492],
    [[60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644],
    [[90.8027, -2.0831, 1.441], [91.1528, -1.6435, 0.0447], 1.4441],
  ] as [Lab, Lab, number][])('of %j and %j is %d', (one, other, expected) => {
    expect(deltaE2000(one, other)).toBeCloseTo(expected, 3);
  });
});

const cases = [
  ['DisplayP3', 'Water-Lily', 'icc_DisplayP3-v4_16bit_3ch.png'],
  ['AdobeRGB', 'Sunset-Tree', 'icc_AdobeCompat-v4_16bit_3ch.png'],
  ['ProPhoto', 'Jade-Droplet', 'icc_ProPhoto-v4_16bit_3ch.png'],
] as const;

const missing = [
  ...(hasExiftool ? [] : [withoutExiftool]),
  ...(existsSync(photographs) && existsSync(corpusArchive) ? [] : ['no shared photographs']),
].join(', ');

describe.skipIf(missing !== '')(`a wide-gamut photo${missing && ` (skipped: ${missing})`}`, () => {
  let engine: TestEngine;
  beforeAll(() => {
    engine = sharedTestEngine();
    const corpus = join(engine.dir, 'corpus');
    mkdirSync(corpus);
    execFileSync('tar', ['xJf', corpusArchive, '-C', corpus, 'valid/generated']);
  });
  afterAll(() => engine.close());

  it.each(cases)(
    'in %s, enlarged and reduced again, is off by less than 0.5 ΔE2000 in the mean',
    async (space, photograph, tagged) => {
      const sourcePath = join(engine.dir, `${space}.png`);
      await writeWide(sourcePath, join(photographs, `${photograph}.jpg`));
      const profile = join(engine.dir, `${space}.icc`);
      writeFileSync(
        profile,
        await readBlock(join(engine.dir, 'corpus/valid/generated', tagged), 'ICC_Profile'),
      );
      await writeTags(sourcePath, `-ICC_Profile<=${profile}`);
      const { outputPath } = await engine.run({ sourcePath, passes: [embeddedNetwork(2)] });
      expect((await readBlock(outputPath, 'ICC_Profile')).length).toBeGreaterThan(400);
      const error = await meanError(spaces[space], sourcePath, outputPath);
      console.log(`${space}, ${photograph}: ${error.toFixed(3)} ΔE2000`);
      expect(error).toBeLessThan(0.5);
    },
  );

  /**
   * The samples are the photograph's numbers in 16 bits. The profile that is attached makes their gamut wide.
   */
  async function writeWide(path: string, photograph: string): Promise<void> {
    const { data, info } = await sharp(photograph)
      .resize(160, 120, { fit: 'cover' })
      .raw()
      .toBuffer({ resolveWithObject: true });
    const deep = Uint16Array.from(data, (value) => value * 257);
    const picture: Pixels = { data: deep, width: info.width, height: info.height, channels: 3 };
    writeFileSync(path, await asSharp(picture).png().toBuffer());
  }

  /** Compares the source with the result, whose squares of four pixels are averaged. */
  async function meanError(space: RgbSpace, source: string, result: string): Promise<number> {
    const [before, after] = await Promise.all([readPixels(source), readPixels(result)]);
    let sum = 0;
    for (let y = 0; y < before.height; y += 1) {
      for (let x = 0; x < before.width; x += 1) {
        const one = [0, 1, 2].map((c) => before.data[(y * before.width + x) * 3 + c]! / 65_535);
        const other = [0, 1, 2].map((c) => meanOfSquare(after, x, y, c) / 65_535);
        sum += deltaE2000(
          labOf(space, one as unknown as Lab),
          labOf(space, other as unknown as Lab),
        );
      }
    }
    return sum / (before.width * before.height);
  }

  const meanOfSquare = ({ data, width }: Pixels, x: number, y: number, c: number) => {
    const at = (dx: number, dy: number) => data[((2 * y + dy) * width + 2 * x + dx) * 3 + c]!;
    return (at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1)) / 4;
  };
});
