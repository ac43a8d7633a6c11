import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { saveResult } from '../../../../packages/command-line/src/photos/save.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

describe('saving a result', () => {
  let folder: string;
  let target: string;
  beforeEach(() => {
    folder = temporaryFolder();
    target = path.join(folder, 'sea-2x.jpg');
  });
  const content = (file: string) => readFile(file, 'utf8');

  it('makes the folder and leaves nothing but the file', async () => {
    const deep = path.join(folder, 'a/b/sea.jpg');
    expect(await saveResult(new Response('new'), deep, 'number')).toBe(deep);
    expect(await readdir(path.dirname(deep))).toEqual(['sea.jpg']);
  });

  it.skipIf(process.platform !== 'linux')(
    'says in a sentence that no folder can be made, and does not try for ever',
    async () => {
      const saving = saveResult(new Response('new'), '/proc/enlarger/out/a.jpg', 'number');
      await expect(saving).rejects.toThrow(
        /The folder \/proc\/enlarger\/out cannot be made: there is/,
      );
    },
  );

  it('says in a sentence that a file stands in the way', async () => {
    await writeFile(path.join(folder, 'out'), 'a file');
    const saving = saveResult(new Response('new'), path.join(folder, 'out/a.jpg'), 'number');
    await expect(saving).rejects.toThrow('cannot be made: a file of that name is there.');
  });

  it('numbers the file when its name is taken', async () => {
    await writeFile(target, 'old');
    const first = await saveResult(new Response('new'), target, 'number');
    const second = await saveResult(new Response('newer'), target, 'number');
    expect([first, second].map((file) => path.basename(file!))).toEqual([
      'sea-2x (2).jpg',
      'sea-2x (3).jpg',
    ]);
    expect(await content(target)).toBe('old');
  });

  it('skips or overwrites when it is told to', async () => {
    await writeFile(target, 'old');
    expect(await saveResult(new Response('new'), target, 'skip')).toBeUndefined();
    expect(await content(target)).toBe('old');
    expect(await saveResult(new Response('new'), target, 'overwrite')).toBe(target);
    expect(await content(target)).toBe('new');
    expect(await readdir(folder)).toEqual(['sea-2x.jpg']);
  });

  it('gives a result that was cut short no name', async () => {
    const short = new Response('half', { headers: { 'content-length': '8' } });
    await expect(saveResult(short, target, 'number')).rejects.toThrow('after 4 of 8 bytes');
    expect(await readdir(folder)).toEqual([]);
  });

  it('gives each of many at once a name of its own', async () => {
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, i) => saveResult(new Response(`${i}`), target, 'number')),
    );
    expect(new Set(all).size).toBe(8);
  });
});
