import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Stroke } from '../../../../packages/contract/src/options/strokes.ts';
import type {
  JobProgress,
  MaskNetworkFile,
} from '../../../../electron/engine/protocol/messages.ts';
import { insertNclx } from '../../../../packages/photo-files/src/metadata/containers/avif-colours.ts';
import { asSharp, deep, grey, readPixels, withAlpha } from '../../../support/images.ts';
import { nanMaskNetwork } from '../../../support/networks-masks.ts';
import { box, inside, openCutouts, outside, small } from '../../../support/cutouts.ts';
import { createTestEngine } from '../../../support/engine.ts';
import { pixelAt, subjectPhoto } from '../../../support/subjects.ts';
import { dngOf } from '../../../support/made-files.ts';

const { engine, network, cutOut } = openCutouts();

describe('a cut-out', () => {
  it.each([
    ['RGB', small, 4],
    ['grey', grey(small), 2],
    ['16-bit RGB', deep(small), 4],
    ['16-bit grey', deep(grey(small)), 2],
    ['transparent RGB', withAlpha(small, 20), 4],
    ['transparent grey', withAlpha(grey(small), 20), 2],
  ])(
    'keeps the colours of a %s subject and nothing of its ground',
    async (_, picture, channels) => {
      const { result, report } = await cutOut(picture);
      const colours = channels - 1;
      const top = picture.data instanceof Uint16Array ? 65535 : 255;
      expect(pixelAt(result, ...inside)).toEqual([
        ...pixelAt(picture, ...inside).slice(0, colours),
        top,
      ]);
      expect(pixelAt(result, ...outside)).toEqual(Array.from({ length: channels }, () => 0));
      expect(report.output).toMatchObject({
        format: 'png',
        width: 200,
        height: 150,
        channels,
        bitDepth: top === 255 ? 8 : 16,
      });
      expect(report.ran).toEqual([{ modelId: 'cutout', scale: 1 }]);
    },
  );

  it("has the source's own transparency in its own", async () => {
    const { result } = await cutOut(withAlpha(small, 90));
    expect(pixelAt(result, 80, 70)[3]).toBe(0);
    expect(pixelAt(result, 110, 70)[3]).toBe(255);
  });

  it.each(['webp', 'tiff', 'avif'] as const)('keeps transparency as %s', async (format) => {
    const { result, report } = await cutOut(small, { format, formatChosen: true });
    expect(report.output).toMatchObject({ format, channels: 4 });
    expect([pixelAt(result, ...inside)[3], pixelAt(result, ...outside)[3]]).toEqual([255, 0]);
  });

  it.each([
    ['jpeg', 'transparent', false, 'png'],
    ['jpeg', '#ffffff', false, 'jpeg'],
    ['jpeg', 'transparent', true, 'png'],
    ['gif', 'transparent', false, 'png'],
    ['tiff', 'transparent', false, 'tiff'],
  ] as const)(
    'of a %s on %s (mask only: %s) is %s as the same format',
    async (as, background, maskOnly, format) => {
      const sourcePath = await engine.saved(
        as === 'tiff' ? asSharp(small).tiff({ compression: 'lzw' }) : asSharp(small).toFormat(as),
      );
      const wish = { sourcePath, network, format: 'same', background, maskOnly } as const;
      expect((await engine.cutOut(wish)).report.output.format).toBe(format);
    },
  );

  it('of a portrait RAW is upright', async () => {
    const sourcePath = join(engine.dir, 'portrait.dng');
    const lit = (x: number, y: number) => (x > 40 && x < 120 && y > 30 && y < 90 ? 60_000 : 500);
    writeFileSync(sourcePath, dngOf(160, 120, lit, { orientation: 6 }));
    const { report } = await engine.cutOut({ sourcePath, network });
    expect(report.output).toMatchObject({ width: 120, height: 160, channels: 4 });
  });

  it.each(['transparent', '#ffffff'] as const)(
    'of an HDR photo is mapped to an ordinary screen, on %s: white in PQ would be 10,000 cd/m²',
    async (background) => {
      const sourcePath = join(engine.dir, `hdr-${background}.avif`);
      const encoding = { bitdepth: 10, quality: 95, chromaSubsampling: '4:4:4' } as const;
      await asSharp(deep(small)).avif(encoding).toFile(sourcePath);
      await insertNclx(sourcePath, { primaries: 9, transfer: 16 }, () => undefined);
      const wish = { sourcePath, network, format: 'avif', formatChosen: true, background } as const;
      const { outputPath, report } = await engine.cutOut(wish);
      expect(report.notes.join()).toContain('by ITU-R BT.2390');
      const file = readFileSync(outputPath);
      const at = file.indexOf('colrnclx', 0, 'latin1');
      expect(at < 0 ? undefined : file.readUInt16BE(at + 10)).not.toBe(16);
    },
  );

  it('turns upright once, and keeps EXIF and profile', async () => {
    const sourcePath = join(engine.dir, 'turned.jpg');
    await asSharp(small)
      .rotate(270)
      .withIccProfile('p3')
      .withExif({ IFD0: { Copyright: 'Nobody', Orientation: '6' } })
      .withMetadata({ orientation: 6 })
      .withIccProfile('p3')
      .withExifMerge({ IFD0: { Copyright: 'Nobody' } })
      .jpeg({ quality: 98, chromaSubsampling: '4:4:4' })
      .toFile(sourcePath);
    const { outputPath } = await engine.cutOut({ sourcePath, network });
    const found = await sharp(outputPath).metadata();
    expect([found.width, found.height, found.orientation ?? 1]).toEqual([200, 150, 1]);
    expect(found.icc).toEqual((await sharp(sourcePath).metadata()).icc);
    expect(found.exif?.toString('latin1')).toContain('Nobody');
    const result = await readPixels(outputPath);
    expect([pixelAt(result, ...inside)[3], pixelAt(result, ...outside)[3]]).toEqual([255, 0]);
  });

  it('says in its metadata how it was made', async () => {
    const { outputPath } = await cutOut(small, { history: 'Enlarger 1.2.3' });
    const { xmp } = await sharp(outputPath).metadata();
    expect(xmp?.toString()).toContain('background removed with cutout');
  });

  it('is only enlarged between pixel centres where the network gives true alpha', async () => {
    const sharpBox = { x: 50, y: 50, width: 50, height: 50 };
    const picture = subjectPhoto(150, 150, sharpBox);
    const wanted = { ...network, matting: true, size: { kind: 'fixed', width: 3, height: 3 } };
    const { result, report } = await cutOut(picture, { network: wanted as MaskNetworkFile });
    expect(report.tiles).toMatchObject({ count: 1, sizePx: 3 });
    const alphas = [24, 49, 50, 74, 75, 99, 100, 125].map((x) => pixelAt(result, x, 74)[3]!);
    expect(alphas).toEqual([0, 124, 129, 250, 250, 129, 124, 0]);
  });
});

