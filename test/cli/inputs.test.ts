import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findPictures } from '../../electron/cli/inputs.ts';

describe('pictures from names on the command line', () => {
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'enlarger-inputs-'));
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
  afterEach(() => rm(root, { recursive: true }));

  const find = async (names: string[], outDir?: string) => {
    const { pictures, problems } = await findPictures(
      names.map((name) => path.join(root, name)),
      outDir === undefined ? undefined : path.join(root, outDir),
    );
    const found = pictures.map(({ file, folder }) => [path.relative(root, file), folder]);
    return { found, problems: problems.map(({ message }) => message) };
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

  it('says what leads to nothing', async () => {
    expect((await find(['gone.jpg', '*.webp', 'trip'])).problems).toEqual([
      'There is no such file.',
      'No file matches this pattern.',
    ]);
  });
});
