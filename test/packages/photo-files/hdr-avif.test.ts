/** HDR numbers (PQ and HLG) stay as they are where the result is an AVIF of ten bits, and are mapped elsewhere. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { insertNclx } from '../../../packages/photo-files/src/metadata/containers/avif-colours.ts';
import { sharedTestEngine, type JobOptions } from '../../support/engine.ts';
import { hasExiftool, withoutExiftool } from '../../support/exiftool.ts';
import { asSharp, deep, photo, readPixels } from '../../support/images.ts';
import { nearestNetwork } from '../../support/networks-made.ts';
import { differenceOf, repeated } from '../../support/pixels.ts';
import { reports } from '../../support/shared.ts';

const engine = sharedTestEngine();
afterAll(() => engine.close());

const points = { pq: { primaries: 9, transfer: 16 }, hlg: { primaries: 9, transfer: 18 } };
const ignore = () => undefined;

async function hdrAvif(name: string, declared: { primaries: number; transfer: number }) {
  const path = join(engine.dir, `${name}.avif`);
  await asSharp(deep(photo(61, 40)))
    .avif({ bitdepth: 10, quality: 95, chromaSubsampling: '4:4:4' })
    .toFile(path);
  await insertNclx(path, declared, ignore);
  return path;
}

const enlarge = (sourcePath: string, wish: Partial<JobOptions> = {}) =>
  engine.run({ sourcePath, passes: [nearestNetwork(engine.dir)], ...wish });

/** Primaries and transfer of a file's nclx box; undefined if it has none. */
function declaredIn(path: string) {
  const file = readFileSync(path);
  const at = file.indexOf('colrnclx', 0, 'latin1');
  return at < 0
    ? undefined
    : { primaries: file.readUInt16BE(at + 8), transfer: file.readUInt16BE(at + 10) };
}

describe('colours that are declared in an AVIF', () => {
  it.each([
    ['with loss', { quality: 80 }],
    ['without loss', { lossless: true }],
    ['with transparency', { quality: 80 }],
  ])('leave its pixels as they are, %s', async (name, options) => {
    const path = join(engine.dir, `declared ${name}.avif`);
    const picture = name.includes('transparency')
      ? sharp(Buffer.alloc(40 * 30 * 4, 99), { raw: { width: 40, height: 30, channels: 4 } })
      : asSharp(photo(40, 30));
    await picture.avif(options).toFile(path);
    const before = await readPixels(path);
    await insertNclx(path, points.pq, ignore);
    expect(declaredIn(path)).toEqual(points.pq);
    expect(differenceOf(await readPixels(path), before).most).toBe(0);
  });

  it.skipIf(!hasExiftool)(
    `are read by exiftool${hasExiftool ? '' : `: ${withoutExiftool}`}`,
    async () => {
      const path = await hdrAvif('exiftool', points.hlg);
      const read = execFileSync('exiftool', ['-s', '-n', '-TransferCharacteristics', path]);
      expect(read.toString()).toMatch(/TransferCharacteristics\s*: 18/);
    },
  );
});

describe.each(Object.entries(points))('an AVIF in %s', (name, declared) => {
  it('is still one as AVIF, with its numbers', async () => {
    const sourcePath = await hdrAvif(name, declared);
    const { outputPath, report } = await enlarge(sourcePath);
    expect(report.output).toMatchObject({ format: 'avif', bitDepth: 10 });
    expect(report.notes.join()).toContain('the AVIF holds its brightness as it is');
    expect(declaredIn(outputPath)).toEqual(declared);
    const expected = repeated(await readPixels(sourcePath), 2);
    expect(differenceOf(await readPixels(outputPath), expected).mean).toBeLessThan(4);
    expect(readFileSync(outputPath).includes('colrprof')).toBe(false);
    // And once more, with the file that was written.
    const again = await enlarge(outputPath);
    expect(declaredIn(again.outputPath)).toEqual(declared);
  });

  it('is shown mapped to an ordinary screen, before and after, where the result keeps it', async () => {
    const sourcePath = await hdrAvif(`${name}-shown`, declared);
    const viewsOf = (at: string) => ({
      sourceThumbPath: join(engine.dir, `${name}-${at}-source.webp`),
      sourceTilesPath: join(engine.dir, `${name}-${at}-source.zip`),
      resultTilesPath: join(engine.dir, `${name}-${at}-result.zip`),
      maskPath: join(engine.dir, `${name}-${at}-mask.png`),
      changesPath: join(engine.dir, `${name}-${at}-changes.png`),
      metadataPath: join(engine.dir, `${name}-${at}.json`),
    });
    const [kept, mapped] = [viewsOf('kept'), viewsOf('mapped')];
    const asAvif = await enlarge(sourcePath, { views: kept });
    const asJpeg = await enlarge(sourcePath, {
      ...{ format: 'jpeg', formatChosen: true, views: mapped },
    });
    for (const [one, other] of [
      [asAvif.thumbPath, asJpeg.thumbPath],
      [kept.sourceThumbPath, mapped.sourceThumbPath],
    ] as const)
      expect(differenceOf(await readPixels(one), await readPixels(other)).mean).toBeLessThan(5);
    // Tiles of the numbers as they are would show another picture than those that are cut on demand.
    expect(existsSync(kept.sourceTilesPath)).toBe(false);
  });

  it('is mapped to an ordinary screen as JPEG and in eight bits', async () => {
    const sourcePath = await hdrAvif(`${name}-mapped`, declared);
    for (const wish of [
      { format: 'jpeg', formatChosen: true },
      { format: 'avif', formatChosen: true, bitDepth: 8 },
    ] as const) {
      const { outputPath, report } = await enlarge(sourcePath, wish);
      expect(report.notes.join()).toContain('by ITU-R BT.2390');
      expect(declaredIn(outputPath)?.transfer).not.toBe(declared.transfer);
    }
  });
});

const noReports = existsSync(reports) ? '' : ' (skipped: no shared reports)';
describe.skipIf(noReports !== '')(`reported HDR files${noReports}`, () => {
  it.each(['r12-pq-nclx.avif', 'r14-cicp-pq.png'])('%s is HDR as AVIF', async (name) => {
    const sourcePath = join(engine.dir, name);
    writeFileSync(sourcePath, readFileSync(join(reports, name)));
    const { outputPath } = await enlarge(sourcePath, { format: 'avif', formatChosen: true });
    expect(declaredIn(outputPath)).toEqual(points.pq);
  });
});
