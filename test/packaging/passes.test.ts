import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { openUpdateFiles, planPasses } from '../../packaging/passes.ts';
import { root } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('the passes of packing', () => {
  it('never put two kinds together that say which one they are', async () => {
    expect(planPasses('linux', undefined)).toEqual([['AppImage', 'tar.gz'], ['deb'], ['rpm']]);
    expect(planPasses('linux', ['rpm', 'tar.gz'])).toEqual([['tar.gz'], ['rpm']]);
    expect(planPasses('win32', undefined)).toEqual([undefined]);
    expect(planPasses('darwin', ['dmg'])).toEqual([['dmg']]);
    const text = await readFile(path.join(root, 'electron-builder.yml'), 'utf8');
    const { linux } = parse(text) as { linux: { target: string[] } };
    expect(planPasses('linux', undefined).flat().sort()).toEqual([...linux.target].sort());
  });

  it('leave one file that names the packages of all of them', async () => {
    const folder = temporaryFolder();
    const updates = openUpdateFiles(folder);
    for (const kind of ['AppImage', 'deb']) {
      const text = `version: 1.0.0\nfiles:\n  - url: Enlarger.${kind}\n    sha512: abc\npath: Enlarger.${kind}\n`;
      for (const name of ['latest-linux.yml', 'beta-linux-arm64.yml', 'builder-debug.yml'])
        await writeFile(path.join(folder, name), text);
      await updates.take();
    }
    await updates.write();
    for (const name of ['latest-linux.yml', 'beta-linux-arm64.yml'])
      expect(parse(await readFile(path.join(folder, name), 'utf8'))).toMatchObject({
        path: 'Enlarger.AppImage',
        files: [{ url: 'Enlarger.AppImage' }, { url: 'Enlarger.deb' }],
      });
  });
});
