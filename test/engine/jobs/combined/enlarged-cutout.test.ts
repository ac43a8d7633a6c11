/** Cut out and enlarged in one job, in either order, with networks whose answers are known. */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Stroke } from '../../../../packages/contract/src/options/strokes.ts';
import type {
  CutoutEnlargement,
  JobProgress,
  MaskNetworkFile,
  NetworkFile,
} from '../../../../electron/engine/protocol/messages.ts';
import {
  createTestEngine,
  cutoutSize,
  sharedTestEngine,
  type CutoutOptions,
  type TestEngine,
} from '../../../support/engine.ts';
import {
  asSharp,
  deep,
  grey,
  readPixels,
  withAlpha,
  type Pixels,
} from '../../../support/images.ts';
import { brightNetwork } from '../../../support/networks-masks.ts';
import { nanNetwork, nearestNetwork, toldNetwork } from '../../../support/networks-made.ts';
import { differenceOf, repeated } from '../../../support/pixels.ts';
import { pixelAt, subjectPhoto } from '../../../support/subjects.ts';

const box = { x: 60, y: 40, width: 80, height: 60 };
const small = subjectPhoto(200, 150, box);
/** Well inside the box, and well outside, in the result at 2x. */
const inside = [200, 140] as const;
const outside = [20, 20] as const;
const orders = ['enlarge', 'cutout'] as const;

let engine: TestEngine;
let network: MaskNetworkFile;
let twice: NetworkFile;

beforeAll(() => {
  engine = sharedTestEngine();
  const folder = join(engine.dir, 'networks');
  network = brightNetwork(folder, { size: cutoutSize });
  twice = nearestNetwork(folder);
});
afterAll(() => engine.close());

type Wish = Partial<Omit<CutoutOptions, 'enlarge'>> & { enlarge?: Partial<CutoutEnlargement> };

async function make(picture: Pixels, { enlarge, ...wish }: Wish = {}, by = engine) {
  const ran = await by.cutOut({
    sourcePath: await by.saved(picture),
    network,
    ...wish,
    enlarge: { passes: [twice], first: 'enlarge', ...enlarge },
  });
  return { ...ran, result: await readPixels(ran.outputPath) };
}

