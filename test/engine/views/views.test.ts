import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import type { ViewPaths } from '../../../electron/engine/protocol/messages.ts';
import { sharedTestEngine } from '../../support/engine.ts';
import { asSharp, deep, grey, photo, withAlpha, type Pixels } from '../../support/images.ts';
import { nearestNetwork } from '../../support/networks-made.ts';
import { differenceOf, repeated } from '../../support/pixels.ts';
import { levelOf } from '../../support/tiles.ts';

const engine = sharedTestEngine();
afterAll(() => engine.close());

let files = 0;
const fresh = (name: string) => join(engine.dir, `${(files += 1)}-${name}`);

function viewPaths(): ViewPaths {
  return {
    sourceThumbPath: fresh('source.webp'),
    sourceTilesPath: fresh('source.zip'),
    resultTilesPath: fresh('result.zip'),
    metadataPath: fresh('metadata.json'),
    changesPath: fresh('changes.png'),
    maskPath: fresh('mask.png'),
  };
}

async function run(picture: Buffer, views: ViewPaths) {
  const sourcePath = fresh('picture');
  writeFileSync(sourcePath, picture);
  const passes = [nearestNetwork(join(engine.dir, 'networks'))];
  return engine.run({ sourcePath, passes, views });
}

const png = (picture: Pixels) => asSharp(picture).png().toBuffer();

/** Reads a picture as the page shows it: in 8 bits, RGB. */
async function shown(file: Buffer): Promise<Pixels> {
  const { data, info } = await sharp(file)
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return { data, width, height, channels };
}

describe('what a job leaves to look at', () => {
  it.each([
    ['RGB', photo(700, 530)],
    ['16-bit', deep(photo(600, 100))],
    ['grey', grey(photo(100, 600))],
    ['very small', photo(3, 2)],
  ])('shows a %s source in tiles, every pixel in its place', async (_, picture) => {
    const views = viewPaths();
    const file = await png(picture);
    await run(file, views);
    const { mean } = differenceOf(await levelOf(views.sourceTilesPath), await shown(file));
    expect(mean).toBeLessThan(2);
  });

  it('keeps transparency in the tiles', async () => {
    const views = viewPaths();
    await run(await png(withAlpha(photo(600, 300), 200)), views);
    const { data, width, channels } = await levelOf(views.sourceTilesPath);
    const alphaAt = (x: number) => data[(150 * width + x) * channels + 3];
    expect([alphaAt(100), alphaAt(300)]).toEqual([0, 255]);
  });

  it('halves the picture from level to level, down to a pixel', async () => {
    const views = viewPaths();
    await run(await png(photo(700, 530)), views);
    const half = await levelOf(views.sourceTilesPath, 9);
    expect([half.width, half.height]).toEqual([350, 265]);
    const last = await levelOf(views.sourceTilesPath, 0);
    expect([last.width, last.height]).toEqual([1, 1]);
  });

  it('shows a wide-gamut, turned source upright and in sRGB', async () => {
    const views = viewPaths();
    const red = { create: { width: 60, height: 30, channels: 3 as const, background: '#c04030' } };
    const file = await sharp(red)
      .withIccProfile('p3')
      .withMetadata({ orientation: 6 })
      .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
      .toBuffer();
    await run(file, views);
    const tiles = await levelOf(views.sourceTilesPath);
    expect([tiles.width, tiles.height]).toEqual([30, 60]);
    const colours = [...tiles.data.slice(0, 3)];
    for (const [i, level] of [0xc0, 0x40, 0x30].entries())
      expect(Math.abs((colours[i] ?? 0) - level)).toBeLessThan(5);
    const thumb = await sharp(readFileSync(views.sourceThumbPath)).metadata();
    expect([thumb.width, thumb.height, thumb.format]).toEqual([30, 60, 'webp']);
  });

  it('fits the thumbnail of the source in 512 x 512', async () => {
    const views = viewPaths();
    await run(await png(photo(1024, 600)), views);
    const { width, height } = await sharp(readFileSync(views.sourceThumbPath)).metadata();
    expect([width, height]).toEqual([512, 300]);
  });

  it('cuts a large result into tiles, and leaves a small one to later', async () => {
    const small = viewPaths();
    await run(await png(photo(300, 200)), small);
    expect(existsSync(small.resultTilesPath)).toBe(false);
    const large = viewPaths();
    const picture = repeated(photo(210, 200), 10);
    await run(await asSharp(picture).jpeg({ quality: 100 }).toBuffer(), large);
    const tiles = await levelOf(large.resultTilesPath);
    expect(differenceOf(tiles, repeated(picture, 2)).mean).toBeLessThan(2);
  });

  it('goes on without views when they cannot be written', async () => {
    const nowhere = join(engine.dir, 'not', 'there');
    const views = { ...viewPaths(), sourceThumbPath: nowhere, sourceTilesPath: nowhere };
    const { outputPath } = await run(await png(photo(40, 30)), views);
    expect(existsSync(outputPath)).toBe(true);
  });
});

describe('a picture looked at without a job', () => {
  const limits = { sourcePixels: 400e6, resultPixels: 16e9 };

  function asked(file: Buffer) {
    const sourcePath = fresh('looked-at');
    const scratchDir = fresh('scratch');
    mkdirSync(scratchDir);
    writeFileSync(sourcePath, file);
    return { sourcePath, scratchDir, limits, toPath: fresh('made') };
  }

  it('has a thumbnail, upright', async () => {
    const turned = await asSharp(photo(900, 400))
      .withMetadata({ orientation: 8 })
      .jpeg()
      .toBuffer();
    const work = asked(turned);
    await engine.host.work('thumbnail', work, 20_000);
    const { width, height } = await sharp(readFileSync(work.toPath)).metadata();
    expect([width, height]).toEqual([228, 512]);
  });

  it('has tiles', async () => {
    const picture = photo(700, 300);
    const work = asked(await png(picture));
    await engine.host.work('tiles', work, 20_000);
    expect(differenceOf(await levelOf(work.toPath), picture).mean).toBeLessThan(2);
  });

  it('is refused with a sentence when nothing of it can be shown, and leaves nothing', async () => {
    const whole = await asSharp(photo(900, 400)).webp().toBuffer();
    const work = asked(whole.subarray(0, whole.length / 2));
    await expect(engine.host.work('thumbnail', work, 20_000)).rejects.toMatchObject({
      code: 'UNREADABLE_IMAGE',
    });
    expect([work.toPath, `${work.toPath}.part`].map((path) => existsSync(path))).toEqual([
      false,
      false,
    ]);
  });
});
