import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import type { JobProgress } from '../../../electron/engine/protocol/messages.ts';
import { createTestEngine } from '../../support/engine.ts';
import {
  asSharp,
  deep,
  grey,
  photo,
  readPixels,
  withAlpha,
  type Pixels,
} from '../../support/images.ts';
import {
  blurNetwork,
  flatNetwork,
  halfBlueNetwork,
  nanNetwork,
  nearestNetwork,
  slowNetwork,
  toldNetwork,
} from '../../support/networks-made.ts';
import { embeddedNetwork } from '../../support/networks.ts';
import { differenceOf, repeated } from '../../support/pixels.ts';

const engine = createTestEngine();
const networks = join(engine.dir, 'networks');
afterAll(() => engine.close());

describe('a job with a network that can be told', () => {
  const even: Pixels = { ...photo(96, 64), data: new Uint8Array(96 * 64 * 3).fill(128) };
  const greyOf = async (path: string) => (await readPixels(path)).data[0];

  it('tells it nothing of a clean photo, and says so', async () => {
    const { outputPath, report } = await engine.run({
      sourcePath: await engine.saved(even),
      passes: [toldNetwork(networks)],
    });
    expect(await greyOf(outputPath)).toBe(128);
    expect(report.measured).toMatchObject({ toldBy: 'nothing', restored: { noise: 0 } });
    expect(report.changed).toEqual({ mean: 0, largest: 0, share: 0 });
  });

  it("tells it a JPEG's quality from its tables", async () => {
    const sourcePath = join(engine.dir, 'even.jpg');
    writeFileSync(sourcePath, await asSharp(even).jpeg({ quality: 70 }).toBuffer());
    const { outputPath, report } = await engine.run({
      sourcePath,
      passes: [toldNetwork(networks)],
      format: 'png',
    });
    // (100 - 70) / 60 of a tenth of white.
    expect(Math.abs(((await greyOf(outputPath)) ?? 0) - (128 - 0.05 * 255))).toBeLessThanOrEqual(1);
    expect(report.measured).toMatchObject({ jpegQuality: 70, toldBy: 'tables' });
    expect(report.changed?.mean).toBeGreaterThan(11);
  });

  it('tells it what a person asked for, and the first pass alone', async () => {
    const { outputPath } = await engine.run({
      sourcePath: await engine.saved(even),
      passes: [toldNetwork(networks), toldNetwork(networks)],
      restore: 30,
    });
    // 0.3 of a tenth, and 0.3 * 10 / 15 of a fifth of white.
    expect(Math.abs(((await greyOf(outputPath)) ?? 0) - (128 - 0.07 * 255))).toBeLessThanOrEqual(1);
  });

  it.each([
    [undefined, 0],
    [75, 0.1],
    [0, 0.4],
  ])('runs each pass between a gentler network and its own: detail %s', async (detail, darker) => {
    const dialled = () => toldNetwork(networks, 2, [0.2], ['natural']);
    const { outputPath, report } = await engine.run({
      sourcePath: await engine.saved(even),
      passes: [dialled(), dialled()],
      ...(detail !== undefined && { detail }),
    });
    const grey = (await greyOf(outputPath)) ?? 0;
    expect(Math.abs(grey - (128 - darker * 255))).toBeLessThanOrEqual(1);
    expect(report.notes).toEqual([]);
  });

  it('says of a network that cannot be told that the wish changed nothing', async () => {
    const run = async (restore: 'auto' | number) => {
      const passes = [blurNetwork(networks)];
      const { report } = await engine.run({
        sourcePath: await engine.saved(even),
        passes,
        restore,
      });
      return report.notes;
    };
    expect(await run('auto')).toEqual([]);
    expect(await run(30)).toEqual([
      expect.stringMatching(
        / cannot be told how much to take off, so restore 30 changed nothing\.$/,
      ),
    ]);
  });

  it('cleans without enlarging, lays grain, and keeps a result faithful', async () => {
    const { outputPath, report } = await engine.run({
      sourcePath: await engine.saved(even),
      passes: [toldNetwork(networks, 1)],
      restore: 30,
      grain: 50,
      keep: 'faithful',
    });
    const { data, width } = await readPixels(outputPath);
    expect(width).toBe(96);
    expect(report.changed?.largest).toBeLessThanOrEqual(1);
    expect(report.notes).toEqual([
      'It was held to the photo before grain, so the file may differ from it by more than 1 level.',
    ]);
    expect(report.measured?.grain?.deviation).toBe(6);
    const mean = Array.from(data).reduce((sum, value) => sum + value, 0) / data.length;
    expect(Math.abs(mean - 128)).toBeLessThan(1);
    expect(new Set(data).size).toBeGreaterThan(20);
  });
});

