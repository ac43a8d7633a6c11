/** A subject on a canvas, over a picture and its own shadow: pixels whose values can be said beforehand. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { placeSubject, visiblePart } from '../../../../../packages/painting/src/place-subject.ts';
import {
  asSharp,
  deep,
  grey,
  photo,
  readPixels,
  withAlpha,
  type Pixels,
} from '../../../../support/images.ts';
import { inside, openCutouts, outside, small } from '../../../../support/cutouts.ts';
import { pixelAt } from '../../../../support/subjects.ts';

const { engine, network, cutOut } = openCutouts();

/** The numbers stay as they are; only what they mean is said. */
async function profiled(picture: Pixels, profile: string): Promise<string> {
  const file = asSharp(picture).pipelineColourspace('srgb');
  return engine.saved(await withProfile(await file.png().toBuffer(), profile));
}

/** A PNG that says a profile of its numbers, which stay. */
async function withProfile(png: Buffer, profile: string): Promise<Buffer> {
  const one = await sharp({ create: { width: 1, height: 1, channels: 3, background: '#fff' } })
    .withIccProfile(profile)
    .png()
    .toBuffer();
  const at = one.indexOf('iCCP') - 4;
  const chunk = one.subarray(at, at + 12 + one.readUInt32BE(at));
  // The chunk is inserted behind the PNG's signature and header.
  return Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)]);
}

/** The same everywhere. */
function plain(width: number, height: number, colour: number[]): Pixels {
  const data = Uint8Array.from({ length: width * height * 3 }, (_, i) => colour[i % 3] ?? 0);
  return { data, width, height, channels: 3 };
}

/** Where alpha is over one half: left, top, right and bottom. */
function seenBox({ data, width, height, channels }: Pixels) {
  const found = { left: width, top: height, right: -1, bottom: -1 };
  for (let i = 0; i < width * height; i += 1) {
    if ((data[i * channels + channels - 1] ?? 0) < 128) continue;
    const [x, y] = [i % width, Math.floor(i / width)];
    found.left = Math.min(found.left, x);
    found.top = Math.min(found.top, y);
    found.right = Math.max(found.right, x);
    found.bottom = Math.max(found.bottom, y);
  }
  return found;
}

describe('where a subject is placed', () => {
  const part = { x: 60, y: 40, width: 80, height: 60 };
  const photoSize = { width: 200, height: 150 };

  it.each([
    [
      { canvas: { width: 400, height: 400 }, subjectScale: 50 },
      { x: 100, y: 125, width: 200, height: 150 },
    ],
    [{ canvas: { width: 400, height: 400 } }, { x: 160, y: 170, width: 80, height: 60 }],
    [{ canvas: { width: 40, height: 400 } }, { x: 0, y: 185, width: 40, height: 30 }],
    [{ subjectScale: 100 }, { x: 0, y: 0, width: 200, height: 150 }],
    [{ position: { x: 0, y: 100 } }, { x: 0, y: 90, width: 80, height: 60 }],
    [
      { crop: 0, subjectScale: 50 },
      { x: 20, y: 15, width: 40, height: 30 },
    ],
  ])('for %o is %o', (placing, place) => {
    expect(placeSubject(part, photoSize, placing).target).toEqual(place);
  });

  it('says what of the photo the canvas shows, also beyond its borders', () => {
    const placing = { canvas: { width: 400, height: 400 }, subjectScale: 50 };
    const shown = visiblePart(placeSubject(part, photoSize, placing));
    expect(shown).toEqual({ x: 20, y: -10, width: 160, height: 160 });
  });
});

