import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import type { OutputFormat } from '../../../packages/contract/src/formats.ts';
import { sharedTestEngine, type JobOptions } from '../../support/engine.ts';
import { hasExiftool, readBlock, withoutExiftool } from '../../support/exiftool.ts';
import { asSharp, deep, grey, photo, readPixels, type Pixels } from '../../support/images.ts';
import { nearestNetwork } from '../../support/networks-made.ts';
import { differenceOf, repeated } from '../../support/pixels.ts';
import { corpusArchive } from '../../support/shared.ts';

const engine = sharedTestEngine();
afterAll(() => engine.close());

const formats = ['jpeg', 'png', 'webp', 'avif', 'tiff'] as const;
const enlarge = (sourcePath: string, wish: Partial<JobOptions> = {}) =>
  engine.run({ sourcePath, passes: [nearestNetwork(join(engine.dir, 'networks'))], ...wish });

describe.skipIf(!hasExiftool)(`profiles${hasExiftool ? '' : `: ${withoutExiftool}`}`, () => {
  it.each(formats)('come out of a %s byte for byte', async (format) => {
    const picture = asSharp(photo(40, 30)).withIccProfile('p3').png();
    const sourcePath = await engine.saved(picture);
    const { outputPath } = await enlarge(sourcePath, { format, formatChosen: true });
    const profile = await readBlock(sourcePath, 'ICC_Profile');
    expect(profile.length).toBeGreaterThan(400);
    expect((await readBlock(outputPath, 'ICC_Profile')).equals(profile)).toBe(true);
  });

  it.each(formats)('are not put into a %s that had none', async (format) => {
    const sourcePath = await engine.saved(photo(40, 30));
    const { outputPath } = await enlarge(sourcePath, { format, formatChosen: true });
    expect((await readBlock(outputPath, 'ICC_Profile')).length).toBe(0);
  });

  const noCorpus = existsSync(corpusArchive) ? '' : ' (skipped: no shared corpus)';
  it.skipIf(noCorpus !== '')(
    `of sRGB, P3, Adobe RGB, ProPhoto and Rec. 2020 survive in every format${noCorpus}`,
    async () => {
      const folder = join(engine.dir, 'corpus');
      mkdirSync(folder);
      execFileSync('tar', ['xJf', corpusArchive, '-C', folder, 'valid/generated']);
      const generated = join(folder, 'valid/generated');
      const tagged = readdirSync(generated).filter((name) => /^icc_.*(16bit_3ch|444)/.test(name));
      expect(tagged.length).toBeGreaterThanOrEqual(18);
      for (const [i, name] of tagged.entries()) {
        const sourcePath = join(generated, name);
        const format = formats[i % formats.length]!;
        const { outputPath } = await enlarge(sourcePath, { format, formatChosen: true });
        const profile = await readBlock(sourcePath, 'ICC_Profile');
        expect([
          name,
          format,
          (await readBlock(outputPath, 'ICC_Profile')).equals(profile),
        ]).toEqual([name, format, true]);
      }
    },
  );

  it('for grey stay with grey, and are applied where a format holds RGB only', async () => {
    const sourcePath = await engine.saved(
      asSharp(grey(photo(40, 30)))
        .withIccProfile(greyProfile())
        .png(),
    );
    const profile = await readBlock(sourcePath, 'ICC_Profile');
    for (const format of formats) {
      const { outputPath, report } = await enlarge(sourcePath, { format, formatChosen: true });
      const holdsGrey = format !== 'webp' && format !== 'avif';
      const found = await readBlock(outputPath, 'ICC_Profile');
      expect([format, found.equals(holdsGrey ? profile : Buffer.alloc(0))]).toEqual([format, true]);
      expect(report.notes.some((note) => note.includes('profile was applied'))).toBe(!holdsGrey);
    }
  });

  /** A grey profile with a gamma of 1.8, written to disk. */
  function greyProfile(): string {
    const path = join(engine.dir, 'grey.icc');
    const tag = Buffer.alloc(144 + 20 + 16);
    tag.writeUInt32BE(tag.length, 0);
    tag.writeUInt32BE(0x02400000, 8);
    tag.write('mntrGRAYXYZ ', 12, 'latin1');
    tag.write('acsp', 36, 'latin1');
    [0xf6d6, 0x10000, 0xd32d].forEach((value, i) => tag.writeUInt32BE(value, 68 + 4 * i));
    tag.writeUInt32BE(2, 128);
    tag.write('wtpt', 132, 'latin1');
    [156, 20].forEach((value, i) => tag.writeUInt32BE(value, 136 + 4 * i));
    const out = Buffer.concat([tag.subarray(0, 144), Buffer.alloc(12), Buffer.alloc(36)]);
    out.writeUInt32BE(out.length, 0);
    out.write('kTRC', 144, 'latin1');
    [176, 14].forEach((value, i) => out.writeUInt32BE(value, 148 + 4 * i));
    out.write('XYZ ', 156, 'latin1');
    [0xf6d6, 0x10000, 0xd32d].forEach((value, i) => out.writeUInt32BE(value, 164 + 4 * i));
    out.write('curv', 176, 'latin1');
    out.writeUInt32BE(1, 184);
    out.writeUInt16BE(0x01cd, 188);
    writeFileSync(path, out);
    return path;
  }
});