describe('a cut-out that is enlarged', () => {
  it.each(
    orders.flatMap((first) => [
      [first, 'RGB', small, 4] as const,
      [first, 'grey', grey(small), 2] as const,
      [first, '16-bit RGB', deep(small), 4] as const,
      [first, 'transparent RGB', withAlpha(small, 20), 4] as const,
    ]),
  )('%s first, keeps the colours of a %s subject at its size', async (first, _, picture, bands) => {
    const { result, report } = await make(picture, { enlarge: { first } });
    const top = picture.data instanceof Uint16Array ? 65535 : 255;
    expect(report.output).toMatchObject({
      ...{ format: 'png', width: 400, height: 300, channels: bands },
      bitDepth: top === 255 ? 8 : 16,
    });
    const [x, y] = inside;
    expect(pixelAt(result, x, y)).toEqual([
      ...pixelAt(picture, x / 2, y / 2).slice(0, bands - 1),
      top,
    ]);
    expect(pixelAt(result, ...outside)).toEqual(Array.from({ length: bands }, () => 0));
    expect(report.ran.map(({ scale }) => scale)).toEqual([1, 2]);
    expect(report.grade).toBeDefined();
    expect(report.changed?.mean).toBeLessThan(1);
  });

  it('is, cut out first, to the sample what two rounds make', async () => {
    const { result } = await make(small, { enlarge: { first: 'cutout' }, crop: 5 });
    const cut = await engine.cutOut({ sourcePath: await engine.saved(small), network, crop: 5 });
    const again = await engine.run({ sourcePath: cut.outputPath, passes: [twice] });
    expect(differenceOf(result, await readPixels(again.outputPath)).most).toBe(0);
  });

  it('runs the network in either order only where the result shows something', async () => {
    const wide = subjectPhoto(560, 420, { x: 70, y: 70, width: 105, height: 70 });
    const sourcePath = await engine.saved(wide);
    const alone = await engine.run({ sourcePath, passes: [twice] });
    for (const first of orders) {
      const { report, outputPath } = await engine.cutOut({
        ...{ sourcePath, network, enlarge: { passes: [twice], first } },
      });
      expect(report.tiles.count).toBeLessThan(alone.report.tiles.count / 2);
      const result = await readPixels(outputPath);
      expect(pixelAt(result, 244, 210)).toEqual([...pixelAt(wide, 122, 105), 255]);
      expect(pixelAt(result, 1050, 700)).toEqual([0, 0, 0, 0]);
    }
    const opaque = {
      background: '#00ff00',
      enlarge: { passes: [twice], first: 'cutout' as const },
    };
    const { report } = await engine.cutOut({ sourcePath, network, ...opaque });
    expect(report.tiles.count).toBe(alone.report.tiles.count);
  });

  it('is, enlarged first, what a cut-out of the enlarged photo is', async () => {
    const { result } = await make(small);
    const large = await engine.saved(repeated(small, 2));
    const { outputPath } = await engine.cutOut({ sourcePath: large, network });
    expect(differenceOf(result, await readPixels(outputPath)).mean).toBeLessThan(1.5);
  });

  it.each(orders)('says in whole pixels which part of the photo it shows: %s', async (first) => {
    const { result, report } = await make(small, { enlarge: { first }, crop: 0 });
    const { crop = { x: 0, y: 0, width: 0, height: 0 } } = report;
    expect([result.width, result.height]).toEqual([2 * crop.width, 2 * crop.height]);
    expect(Math.abs(crop.x - box.x)).toBeLessThanOrEqual(4);
    const middle = [Math.floor(crop.width / 2), Math.floor(crop.height / 2)] as const;
    expect(pixelAt(result, 2 * middle[0], 2 * middle[1]).slice(0, 3)).toEqual(
      pixelAt(small, crop.x + middle[0], crop.y + middle[1]),
    );
  });

  it.each(orders)(
    'reaches a size by reducing, and is reduced to one at last: %s',
    async (first) => {
      const sized: Partial<CutoutEnlargement> = {
        target: { kind: 'longEdge', value: 300 },
        choices: [[twice]],
        first,
      };
      const { report } = await make(small, { enlarge: sized });
      expect(report.output).toMatchObject({ width: 300, height: 225 });
      const least = { kind: 'width', value: 250 } as const;
      const reduced = await make(small, { enlarge: { first }, target: least });
      expect(reduced.report.output).toMatchObject({ width: 250, height: 188 });
      await expect(
        make(small, { enlarge: { ...sized, target: { kind: 'width', value: 500 } } }),
      ).rejects.toMatchObject({ code: 'IMAGE_TOO_LARGE' });
    },
  );

  it.each(orders)('%s first, stands on a canvas that is the result', async (first) => {
    const canvas = { width: 300, height: 200 };
    const placed = { canvas, subjectScale: 80, background: '#00ff00' };
    const { result, report } = await make(small, { ...placed, enlarge: { first } });
    expect(report.output).toMatchObject({ ...canvas, channels: 3 });
    expect(pixelAt(result, 2, 2)).toEqual([0, 255, 0]);
    expect(pixelAt(result, 298, 198)).toEqual([0, 255, 0]);
    // The subject's height of 60 pixels fills four fifths of the canvas, in its middle.
    for (const [band, sample] of pixelAt(small, 100, 70).entries())
      expect(Math.abs((pixelAt(result, 150, 100)[band] ?? 0) - sample)).toBeLessThan(4);
    const { crop = { x: 0, y: 0, width: 0, height: 0 } } = report;
    const expected = { x: 44, y: 33, width: 112, height: 75 };
    for (const side of ['x', 'y', 'width', 'height'] as const)
      expect(Math.abs(crop[side] - expected[side])).toBeLessThan(5);
    // 60 pixels are 120 after the network, and 160 on the canvas.
    expect(report.notes.some((note) => note.includes('stretched 1.3 times'))).toBe(true);
    const reduced = await make(small, {
      ...{ ...placed, shadow: 40, crop: 5, target: { kind: 'width', value: 150 } },
      enlarge: { first, target: { kind: 'width', value: 100 } },
    });
    expect(reduced.report.output).toMatchObject({ width: 150, height: 100 });
    const plain = await make(small, { ...placed, enlarge: { first, passes: [] } });
    expect(plain.report.output).toMatchObject(canvas);
    expect(pixelAt(plain.result, 2, 2)).toEqual([0, 255, 0]);
  });

  it('is a JPEG before a colour, with profile, EXIF and how it was made', async () => {
    const sourcePath = join(engine.dir, 'p3.jpg');
    await asSharp(small)
      .withIccProfile('p3')
      .withExif({ IFD0: { Copyright: 'Nobody' } })
      .jpeg({ quality: 98 })
      .toFile(sourcePath);
    for (const first of orders) {
      const { outputPath, report } = await make(small, {
        ...{ sourcePath, background: '#ffffff', format: 'jpeg', history: 'Enlarger 1.2.3' },
        enlarge: { first },
      });
      const found = await sharp(outputPath).metadata();
      expect([found.format, found.width, found.height]).toEqual(['jpeg', 400, 300]);
      expect(found.icc).toEqual((await sharp(sourcePath).metadata()).icc);
      expect(found.exif?.toString('latin1')).toContain('Nobody');
      const xmp = found.xmp?.toString() ?? '';
      expect(xmp).toContain('background removed with cutout; enlarged 2 times with ');
      expect(report.notes).toEqual([]);
    }
  });

  it('softens its edge in pixels of the photo', async () => {
    const wish = { feather: 3, network: { ...network, matting: true } };
    const { result } = await make(small, wish);
    const alone = await engine.cutOut({ ...wish, sourcePath: await engine.saved(small) });
    const cut = await readPixels(alone.outputPath);
    for (const x of [58, 60, 62, 64, 66, 70])
      expect(
        Math.abs((pixelAt(result, 2 * x, 140)[3] ?? 0) - (pixelAt(cut, x, 70)[3] ?? 0)),
      ).toBeLessThan(40);
  });

  it('is its mask alone, in 16 bits', async () => {
    const { result, report } = await make(small, { maskOnly: true });
    expect(report.output).toMatchObject({ width: 400, height: 300, channels: 1, bitDepth: 16 });
    expect([pixelAt(result, ...inside), pixelAt(result, ...outside)]).toEqual([[65535], [0]]);
  });

  it.each(orders)('stands before its own surroundings out of focus: %s first', async (first) => {
    const { result, report } = await make(small, { background: 'blur', enlarge: { first } });
    expect(report.output).toMatchObject({ width: 400, height: 300, channels: 3 });
    expect(pixelAt(result, ...inside)).toEqual(pixelAt(small, inside[0] / 2, inside[1] / 2));
    expect(Math.max(...pixelAt(result, 2 * (box.x - 12), 140))).toBeLessThan(100);
  });

  it('has what a hard brush painted exactly, at its size', async () => {
    const dab = { kind: 'remove', radius: 4 / 200, hardness: 100, points: [[0.5, 70 / 150]] };
    const { result } = await make(small, { strokes: [dab as never] });
    for (const off of [-7, 0, 6]) expect(pixelAt(result, 200 + off, 140)[3]).toBe(0);
    for (const off of [-9, 9]) expect(pixelAt(result, 200 + off, 140)[3]).toBe(255);
  });

  it.each(orders)(
    'runs the mask network alone where it becomes smaller, %s first',
    async (first) => {
      const target = { kind: 'width', value: 100 } as const;
      const { result, report } = await make(small, { enlarge: { first, target } });
      expect(report.ran).toEqual([{ modelId: network.modelId, scale: 1 }]);
      expect(report.output).toMatchObject({ width: 100, height: 75, channels: 4 });
      expect(pixelAt(result, 50, 35)[3]).toBe(255);
      expect(pixelAt(result, 5, 5)[3]).toBe(0);
      expect(report.notes).toContain(
        'The result is smaller than the photo, so it was reduced without a model.',
      );
    },
  );

  it('tells its first pass what the photo went through, also where it is cut first', async () => {
    const even = subjectPhoto(96, 64, { x: 20, y: 10, width: 50, height: 40 });
    const told = toldNetwork(join(engine.dir, 'networks'));
    for (const first of orders) {
      const { report } = await make(even, { enlarge: { passes: [told], restore: 30, first } });
      expect(report.measured?.restored).toBeDefined();
    }
  });
});