describe('a job for which a network has nothing to do', () => {
  const source = photo(96, 64);

  it('lays grain over a photo that is neither enlarged nor cleaned, without one', async () => {
    const { outputPath, report } = await engine.run({
      ...{ sourcePath: await engine.saved(source), passes: [toldNetwork(networks, 1)] },
      ...{ restore: 0, grain: 20, bitDepth: 16, format: 'png' },
    });
    expect(report).toMatchObject({ ran: [], output: { width: 96, height: 64, bitDepth: 16 } });
    expect(report.device).toBeUndefined();
    expect(report.measured?.grain?.deviation).toBeCloseTo(2.4);
    expect(report.notes).toContain('Nothing was to be enlarged or cleaned, so no network ran.');
    const before = { ...source, data: Uint8Array.from(source.data) };
    const reduced = await sharp(outputPath).toColourspace('srgb').raw().toBuffer();
    const { mean } = differenceOf({ ...before, data: new Uint8Array(reduced) }, before);
    expect(mean).toBeGreaterThan(1);
    expect(mean).toBeLessThan(3);
  });

  it.each([
    ['a told one', () => [toldNetwork(networks, 1)]],
    ['one that enlarges', () => [blurNetwork(networks)]],
  ])('reduces a photo to a smaller size, whatever the network is: %s', async (_, passes) => {
    const { outputPath, report } = await engine.run({
      ...{ sourcePath: await engine.saved(source), passes: passes(), format: 'png' },
      target: { kind: 'width', value: 48 },
    });
    expect(report).toMatchObject({ ran: [], output: { width: 48, height: 32 } });
    const expected = await asSharp(source)
      .resize(48, 32, { fit: 'fill', kernel: 'lanczos3' })
      .raw()
      .toBuffer();
    const file = { ...source, width: 48, height: 32 };
    const made = await readPixels(outputPath);
    expect(differenceOf(made, { ...file, data: new Uint8Array(expected) }).most).toBeLessThan(2);
  });

  it('runs one that a person gave a strength, and one for cleaning that takes none', async () => {
    const run = async (passes: ReturnType<typeof blurNetwork>[], restore?: number) => {
      const { report } = await engine.run({
        ...{ sourcePath: await engine.saved(source), passes, target: { kind: 'width', value: 48 } },
        ...(restore !== undefined && { restore }),
      });
      return report.ran.length;
    };
    expect(await run([toldNetwork(networks, 1)], 40)).toBe(1);
    expect(await run([toldNetwork(networks, 1)], 0)).toBe(0);
  });

  it('cleans by a chosen strength the pixels that stay, which are fewer', async () => {
    const sourcePath = await engine.saved(photo(2400, 16));
    const told = toldNetwork(networks, 1);
    const tilesAt = async (value: number) => {
      const target = { kind: 'width', value } as const;
      const { report, outputPath } = await engine.run({
        ...{ sourcePath, target, passes: [told], restore: 40 },
      });
      expect((await readPixels(outputPath)).width).toBe(value);
      return report.tiles.count;
    };
    const count = await tilesAt(300);
    expect(count).toBeGreaterThan(0);
    expect(await tilesAt(2400)).toBeGreaterThan(4 * count);
  });
});

