/** Files as phones and messengers write them, and what they are called by. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { jpegSegment } from '../../../packages/photo-files/src/metadata/containers/jpeg-segments.ts';
import { sharedTestEngine } from '../../support/engine.ts';
import { hasExiftool, readTags, withoutExiftool, writeTags } from '../../support/exiftool.ts';
import { asSharp, photo, readPixels } from '../../support/images.ts';
import { nearestNetwork } from '../../support/networks-made.ts';
import { differenceOf } from '../../support/pixels.ts';

const engine = sharedTestEngine();
afterAll(() => engine.close());

const source = photo(128, 96);
const enlarge = async (file: Buffer) =>
  engine.run({
    sourcePath: await engine.saved(file),
    passes: [nearestNetwork(join(engine.dir, 'networks'))],
    format: 'png',
    formatChosen: true,
  });
const pixelsOf = async (file: Buffer) => readPixels((await enlarge(file)).outputPath);
const jpeg = () => asSharp(source).jpeg({ quality: 95 }).toBuffer();

const hasHeif = spawnSync('heif-enc', ['--help']).error === undefined;
const hasBoth = hasHeif && hasExiftool;

describe.skipIf(!hasBoth)(
  `a HEIC photo${hasBoth ? '' : ' (skipped: no heif-enc and exiftool)'}`,
  () => {
    const at = (name: string) => join(engine.dir, name);
    async function heic(name: string, orientation: number): Promise<Buffer> {
      const [from, to] = [at(`${name}.jpg`), at(`${name}.heic`)];
      writeFileSync(from, await jpeg());
      await writeTags(from, `-EXIF:Orientation=${orientation}`, '-EXIF:Make=Phone');
      execFileSync('heif-enc', ['-q', '90', from, '-o', to]);
      return readFileSync(to);
    }

    it('is turned by its boxes, whatever its EXIF says', async () => {
      const { outputPath } = await enlarge(await heic('turned', 6));
      const unturned = await pixelsOf(await asSharp(source).png().toBuffer());
      expect(differenceOf(await readPixels(outputPath), unturned).mean).toBeLessThan(6);
      expect(await readTags(outputPath)).toMatchObject({
        'IFD0:Make': 'Phone',
        'IFD0:Orientation': 1,
      });
    });

    it('of a burst, whose first brand is that of sequences, is read', async () => {
      const file = await heic('burst', 1);
      const burst = Buffer.from(file);
      burst.write('hevc', 8, 'latin1');
      expect(burst.includes('heic')).toBe(true);
      expect(differenceOf(await pixelsOf(burst), await pixelsOf(file)).most).toBe(0);
    });
  },
);

/** EXIF of two entries, an orientation and a resolution, in the directory of the picture. */
function exif(orientation: number): Buffer {
  const entry = (tag: number, type: number, value: number) => {
    const bytes = Buffer.alloc(12);
    bytes.writeUInt16LE(tag, 0);
    bytes.writeUInt16LE(type, 2);
    bytes.writeUInt32LE(1, 4);
    bytes.writeUInt32LE(value, 8);
    return bytes;
  };
  const none = Buffer.alloc(12);
  const head = Buffer.from('Exif\0\0II*\0\x08\0\0\0\x02\0', 'latin1');
  // The resolution is 0 over 0, as night shots of some phones have it.
  return Buffer.concat([head, entry(0x0112, 3, orientation), entry(0x011a, 5, 38), none]);
}
const withExif = async (...blocks: Buffer[]) => {
  const file = await jpeg();
  const segments = blocks.map((block) => jpegSegment(0xe1, block));
  return Buffer.concat([file.subarray(0, 2), ...segments, file.subarray(2)]);
};

describe.skipIf(!hasExiftool)(
  `EXIF that is odd${hasExiftool ? '' : ` (${withoutExiftool})`}`,
  () => {
    it.each([
      ['an orientation of 0 and a resolution of 0 over 0', [exif(0)]],
      ['an orientation of 9', [exif(9)]],
      ['two blocks', [exif(1), exif(6)]],
    ])('%s turns nothing', async (_, blocks) => {
      const { outputPath } = await enlarge(await withExif(...blocks));
      expect(differenceOf(await readPixels(outputPath), await pixelsOf(await jpeg())).most).toBe(0);
      expect(await readTags(outputPath)).toMatchObject({ 'IFD0:Orientation': 1 });
    });
  },
);

it('bytes after the end of a WebP, as messengers leave them, harm nothing', async () => {
  const file = await asSharp(source).webp({ lossless: true }).toBuffer();
  const trailing = Buffer.concat([file, Buffer.alloc(6)]);
  expect(differenceOf(await pixelsOf(trailing), await pixelsOf(file)).most).toBe(0);
});
