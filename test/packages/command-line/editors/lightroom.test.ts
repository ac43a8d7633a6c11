/** The preset of Lightroom Classic and the program that it names, read by Lua and run by a stand-in for the system. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  appletScript,
  batchFile,
  installLightroomPreset,
  lightroomFolder,
  lightroomPreset,
} from '../../../../packages/command-line/src/editors/lightroom.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const lua = ['lua5.4', 'lua', 'lua5.3'].find((name) => spawnSync(name, ['-v']).status === 0);
const command = ['/Applications/Enlarger.app/bin/node', '/Applications/Enlarger.app/cli.js'];

describe('enlarger lightroom', () => {
  let folder: string;
  let programs: string;
  beforeEach(() => {
    folder = temporaryFolder();
    programs = path.join(folder, 'programs');
  });

  const presets = () => readdir(path.join(folder, 'External Editor Presets'));

  it('finds the folder of each system', () => {
    expect(lightroomFolder('darwin', {})).toMatch(/Application Support\/Adobe\/Lightroom$/);
    expect(lightroomFolder('win32', { APPDATA: 'C:\\Roaming' })).toBe(
      'C:\\Roaming\\Adobe\\Lightroom',
    );
  });

  it('writes a preset for each size, and each once', async () => {
    const options = { platform: 'win32', folder, programs, command } as const;
    await installLightroomPreset({ ...options, scale: 2 });
    await installLightroomPreset({ ...options, scale: 2 });
    await installLightroomPreset({ ...options, scale: 4 });
    expect(await presets()).toEqual(['Enlarger 2x.lrtemplate', 'Enlarger 4x.lrtemplate']);
    expect(await readdir(programs)).toEqual(['Enlarger 2x.cmd', 'Enlarger 4x.cmd']);
    const preset = await readFile(
      path.join(folder, 'External Editor Presets/Enlarger 4x.lrtemplate'),
      'utf8',
    );
    expect(preset).toContain(
      `externalEditorFullPath = "${path.join(programs, 'Enlarger 4x.cmd')}"`,
    );
  });

  it('says where Lightroom was looked for', async () => {
    const options = { platform: 'win32', folder: path.join(folder, 'none') } as const;
    await expect(
      installLightroomPreset({ ...options, programs, command, scale: 2 }),
    ).rejects.toThrow(/Start Lightroom Classic once/);
  });

  it('lets the system of a Mac make the application that takes photos', async () => {
    const compiler = path.join(folder, 'osacompile');
    await writeFile(compiler, '#!/bin/sh\nmkdir -p "$2" && printf %s "$4" > "$2/script"\n');
    await chmod(compiler, 0o755);
    vi.stubEnv('PATH', `${folder}:${process.env['PATH'] ?? ''}`);
    try {
      await mkdir(programs);
      await installLightroomPreset({ platform: 'darwin', folder, programs, command, scale: 2 });
    } finally {
      vi.unstubAllEnvs();
    }
    const script = path.join(programs, 'Enlarger 2x.app/script');
    expect(await readFile(script, 'utf8')).toBe(appletScript(command, 2));
  });

  it('quotes whatever stands in a path', () => {
    expect(appletScript(['/Ada\'s/no"de', '/cli.js'], 2)).toContain(
      `do shell script "'/Ada'\\\\''s/no\\"de' '/cli.js' edit-in " & quoted form of`,
    );
    expect(batchFile(['C:\\100%\\node.exe', 'C:\\cli.js'], 8)).toContain(
      '"C:\\100%%\\node.exe" "C:\\cli.js" edit-in "%~1" --no-original --scale 8',
    );
    expect(batchFile(command, 2).split('\r\n').at(-1)).toBe('');
  });

  it.skipIf(lua === undefined)('is a table of Lua with what Lightroom asks for', () => {
    const program = 'C:\\Users\\Ada "A"\\Enlarger 2x.cmd';
    const asked = 's.title, s.type, s.value.externalEditingFormat, s.value.externalEditorFullPath';
    const said = execFileSync(lua ?? '', ['-'], {
      input: `${lightroomPreset(2, program)}\nprint(${asked}, s.version, #s.id)`,
      encoding: 'utf8',
    });
    expect(said.trim().split('\t')).toEqual([
      'Enlarger 2x',
      'ExternalEditor',
      'TIFF_ZIP_16_ProPhotoRGB',
      program,
      '0',
      '36',
    ]);
  });
});
