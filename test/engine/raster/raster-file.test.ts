import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRaster, openRaster } from '../../../electron/engine/raster/raster-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const openFiles = () => readdirSync('/proc/self/fd').length;

describe.skipIf(process.platform !== 'linux')(
  'a raster that cannot be had (counts files on Linux)',
  () => {
    it('leaves no file open when its header is another one', () => {
      const path = join(temporaryFolder(), 'other.v');
      writeFileSync(path, Buffer.alloc(100));
      const before = openFiles();
      for (let i = 0; i < 20; i += 1)
        expect(() => openRaster(path)).toThrow('Not a raster of ours');
      expect(openFiles()).toBe(before);
    });

    it('leaves neither an open file nor one on the disk when it cannot be made', () => {
      const path = join(temporaryFolder(), 'huge.v');
      const before = openFiles();
      const shape = { width: 2 ** 31 - 1, height: 2 ** 31 - 1, bands: 4, bits: 16 } as const;
      for (let i = 0; i < 20; i += 1) expect(() => createRaster(path, shape)).toThrow();
      expect(openFiles()).toBe(before);
      expect(existsSync(path)).toBe(false);
    });
  },
);