describe('a cut-out that is enlarged, on its way', () => {
  it.each([
    ['enlarge', ['decode', 'wait', 'network', 'wait', 'network', 'refine', 'encode']],
    ['cutout', ['decode', 'wait', 'network', 'refine', 'wait', 'network', 'encode']],
  ] as const)('%s first, says one progress that never goes back', async (first, steps) => {
    const received: JobProgress[] = [];
    const scratchDir = join(engine.dir, `scratch-${first}`);
    mkdirSync(scratchDir);
    const { report } = await engine.cutOut(
      {
        sourcePath: await engine.saved(subjectPhoto(400, 300, { ...box, width: 230, height: 170 })),
        ...{ network, scratchDir, enlarge: { passes: [twice], first } },
      },
      undefined,
      (progress) => received.push(progress),
    );
    const percents = received.map(({ percent }) => percent);
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    const order = received.map(({ step }) => step).filter((step, i, all) => step !== all[i - 1]);
    expect(order).toEqual(steps);
    expect(received[0]?.estimate).toMatchObject({ width: 800, height: 600, format: 'png' });
    const { refineMs = 0, composeMs = 0, compareMs = 0 } = report.timings;
    expect(Math.min(refineMs, composeMs, compareMs)).toBeGreaterThan(0);
    expect(readdirSync(scratchDir)).toEqual([first === 'enlarge' ? 'cutout.v' : 'pass-1.v']);
  });

  it('fails with NO_SUBJECT before anything is enlarged', async () => {
    const dark = subjectPhoto(200, 150, { ...box, width: 0 });
    const passes = [nanNetwork(join(engine.dir, 'networks'))];
    await expect(make(dark, { enlarge: { passes } })).rejects.toMatchObject({
      code: 'NO_SUBJECT',
    });
    await expect(make(small, { enlarge: { passes } })).rejects.toMatchObject({
      code: 'INVALID_OUTPUT',
    });
  });

  it.each(orders)('is cancelled in each of its works, and the next one runs: %s', async (first) => {
    const large = await engine.saved(
      subjectPhoto(1000, 750, { x: 250, y: 190, width: 500, height: 375 }),
    );
    for (const at of ['network', 'refine'] as const) {
      const controller = new AbortController();
      const enlarge = { passes: [twice], first };
      const long = engine.cutOut(
        { sourcePath: large, network, enlarge },
        controller.signal,
        (now) => {
          if (now.step === at) controller.abort();
        },
      );
      await expect(long).rejects.toMatchObject({ code: 'CANCELLED' });
    }
    await expect(make(small, { enlarge: { first } })).resolves.toBeDefined();
  });

  it('says before its networks run what its limits do not allow', async () => {
    const limits = { sourcePixels: 1e6, resultPixels: 100_000 };
    for (const first of orders)
      await expect(make(small, { limits, enlarge: { first } })).rejects.toMatchObject({
        code: 'IMAGE_TOO_LARGE',
      });
  });
});

