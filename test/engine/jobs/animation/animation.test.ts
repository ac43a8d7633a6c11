/** Animations of known frames through the engine: every frame is enlarged, and shown as long as before. */
import { crc32 } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import type { OutputFormat } from '../../../../packages/contract/src/formats.ts';
import type { JobProgress } from '../../../../electron/engine/protocol/messages.ts';
import { withFileBytes } from '../../../../packages/file-records/src/tiff/tiff-directory.ts';
import {
  pngOfFrame,
  readApng,
} from '../../../../packages/photo-files/src/metadata/containers/apng-chunks.ts';
import { apngOf, type TestFrame } from '../../../support/animations.ts';
import { sharedTestEngine, type JobOptions } from '../../../support/engine.ts';
import { nearestNetwork } from '../../../support/networks-made.ts';

const engine = sharedTestEngine();
afterAll(() => engine.close());

const [width, height] = [20, 12];
type Colour = [red: number, green: number, blue: number, alpha: number];
const [red, green, blue, none] = [
  [200, 0, 0, 255],
  [0, 150, 0, 255],
  [0, 0, 250, 255],
  [0, 0, 0, 0],
] as const satisfies Colour[];

/** A frame with two halves of one colour each. */
const halves = (left: Colour, right: Colour) =>
  Buffer.from(
    Array.from({ length: height * width }, (_, i) => (i % width < width / 2 ? left : right)).flat(),
  );
const frames = [halves(red, green), halves(green, blue), halves(blue, red)];
const delays = [100, 40, 250];

const moving = (all: readonly Buffer[]) =>
  sharp(Buffer.concat(all), {
    raw: { width, height: height * all.length, channels: 4, pageHeight: height },
  });
const gif = () => moving(frames).gif({ delay: delays, loop: 3, keepDuplicateFrames: true });
const webp = () => moving(frames).webp({ delay: delays, loop: 3, lossless: true });

const wholeFrames = (all: readonly Buffer[]): TestFrame[] =>
  all.map((pixels, i) => ({ pixels, x: 0, y: 0, width, height, delayMs: delays[i] ?? 0 }));
const apng = () => apngOf({ width, height, plays: 3, frames: wholeFrames(frames) });

const enlarge = async (source: Sharp | Buffer, wish: Partial<JobOptions> = {}) => {
  const sourcePath = await engine.saved(source);
  return engine.run({ sourcePath, passes: [nearestNetwork(engine.dir)], ...wish });
};

interface Moving {
  delays: readonly number[] | undefined;
  plays: number | undefined;
  /** Colour of the middle of either half of each frame. */
  colours: Colour[][];
}

async function coloursOf(picture: Sharp, size = { width: 2 * width, height: 2 * height }) {
  const { data, info } = await picture.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject(size);
  const at = (x: number, y: number) =>
    [...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4)] as Colour;
  return [at(size.width / 4, size.height / 2), at((3 * size.width) / 4, size.height / 2)];
}

/** Reads a result of twice the size by libvips; an APNG by its chunks, each frame alone. */
async function readMoving(path: string): Promise<Moving> {
  const head = await sharp(path, { pages: -1 }).metadata();
  if (head.format !== 'png') {
    const pages = Array.from({ length: head.pages ?? 1 }, (_, page) => sharp(path, { page }));
    const colours = await Promise.all(pages.map((page) => coloursOf(page)));
    return { delays: head.delay, plays: head.loop, colours };
  }
  const read = withFileBytes(path, (bytes) => {
    const all = readApng(bytes);
    return { ...all, files: all.frames.map((frame) => pngOfFrame(all, frame, bytes)) };
  });
  return {
    delays: read.frames.map(({ delayMs }) => delayMs),
    plays: read.plays,
    colours: await Promise.all(read.files.map((file) => coloursOf(sharp(file)))),
  };
}

