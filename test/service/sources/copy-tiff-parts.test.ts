/** Looks at TIFFs that tell what they are behind their pixels, by the engine's own reading of what was copied. */
import { open, readFile, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { Value } from 'typebox/value';
import { beforeAll, describe, expect, it } from 'vitest';
import { Settings } from '../../../packages/contract/src/settings/settings.ts';
import { textEntry } from '../../../packages/photo-files/src/metadata/exif/exif-model.ts';
import { writeTiffMetadata } from '../../../packages/photo-files/src/metadata/tiff/tiff-metadata.ts';
import type { Limits } from '../../../electron/engine/protocol/messages.ts';
import { inspect } from '../../../packages/photo-files/src/inspect.ts';
import { copyTiffParts } from '../../../electron/service/sources/copy-tiff-parts.ts';
import { fetchSource } from '../../../electron/service/sources/fetch-source.ts';
import { inspectSource } from '../../../electron/service/sources/inspect-source.ts';
import { dngOf, tiffOf } from '../../support/made-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const defaultSettings = Value.Parse(Settings, Value.Default(Settings, {}));
const limits: Limits = { sourcePixels: 400e6, resultPixels: 16e9 };
let folder = '';
beforeAll(() => void (folder = temporaryFolder()));

const directoryAtEnd = (file: Buffer) => file.readUInt32LE(4) > file.length - 20_000;

/** What of a granted file was copied to be looked at, each time that it was, and what was told. */
async function looked(file: string) {
  const copies: Buffer[] = [];
  const told = await inspectSource(
    { kind: 'file', path: file },
    {
      scratchDir: folder,
      fetchSource,
      settings: () => ({ ...defaultSettings, grantedFolders: [folder] }),
      async inspect(at, within) {
        copies.push(await readFile(at));
        return (await inspect(at, within)).info;
      },
    },
  );
  return { copies, told };
}

/** A file with these bytes, and one of its first 16 to which its parts were added. */
async function partsOf(bytes: Buffer) {
  const [whole, parts] = [path.join(folder, 'whole'), path.join(folder, 'parts')];
  await writeFile(whole, bytes);
  await writeFile(parts, bytes.subarray(0, 16));
  const from = await open(whole);
  try {
    const isTold = await copyTiffParts(from, parts, AbortSignal.timeout(30_000));
    return { isTold, whole, parts };
  } finally {
    await from.close();
  }
}

const noise = (width: number, height: number) => ({
  create: {
    width,
    height,
    channels: 3 as const,
    background: '#808080',
    noise: { type: 'gaussian' as const, mean: 128, sigma: 20 },
  },
});

describe('a look at a TIFF whose directory stands behind its pixels', () => {
  it('reads its head and its directories, of 30 megabytes', async () => {
    const file = path.join(folder, 'a.tif');
    await sharp({ create: { width: 3200, height: 3200, channels: 3, background: '#808080' } })
      .withIccProfile('p3')
      .tiff({ compression: 'none' })
      .toFile(file);
    writeTiffMetadata(file, {
      exif: {
        image: [],
        photo: [textEntry(0x9003, '2024:05:06 07:08:09')],
        gps: [],
        interop: [],
        littleEndian: true,
      },
      photoshop: [],
    });
    const bytes = await readFile(file);
    expect(directoryAtEnd(bytes)).toBe(true);
    const { copies, told } = await looked(file);
    expect(copies).toHaveLength(1);
    expect(told).toEqual((await inspect(file, limits)).info);
    expect(told).toMatchObject({ width: 3200, height: 3200, sizeBytes: bytes.length });
    expect(told.capturedAt).toContain('2024');
    // Its pixels are nowhere zero, and what was not read is.
    const read = copies[0]!.reduce((count, byte) => (byte === 0 ? count : count + 1), 0);
    expect(copies[0]).toHaveLength(bytes.length);
    expect(read).toBeLessThan(1.1 * 1024 * 1024);
  });

  const made: Record<string, () => Promise<Buffer>> = {
    'JPEG in it': () => sharp(noise(300, 200)).tiff({ compression: 'jpeg' }).toBuffer(),
    'big, in tiles': () =>
      sharp(noise(300, 200)).tiff({ bigtiff: true, tile: true, compression: 'lzw' }).toBuffer(),
    'many pages': () =>
      sharp(Buffer.alloc(30 * 100 * 3, 7), {
        raw: { width: 30, height: 100, channels: 3, pageHeight: 10 },
      })
        .tiff()
        .toBuffer(),
    'L*a*b*': () =>
      Promise.resolve(tiffOf(40, 30, () => 90, { bits: 8, bands: 3, photometric: 8 })),
    'planes in tiles, big-endian': () =>
      Promise.resolve(
        tiffOf(40, 30, () => 90, {
          bits: 16,
          bands: 4,
          photometric: 2,
          tile: 16,
          isInPlanes: true,
          bigEndian: true,
        }),
      ),
  };
  it.each(Object.entries(made))('tells what the whole file tells: %s', async (_, make) => {
    const { isTold, whole, parts } = await partsOf(await make());
    expect(isTold).toBe(true);
    expect(await inspect(parts, limits)).toEqual(await inspect(whole, limits));
  });

  it('leaves a sensor’s data to the look at the whole file', async () => {
    expect((await partsOf(dngOf(64, 48, 3000))).isTold).toBe(false);
  });

  it('leaves other formats as they are', async () => {
    const { isTold, parts } = await partsOf(await sharp(noise(30, 20)).png().toBuffer());
    expect(isTold).toBe(true);
    expect(await readFile(parts)).toHaveLength(16);
  });

  it('gives up directories without end', async () => {
    const count = 5000;
    const bytes = Buffer.alloc(8 + count * 6);
    bytes.write('II*\0', 'latin1');
    for (let i = 0; i < count; i += 1) bytes.writeUInt32LE(8 + i * 6, i === 0 ? 4 : 4 + i * 6);
    expect((await partsOf(bytes)).isTold).toBe(false);
    bytes.writeUInt32LE(8, 10);
    expect((await partsOf(bytes)).isTold).toBe(true);
  });

  it('refuses a file that ends before its directory', async () => {
    const file = path.join(folder, 'cut.tif');
    await sharp(noise(1000, 1000)).tiff({ compression: 'none' }).toFile(file);
    await truncate(file, 2_900_000);
    await expect(looked(file)).rejects.toMatchObject({ code: 'UNREADABLE_IMAGE' });
  });
});
