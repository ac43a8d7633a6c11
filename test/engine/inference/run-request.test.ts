import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createTestEngine } from '../../support/engine.ts';
import { asSharp, photo, withAlpha, type Pixels } from '../../support/images.ts';
import { embeddedNetwork } from '../../support/networks.ts';

const engine = createTestEngine();
afterAll(() => engine.close());

/** As a product stands on white: all but the first rows are one colour. */
function onWhite(picture: Pixels, rows: number): Pixels {
  const { width, channels, data } = picture;
  return { ...picture, data: data.map((value, i) => (i < rows * width * channels ? value : 255)) };
}

async function tilesOf(picture: Pixels, name: string) {
  const sourcePath = join(engine.dir, name);
  writeFileSync(sourcePath, await asSharp(picture).png().toBuffer());
  const { report } = await engine.run({ sourcePath, passes: [embeddedNetwork(2)] });
  return report.tiles.count;
}

it('runs pictures in columns, unless some square tiles are one colour, or pixels transparent', async () => {
  const picture = photo(30, 1500);
  expect(await tilesOf(picture, 'photo.png')).toBe(1);
  expect(await tilesOf(withAlpha(picture, 10), 'transparent.png')).toBe(3);
  expect(await tilesOf(onWhite(picture, 300), 'on-white.png')).toBe(3);
});
