/** Every reported file against the photo that it was made of, as a colour-managed viewer shows both. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import type { OutputFormat } from '../../../electron/contract/formats.ts';
import { createTestEngine } from '../../support/engine.ts';
import { hasExiftool, readTags, withoutExiftool } from '../../support/exiftool.ts';
import { readPixels } from '../../support/images.ts';
import { nearestNetwork } from '../../support/networks-made.ts';
import { reports } from '../../support/shared.ts';

const engine = createTestEngine();
afterAll(() => engine.close());
const enlarge = (name: string, format: OutputFormat) =>
  engine.run({
    sourcePath: join(reports, name),
    passes: [nearestNetwork(join(engine.dir, 'networks'))],
    format,
    formatChosen: true,
  });

const [width, height] = [192, 144];
/** A file as sRGB of 8 bits, by its profile, at the photo's size. */
const shown = async (path: string) =>
  sharp(path)
    .resize(width, height, { kernel: 'nearest' })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer();

async function meanError(path: string): Promise<number> {
  const [one, other] = await Promise.all([shown(path), shown(join(reports, 'ref-base.png'))]);
  expect(one.length).toBe(other.length);
  return one.reduce((sum, value, i) => sum + Math.abs(value - other[i]!), 0) / one.length;
}

/** A JPEG of quality 92 alone differs by half a level in the mean. */
const photos: [name: string, format: OutputFormat, maxLevels: number][] = [
  ['r09-rle8.bmp', 'png', 3],
  ['r10-brob.jxl', 'png', 3],
  ['r10b-plainbox-control.jxl', 'png', 3],
  ['r11-p3-nclx.avif', 'jpeg', 1.5],
  ['r11-p3-nclx.avif', 'png', 1.5],
  ['r12-pq-nclx.avif', 'jpeg', 2],
  ['r14-cicp-pq.png', 'jpeg', 1],
  ['r14-cicp-pq.png', 'tiff', 1],
  ['r15-cicp-p3.png', 'jpeg', 1],
  ['r16-gama1.png', 'jpeg', 1],
  ['r17-saved-selection.tif', 'jpeg', 1],
  ['r18-two-selections.tif', 'tiff', 0.1],
  ['r23-thumb-first.tif', 'tiff', 0.1],
  ['r29-float16-no-whitelevel.dng', 'tiff', 1],
  ['r29-float16-no-whitelevel.dng', 'jpeg', 1],
];

const noReports = existsSync(reports) ? '' : ' (skipped: no shared reports)';
describe.skipIf(noReports !== '')(`a reported file${noReports}`, () => {
  it.each(photos)('%s as %s shows the photo', async (name, format, maxLevels) => {
    const { outputPath } = await enlarge(name, format);
    expect(await meanError(outputPath)).toBeLessThan(maxLevels);
  });

  it('r07-onebit.bmp comes out black and white', async () => {
    const { outputPath } = await enlarge('r07-onebit.bmp', 'png');
    const { data, channels } = await readPixels(outputPath);
    expect(channels).toBe(1);
    expect([...new Set(data)].sort((a, b) => a - b)).toEqual([0, 255]);
  });

  it('r25-float32.tif is read as linear light', async () => {
    const { outputPath, report } = await enlarge('r25-float32.tif', 'tiff');
    // The photo's first pixel has 11 of 255 levels.
    expect((await readPixels(outputPath)).data[0]).toBe(11 * 257);
    expect(report.notes.join()).toContain('linear light');
  });

  it('r26-apng.png keeps its frames, as a JPEG the first, said so', async () => {
    const { report } = await enlarge('r26-apng.png', 'png');
    expect(report.output.frames).toBe(3);
    expect(report.notes.join()).toContain('All 3 frames');
    const still = await enlarge('r26-apng.png', 'jpeg');
    expect(still.report.notes.join()).toMatch(/The first of 3 pictures.*It is an animation/);
  });

  it('r27-grey-two-selections.tif comes out grey', async () => {
    const { outputPath, report } = await enlarge('r27-grey-two-selections.tif', 'tiff');
    expect((await readPixels(outputPath)).channels).toBe(1);
    expect(report.notes.join()).toContain('2 further channels');
  });

  it.skipIf(!hasExiftool)(
    `r20-gpano.jpg is the same part of a panorama of twice the size${hasExiftool ? '' : ` (${withoutExiftool})`}`,
    async () => {
      const { outputPath } = await enlarge('r20-gpano.jpg', 'jpeg');
      const tags = await readTags(outputPath);
      for (const [name, value] of [
        ['CroppedAreaImageWidthPixels', 2 * width],
        ['CroppedAreaImageHeightPixels', 2 * height],
        ['CroppedAreaLeftPixels', 192],
        ['CroppedAreaTopPixels', 48],
        ['FullPanoWidthPixels', 768],
        ['FullPanoHeightPixels', 384],
      ] as const)
        expect(tags[`XMP-GPano:${name}`], name).toBe(value);
    },
  );

  it.each(['r14-cicp-pq.png', 'r15-cicp-p3.png', 'r16-gama1.png'])(
    '%s keeps as PNG what says its colours',
    async (name) => {
      const { outputPath, report } = await enlarge(name, 'png');
      const before = await readPixels(join(reports, name));
      const after = await readPixels(outputPath);
      expect(after.data[0]).toBe(before.data[0]);
      expect((await sharp(outputPath).metadata()).icc).toBeUndefined();
      expect(report.notes.join()).toContain('and so does the result');
    },
  );
});
