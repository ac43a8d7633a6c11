import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { sharedTestEngine, type JobOptions } from '../../../support/engine.ts';
import {
  hasExiftool,
  readBlock,
  readTags,
  withoutExiftool,
  writeTags,
} from '../../../support/exiftool.ts';
import {
  asSharp,
  deep,
  grey,
  photo,
  readPixels,
  withAlpha,
  type Pixels,
} from '../../../support/images.ts';
import { nearestNetwork } from '../../../support/networks-made.ts';
import { differenceOf, repeated } from '../../../support/pixels.ts';

const hasDjxl = !spawnSync('djxl', ['--version']).error;
const withoutDjxl = hasDjxl ? '' : ' (skipped: djxl of libjxl-tools is not installed)';

const engine = sharedTestEngine();
afterAll(() => engine.close());

const enlarge = (sourcePath: string, wish: Partial<JobOptions> = {}) =>
  engine.run({ sourcePath, passes: [nearestNetwork(join(engine.dir, 'networks'))], ...wish });
const asJxl = { format: 'jxl', formatChosen: true } as const;

/** Makes a PNG with a profile. */
const profiled = (picture: Pixels, profile: string) =>
  engine.saved(asSharp(picture).withIccProfile(profile).png());

/** Decodes a JPEG XL file by the reference program. */
function byDjxl(path: string): string {
  const png = `${path}.djxl.png`;
  const jxl = `${path}.jxl`;
  writeFileSync(jxl, readFileSync(path));
  execFileSync('djxl', [jxl, png], { stdio: 'ignore' });
  return png;
}

/** Any two of colours or grey, 8 or 16 bits, and opaque or not come together in one. */
const kinds: [string, Pixels][] = [
  ['colours of 8 bits', photo(61, 40)],
  ['grey of 16 bits', deep(grey(photo(61, 40)))],
  ['colours of 16 bits with transparency', withAlpha(deep(photo(61, 40)), 20)],
  ['grey of 8 bits with transparency', withAlpha(grey(photo(61, 40)), 20)],
];

const enlarged = new Map<string, ReturnType<typeof enlarge>>();

/** Enlarges a picture of `kinds` into a JPEG XL without loss, once for all tests. */
async function losslessOf(name: string, picture: Pixels) {
  const result =
    enlarged.get(name) ?? enlarge(await engine.saved(picture), { ...asJxl, quality: 100 });
  enlarged.set(name, result);
  return result;
}

/** Reads the pixels in sRGB, by the file's profile. */
async function seen(path: string): Promise<Pixels> {
  const { data, info } = await sharp(path)
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels };
}

async function expectSame(path: string, other: string): Promise<void> {
  expect(differenceOf(await readPixels(path), await readPixels(other)).most).toBe(0);
}