/** Colours may differ by what a lossy WebP takes off, and where nothing is seen of them. */
function expectColours(found: Colour[][], expected: Colour[][]): void {
  const seen = (all: Colour[][]) =>
    all.flat().flatMap((colour) => (colour[3] === 0 ? [...none] : colour));
  const wanted = seen(expected);
  expect(seen(found)).toHaveLength(wanted.length);
  const differences = seen(found).map((value, i) => Math.abs(value - wanted[i]!));
  expect(Math.max(...differences)).toBeLessThanOrEqual(6);
}
const all: Colour[][] = [
  [red, green],
  [green, blue],
  [blue, red],
];

describe('an animation', () => {
  const sources = { gif, webp, png: apng };
  describe.each(Object.entries(sources))('as %s', (name, make) => {
    it('becomes one of the same format, with its frames and their times', async () => {
      const { report, outputPath } = await enlarge(await make());
      expect(report.input).toMatchObject({ format: name, frames: 3 });
      expect(report.output).toMatchObject({ format: name, frames: 3, width: 40, height: 24 });
      expect(report.notes.join()).toContain('All 3 frames were enlarged');
      const found = await readMoving(outputPath);
      expect(found).toMatchObject({ delays, plays: 3 });
      expectColours(found.colours, all);
    });

    it.each(['gif', 'webp', 'png'] as const)('moves as %s, too', async (format) => {
      const { outputPath } = await enlarge(await make(), { format, formatChosen: true });
      const found = await readMoving(outputPath);
      expect(found).toMatchObject({ delays, plays: 3 });
      expectColours(found.colours, all);
    });

    it('is its first frame where the format does not move, and says so', async () => {
      const { report, outputPath } = await enlarge(await make(), {
        format: 'jpeg' as OutputFormat,
      });
      expect(report.output).not.toHaveProperty('frames');
      expect(report.notes.join()).toContain('The first of 3 pictures');
      expect(report.notes.join()).toContain('JPEG holds no animation');
      expectColours([await coloursOf(sharp(outputPath))], all.slice(0, 1));
    });
  });

  it('of 16 bits keeps them as PNG', async () => {
    const deep = frames.map((frame) =>
      Uint16Array.from(frame, (value) => value * 257 - (value & 1)),
    );
    const bytes = await apngOf({
      width,
      height,
      plays: 0,
      frames: [
        { pixels: deep[0]!, x: 0, y: 0, width, height, delayMs: 50 },
        { pixels: deep[1]!, x: 0, y: 0, width, height, delayMs: 70 },
      ],
    });
    const { report, outputPath } = await enlarge(bytes);
    expect(report.output).toMatchObject({ bitDepth: 16, frames: 2 });
    expect(await readMoving(outputPath)).toMatchObject({ delays: [50, 70], plays: 0 });
  });

  it('of parts is composed: over, replaced, cleared and restored', async () => {
    const half = { width: width / 2, height };
    const pixelsOf = (colour: Colour) =>
      Buffer.from(Array.from({ length: half.width * height }, () => colour).flat());
    const veil: Colour = [0, 0, 0, 51];
    const part = (colour: Colour, x: number, more: Partial<TestFrame>): TestFrame => ({
      ...{ pixels: pixelsOf(colour), x, y: 0, ...half, delayMs: 100 },
      ...more,
    });
    const bytes = await apngOf({
      ...{ width, height, plays: 0 },
      frames: [
        { pixels: halves(red, green), x: 0, y: 0, width, height, delayMs: 100 },
        // A fifth of black over green, taken back afterwards.
        part(veil, width / 2, { isOver: true, disposal: 'restore' }),
        // Replaces red by nothing, and is cleared.
        part(none, 0, { disposal: 'clear' }),
        part(blue, width / 2, { isOver: true, disposal: 'clear' }),
        part(red, 0, {}),
      ],
    });
    const { outputPath } = await enlarge(bytes);
    const { colours } = await readMoving(outputPath);
    expectColours(colours, [
      [red, green],
      [red, [0, 120, 0, 255]],
      [none, green],
      [none, blue],
      [red, none],
    ]);
  });

  it('whose default picture is no frame shows the frames alone', async () => {
    const bytes = await apngOf({
      ...{ width, height, plays: 0, frames: wholeFrames(frames) },
      cover: halves(none, none),
    });
    expectColours((await readMoving((await enlarge(bytes)).outputPath)).colours, all);
  });

  it('with a frame beyond its canvas is its first frame as a still picture', async () => {
    const [first, second] = wholeFrames(frames) as [TestFrame, TestFrame];
    const beyond = { ...second, x: 15 };
    const bytes = await apngOf({ width, height, plays: 0, frames: [first, beyond] });
    const { report } = await enlarge(bytes);
    expect(report.output).toMatchObject({ format: 'png', width: 40 });
    expect(report.output).not.toHaveProperty('frames');
    expect(report.notes.join()).toContain('The first of 2 pictures');
  });

  it('whose chunks are out of order is its default picture', async () => {
    const bytes = await apng();
    // The number of the last frame's pixels, which stand before the end of the file.
    const at = bytes.lastIndexOf('fdAT') + 4;
    bytes.writeUInt32BE(bytes.readUInt32BE(at) + 1, at);
    const sum = bytes.length - 16;
    bytes.writeUInt32BE(crc32(bytes.subarray(at - 4, sum)), sum);
    const { report } = await enlarge(bytes);
    expect(report.output).not.toHaveProperty('frames');
    expect(report.notes.join()).toContain('The first of 3 pictures');
  });

  it('with more frames than are enlarged is its first frame, and says the limit', async () => {
    const limits = { sourcePixels: 2 * width * height, resultPixels: 1e9 };
    const { report } = await enlarge(gif(), { limits });
    expect(report.output.format).toBe('png');
    expect(report.notes.join()).toContain('Animations are enlarged whole up to');
  });

  it('says how much of it all is done, and counts its frames in the estimate', async () => {
    const seen: JobProgress[] = [];
    const sourcePath = await engine.saved(gif());
    const wish = { sourcePath, passes: [nearestNetwork(engine.dir)] };
    await engine.run(wish, undefined, (progress) => seen.push(progress));
    const still = await engine.saved(
      sharp(frames[0], { raw: { width, height, channels: 4 } }).gif(),
    );
    const single: JobProgress[] = [];
    await engine.run({ ...wish, sourcePath: still, format: 'gif' }, undefined, (progress) =>
      single.push(progress),
    );
    const percents = seen.map(({ percent }) => percent);
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    const bytes = (all: JobProgress[]) => all.find(({ estimate }) => estimate)!.estimate!;
    expect(bytes(seen).fileSizeBytes).toBeGreaterThan(2 * bytes(single).fileSizeBytes);
    expect(bytes(seen).scratchBytes).toBeGreaterThan(2 * bytes(single).scratchBytes);
  });

  it('ends between frames when it is cancelled', async () => {
    const controller = new AbortController();
    const many = moving(Array.from({ length: 60 }, (_, i) => frames[i % 3]!)).gif({
      keepDuplicateFrames: true,
    });
    const sourcePath = await engine.saved(many);
    const reason = new Error('cancelled');
    const running = engine.run(
      { sourcePath, passes: [nearestNetwork(engine.dir)] },
      controller.signal,
      ({ step, percent }) => {
        if (step === 'network' && percent > 10) controller.abort(reason);
      },
    );
    await expect(running).rejects.toThrow();
    expect(controller.signal.aborted).toBe(true);
  });

  it('keeps what it says of itself, also as GIF', async () => {
    const withXmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title><rdf:Alt><rdf:li xml:lang="x-default">A walk</rdf:li></rdf:Alt></dc:title></rdf:Description></rdf:RDF></x:xmpmeta>`;
    const source = webp().withXmp(withXmp);
    for (const format of ['webp', 'png', 'gif'] as const) {
      const { outputPath } = await enlarge(source.clone(), { format, formatChosen: true });
      const fields = await engine.host.work(
        'describe',
        { sourcePath: outputPath, limits: { sourcePixels: 1e9, resultPixels: 1e9 } },
        60_000,
      );
      expect(JSON.stringify(fields), format).toContain('A walk');
    }
  });
});
