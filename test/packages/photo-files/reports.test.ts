/** Every reported file of the shared folder has its right result here, most against the photo they were made of. */
import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import type { OutputFormat } from '../../../packages/contract/src/formats.ts';
import { sharedTestEngine, type JobOptions } from '../../support/engine.ts';
import { hasExiftool, readTags, withoutExiftool, writeTags } from '../../support/exiftool.ts';
import { largestChroma, readPixels } from '../../support/images.ts';
import { halfBlueNetwork, nearestNetwork } from '../../support/networks-made.ts';
import { reports } from '../../support/shared.ts';

const engine = sharedTestEngine();
afterAll(() => engine.close());
const enlarge = (name: string, format: OutputFormat, options: Partial<JobOptions> = {}) =>
  engine.run({
    sourcePath: join(reports, name),
    passes: [nearestNetwork(join(engine.dir, 'networks'))],
    format,
    formatChosen: true,
    ...options,
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

/** A JPEG of quality 92 alone differs by half a level in the mean, the reported ones by 2.5. */
const photos: [name: string, format: OutputFormat, maxLevels: number][] = [
  ['r01-samsung-sos.jpg', 'png', 2.6],
  ['r02-no-eoi.jpg', 'png', 2.6],
  ['r03-extra-bytes.jpg', 'png', 2.6],
  ['r04-jfif2.jpg', 'png', 2.6],
  ['r05-unsorted.tif', 'tiff', 0],
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

/** Files whose rules are broken and whose pixels are whole. */
const breakingRules = ['r01', 'r02', 'r03', 'r04', 'r05'];

/** What else than the photo's colours must be right; tags are read by exiftool. */
const results: Record<string, () => Promise<void>> = {
  'r07-onebit.bmp comes out black and white': async () => {
    const { outputPath } = await enlarge('r07-onebit.bmp', 'png');
    const { data, channels } = await readPixels(outputPath);
    expect(channels).toBe(1);
    expect([...new Set(data)].sort((a, b) => a - b)).toEqual([0, 255]);
  },
  'r19-neutral.png stays neutral at 4x': async () => {
    const tinting = halfBlueNetwork(join(engine.dir, 'networks'));
    const passes = [tinting, tinting];
    const { outputPath } = await enlarge('r19-neutral.png', 'png', { passes });
    expect(largestChroma(await readPixels(outputPath))).toBe(0);
  },
  'r25-float32.tif is read as linear light': async () => {
    const { outputPath, report } = await enlarge('r25-float32.tif', 'tiff');
    // The photo's first pixel has 11 of 255 levels.
    expect((await readPixels(outputPath)).data[0]).toBe(11 * 257);
    expect(report.notes.join()).toContain('linear light');
  },
  'r26-apng.png keeps its frames, as a JPEG the first, said so': async () => {
    const { report } = await enlarge('r26-apng.png', 'png');
    expect(report.output.frames).toBe(3);
    expect(report.notes.join()).toContain('All 3 frames');
    const still = await enlarge('r26-apng.png', 'jpeg');
    expect(still.report.notes.join()).toMatch(/The first of 3 pictures.*It is an animation/);
  },
  'r27-grey-two-selections.tif comes out grey': async () => {
    const { outputPath, report } = await enlarge('r27-grey-two-selections.tif', 'tiff');
    expect((await readPixels(outputPath)).channels).toBe(1);
    expect(report.notes.join()).toContain('2 further channels');
  },
};

const tagResults: Record<string, () => Promise<void>> = {
  'r10-brob.jxl keeps the EXIF of its compressed box': async () => {
    const [packed, plain] = await Promise.all(
      ['r10-brob.jxl', 'r10b-plainbox-control.jxl'].map(async (name) =>
        readTags((await enlarge(name, 'png')).outputPath),
      ),
    );
    expect(packed!['IFD0:Model']).toBeDefined();
    expect(packed).toEqual(plain);
  },
  'r20-gpano.jpg is the same part of a panorama of twice the size': async () => {
    const tags = await readTags((await enlarge('r20-gpano.jpg', 'jpeg')).outputPath);
    expect(tags).toMatchObject({
      'XMP-GPano:CroppedAreaImageWidthPixels': 2 * width,
      'XMP-GPano:CroppedAreaImageHeightPixels': 2 * height,
      'XMP-GPano:CroppedAreaLeftPixels': 192,
      'XMP-GPano:CroppedAreaTopPixels': 48,
      'XMP-GPano:FullPanoWidthPixels': 768,
      'XMP-GPano:FullPanoHeightPixels': 384,
    });
  },
  'r21-focalplane.jpg has a sensor and a subject of twice as many pixels': async () => {
    const tags = await readTags((await enlarge('r21-focalplane.jpg', 'jpeg')).outputPath);
    expect(tags).toMatchObject({
      'ExifIFD:FocalPlaneXResolution': 10_000,
      'ExifIFD:FocalPlaneYResolution': 10_000,
      'ExifIFD:FocalPlaneResolutionUnit': 2,
      'ExifIFD:SubjectArea': '192 144 40 40',
      'ExifIFD:ExifImageWidth': 2 * width,
      'ExifIFD:ExifImageHeight': 2 * height,
      'IFD0:XResolution': 300,
      'ExifIFD:SubSecTimeOriginal': 123,
    });
  },
  // The recipe of r22, which the folder may lack.
  'r22-regions.jpg has its regions where they were': async () => {
    const sourcePath = join(engine.dir, 'r22-regions.jpg');
    copyFileSync(join(reports, 'r20-gpano.jpg'), sourcePath);
    await writeTags(
      sourcePath,
      '-XMP-GPano:all=',
      '-XMP-mwg-rs:RegionAppliedToDimensionsW=192',
      '-XMP-mwg-rs:RegionAppliedToDimensionsH=144',
      '-XMP-mwg-rs:RegionAppliedToDimensionsUnit=pixel',
      '-XMP-mwg-rs:RegionAreaX=0.5',
      '-XMP-mwg-rs:RegionAreaH=0.1',
      '-XMP-mwg-rs:RegionAreaUnit=normalized',
      ...['Unit=pixel', 'X=10', 'Y=20', 'W=30', 'H=40'].map(
        (field) => `-XMP-iptcExt:ImageRegionBoundary${field}`,
      ),
    );
    const tags = await readTags((await enlarge('', 'jpeg', { sourcePath })).outputPath);
    expect(tags).toMatchObject({
      'XMP-mwg-rs:RegionAppliedToDimensionsW': 2 * width,
      'XMP-mwg-rs:RegionAppliedToDimensionsH': 2 * height,
      'XMP-mwg-rs:RegionAreaX': 0.5,
      'XMP-mwg-rs:RegionAreaH': 0.1,
      'XMP-iptcExt:ImageRegionBoundaryX': 20,
      'XMP-iptcExt:ImageRegionBoundaryY': 40,
      'XMP-iptcExt:ImageRegionBoundaryW': 60,
      'XMP-iptcExt:ImageRegionBoundaryH': 80,
    });
  },
  'r24-xmp-geo.jpg keeps no place, number or owner as private': async () => {
    const { outputPath } = await enlarge('r24-xmp-geo.jpg', 'jpeg', { metadata: 'private' });
    const tags = await readTags(outputPath);
    expect(JSON.stringify(tags)).not.toMatch(
      /48\.1|11\.76|GPS|540|20\.1|SER|1581F4XYZ|ABC|L3|Jane Owner|geo:|drone-dji/,
    );
    expect(tags).toMatchObject({ 'IPTC:By-line': 'Jane', 'IPTC:City': 'Munich' });
    expect(readFileSync(outputPath).includes('48.1234567')).toBe(false);
  },
};

const noReports = existsSync(reports) ? '' : ' (skipped: no shared reports)';
describe.skipIf(noReports !== '')(`a reported file${noReports}`, () => {
  it('has its result in this test, whichever it is', () => {
    const titles = [...photos.map(([name]) => name), ...Object.keys({ ...results, ...tagResults })];
    const hasResult = (name: string) => titles.some((title) => title.startsWith(name));
    const files = readdirSync(reports).filter((name) => /^r\d/.test(name));
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter((name) => !hasResult(name))).toEqual([]);
  });

  it.each(photos)('%s as %s shows the photo', async (name, format, maxLevels) => {
    const { outputPath, report } = await enlarge(name, format);
    expect(await meanError(outputPath)).toBeLessThanOrEqual(maxLevels);
    expect(report.notes.join().includes('breaks the rules of its format')).toBe(
      breakingRules.includes(name.slice(0, 3)),
    );
  });

  it.each(Object.entries(results))('%s', (_, check) => check());

  it.skipIf(!hasExiftool).each(Object.entries(tagResults))(
    `%s${hasExiftool ? '' : ` (${withoutExiftool})`}`,
    (_, check) => check(),
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