describe('JPEG XL', () => {
  it.each(kinds)(
    'of quality 100 holds %s as they are, and gives them back',
    async (name, source) => {
      const { outputPath, report } = await losslessOf(name, source);
      const isDeep = source.data instanceof Uint16Array;
      expect(report.output).toMatchObject({
        format: 'jxl',
        width: 122,
        height: 80,
        bitDepth: isDeep ? 16 : 8,
        channels: source.channels,
      });
      const asPng = { format: 'png', formatChosen: true } as const;
      const png = await enlarge(await engine.saved(source), asPng);
      if (hasDjxl) await expectSame(byDjxl(outputPath), png.outputPath);
      const [again, pngAgain] = [
        await enlarge(outputPath, asPng),
        await enlarge(png.outputPath, asPng),
      ];
      expect(again.report.input).toMatchObject({ format: 'jxl', channels: source.channels });
      await expectSame(again.outputPath, pngAgain.outputPath);
    },
  );

  // Of transparent ones nothing but the format is looked at: one of them says it.
  const looked = kinds.slice(0, 3);
  it.each(looked)('without loss, of %s, stays without loss as `same`', async (name, source) => {
    const first = await losslessOf(name, source);
    const { outputPath, report } = await enlarge(first.outputPath);
    expect(report.output.format).toBe('jxl');
    expect(report.notes.join()).not.toContain('JPEG XL with loss');
    // The passes make colours of their own where alpha is 0, so those are not compared.
    if (source.channels % 2 === 0) return;
    const back = await enlarge(outputPath, { format: 'png', formatChosen: true });
    expect(differenceOf(await readPixels(back.outputPath), repeated(source, 8)).most).toBe(0);
  });

  it('with loss is written in the usual quality as `same`, near to its colours', async () => {
    const source = deep(photo(61, 40));
    const lossy = await enlarge(await engine.saved(source), { ...asJxl, quality: 95 });
    const { outputPath, report } = await enlarge(lossy.outputPath);
    expect(report.notes.join()).toContain('JPEG XL with loss');
    expect(report.output).toMatchObject({ format: 'jxl', width: 244, bitDepth: 16 });
    const png = await enlarge(outputPath, { format: 'png', formatChosen: true });
    const difference = differenceOf(await readPixels(png.outputPath), repeated(source, 8));
    expect(difference.mean).toBeLessThan(4);
  });

  it.skipIf(!hasDjxl || !hasExiftool)(
    `keeps a profile byte for byte without loss${withoutDjxl}`,
    async () => {
      const sourcePath = await profiled(photo(122, 80), 'p3');
      const profile = await readBlock(sourcePath, 'ICC_Profile');
      const { outputPath } = await enlarge(sourcePath, { ...asJxl, quality: 100 });
      const png = byDjxl(outputPath);
      expect((await readBlock(png, 'ICC_Profile')).equals(profile)).toBe(true);
      const expected = repeated(await readPixels(sourcePath), 2);
      expect(differenceOf(await readPixels(png), expected).most).toBe(0);
      const again = await enlarge(outputPath, { format: 'png', formatChosen: true });
      expect((await readBlock(again.outputPath, 'ICC_Profile')).equals(profile)).toBe(true);
    },
  );

  it('with loss keeps the colours that a profile means, in whichever profile it is read', async () => {
    const sourcePath = await profiled(photo(122, 80), 'p3');
    const { outputPath } = await enlarge(sourcePath, { ...asJxl, quality: 92 });
    const again = await enlarge(outputPath, { format: 'png', formatChosen: true });
    const expected = repeated(await seen(sourcePath), 4);
    expect(differenceOf(await seen(again.outputPath), expected).mean).toBeLessThan(4);
    if (!hasDjxl) return;
    const read = await seen(byDjxl(outputPath));
    expect(differenceOf(read, repeated(await seen(sourcePath), 2)).mean).toBeLessThan(4);
  });

  it.skipIf(!hasExiftool)(
    `carries EXIF and XMP there and back${hasExiftool ? '' : ` (${withoutExiftool})`}`,
    async () => {
      const sourcePath = join(engine.dir, 'tagged.jpg');
      writeFileSync(sourcePath, await asSharp(photo(60, 40)).jpeg().toBuffer());
      const own = ['-EXIF:Make=Enlarger Works', '-EXIF:Copyright=(c) Jane Doe, Zürich'];
      const place = ['-EXIF:GPSLatitude=47.37', '-EXIF:GPSLatitudeRef=N', '-EXIF:Orientation=6'];
      await writeTags(sourcePath, ...own, ...place, '-XMP-dc:Title=Title', '-IPTC:City=Bern');
      const { outputPath, report } = await enlarge(sourcePath, asJxl);
      expect(report.output).toMatchObject({ width: 80, height: 120 });
      expect(report.notes).toContain('The IPTC was left out: JPEG XL holds EXIF and XMP.');
      const expected = {
        'IFD0:Make': 'Enlarger Works',
        'IFD0:Copyright': '(c) Jane Doe, Zürich',
        'IFD0:Orientation': 1,
        'GPS:GPSLatitude': 47.37,
        'XMP-dc:Title': 'Title',
      };
      expect(await readTags(outputPath)).toMatchObject(expected);
      const again = await enlarge(outputPath, { format: 'jpeg', formatChosen: true });
      expect(again.report.output).toMatchObject({ width: 160, height: 240 });
      expect(await readTags(again.outputPath)).toMatchObject(expected);
    },
  );

  it('is refused when it is cut short', async () => {
    const { outputPath } = await enlarge(await engine.saved(photo(61, 40)), asJxl);
    const cut = join(engine.dir, 'cut.jxl');
    const whole = readFileSync(outputPath);
    writeFileSync(cut, whole.subarray(0, whole.length / 2));
    await expect(enlarge(cut)).rejects.toMatchObject({ code: 'UNREADABLE_IMAGE' });
  });
});
