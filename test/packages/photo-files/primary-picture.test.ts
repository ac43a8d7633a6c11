/** Of several pictures in a HEIC or AVIF (a burst, say) the one that the file names as its own is taken. */
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readHeifItems } from '../../../packages/file-records/src/heif-items.ts';
import { bytesInMemory } from '../../../packages/file-records/src/tiff/tiff-directory.ts';
import { sharedTestEngine } from '../../support/engine.ts';
import { heifWithMap, isoParameters } from '../../support/gain-maps.ts';
import { asSharp, photo, readPixels, withAlpha } from '../../support/images.ts';
import { nearestNetwork } from '../../support/networks-made.ts';
import { differenceOf, repeated } from '../../support/pixels.ts';

const engine = sharedTestEngine();
afterAll(() => engine.close());

const hasHeif = spawnSync('heif-enc', ['--help']).error === undefined;
/** More than is read of a picture. */
const filmBytes = 600 * 1024 * 1024;
const [first, second] = [photo(128, 128), photo(192, 64)];

/** Names the second picture, visible beside the first. */
function withSecond(file: Buffer): Buffer {
  const made = Buffer.from(file);
  const { items, references, primaryAt } = readHeifItems(bytesInMemory(file))!;
  for (const { flagsAt } of items.slice(0, 2)) made[flagsAt] = 0;
  for (const { typeAt } of references) made.write('skip', typeAt, 'latin1');
  made.writeUInt16BE(items[1]!.id, primaryAt);
  return made;
}

async function expectSecond(file: Buffer): Promise<void> {
  const sourcePath = await engine.saved(withSecond(file));
  const passes = [nearestNetwork(join(engine.dir, 'networks'))];
  const { outputPath, report } = await engine.run({ sourcePath, passes, format: 'png' });
  const { width, height } = await readPixels(outputPath);
  expect([width, height]).toEqual([2 * second.width, 2 * second.height]);
  expect(report.notes).toContain('Picture 2 of 2 was taken, which the file names first.');
}

const boxOf = (type: string, content: Buffer) => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
};

/** A film's track of this number of pictures, as an image sequence has it beside its still picture. */
function trackOf(pictures: number): Buffer {
  const sizes = Buffer.alloc(12);
  sizes.writeUInt32BE(pictures, 8);
  return ['stsz', 'stbl', 'minf', 'mdia', 'trak', 'moov'].reduce(
    (content, type) => boxOf(type, content),
    sizes,
  );
}

it('the first picture of an AVIF sequence is taken, and the result says that it does not move', async () => {
  const still = await asSharp(first).avif().toBuffer();
  const sequence = Buffer.from(still);
  sequence.write('avis', 8, 'latin1');
  const passes = [nearestNetwork(join(engine.dir, 'networks'))];
  for (const [file, isMoving] of [
    [Buffer.concat([sequence, trackOf(7)]), true],
    [Buffer.concat([sequence, trackOf(1)]), false],
    [still, false],
  ] as const) {
    const { report, outputPath } = await engine.run({
      ...{ sourcePath: await engine.saved(file), passes },
      format: 'png',
    });
    expect(await readPixels(outputPath)).toMatchObject({ width: 256, height: 256 });
    const notes = report.notes.join();
    expect(notes.includes('The first of 7 pictures in the file was taken.')).toBe(isMoving);
    expect(notes.includes('the result does not move')).toBe(isMoving);
  }
});

const passesOf = () => [nearestNetwork(join(engine.dir, 'networks'))];

it('of a long AVIF sequence only its still picture is read', async () => {
  const still = await asSharp(first).avif().toBuffer();
  still.write('avis', 8, 'latin1');
  const sourcePath = await engine.saved(Buffer.concat([still, trackOf(9000)]));
  // The frames of a film, which take no room on the disk here.
  const frames = Buffer.alloc(8);
  frames.writeUInt32BE(filmBytes);
  frames.write('mdat', 4, 'latin1');
  appendFileSync(sourcePath, frames);
  truncateSync(sourcePath, still.length + trackOf(9000).length + filmBytes);
  const { report, outputPath } = await engine.run({
    ...{ sourcePath, passes: passesOf(), format: 'png', formatChosen: true },
  });
  expect(report.notes).toContain('The first of 9000 pictures in the file was taken.');
  const alone = {
    sourcePath: await engine.saved(still),
    passes: passesOf(),
    format: 'png' as const,
  };
  const expected = await readPixels((await engine.run(alone)).outputPath);
  expect(differenceOf(await readPixels(outputPath), expected).most).toBe(0);
});

const hasAvifenc = spawnSync('avifenc', ['--help']).error === undefined;
it.skipIf(!hasAvifenc)(
  `the first picture of avifenc's sequence is taken${hasAvifenc ? '' : ' (skipped: no avifenc)'}`,
  async () => {
    const at = (name: string) => join(engine.dir, name);
    const paths = [first, photo(128, 128), photo(128, 128)].map((_, i) => at(`frame-${i}.png`));
    await asSharp(first).png().toFile(paths[0]!);
    for (const path of paths.slice(1)) await asSharp(first).negate().png().toFile(path);
    execFileSync('avifenc', ['--lossless', ...paths, at('frames.avif')], { stdio: 'ignore' });
    const { report, outputPath } = await engine.run({
      ...{ sourcePath: at('frames.avif'), passes: passesOf(), format: 'png' },
    });
    expect(report.notes).toContain('The first of 3 pictures in the file was taken.');
    // avifenc gives all frames of a sequence an alpha, here an opaque one.
    const expected = repeated(withAlpha(first, 0), 2);
    expect(differenceOf(await readPixels(outputPath), expected).most).toBeLessThanOrEqual(1);
  },
);

describe('the second of two pictures', () => {
  it('is taken of an AVIF', async () => {
    const [one, other] = await Promise.all(
      [first, second].map((picture) => asSharp(picture).avif().toBuffer()),
    );
    await expectSecond(heifWithMap(one!, other!, { derived: isoParameters(0, 0) }));
  });

  it.skipIf(!hasHeif)('is taken of a HEIC', async () => {
    const paths = ['first.png', 'second.png'].map((name) => join(engine.dir, name));
    for (const [i, picture] of [first, second].entries())
      await asSharp(picture).png().toFile(paths[i]!);
    const heic = join(engine.dir, 'two.heic');
    execFileSync('heif-enc', [...paths, '-o', heic]);
    await expectSecond(readFileSync(heic));
  });
});
