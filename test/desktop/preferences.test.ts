import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPreferences, withRecent } from '../../electron/desktop/preferences.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const defaults = {
  staysInTray: true,
  isHidingExplained: false,
  notifies: true,
  recentFolders: [],
  theme: 'system' as const,
  updates: 'unasked' as const,
  betas: false,
};

describe("the window's own choices", () => {
  it('are kept from one start to the next', async () => {
    const file = path.join(temporaryFolder(), 'window/preferences.json');
    openPreferences(file).set({ notifies: false });
    expect(openPreferences(file).get()).toEqual({ ...defaults, notifies: false });
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ staysInTray: true });
  });

  it.each(['', '{"notifies":', '[]', '{"notifies":"yes"}', 'null'])(
    'are the usual ones where the file holds %j',
    async (text) => {
      const file = path.join(temporaryFolder(), 'preferences.json');
      await writeFile(file, text);
      expect(openPreferences(file).get()).toEqual(defaults);
    },
  );

  it('that another version wrote keep what this one knows, and with it the answer about updates', async () => {
    const file = path.join(temporaryFolder(), 'preferences.json');
    const written = { updates: 'off', theme: 'a new one', notifies: false, zoom: 2 };
    await writeFile(file, JSON.stringify(written));
    expect(openPreferences(file).get()).toEqual({ ...defaults, updates: 'off', notifies: false });
  });

  it('remember the ten newest folders with pictures, each once', () => {
    const file = (path: string) => ({
      path,
      imageUrl: '',
      name: '',
      inFolder: '',
      sizeBytes: 0,
      modifiedAt: '',
    });
    const old = Array.from({ length: 10 }, (_, index) => `/old/${index}`);
    const { recentFolders } = withRecent(
      { ...defaults, recentFolders: old },
      ['/old/3', '/new', '/empty', '/one.jpg'],
      [file('/old/3/a.jpg'), file('/new/b/c.jpg'), file('/one.jpg')],
    );
    expect(recentFolders).toHaveLength(10);
    expect(recentFolders.slice(0, 4)).toEqual(['/old/3', '/new', '/old/0', '/old/1']);
  });
});
