/** What the application puts into an editor's folder when the page asks. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { installEditor } from '../../../../packages/command-line/src/editors/install-editor.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

describe('installing for an editor', () => {
  const around = (platform: NodeJS.Platform) => {
    const folder = temporaryFolder();
    const env = { APPDATA: folder, XDG_CONFIG_HOME: folder };
    return {
      folder,
      parts: {
        platform,
        env,
        programs: path.join(folder, 'programs'),
        command: ['node', 'cli.js'],
      },
    };
  };

  it('writes the script of darktable', async () => {
    const { folder, parts } = around('linux');
    mkdirSync(path.join(folder, 'darktable'));
    expect(await installEditor('darktable', parts)).toBe(
      path.join(folder, 'darktable/lua/enlarger.lua'),
    );
  });

  it('writes no preset where there is no Lightroom Classic', async () => {
    const { parts } = around('linux');
    await expect(installEditor('lightroom', parts)).rejects.toThrow('Expected Windows or macOS');
  });

  it('says that Lightroom Classic was not started yet', async () => {
    const { parts } = around('win32');
    await expect(installEditor('lightroom', parts)).rejects.toThrow('Start Lightroom Classic once');
  });
});
