/**
 * The script for darktable: put into its folder, and run by Lua over a stand-in for darktable's documented
 * calls.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  installScript,
  defaultFolder,
} from '../../../../packages/command-line/src/editors/darktable.ts';
import { otherDisk, temporaryFolder } from '../../../support/temporary-folder.ts';

const lua = ['lua5.4', 'lua', 'lua5.3'].find((name) => spawnSync(name, ['-v']).status === 0);

/** A stand-in gives the script those of darktable's calls that it uses. Its export begins at once. */
const darktable = `
local finalize
local given = { command = arg[2], options = "--scale 4" }
package.preload.darktable = function()
  return {
    preferences = { register = function() end, read = function(_, name) return given[name] end },
    control = { execute = function(command) local _, _, code = os.execute(command) return code end },
    database = { import = function(path)
      print("imported " .. path)
      return { group_with = function(_, image) print("grouped with " .. image.filename) end }
    end },
    print = print,
    register_storage = function(_, name, _, last) print(name) finalize = last end,
  }
end
dofile(arg[1])
finalize(nil, { [{ path = arg[3], filename = "hill.raf" }] = arg[4] })
`;

describe('enlarger darktable', () => {
  let folder: string;
  let exported: string;
  beforeEach(async () => {
    folder = temporaryFolder();
    // The folder is on another disk where there is one, to which nothing can be renamed.
    exported = path.join(temporaryFolder(otherDisk), 'what was exported');
    await mkdir(exported);
  });

  const at = (...names: string[]) => path.join(folder, ...names);

  it('finds the folder of each system', () => {
    expect(defaultFolder('linux', { XDG_CONFIG_HOME: '/x' })).toBe('/x/darktable');
    expect(defaultFolder('darwin', {})).toMatch(/\.config\/darktable$/);
    expect(defaultFolder('win32', { LOCALAPPDATA: 'C:\\Local' })).toBe('C:\\Local\\darktable');
  });

  it('is loaded by darktable from then on, once, beside what was loaded before', async () => {
    await writeFile(at('luarc'), 'require "tools/script_manager"');
    await installScript(folder);
    await installScript(folder);
    expect(await readFile(at('luarc'), 'utf8')).toBe(
      'require "tools/script_manager"\nrequire "enlarger"\n',
    );
    expect(await readdir(at('lua'))).toEqual(['enlarger.lua']);
  });

  it('says where darktable was looked for', async () => {
    await expect(installScript(at('none'))).rejects.toThrow(/Start darktable once/);
  });

  describe.skipIf(lua === undefined)(
    `the script${lua === undefined ? ' (skipped: no lua)' : ''}`,
    () => {
      /**
       * Exports `hill.tif` by an `enlarger` that is this line of shell, and answers the script's messages.
       */
      async function exportBy(line: string): Promise<string> {
        const script = await installScript(folder);
        await writeFile(at("Ada's enlarger"), `#!/bin/sh\n${line}\n`);
        await chmod(at("Ada's enlarger"), 0o755);
        await writeFile(at('stand-in.lua'), darktable);
        await mkdir(at('photos'), { recursive: true });
        await writeFile(path.join(exported, 'hill.tif'), 'exported');
        const words = [script, at("Ada's enlarger"), at('photos'), path.join(exported, 'hill.tif')];
        return execFileSync(lua ?? '', [at('stand-in.lua'), ...words], { encoding: 'utf8' });
      }

      it('puts what was enlarged beside the photo, and never over a file', async () => {
        const enlarge = 'printf %s "$1 $3 $4 $5" > "$2"';
        expect(await exportBy(enlarge)).toBe(
          `enlarge with Enlarger\nimported ${at('photos', 'hill-enlarged.tif')}\ngrouped with hill.raf\n`,
        );
        await exportBy(enlarge);
        expect(await readdir(at('photos'))).toEqual(['hill-enlarged (2).tif', 'hill-enlarged.tif']);
        expect(await readFile(at('photos', 'hill-enlarged.tif'), 'utf8')).toBe(
          'edit-in --no-original --scale 4',
        );
        expect(await readdir(exported)).toEqual([]);
      });

      it('says what could not be enlarged, and imports nothing', async () => {
        expect(await exportBy('exit 1')).toContain('Enlarger could not enlarge hill.raf');
        expect(await readdir(at('photos'))).toEqual([]);
      });
    },
  );
});
