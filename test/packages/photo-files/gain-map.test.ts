/** HDR gain maps go with their base picture into a JPEG, and a note tells of those that cannot. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import type { OutputFormat } from '../../../packages/contract/src/formats.ts';
import { sharedTestEngine } from '../../support/engine.ts';
import { hasExiftool, readBlock, withoutExiftool } from '../../support/exiftool.ts';
import {
  heifWithMap,
  isoParameters,
  isoSegment,
  packet,
  readHdr,
  withMap,
  xmpSegment,
} from '../../support/gain-maps.ts';
import { asSharp, photo, type Pixels } from '../../support/images.ts';
import { nearestNetwork } from '../../support/networks-made.ts';

const engine = sharedTestEngine();
afterAll(() => engine.close());

const hasHeif = spawnSync('heif-enc', ['--help']).error === undefined;

let files = 0;
async function enlarge(
  bytes: Buffer,
  format: OutputFormat = 'jpeg',
  options: { metadata?: 'keep' | 'none' } = {},
) {
  files += 1;
  const sourcePath = join(engine.dir, `photo-${files}`);
  writeFileSync(sourcePath, bytes);
  const passes = [nearestNetwork(join(engine.dir, 'networks'))];
  return engine.run({ sourcePath, passes, format, formatChosen: true, ...options });
}

const [width, height] = [64, 48];
/** Mid grey, so that light is only of the map. */
const level = 128;
const light = ((level / 255 + 0.055) / 1.055) ** 2.4;
const flat = (channels: 1 | 3): Pixels => ({
  ...{ width, height, channels },
  data: new Uint8Array(width * height * channels).fill(level),
});
/** Dark left, bright right half, at half the size. */
const halves = (channels: 1 | 3): Pixels => ({
  ...{ width: width / 2, height: height / 2, channels },
  data: Uint8Array.from({ length: (width / 2) * (height / 2) * channels }, (_, i) =>
    Math.floor(i / channels) % (width / 2) < width / 4 ? 0 : 255,
  ),
});
const jpegOf = (picture: Pixels) =>
  asSharp(picture).jpeg({ quality: 100, chromaSubsampling: '4:4:4' }).toBuffer();

const ultraHdr = xmpSegment(
  packet(
    'hdrgm:Version="1.0" hdrgm:GainMapMin="-1" hdrgm:GainMapMax="2" hdrgm:Gamma="1" hdrgm:OffsetSDR="0.015625" hdrgm:OffsetHDR="0.015625" hdrgm:HDRCapacityMin="0" hdrgm:HDRCapacityMax="2" hdrgm:BaseRenditionIsHDR="False"',
  ),
);
const offset = 1 / 64;
const gained = (stops: number) => (light + offset) * 2 ** stops - offset;

/** Light of the first colour at a position, 0..1 of each side. */
function lightAt(path: string, x: number, y: number): number {
  const picture = readHdr(path)!;
  const column = Math.floor(x * picture.width);
  const row = Math.floor(y * picture.height);
  return picture.light[(row * picture.width + column) * picture.channels]!;
}

const within = (share: number, wanted: number) => [wanted * (1 - share), wanted * (1 + share)];

function expectLight(path: string, x: number, y: number, wanted: number): void {
  const [least, most] = within(0.04, wanted);
  const found = lightAt(path, x, y);
  expect(found).toBeGreaterThan(least!);
  expect(found).toBeLessThan(most!);
}

const keptNote = 'It is an HDR photo: its gain map was enlarged with it (Ultra HDR).';