describe('a size between two scales', () => {
  // The network repeats pixels, so a ramp stays a ramp, with steps.
  const ramp: Pixels = {
    ...photo(90, 60),
    data: Uint8Array.from({ length: 90 * 60 * 3 }, (_, at) => 30 + 2 * (Math.floor(at / 3) % 90)),
  };

  it.each([
    [2.5, 2],
    [3, 4],
  ])('of %s times is made by the nearest, %s, without a shift', async (value, scale) => {
    const network = nearestNetwork(networks);
    const { outputPath, report } = await engine.run({
      sourcePath: await engine.saved(ramp),
      passes: [network],
      choices: [[network], [network, network]],
      target: { kind: 'factor', value },
      format: 'png',
      history: 'Enlarger 9.9.9',
    });
    expect(report.ran).toHaveLength(Math.log2(scale));
    expect(readFileSync(outputPath, 'latin1')).toContain(
      `enlarged ${value} times with nearest-x2 at ${scale} times, and resampled;`,
    );
    const { data, width, height, channels } = await readPixels(outputPath);
    expect([width, height]).toEqual([90 * value, 60 * value]);
    let sum = 0;
    const inner = Array.from({ length: width - 20 }, (_, i) => i + 10);
    for (const x of inner)
      sum += (data[(30 * width + x) * channels] ?? 0) - (30 + 2 * ((x + 0.5) / value - 0.5));
    // Half a pixel of the result would be 0.3 or more.
    expect(Math.abs(sum / inner.length)).toBeLessThan(0.1);
  });
});