describe('a cut-out on a canvas', () => {
  it('is as large as was asked for, and where it was', async () => {
    const canvas = { width: 400, height: 300 };
    const { result, report } = await cutOut(small, {
      canvas,
      subjectScale: 50,
      position: { x: 0, y: 100 },
    });
    expect([result.width, result.height, result.channels]).toEqual([400, 300, 4]);
    const { left, top, right, bottom } = seenBox(result);
    // The subject takes 200 x 150 pixels in the lower left corner; its edge may be a pixel of the photo off.
    expect(left).toBeLessThanOrEqual(4);
    expect(bottom).toBeGreaterThanOrEqual(295);
    expect(Math.abs(right - 199)).toBeLessThan(8);
    expect(Math.abs(top - 150)).toBeLessThan(8);
    expect(report.notes.join(' ')).toContain('was stretched 2.5 times for its canvas');
    expect(report.crop?.width).toBeGreaterThan(150);
  });

  it('warns of no stretch that is hardly seen', async () => {
    const { report } = await cutOut(small, {
      canvas: { width: 400, height: 300 },
      subjectScale: 24,
    });
    expect(report.notes).toEqual([]);
  });

  it('keeps every number of a subject that is only moved', async () => {
    const { result } = await cutOut(deep(small), { position: { x: 100, y: 0 } });
    const { right, top } = seenBox(result);
    expect(right).toBeGreaterThanOrEqual(197);
    expect(top).toBeLessThanOrEqual(2);
    const still = await cutOut(deep(small));
    const before = seenBox(still.result);
    const moved = { x: right - before.right, y: top - before.top };
    for (const [x, y] of [inside, [70, 50], [130, 90]] as const)
      expect(pixelAt(result, x + moved.x, y + moved.y)).toEqual(pixelAt(still.result, x, y));
  });

  it('is reduced afterwards where a size was asked for', async () => {
    const { report } = await cutOut(small, {
      canvas: { width: 400, height: 300 },
      subjectScale: 80,
      target: { kind: 'width', value: 100 },
    });
    expect(report.output).toMatchObject({ width: 100, height: 75 });
  });
});

describe('a picture behind a subject', () => {
  const behindOf = async (picture: Pixels, profile?: string) => ({
    backgroundPath: await (profile === undefined
      ? engine.saved(picture)
      : profiled(picture, profile)),
  });

  it('keeps its 16 bits and has its own numbers where the subject is not', async () => {
    const beach = deep(photo(200, 150));
    const { result, report } = await cutOut(deep(small), await behindOf(beach));
    expect([result.channels, report.output.bitDepth]).toEqual([3, 16]);
    expect(pixelAt(result, ...outside)).toEqual(pixelAt(beach, ...outside));
    expect(pixelAt(result, 190, 140)).toEqual(pixelAt(beach, 190, 140));
    expect(pixelAt(result, ...inside)).toEqual(pixelAt(deep(small), ...inside));
  });

  it('is mixed by alpha in the numbers of the profile, as editors do', async () => {
    const cut = (await cutOut(small)).result;
    const beach = photo(200, 150);
    const { result } = await cutOut(small, await behindOf(beach));
    let worst = 0;
    for (let i = 0; i < 200 * 150; i += 1) {
      const alpha = (cut.data[4 * i + 3] ?? 0) / 255;
      for (let c = 0; c < 3; c += 1) {
        const mixed =
          (cut.data[4 * i + c] ?? 0) * alpha + (beach.data[3 * i + c] ?? 0) * (1 - alpha);
        worst = Math.max(worst, Math.abs(mixed - (result.data[3 * i + c] ?? 0)));
      }
    }
    expect(worst).toBeLessThanOrEqual(1);
  });

  it('fills the canvas in its own proportions, cut off evenly at both sides', async () => {
    const colours = [
      [255, 0, 0],
      [0, 200, 0],
      [0, 0, 255],
      [200, 200, 0],
    ];
    const stripes = plain(400, 100, [0, 0, 0]);
    const data = stripes.data.map(
      (_, i) => colours[Math.floor((Math.floor(i / 3) % 400) / 100)]?.[i % 3] ?? 0,
    );
    // The stripes are enlarged to 600 x 150; the middle 200 columns are seen, where green becomes blue.
    const { result } = await cutOut(small, await behindOf({ ...stripes, data }));
    expect(pixelAt(result, 10, 75)).toEqual([0, 200, 0]);
    expect(pixelAt(result, 190, 75)).toEqual([0, 0, 255]);
    expect(pixelAt(result, 95, 10)).toEqual([0, 200, 0]);
    expect(pixelAt(result, 105, 10)).toEqual([0, 0, 255]);
  });

  it.each([8, 16] as const)("is converted to the result's profile, in %i bits", async (bits) => {
    const source = bits === 16 ? deep(small) : small;
    const sourcePath = await profiled(source, 'p3');
    const { backgroundPath } = await behindOf(plain(20, 20, [200, 50, 30]));
    const { outputPath } = await engine.cutOut({ sourcePath, network, backgroundPath });
    const own = await sharp(sourcePath).metadata();
    expect((await sharp(outputPath).metadata()).icc).toEqual(own.icc);
    const found = pixelAt(await readPixels(outputPath), ...outside);
    const top = 2 ** bits - 1;
    for (const [c, value] of inP3([200, 50, 30]).entries())
      expect(Math.abs((found[c] ?? 0) / top - value)).toBeLessThan(bits === 16 ? 0.003 : 0.006);
    // With the same profile on both sides no number is changed.
    const same = await behindOf(plain(200, 150, [200, 50, 30]), 'p3');
    const kept = await engine.cutOut({ sourcePath, network, ...same });
    const top8 = bits === 16 ? 257 : 1;
    expect(pixelAt(await readPixels(kept.outputPath), ...outside)).toEqual(
      [200, 50, 30].map((value) => value * top8),
    );
  });

  it('makes a grey picture RGB, and stands on white where it is transparent itself', async () => {
    const clear = withAlpha(plain(200, 150, [10, 20, 200]), 100);
    const { result, report } = await cutOut(grey(small), await behindOf(clear));
    expect(result.channels).toBe(3);
    expect(pixelAt(result, 20, 130)).toEqual([255, 255, 255]);
    expect(pixelAt(result, 180, 130)).toEqual([10, 20, 200]);
    expect(report.notes).toEqual(
      expect.arrayContaining([expect.stringContaining('White'), expect.stringContaining('RGB')]),
    );
  });

  it('that is none fails as a source does', async () => {
    const path = join(engine.dir, 'none.png');
    writeFileSync(path, 'no picture');
    await expect(cutOut(small, { backgroundPath: path })).rejects.toMatchObject({
      code: 'UNREADABLE_IMAGE',
    });
  });
});