describe('the background', () => {
  it.each([
    ['RGB', small, '#ff8000', [255, 128, 0]],
    ['16-bit RGB', deep(small), '#ff8000', [65535, 32896, 0]],
    ['grey', grey(small), '#808080', [128]],
    ['grey over a colour', grey(small), '#ff8000', [255, 128, 0]],
  ])('of %s is the colour, and the subject stays', async (_, picture, background, colour) => {
    const { result, report } = await cutOut(picture, { background });
    expect(pixelAt(result, ...outside)).toEqual(colour);
    const own = pixelAt(picture, ...inside);
    const shown = own.length === colour.length ? own : colour.map(() => own[0]);
    expect(pixelAt(result, ...inside)).toEqual(shown);
    expect(report.output.channels).toBe(colour.length);
  });

  it("is converted from sRGB into the picture's profile", async () => {
    const sourcePath = join(engine.dir, 'p3.png');
    await asSharp(small).withIccProfile('p3').png().toFile(sourcePath);
    const wish = { sourcePath, network, background: '#ff0000' };
    const { outputPath } = await engine.cutOut(wish);
    expect(pixelAt(await readPixels(outputPath), ...outside)).toEqual([234, 51, 34]);
    const shown = await sharp(outputPath).raw().toBuffer();
    for (const [i, level] of [255, 0, 0].entries())
      expect(Math.abs((shown[i] ?? 0) - level)).toBeLessThan(3);
  });

  it('is the photo out of focus, without a ghost of the subject', async () => {
    const { result, report } = await cutOut(small, {
      background: 'blur',
      format: 'jpeg',
      quality: 100,
    });
    expect(report.output).toMatchObject({ format: 'jpeg', channels: 3 });
    expect(pixelAt(result, ...inside)[0]).toBeGreaterThan(180);
    const beside = pixelAt(result, box.x - 12, 70);
    expect(Math.max(...beside)).toBeLessThan(100);
    expect(Math.min(...beside)).toBeGreaterThan(5);
  });
});

