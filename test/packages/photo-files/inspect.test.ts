/** What is known of a picture before it is decoded: when it was taken, and why it is refused. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { describe, expect, it, onTestFinished } from 'vitest';
import { inspect } from '../../../packages/photo-files/src/inspect.ts';
import { photo } from '../../support/images.ts';
import { bmpOf } from '../../support/made-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const limits = { sourcePixels: 1e6, resultPixels: 1e9 };
const create = { width: 8, height: 6, channels: 3, background: '#456' } as const;

async function capturedAt(format: 'jpeg' | 'png', tags: Record<string, string>) {
  const folder = temporaryFolder();
  const file = path.join(folder, `photo.${format}`);
  await sharp({ create }).withExif({ IFD2: tags }).toFormat(format).toFile(file);
  return (await inspect(file, limits)).info.capturedAt;
}

describe('the time of capture', () => {
  it.each(['jpeg', 'png'] as const)(
    'is what a %s says of the camera, with its fraction',
    async (format) => {
      const tags = { DateTimeOriginal: '2024:05:03 12:11:10', SubSecTimeOriginal: '25' };
      expect(await capturedAt(format, tags)).toBe('2024-05-03T12:11:10.25');
    },
  );

  it.each(['0000:00:00 00:00:00', '    :  :     :  :  ', 'yesterday'])(
    'is not known of a clock that says "%s"',
    async (DateTimeOriginal) => {
      expect(await capturedAt('jpeg', { DateTimeOriginal })).toBeUndefined();
    },
  );

  it('is not known of a picture that says nothing', async () => {
    expect(await capturedAt('jpeg', {})).toBeUndefined();
  });
});

describe('a TIFF', () => {
  it('of 12 bits is refused with what to do', async () => {
    const bits16 = Buffer.from([0x02, 0x01, 3, 0, 1, 0, 0, 0, 16, 0]);
    const file = await sharp({ create })
      .toColourspace('grey16')
      .tiff({ compression: 'none' })
      .toBuffer();
    const at = file.indexOf(bits16);
    expect(at).toBeGreaterThan(0);
    file[at + 8] = 12;
    const saved = path.join(temporaryFolder(), 'packed.tif');
    writeFileSync(saved, file);
    await expect(inspect(saved, limits)).rejects.toThrow(
      'Expected 1, 2, 4, 8, 16 or 32 bits for each colour, but the TIFF holds 12; save it with 16 bits for each channel.',
    );
  });
});

describe('a file whose decoder is a thread of its own', () => {
  it('has its header read once, until it is another one', async () => {
    const threads: unknown[] = [];
    const note = (thread: unknown) => threads.push(thread);
    process.on('worker', note);
    onTestFinished(() => void process.off('worker', note));
    const file = path.join(temporaryFolder(), 'photo.bmp');
    const widthOf = async () => (await inspect(file, limits)).info.width;
    for (const width of [40, 24]) {
      writeFileSync(file, bmpOf(photo(width, 30)));
      expect(await widthOf()).toBe(width);
      expect(await widthOf()).toBe(width);
    }
    expect(threads).toHaveLength(2);
  });
});
