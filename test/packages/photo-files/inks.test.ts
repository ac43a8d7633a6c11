import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedTestEngine, type TestEngine } from '../../support/engine.ts';
import { hasExiftool, withoutExiftool } from '../../support/exiftool.ts';
import { readPixels } from '../../support/images.ts';
import { inksTiffOf, ycckJpegOf, type Ink } from '../../support/inks.ts';
import { nearestNetwork } from '../../support/networks-made.ts';
import { differenceOf } from '../../support/pixels.ts';

/** The mixtures are no ink, each ink alone, two together, all, and a soft brown. */
const inks: Ink[] = [
  [0, 0, 0, 0],
  [255, 0, 0, 0],
  [0, 255, 0, 0],
  [0, 0, 255, 0],
  [0, 0, 0, 255],
  [255, 255, 0, 0],
  [0, 255, 255, 0],
  [40, 110, 160, 60],
];

const magick = spawnSync('convert', ['-version'], { encoding: 'utf8' });
const hasMagick = !magick.error && magick.stdout.includes('ImageMagick');

describe('a YCCK JPEG', () => {
  let engine: TestEngine;
  let sourcePath: string;
  beforeAll(() => {
    engine = sharedTestEngine();
    sourcePath = join(engine.dir, 'ycck.jpg');
    writeFileSync(sourcePath, ycckJpegOf(inks));
  });
  afterAll(() => engine.close());

  const enlarge = (path: string) =>
    engine.run({
      sourcePath: path,
      passes: [nearestNetwork(join(engine.dir, 'networks'))],
      format: 'png',
      formatChosen: true,
    });

  it.skipIf(!hasExiftool)(
    `is one by exiftool${hasExiftool ? '' : ` (skipped: ${withoutExiftool})`}`,
    () => {
      const said = execFileSync('exiftool', [
        '-s3',
        '-ColorTransform',
        '-ColorComponents',
        sourcePath,
      ]);
      expect(said.toString().trim().split('\n')).toEqual(['YCCK', '4']);
    },
  );

  it.skipIf(!hasMagick)(
    `holds these inks by ImageMagick${hasMagick ? '' : ' (skipped: not installed)'}`,
    () => {
      const samples = execFileSync('convert', [sourcePath, '-depth', '8', 'cmyk:-']);
      for (const [i, ink] of inks.entries()) {
        const at = (3 * inks.length * 8 + i * 8 + 3) * 4;
        for (const [band, value] of ink.entries())
          expect([i, band, Math.abs(samples[at + band]! - value) <= 2]).toEqual([i, band, true]);
      }
    },
  );

  it('has the colours of the same inks in a TIFF, and becomes RGB, which the record says', async () => {
    const tiffPath = join(engine.dir, 'inks.tif');
    writeFileSync(tiffPath, inksTiffOf(inks));
    const [fromJpeg, fromTiff] = [await enlarge(sourcePath), await enlarge(tiffPath)];
    const colours = await readPixels(fromJpeg.outputPath);
    expect(differenceOf(colours, await readPixels(fromTiff.outputPath)).most).toBeLessThanOrEqual(
      4,
    );
    expect(fromJpeg.report.notes).toEqual(fromTiff.report.notes);
    expect(fromJpeg.report.notes).toContain('Its colours were converted from CMYK to sRGB.');
  });

  it('is white without ink, and of its inks’ colours with them', async () => {
    const { data, width } = await readPixels((await enlarge(sourcePath)).outputPath);
    const patch = (i: number) => [...data.subarray((8 * width + i * 16 + 8) * 3).subarray(0, 3)];
    const [white, cyan, magenta, yellow, black] = [0, 1, 2, 3, 4].map(patch);
    expect(Math.min(...white!)).toBeGreaterThan(250);
    expect(Math.max(...black!)).toBeLessThan(70);
    expect(cyan![0]!).toBeLessThan(Math.min(cyan![1]!, cyan![2]!));
    expect(magenta![1]!).toBeLessThan(Math.min(magenta![0]!, magenta![2]!));
    expect(yellow![2]!).toBeLessThan(Math.min(yellow![0]!, yellow![1]!));
  });
});