describe('sixteen bits', () => {
  /** Every one of 65,536 levels. */
  const ramp: Pixels = {
    data: Uint16Array.from({ length: 1024 * 64 * 3 }, (_, i) => Math.floor(i / 3)),
    width: 1024,
    height: 64,
    channels: 3,
  };

  it.each(['png', 'tiff'] as const)('stay sixteen in %s', async (format) => {
    const sourcePath = await engine.saved(ramp);
    const network = nearestNetwork(join(engine.dir, 'networks'));
    const wish = { format, formatChosen: true, passes: [network, network] };
    const { outputPath } = await enlarge(sourcePath, wish);
    const { data } = await readPixels(outputPath);
    expect(new Set(data).size).toBeGreaterThan(4096);
    expect(new Set(data).size).toBe(65_536);
  });

  it.each([
    ['jpeg', 8],
    ['webp', 8],
    ['avif', 10],
  ] as const)('become fewer in %s, which says so', async (format, bits) => {
    const sourcePath = await engine.saved(deep(photo(40, 30)));
    const { report } = await enlarge(sourcePath, { format, formatChosen: true });
    expect(report.notes.join()).toContain(`holds ${bits} bits for each colour`);
  });

  it('were none in an AVIF of ten, which loses nothing as AVIF and two in JPEG', async () => {
    const sourcePath = join(engine.dir, 'ten-bits.avif');
    await asSharp(deep(photo(40, 30)))
      .avif({ bitdepth: 10 })
      .toFile(sourcePath);
    expect((await enlarge(sourcePath, {})).report.notes.join()).not.toContain('bits');
    const jpeg = await enlarge(sourcePath, { format: 'jpeg', formatChosen: true });
    expect(jpeg.report.notes).toContain('JPEG holds 8 bits for each colour; 10 were there.');
  });
});

describe('other colours', () => {
  it.each([8, 16] as const)(
    'of CMYK in %s bits become RGB, which the record says',
    async (bits) => {
      const data = new (bits === 8 ? Uint8Array : Uint16Array)(40 * 30 * 3).fill(2 ** bits * 0.4);
      const picture: Pixels = { data, width: 40, height: 30, channels: 3 };
      const path = join(engine.dir, `cmyk-${bits}.tif`);
      const cmyk = asSharp(picture).toColourspace('cmyk').tiff({ compression: 'lzw' });
      writeFileSync(path, await cmyk.toBuffer());
      const { report, outputPath } = await enlarge(path);
      expect(report.notes).toContain('Its colours were converted from CMYK to sRGB.');
      expect((await readPixels(outputPath)).channels).toBe(3);
    },
  );

  it.each([
    ['with its profile', true],
    ['without one, by the profile of libvips', false],
  ])('of a CMYK photo %s look as they did', async (_, isTagged) => {
    const source = asSharp(photo(120, 90));
    const profile = isTagged ? source.withIccProfile('cmyk') : source;
    const path = join(engine.dir, `cmyk-${String(isTagged)}.jpg`);
    const jpeg = profile.toColourspace('cmyk').jpeg({ quality: 98, chromaSubsampling: '4:4:4' });
    writeFileSync(path, await jpeg.toBuffer());
    expect((await sharp(path).metadata()).space).toBe('cmyk');
    const { outputPath, report } = await enlarge(path, { format: 'png', formatChosen: true });
    expect(report.notes).toContain('Its colours were converted from CMYK to sRGB.');
    const expected = repeated(photo(120, 90), 2);
    expect(differenceOf(await readPixels(outputPath), expected).mean).toBeLessThan(12);
  });

  it('of grey stay grey in JPEG, PNG and TIFF', async () => {
    const source = grey(photo(40, 30));
    const sourcePath = await engine.saved(source);
    for (const format of ['png', 'tiff', 'jpeg'] as OutputFormat[]) {
      const { outputPath } = await enlarge(sourcePath, { format, formatChosen: true });
      const result = await readPixels(outputPath);
      const allowed = format === 'jpeg' ? 40 : 0;
      expect(differenceOf(result, repeated(source, 2)).most).toBeLessThanOrEqual(allowed);
    }
  });
});