describe('a cut-out that is enlarged again', () => {
  const brush = (kind: 'keep' | 'remove', [x, y]: readonly [number, number]) =>
    ({ kind, radius: 10 / 200, hardness: 100, points: [[x / 200, y / 150]] }) as Stroke;

  it('needs no network for the enlargement where it shows what it showed', async () => {
    const folder = join(engine.dir, 'networks', 'gone');
    const passes = [nearestNetwork(folder)];
    const keptDir = join(engine.dir, 'kept');
    const strokes = [brush('remove', [120, 80])];
    const first = await make(small, { keptDir, enlarge: { passes } });
    const touched = await make(small, { strokes, enlarge: { passes } });
    const green = await make(small, { background: '#00ff00', enlarge: { passes } });
    rmSync(folder, { recursive: true });
    // It has not loaded the network.
    const other = createTestEngine();
    const again = async (wish: Wish) => make(small, { enlarge: { passes }, ...wish }, other);
    try {
      const { result, report } = await again({ keptDir, strokes });
      expect(differenceOf(result, touched.result).most).toBe(0);
      const { ran, changed, tiles } = first.report;
      expect(report).toMatchObject({ ran, changed, tiles });
      const filled = await again({ keptDir, background: '#00ff00' });
      expect(differenceOf(filled.result, green.result).most).toBe(0);
      await expect(again({ keptDir, enlarge: { passes, sharpen: 50 } })).rejects.toThrow();
      await expect(again({})).rejects.toThrow();
    } finally {
      await other.close();
    }
  });

  it('enlarges what it did not show before, and only that', async () => {
    const keptDir = join(engine.dir, 'kept-part');
    const wide = subjectPhoto(560, 420, { x: 70, y: 70, width: 105, height: 70 });
    const keep: Stroke = { ...brush('keep', [0, 0]), points: [[0.8, 0.7]] };
    const first = await make(wide, { keptDir });
    const anew = await make(wide, { strokes: [keep] });
    const again = await make(wide, { keptDir, strokes: [keep] });
    expect(differenceOf(again.result, anew.result).most).toBe(0);
    expect(again.report.tiles.count).toBeLessThan(anew.report.tiles.count);
    expect(first.report.tiles.count).toBeLessThan(anew.report.tiles.count);
    expect(readdirSync(keptDir).filter((name) => name.endsWith('.v'))).toHaveLength(1);
    const back = await make(wide, { keptDir });
    expect(differenceOf(back.result, first.result).most).toBe(0);
    expect(back.report.tiles.count).toBe(again.report.tiles.count);
  });
});