describe('a shadow under a subject', () => {
  it('is black, soft, lower than the subject and only outside of it', async () => {
    const { result } = await cutOut(small, { shadow: 60 });
    const alphaAt = (x: number, y: number) => pixelAt(result, x, y)[3] ?? 0;
    expect(pixelAt(result, ...inside)).toEqual([...pixelAt(small, ...inside), 255]);
    // These places are under the subject's lower edge at 100, and above its upper one at 40.
    expect(pixelAt(result, 100, 103).slice(0, 3)).toEqual([0, 0, 0]);
    expect(alphaAt(100, 103)).toBeGreaterThan(30);
    expect(alphaAt(100, 103)).toBeLessThan(0.6 * 255);
    expect(alphaAt(100, 103)).toBeGreaterThan(alphaAt(100, 106));
    expect(alphaAt(100, 103)).toBeGreaterThan(alphaAt(100, 37) + 10);
    expect(alphaAt(...outside)).toBe(0);
  });

  it('darkens what is behind by just as much', async () => {
    const clear = (await cutOut(small, { shadow: 60 })).result;
    const { result } = await cutOut(small, { shadow: 60, background: '#c8b4a0' });
    for (const [x, y] of [[100, 103], [100, 106], [58, 80], outside] as const) {
      const light = 1 - (pixelAt(clear, x, y)[3] ?? 0) / 255;
      for (const [c, value] of [0xc8, 0xb4, 0xa0].entries())
        expect(Math.abs((pixelAt(result, x, y)[c] ?? 0) - value * light)).toBeLessThanOrEqual(1);
    }
  });
});

/** A colour of sRGB in Display P3, 0..1: both have the same curve and white, so only the primaries differ. */
function inP3(colour: number[]): number[] {
  const light = colour.map((value) => {
    const v = value / 255;
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  });
  const matrix = [
    [0.8224621, 0.177538, 0],
    [0.0331941, 0.9668058, 0],
    [0.0170827, 0.0723974, 0.9105199],
  ];
  return matrix.map((row) => {
    const v = row.reduce((sum, share, i) => sum + share * (light[i] ?? 0), 0);
    return v <= 0.0031308 ? v * 12.92 : 1.055 * v ** (1 / 2.4) - 0.055;
  });
}