describe('the crop', () => {
  it.each([
    [0, 80, 60],
    [10, 96, 76],
    [100, 200, 150],
  ])('has %d %% of the longer side around the subject', async (crop, width, height) => {
    const { result, report } = await cutOut(small, { crop });
    expect([Math.abs(result.width - width), Math.abs(result.height - height)]).toEqual([
      expect.toSatisfy((off: number) => off <= 4),
      expect.toSatisfy((off: number) => off <= 4),
    ]);
    expect(report.output).toMatchObject({ width: result.width, height: result.height });
  });

  it('says which part of the source it is', async () => {
    const { report } = await cutOut(small, { crop: 0 });
    const { x = 0, y = 0, ...size } = report.crop ?? {};
    expect([Math.abs(x - box.x), Math.abs(y - box.y)]).toEqual([
      expect.toSatisfy((off: number) => off <= 4),
      expect.toSatisfy((off: number) => off <= 4),
    ]);
    expect(report.output).toMatchObject(size);
    expect((await cutOut(small)).report).not.toHaveProperty('crop');
  });

  it('cuts the background to the same place', async () => {
    const { result } = await cutOut(small, { crop: 10, background: '#0000ff' });
    expect(pixelAt(result, 0, 0)).toEqual([0, 0, 255]);
    const middle = pixelAt(result, Math.floor(result.width / 2), Math.floor(result.height / 2));
    expect(Math.min(...middle)).toBeGreaterThan(180);
  });
});

describe('the mask alone', () => {
  it.each([
    ['same', 16, 65535],
    [8, 8, 255],
  ] as const)('is grey: %s bits mean %d', async (bitDepth, bits, top) => {
    const { result, report } = await cutOut(small, { maskOnly: true, bitDepth });
    expect(report.output).toMatchObject({ channels: 1, bitDepth: bits, width: 200, height: 150 });
    expect([pixelAt(result, ...inside), pixelAt(result, ...outside)]).toEqual([[top], [0]]);
  });

  it('has more than 256 steps, also of an 8-bit photo', async () => {
    const size = { kind: 'fixed', width: 16, height: 16 } as const;
    const wanted = { ...network, matting: true, size };
    const { result } = await cutOut(small, { network: wanted, maskOnly: true });
    const between = new Set(result.data.filter((value) => value % 257 !== 0));
    expect(between.size).toBeGreaterThan(100);
  });

  it('carries no profile of colours', async () => {
    const sourcePath = join(engine.dir, 'mask-p3.png');
    await asSharp(small).withIccProfile('p3').png().toFile(sourcePath);
    const { outputPath } = await engine.cutOut({ sourcePath, network, maskOnly: true });
    expect((await sharp(outputPath).metadata()).icc).toBeUndefined();
  });
});

/** No box in it. */
const dark = subjectPhoto(200, 150, { ...box, width: 0 });

describe('strokes that a person painted', () => {
  const dab = (kind: Stroke['kind'], [x, y]: readonly [number, number]): Stroke => ({
    kind,
    radius: 0.05,
    points: [[x / 200, y / 150]],
  });

  it('take away what the network found, and bring back what it did not', async () => {
    const strokes = [dab('remove', inside), dab('keep', outside)];
    const { result } = await cutOut(small, { strokes });
    expect([pixelAt(result, ...inside)[3], pixelAt(result, ...outside)[3]]).toEqual([0, 255]);
    expect([pixelAt(result, 130, 90)[3], pixelAt(result, 10, 140)[3]]).toEqual([255, 0]);
  });

  it('are a subject where the network found none', async () => {
    const { result } = await cutOut(dark, { strokes: [dab('keep', inside)] });
    expect([pixelAt(result, ...inside)[3], pixelAt(result, ...outside)[3]]).toEqual([255, 0]);
  });

  it('are all of it where the network took the whole picture for one', async () => {
    const bright = subjectPhoto(200, 150, { x: 0, y: 0, width: 200, height: 150 });
    await expect(cutOut(bright)).rejects.toMatchObject({ code: 'NO_SUBJECT' });
    const { result } = await cutOut(bright, { strokes: [dab('keep', inside)] });
    expect([pixelAt(result, ...inside)[3], pixelAt(result, 10, 140)[3]]).toEqual([255, 0]);
  });

  it('of a hard brush of 8 pixels are exactly that, and change nothing beside them', async () => {
    const [x, y] = inside;
    const line = (kind: Stroke['kind'], atY: number): Stroke => ({
      kind,
      radius: 4 / 200,
      hardness: 100,
      points: [
        [(x - 12) / 200, atY / 150],
        [(x + 12) / 200, atY / 150],
      ],
    });
    const before = await cutOut(small);
    const { result } = await cutOut(small, { strokes: [line('remove', y)], feather: 2 });
    const feathered = await cutOut(small, { feather: 2 });
    for (let at = x - 12; at <= x + 12; at += 1) {
      for (const dy of [-4, -1, 0, 3]) expect(pixelAt(result, at, y + dy)[3]).toBe(0);
      for (const dy of [-7, -5, 4, 6])
        expect(pixelAt(result, at, y + dy)).toEqual(pixelAt(feathered.result, at, y + dy));
    }
    const kept = (await cutOut(small, { strokes: [line('keep', 10)] })).result;
    for (let at = x - 12; at <= x + 12; at += 1) {
      for (const dy of [-4, 0, 3]) expect(pixelAt(kept, at, 10 + dy)[3]).toBe(255);
      for (const dy of [-6, -5, 4, 5])
        expect(pixelAt(kept, at, 10 + dy)).toEqual(pixelAt(before.result, at, 10 + dy));
    }
    const alone = await cutOut(dark, { strokes: [line('keep', y)] });
    expect([pixelAt(alone.result, x, y)[3], pixelAt(alone.result, x, y + 9)[3]]).toEqual([255, 0]);
  });

  it('count for matting networks too', async () => {
    const matting = { ...network, matting: true };
    const { result } = await cutOut(small, { network: matting, strokes: [dab('remove', inside)] });
    expect([pixelAt(result, ...inside)[3], pixelAt(result, 130, 90)[3]]).toEqual([0, 255]);
  });
});