describe('what is said of a change', () => {
  const source = photo(90, 60);
  const historyOf = (path: string) =>
    /reduced to its source[^<"]*/.exec(readFileSync(path, 'latin1'))?.[0];
  const asPng = { format: 'png', history: 'Enlarger 9.9.9' } as const;

  it.each([1.5, 2.3, 3])('is true of a file kept faithful at %s times', async (value) => {
    const network = blurNetwork(networks);
    const { outputPath, report } = await engine.run({
      ...asPng,
      sourcePath: await engine.saved(source),
      passes: [network, network],
      choices: [[network], [network, network]],
      target: { kind: 'factor', value },
      keep: 'faithful',
    });
    expect(report.output.width).toBe(Math.round(90 * value));
    const reduced = await sharp(outputPath)
      .resize(90, 60, { fit: 'fill', kernel: 'cubic' })
      .raw()
      .toBuffer();
    const file = { ...source, data: new Uint8Array(reduced) };
    expect(differenceOf(file, source).most).toBeLessThanOrEqual(1);
    expect(report.changed?.largest).toBe(differenceOf(file, source).most);
    expect(report.notes).toEqual([]);
    expect(historyOf(outputPath)).toMatch(/% of it by over 2$/);
  });

  it('names what was done to the file afterwards', async () => {
    const wish = { sharpen: 80, grain: 20, format: 'jpeg', history: 'Enlarger 9.9.9' } as const;
    const { outputPath, report } = await engine.run({
      ...wish,
      sourcePath: await engine.saved(source),
      passes: [blurNetwork(networks)],
    });
    expect(report.notes).toEqual([
      'How much the network changed the photo was measured before sharpening and grain.',
    ]);
    expect(historyOf(outputPath)).toMatch(/ \(before sharpening, grain and compression\)$/);
  });

  it('is of the pixels that were cleaned where the file is smaller than the photo', async () => {
    const { outputPath } = await engine.run({
      ...asPng,
      sourcePath: await engine.saved(source),
      passes: [toldNetwork(networks)],
      choices: [[toldNetwork(networks)]],
      restore: 30,
      target: { kind: 'width', value: 45 },
    });
    expect((await readPixels(outputPath)).width).toBe(45);
    expect(historyOf(outputPath)).toMatch(/% of it by over 2$/);
  });

  it('tells where a result could not be kept faithful', async () => {
    // Black and white by turns: a fifth more pixels do not hold it.
    const data = Uint8Array.from({ length: 90 * 60 * 3 }, (_, at) =>
      (Math.floor(at / 3) + Math.floor(at / 270)) % 2 === 0 ? 255 : 0,
    );
    const { report } = await engine.run({
      sourcePath: await engine.saved({ ...source, data }),
      passes: [blurNetwork(networks)],
      choices: [[blurNetwork(networks)]],
      target: { kind: 'factor', value: 1.2 },
      keep: 'faithful',
    });
    expect(report.changed?.largest).toBeGreaterThan(1);
    expect(report.notes).toEqual([
      expect.stringMatching(
        /^It could not be brought to within 1 level of the photo everywhere: after 16 corrections it differs by [0-9.]+ at most, [0-9.]+ % of it by over 2\.$/,
      ),
    ]);
  });
});

describe('a job', () => {
  const small = photo(70, 50);

  it.each([
    ['RGB', small],
    ['grey', grey(small)],
    ['16-bit RGB', deep(small)],
    ['16-bit grey', deep(grey(small))],
    ['one pixel', photo(1, 1)],
    ['one pixel wide', photo(1, 90)],
    ['one pixel high', photo(333, 1)],
  ])('gives every pixel of a %s picture its place and its own value', async (_, picture) => {
    const { outputPath, report } = await engine.run({
      sourcePath: await engine.saved(picture),
      passes: [nearestNetwork(networks)],
    });
    expect(differenceOf(await readPixels(outputPath), repeated(picture, 2)).most).toBe(0);
    expect(report.output).toMatchObject({
      format: 'png',
      width: picture.width * 2,
      height: picture.height * 2,
      bitDepth: picture.data instanceof Uint16Array ? 16 : 8,
      channels: picture.channels,
    });
  });

  it('runs passes raster to raster: 4 times is twice 2', async () => {
    const network = nearestNetwork(networks);
    const { outputPath } = await engine.run({
      sourcePath: await engine.saved(asSharp(deep(small)).tiff({ compression: 'lzw' })),
      passes: [network, network],
    });
    const result = await readPixels(outputPath);
    expect(differenceOf(result, repeated(deep(small), 4)).most).toBe(0);
  });

  it('reads layout, channel order and range from the descriptor', async () => {
    const { outputPath } = await engine.run({
      sourcePath: await engine.saved(small),
      passes: [halfBlueNetwork(networks)],
    });
    const expected = repeated(small, 2);
    for (let i = 2; i < expected.data.length; i += 3) {
      expected.data[i] = Math.round(expected.data[i]! / 2);
    }
    expect(differenceOf(await readPixels(outputPath), expected).most).toBeLessThanOrEqual(1);
  });

  it('keeps transparency and lets no hidden black into the edge', async () => {
    const source = withAlpha(small, 30);
    const { outputPath } = await engine.run({
      sourcePath: await engine.saved(source),
      passes: [blurNetwork(networks)],
    });
    const { data, width, channels } = await readPixels(outputPath);
    expect(channels).toBe(4);
    const row = 50 * width * 4;
    expect([data[row + 4 * 50 + 3], data[row + 4 * 70 + 3]]).toEqual([0, 255]);
    const opaque = await engine.run({
      sourcePath: await engine.saved(small),
      passes: [blurNetwork(networks)],
    });
    const reference = await readPixels(opaque.outputPath);
    const at = (x: number) =>
      Math.abs(data[row + x * 4]! - reference.data[50 * width * 3 + x * 3]!);
    expect(at(61)).toBeLessThan(30);
  });

  it('turns a picture upright once and says so in its metadata', async () => {
    const upright = photo(48, 32);
    for (const [orientation, undo] of [
      [3, (s: Sharp) => s.rotate(180)],
      [6, (s: Sharp) => s.rotate(270)],
      [8, (s: Sharp) => s.rotate(90)],
    ] as const) {
      const turned = await undo(asSharp(upright)).withMetadata({ orientation }).png().toBuffer();
      const sourcePath = join(engine.dir, `turned-${orientation}`);
      writeFileSync(sourcePath, turned);
      const { outputPath } = await engine.run({ sourcePath, passes: [nearestNetwork(networks)] });
      expect(differenceOf(await readPixels(outputPath), repeated(upright, 2)).most).toBe(0);
      expect((await sharp(outputPath).metadata()).orientation ?? 1).toBe(1);
    }
  });

  it('turns the mirrored orientations too', async () => {
    const picture = photo(40, 24);
    for (const orientation of [2, 4, 5, 7]) {
      const sourcePath = join(engine.dir, `mirrored-${orientation}`);
      writeFileSync(
        sourcePath,
        await asSharp(picture).withMetadata({ orientation }).png().toBuffer(),
      );
      const { outputPath } = await engine.run({ sourcePath, passes: [nearestNetwork(networks)] });
      const { data, info } = await sharp(sourcePath)
        .autoOrient()
        .raw()
        .toBuffer({ resolveWithObject: true });
      const upright = { data, width: info.width, height: info.height, channels: 3 as const };
      expect(differenceOf(await readPixels(outputPath), repeated(upright, 2)).most).toBe(0);
    }
  });

  it('writes a thumbnail that fits in 512 x 512', async () => {
    const { thumbPath } = await engine.run({
      sourcePath: await engine.saved(photo(900, 300)),
      passes: [nearestNetwork(networks)],
    });
    const { width, height, format } = await sharp(thumbPath).metadata();
    expect([width, height, format]).toEqual([512, 171, 'webp']);
  });

  it('says progress that never goes back, in the order of its steps', async () => {
    const received: JobProgress[] = [];
    const { report } = await engine.run(
      { sourcePath: await engine.saved(photo(600, 400)), passes: [blurNetwork(networks)] },
      undefined,
      (progress) => received.push(progress),
    );
    const percents = received.map((progress) => progress.percent);
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    expect(percents.every(Number.isInteger)).toBe(true);
    const order = received.map((progress) => progress.step).filter((s, i, all) => s !== all[i - 1]);
    expect(order).toEqual(['decode', 'wait', 'network', 'encode']);
    expect(report.timings.networkMs).toBeGreaterThan(0);
    expect(report.tiles.count).toBeGreaterThan(1);
  });

  it('lets two pictures be under way together', async () => {
    const wish = {
      sourcePath: await engine.saved(photo(500, 400)),
      passes: [blurNetwork(networks)],
    };
    const both = await Promise.all([engine.run(wish), engine.run(wish)]);
    const [a, b] = await Promise.all(both.map(({ outputPath }) => readPixels(outputPath)));
    expect(differenceOf(a!, b!).most).toBe(0);
  });

  it.each([
    ['values that are not numbers', nanNetwork],
    ['one flat colour', flatNetwork],
  ])('fails with INVALID_OUTPUT when the network gives %s', async (_, make) => {
    const failed = engine.run({ sourcePath: await engine.saved(small), passes: [make(networks)] });
    await expect(failed).rejects.toMatchObject({ code: 'INVALID_OUTPUT' });
  });

  it('lets a flat picture stay flat', async () => {
    const flat = { ...small, data: new Uint8Array(small.data.length).fill(90) };
    const { outputPath } = await engine.run({
      sourcePath: await engine.saved(flat),
      passes: [nearestNetwork(networks)],
    });
    expect(differenceOf(await readPixels(outputPath), repeated(flat, 2)).most).toBe(0);
  });

  it('stops within a tile when it is cancelled, and the next picture runs', async () => {
    const controller = new AbortController();
    const network = slowNetwork(networks);
    const speedOfSlow = () =>
      engine.host.speeds().filter(({ modelId }) => modelId === network.modelId);
    const before = speedOfSlow();
    const long = engine.run(
      { sourcePath: await engine.saved(photo(600, 400)), passes: [network] },
      controller.signal,
      ({ step, percent }) => {
        if (step === 'network' && percent > 4) controller.abort();
      },
    );
    await expect(long).rejects.toMatchObject({ code: 'CANCELLED' });
    const next = engine.run({
      sourcePath: await engine.saved(small),
      passes: [nearestNetwork(networks)],
    });
    await expect(next).resolves.toBeDefined();
    await engine.host.devices();
    // A pass that is done has its speed noted, a stopped one has not.
    expect(speedOfSlow()).toEqual(before);
  });

  it('learns no speed of a picture that is too small to tell one', async () => {
    const network = embeddedNetwork(2);
    await engine.run({ sourcePath: await engine.saved(photo(40, 30)), passes: [network] });
    await engine.host.devices();
    expect(engine.host.speeds().filter(({ modelId }) => modelId === network.modelId)).toEqual([]);
  });

  it('leaves nothing in the scratch folder but what the last step needed', async () => {
    const scratchDir = join(engine.dir, 'scratch');
    await sharp(await engine.saved(small)).toFile(join(engine.dir, 'any.png'));
    mkdirSync(scratchDir);
    await engine.run({
      sourcePath: join(engine.dir, 'any.png'),
      scratchDir,
      passes: [nearestNetwork(networks), nearestNetwork(networks)],
    });
    expect(readdirSync(scratchDir)).toEqual(['pass-2.v']);
  });
});
