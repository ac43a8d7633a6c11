import path from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { icons, render } from '../../packaging/icons.ts';

const resources = path.resolve(import.meta.dirname, '../../resources');

const pixelsOf = (image: string | Buffer) =>
  sharp(image).ensureAlpha().raw().toBuffer({ resolveWithObject: true });

it.each(icons)('$file shows what its drawing shows', async (icon) => {
  const kept = await pixelsOf(path.join(resources, icon.file));
  const drawn = await pixelsOf(await render(resources, icon));
  expect([kept.info.width, kept.info.height]).toEqual([icon.sidePx, icon.sidePx]);
  const differences = kept.data.map((value, i) => Math.abs(value - (drawn.data[i] ?? 0)));
  // Other builds of the renderer round numbers differently.
  expect(differences.reduce((sum, value) => sum + value, 0) / differences.length).toBeLessThan(4);
});
