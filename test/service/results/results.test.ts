import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createResults } from '../../../electron/service/results/results.ts';
import { isLinkSigned, signLink } from '../../../electron/service/results/signed-link.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function openResults() {
  const dir = temporaryFolder();
  return { dir, results: createResults(dir) };
}

describe('a result', () => {
  it('is published under its own name and type, and no temporary file is left', async () => {
    const { dir, results } = openResults();
    const { imagePath, thumbPath } = await results.prepare('task', 3);
    await writeFile(imagePath, 'the image');
    await writeFile(thumbPath, Buffer.from('RIFF....WEBPVP8 '));
    expect(await results.publish('task', 3, 'tiff')).toEqual({
      image: { name: '3.tif', type: 'image/tiff' },
      thumb: { name: '3-thumb.webp', type: 'image/webp' },
    });
    expect((await readdir(join(dir, 'task'))).toSorted()).toEqual(['3-thumb.webp', '3.tif']);
    expect(await readFile(results.pathOf('task', '3.tif'), 'utf8')).toBe('the image');
  });

  it('replaces all that a former attempt left', async () => {
    const { dir, results } = openResults();
    await mkdir(join(dir, 'task'));
    for (const name of ['1.jpg', '1-thumb.webp', '2.part'])
      await writeFile(join(dir, 'task', name), 'x');
    await results.prepare('task', 3);
    expect(await readdir(join(dir, 'task'))).toEqual([]);
    await results.remove('task');
    await results.remove('task');
    expect(await results.taskIds()).toEqual([]);
  });
});

describe("what is looked at of a task's source", () => {
  it('stays from attempt to attempt and goes with the task', async () => {
    const { dir, results } = openResults();
    const { sourceThumbPath, sourceTilesPath, resultTilesPath } = results.viewPaths('task', 1);
    await mkdir(join(dir, 'task'));
    for (const path of [sourceThumbPath, sourceTilesPath, resultTilesPath])
      await writeFile(path, 'x');
    await results.discard('task');
    await results.prepare('task', 2);
    const kept = ['source-thumb.webp', 'source-tiles.zip'];
    expect((await readdir(join(dir, 'task'))).toSorted()).toEqual(kept);
    await results.remove('task');
    expect(await results.taskIds()).toEqual([]);
  });
});

describe('a link', () => {
  const secret = Buffer.alloc(32, 7);
  const claim = { taskId: 'a', file: 'image', expiresOn: 1000 } as const;

  it('is bound to the task, the file, the expiry and the secret', () => {
    const signature = signLink(secret, claim);
    expect(signature).toMatch(/^[0-9a-f]{64}$/);
    expect(isLinkSigned(secret, claim, signature)).toBe(true);
    expect(isLinkSigned(secret, { ...claim, taskId: 'b' }, signature)).toBe(false);
    expect(isLinkSigned(secret, { ...claim, file: 'thumb' }, signature)).toBe(false);
    expect(isLinkSigned(secret, { ...claim, expiresOn: 1001 }, signature)).toBe(false);
    expect(isLinkSigned(Buffer.alloc(32, 8), claim, signature)).toBe(false);
  });

  it('has one spelling: upper case, other lengths and other letters are wrong', () => {
    const signature = signLink(secret, claim);
    const last = signature.endsWith('0') ? '1' : '0';
    for (const wrong of [
      signature.toUpperCase(),
      '',
      signature + '0',
      signature.slice(0, -1),
      signature.slice(0, -1) + last,
      `${signature.slice(0, -1)}é`,
    ]) {
      if (wrong !== signature) expect(isLinkSigned(secret, claim, wrong)).toBe(false);
    }
  });
});
