import { chmod, mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { beforeEach, describe, expect, it } from 'vitest';
import { findPictures, type Search } from '../../../../packages/command-line/src/photos/inputs.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

describe('pictures from names on the command line', () => {
  let root: string;

  beforeEach(async () => {
    root = temporaryFolder();
    const files = [
      'a.jpg',
      'odd [1].jpg',
      'notes.txt',
      'trip/b.PNG',
      'trip/day 2/c.tif',
      'out/d.jpg',
    ];
    for (const file of files) {
      await mkdir(path.dirname(path.join(root, file)), { recursive: true });
      await writeFile(path.join(root, file), 'x');
    }
  });

  const find = async (names: string[], outDir?: string, wish: Partial<Search> = {}) => {
    const { pictures, problems, leftOut } = await findPictures({
      names: names.map((name) => path.join(root, name)),
      outDir: outDir === undefined ? undefined : path.join(root, outDir),
      nameTemplate: '{name}-{scale}x.{ext}',
      includeResults: false,
      ...wish,
    });
    const found = pictures.map(({ file, folder }) => [path.relative(root, file), folder]);
    return { found, leftOut, problems: problems.map(({ message }) => message) };
  };

  it('searches a folder for pictures and mirrors what lies below it', async () => {
    expect((await find(['trip'])).found).toEqual([
      ['trip/b.PNG', ''],
      ['trip/day 2/c.tif', 'day 2'],
    ]);
  });

  it('leaves the folder of the results out', async () => {
    expect((await find(['.'], 'out')).found.map(([file]) => file)).toEqual([
      'a.jpg',
      'odd [1].jpg',
      'trip/b.PNG',
      'trip/day 2/c.tif',
    ]);
  });

  it.each(['out (1)', 'out {a,b}', '!out', '+(out)', 'a|b'])(
    'leaves it out whatever it is called: %s',
    async (name) => {
      await mkdir(path.join(root, 'trip', name));
      await writeFile(path.join(root, 'trip', name, 'd.jpg'), 'x');
      const { found } = await find(['trip'], path.join('trip', name));
      expect(found.map(([file]) => file)).toEqual(['trip/b.PNG', 'trip/day 2/c.tif']);
    },
  );

  it('searches a folder whose results go into the folder around it', async () => {
    expect((await find(['trip'], '.')).found.map(([file]) => file)).toEqual([
      'trip/b.PNG',
      'trip/day 2/c.tif',
    ]);
  });

  it('keeps several folders apart by their names', async () => {
    expect((await find(['trip', 'out'])).found.map(([, folder]) => folder)).toEqual([
      'trip',
      'trip/day 2',
      'out',
    ]);
  });

  it('takes a file that is named whatever it is called, and each only once', async () => {
    const { found } = await find(['odd [1].jpg', 'notes.txt', 'a.jpg', '*.jpg']);
    expect(found.map(([file]) => file)).toEqual(['odd [1].jpg', 'notes.txt', 'a.jpg']);
  });

  it('expands a pattern below its fixed part', async () => {
    expect((await find(['trip/**/*.tif'])).found).toEqual([['trip/day 2/c.tif', 'day 2']]);
  });

  it('takes a folder that is there for no pattern', async () => {
    await mkdir(path.join(root, 'shots [a]'));
    await writeFile(path.join(root, 'shots [a]/e.jpg'), 'x');
    expect((await find(['shots [a]/*.jpg'])).found.map(([file]) => file)).toEqual([
      'shots [a]/e.jpg',
    ]);
  });

  it.skipIf(process.platform === 'win32')('finds names with a backslash', async () => {
    await writeFile(path.join(root, 'back\\slash.jpg'), 'x');
    expect((await find(['back\\slash.jpg'])).found.map(([file]) => file)).toEqual([
      'back\\slash.jpg',
    ]);
  });

  it('says what leads to nothing', async () => {
    expect((await find(['gone.jpg', '*.webp', 'trip'])).problems).toEqual([
      'There is no such file.',
      'No file matches this pattern.',
    ]);
  });

  it.skipIf(process.platform === 'win32')('says that links in it are not followed', async () => {
    await mkdir(path.join(root, 'links'));
    await symlink(path.join(root, 'a.jpg'), path.join(root, 'links/a.jpg'));
    expect((await find(['links'])).problems.join()).toContain('Links in it are not followed');
  });

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'says that a folder may not be read',
    async () => {
      await chmod(path.join(root, 'trip'), 0o000);
      expect((await find(['trip'])).problems.join()).toContain('no right to read it');
      await chmod(path.join(root, 'trip'), 0o700);
    },
  );

  describe('leaves out what Enlarger made', () => {
    const results = ['trip/b-2x.png', 'trip/b-2x (2).jpg', 'trip/b-cutout.png', 'trip/b_big.tif'];
    beforeEach(async () => {
      for (const file of [...results, 'trip/x-2x.png']) await writeFile(path.join(root, file), 'x');
      const made = { exif: { IFD0: { Software: 'Enlarger 1.0.0' } } };
      const picture = { width: 4, height: 4, channels: 3, background: '#123' } as const;
      for (const file of ['trip/renamed.jpg', 'trip/other.webp'])
        await sharp({ create: picture }).withExif(made.exif).toFile(path.join(root, file));
    });

    it('of folders, by its names beside a photo and by its mark', async () => {
      const { found, leftOut } = await find(['trip'], undefined, { nameTemplate: '{name}_big' });
      expect(found.map(([file]) => file)).toEqual([
        'trip/b.PNG',
        'trip/day 2/c.tif',
        'trip/x-2x.png',
      ]);
      expect(leftOut).toBe(6);
    });

    it('by the mark alone, where its name says only a number', async () => {
      for (const name of ['trip/b_1.jpg', 'trip/b_2.jpg'])
        await writeFile(path.join(root, name), 'x');
      await rename(path.join(root, 'trip/renamed.jpg'), path.join(root, 'trip/b_2.jpg'));
      const { found } = await find(['trip'], undefined, { nameTemplate: '{name}_{n}' });
      const names = found.map(([file]) => file);
      expect(names).toContain('trip/b_1.jpg');
      expect(names).not.toContain('trip/b_2.jpg');
    });

    it('of files whose photo is named too, and of no others', async () => {
      const { found } = await find(['trip/b.PNG', 'trip/b-2x.png', 'trip/renamed.jpg']);
      expect(found.map(([file]) => file)).toEqual(['trip/b.PNG', 'trip/renamed.jpg']);
      expect((await find(['trip/b-2x.png'])).found).toEqual([['trip/b-2x.png', '']]);
    });

    it('unless it is asked for', async () => {
      const { found, leftOut } = await find(['trip'], undefined, { includeResults: true });
      expect([found.length, leftOut]).toEqual([9, 0]);
    });

    it('and says so where nothing else is there', async () => {
      await mkdir(path.join(root, 'done'));
      await rename(path.join(root, 'trip/renamed.jpg'), path.join(root, 'done/renamed.jpg'));
      expect((await find(['done'])).problems.join()).toContain('--include-results');
    });
  });
});