describe('a cut-out fails', () => {
  it('with NO_SUBJECT and a sentence where there is none', async () => {
    await expect(cutOut(dark)).rejects.toMatchObject({
      code: 'NO_SUBJECT',
      message: expect.stringMatching(/^Nothing in this picture stands out/) as string,
    });
  });

  it('with INVALID_OUTPUT where the network gives no numbers', async () => {
    const broken = nanMaskNetwork(join(engine.dir, 'networks'));
    await expect(cutOut(small, { network: broken })).rejects.toMatchObject({
      code: 'INVALID_OUTPUT',
    });
  });

  it('when it is cancelled, and the next one runs', async () => {
    const controller = new AbortController();
    const large = subjectPhoto(800, 600, { x: 200, y: 160, width: 400, height: 300 });
    const long = engine.cutOut(
      { sourcePath: await engine.saved(large), network },
      controller.signal,
      ({ step }) => {
        if (step === 'refine') controller.abort();
      },
    );
    await expect(long).rejects.toMatchObject({ code: 'CANCELLED' });
    await expect(cutOut(small)).resolves.toBeDefined();
  });
});

describe('a cut-out on its way', () => {
  it('says progress that never goes back, in the order of its steps, and learns its speed', async () => {
    const received: JobProgress[] = [];
    // Others have shown the shared one how fast it is.
    const own = createTestEngine();
    onTestFinished(() => own.close());
    const { report, thumbPath } = await own.cutOut(
      {
        sourcePath: await own.saved(subjectPhoto(1200, 850, { ...box, width: 500, height: 400 })),
        network,
      },
      undefined,
      (progress) => received.push(progress),
    );
    const percents = received.map(({ percent }) => percent);
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    const order = received.map(({ step }) => step).filter((step, i, all) => step !== all[i - 1]);
    expect(order).toEqual(['decode', 'wait', 'network', 'refine', 'encode']);
    expect(received[0]?.estimate).toMatchObject({ width: 1200, height: 850, format: 'png' });
    const { networkMs = 0, refineMs = 0, composeMs = 0 } = report.timings;
    expect(Math.min(networkMs, refineMs, composeMs)).toBeGreaterThan(0);
    const thumb = await sharp(thumbPath).metadata();
    expect([thumb.width, thumb.height, thumb.hasAlpha]).toEqual([512, 363, true]);
    const find = () => own.host.speeds().find(({ modelId }) => modelId === 'cutout');
    await expect.poll(find).toBeDefined();
    const speed = find();
    expect(speed).toMatchObject({ scale: 1, provider: 'cpu', precision: 'fp32' });
    expect(speed?.megapixelsPerSecond).toBeGreaterThan(0);
  });

  it('leaves nothing in the scratch folder but what the last step needed', async () => {
    const scratchDir = join(engine.dir, 'scratch');
    mkdirSync(scratchDir);
    await cutOut(small, { scratchDir });
    expect(readdirSync(scratchDir)).toEqual(['cutout.v']);
  });
});