describe('same', () => {
  it.each(['4:2:0', '4:4:4'])('keeps a JPEG’s colour sampling of %s', async (chromaSubsampling) => {
    const jpeg = asSharp(photo(40, 30)).jpeg({ chromaSubsampling });
    const sourcePath = await engine.saved(jpeg);
    const { outputPath } = await enlarge(sourcePath);
    expect((await sharp(outputPath).metadata()).chromaSubsampling).toBe(chromaSubsampling);
  });

  it('writes full colour from quality 90 on and half below', async () => {
    const sourcePath = await engine.saved(photo(40, 30));
    for (const [quality, expected] of [
      [90, '4:4:4'],
      [89, '4:2:0'],
    ] as const) {
      const { outputPath } = await enlarge(sourcePath, {
        format: 'jpeg',
        formatChosen: true,
        quality,
      });
      expect((await sharp(outputPath).metadata()).chromaSubsampling).toBe(expected);
    }
  });

  it('keeps a lossless AVIF lossless', async () => {
    const source = photo(61, 40);
    const sourcePath = await engine.saved(asSharp(source).avif({ lossless: true }));
    const { outputPath, report } = await enlarge(sourcePath);
    expect(report.output.format).toBe('avif');
    expect(differenceOf(await readPixels(outputPath), repeated(source, 2)).most).toBe(0);
  });

  it('keeps a lossless WebP lossless', async () => {
    const source = photo(40, 30);
    const sourcePath = await engine.saved(asSharp(source).webp({ lossless: true }));
    const { outputPath } = await enlarge(sourcePath);
    expect(differenceOf(await readPixels(outputPath), repeated(source, 2)).most).toBe(0);
  });

  it('says that the first page of a TIFF, or frame of a GIF for a JPEG, was taken', async () => {
    const frames = { raw: { width: 20, height: 40, channels: 3 as const, pageHeight: 20 } };
    const data = photo(20, 40).data;
    for (const file of [
      sharp(data, frames).tiff({ compression: 'lzw' }),
      sharp(data, frames).gif(),
    ]) {
      const { report } = await enlarge(await engine.saved(file), { format: 'jpeg' });
      expect(report.notes).toContain('The first of 2 pictures in the file was taken.');
      expect(report.output).toMatchObject({ width: 40, height: 40 });
    }
  });

  it('enlarges the base picture of an Ultra HDR photo and says so', async () => {
    const description =
      '<rdf:Description xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0"/>';
    const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${description}</rdf:RDF></x:xmpmeta>`;
    const base = await asSharp(photo(40, 30)).withXmp(xmp).jpeg().toBuffer();
    const gainMap = await asSharp(grey(photo(20, 15)))
      .jpeg()
      .toBuffer();
    const sourcePath = join(engine.dir, 'ultra-hdr.jpg');
    writeFileSync(sourcePath, Buffer.concat([base, gainMap]));
    const { report, outputPath } = await enlarge(sourcePath);
    expect(report.notes.join()).toContain('Ultra HDR');
    expect((await sharp(outputPath).metadata()).xmp?.toString() ?? '').not.toContain(
      'hdrgm:Version',
    );
  });

  it('knows a gain map by the standard too, in a JPEG and in an AVIF', async () => {
    const base = await asSharp(photo(40, 30)).jpeg().toBuffer();
    const said = Buffer.from('urn:iso:std:iso:ts:21496:-1\0\0\0\0\0');
    const head = Buffer.from([0xff, 0xe2, 0, said.length + 2]);
    const start = base.subarray(0, 2);
    const jpeg = Buffer.concat([start, head, said, base.subarray(2), base]);
    const avif = await asSharp(photo(40, 30)).avif().toBuffer();
    // Behind the picture: an entry of the item list, for a reader that only looks for such a one.
    const item = Buffer.from('\0\0\0\x18freeinfe\x02\0\0\0\0\x09\0\0tmap', 'latin1');
    for (const [name, bytes, isTold] of [
      ['iso.jpg', jpeg, true],
      ['plain.jpg', base, false],
      ['tone-mapped.avif', Buffer.concat([avif, item]), true],
      ['plain.avif', avif, false],
    ] as const) {
      const sourcePath = join(engine.dir, name);
      writeFileSync(sourcePath, bytes);
      const { report } = await enlarge(sourcePath);
      expect(
        report.notes.some((note) => note.includes('gain map')),
        name,
      ).toBe(isTold);
    }
  });
});