describe('an HDR gain map', () => {
  it('of an Ultra HDR photo goes with it, as libultrahdr reads it', async () => {
    const source = withMap(await jpegOf(flat(3)), await jpegOf(halves(1)), ultraHdr);
    const { outputPath, report } = await enlarge(source);
    expect(report.notes).toContain(keptNote);
    const found = readHdr(outputPath)!;
    expect(found.map).toEqual({ width, height, channels: 1 });
    expect([found.width, found.height]).toEqual([2 * width, 2 * height]);
    expectLight(outputPath, 0.1, 0.5, gained(-1));
    expectLight(outputPath, 0.9, 0.5, gained(2));
  });

  it('is turned as the base picture is', async () => {
    const base = await sharp(await jpegOf(flat(3)))
      .withMetadata({ orientation: 6 })
      .jpeg({ quality: 100 })
      .toBuffer();
    const { outputPath } = await enlarge(withMap(base, await jpegOf(halves(1)), ultraHdr));
    // The left becomes the top.
    expectLight(outputPath, 0.5, 0.1, gained(-1));
    expectLight(outputPath, 0.5, 0.9, gained(2));
  });

  it('of three colours is read by ISO 21496-1 too', async () => {
    const channel = (most: number) => [0, most, 1, 0, 0];
    const iso = isoParameters(0xc0, 0, 2, ...channel(2), ...channel(1), ...channel(1));
    const map = await jpegOf(halves(3));
    const { outputPath } = await enlarge(withMap(await jpegOf(flat(3)), map, isoSegment(iso)));
    const { light: found, map: own } = readHdr(outputPath)!;
    expect(own.channels).toBe(3);
    const last = found.slice(-3);
    expect(last[0]! / last[1]!).toBeCloseTo(2, 0);
    expectLight(outputPath, 0.9, 0.5, light * 4);
  });

  const headroom = 4;
  const apple = packet(
    `HDRGainMap:HDRGainMapVersion="131072" HDRGainMap:HDRGainMapHeadroom="${headroom}"`,
  );

  it("of an iPhone's JPEG becomes that of an Ultra HDR photo", async () => {
    const map = await jpegOf(halves(1));
    const { outputPath } = await enlarge(withMap(await jpegOf(flat(3)), map, xmpSegment(apple)));
    expectLight(outputPath, 0.1, 0.5, light);
    expectLight(outputPath, 0.9, 0.5, light * headroom);
  });

  const avifs = async () =>
    Promise.all([
      asSharp(flat(3)).avif({ quality: 100, chromaSubsampling: '4:4:4' }).toBuffer(),
      asSharp(halves(1)).avif({ quality: 100 }).toBuffer(),
    ]);
  const derived = isoParameters(0x40, 0, 2, 0, 2, 1, 0, 0);

  const heics = async () =>
    Promise.all(
      [flat(3), halves(1)].map(async (picture, i) => {
        const [png, heic] = [`heic-${i}.png`, `heic-${i}.heic`].map((name) =>
          join(engine.dir, name),
        );
        // heif-enc pads other sizes in a grid.
        const side = 128 / (i + 1);
        await asSharp(picture)
          .resize(side, side, { fit: 'fill', kernel: 'nearest' })
          .png()
          .toFile(png!);
        execFileSync('heif-enc', ['-q', '100', png!, '-o', heic!]);
        return readFileSync(heic!);
      }),
    ) as Promise<[Buffer, Buffer]>;

  const kinds = [
    ["an iPhone's HEIC", heics, { xmp: apple }],
    ['a HEIC by the standard', heics, { derived }],
    ['an AVIF by the standard', avifs, { derived }],
    ["an AVIF with Apple's map", avifs, { xmp: apple }],
  ] as const;
  for (const [name, pictures, description] of kinds)
    it.skipIf(pictures === heics && !hasHeif)(`of ${name} goes into a JPEG`, async () => {
      const { outputPath, report } = await enlarge(heifWithMap(...(await pictures()), description));
      expect(report.notes).toContain(keptNote);
      expectLight(outputPath, 0.1, 0.5, light);
      expectLight(outputPath, 0.9, 0.5, light * 4);
    });

  it('is kept where no metadata are', async () => {
    const source = withMap(await jpegOf(flat(3)), await jpegOf(halves(1)), ultraHdr);
    const { outputPath } = await enlarge(source, 'jpeg', { metadata: 'none' });
    expectLight(outputPath, 0.9, 0.5, gained(2));
  });

  it.each(['png', 'webp', 'avif', 'tiff', 'jxl'] as const)(
    'is left out of %s with a note that says where it is kept',
    async (format) => {
      const source = withMap(await jpegOf(flat(3)), await jpegOf(halves(1)), ultraHdr);
      const { report } = await enlarge(source, format);
      expect(report.notes.join()).toMatch(/without the map, which only a JPEG keeps/);
    },
  );

  it('that is damaged is left out with a note', async () => {
    const map = (await jpegOf(halves(1))).fill(0xff, 20, 120);
    const { outputPath, report } = await enlarge(withMap(await jpegOf(flat(3)), map, ultraHdr));
    expect(report.notes.join()).toContain('could not be read');
    expect(readHdr(outputPath)).toBeNull();
  });

  it.skipIf(!hasExiftool)(
    `is found by exiftool${hasExiftool ? '' : ` (${withoutExiftool})`}`,
    async () => {
      const base = await sharp(await jpegOf(photo(width, height)))
        .withExif({ IFD0: { Artist: 'A' } })
        .jpeg()
        .toBuffer();
      const source = withMap(base, await jpegOf(halves(1)), ultraHdr);
      const { outputPath } = await enlarge(source);
      const map = await readBlock(outputPath, 'MPImage2');
      expect((await sharp(map).metadata()).width).toBe(width);
      const properties = (await readBlock(outputPath, 'XMP')).toString('utf8');
      expect(properties).toContain('hdrgm:Version="1.0"');
      expect(properties).toContain(`Item:Length="${map.length}"`);
    },
  );
});
