/**
 * Installs for Lightroom Classic: a program that it starts with a photo, and a preset of its external editors
 * that names the program. Presets are Lua tables. Field names and the format's value
 * (`TIFF_ZIP_16_ProPhotoRGB`) are those that other vendors' installers write.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { AnyScale } from '../../../contract/src/common.ts';
import { makeFolder } from '../local-files.ts';
import { intoFolder } from './into-folder.ts';

/** Systems of Lightroom Classic. */
type LightroomPlatform = 'darwin' | 'win32';

export interface LightroomOptions {
  platform: LightroomPlatform;
  /** Lightroom's own folder, created at its first start. */
  folder: string;
  /** Folder of the program that Lightroom starts; created if missing. */
  programs: string;
  /** Command `enlarger`: program and arguments. */
  command: readonly string[];
  scale: AnyScale;
}

export const hasLightroom = (platform: NodeJS.Platform): platform is LightroomPlatform =>
  platform === 'darwin' || platform === 'win32';

export function lightroomFolder(platform: LightroomPlatform, env: NodeJS.ProcessEnv): string {
  if (platform === 'darwin')
    return path.posix.join(homedir(), 'Library/Application Support/Adobe/Lightroom');
  const roaming = env['APPDATA'] ?? path.win32.join(homedir(), 'AppData', 'Roaming');
  return path.win32.join(roaming, 'Adobe', 'Lightroom');
}

/** Overwrites program and preset; returns the preset's path. @throws Error a sentence */
export async function installLightroomPreset(options: LightroomOptions): Promise<string> {
  const { folder, scale } = options;
  const preset = path.join(folder, 'External Editor Presets', `${titleOf(scale)}.lrtemplate`);
  return intoFolder('Lightroom Classic', folder, 'preset', async () => {
    makeFolder(path.dirname(preset));
    makeFolder(options.programs);
    await writeFile(preset, lightroomPreset(scale, await writeProgram(options)));
    return preset;
  });
}

const titleOf = (scale: AnyScale) => (scale === 1 ? 'Enlarger clean' : `Enlarger ${scale}x`);

/** Text of the preset. */
export function lightroomPreset(scale: AnyScale, program: string): string {
  const title = luaString(titleOf(scale));
  return `s = {
	id = "${idOf(titleOf(scale))}",
	internalName = ${title},
	title = ${title},
	type = "ExternalEditor",
	value = {
		externalEditingFormat = "TIFF_ZIP_16_ProPhotoRGB",
		externalEditingFormat_dpi = 300,
		externalEditorFullPath = ${luaString(program)},
	},
	version = 0,
}
`;
}

const luaString = (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** Derived from the title, so that Lightroom shows one preset however often it is written. */
function idOf(title: string): string {
  const hex = createHash('sha256').update(`lightroom ${title}`).digest('hex').toUpperCase();
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20, 32),
  ].join('-');
}

/** Writes the program that Lightroom starts; returns its path. */
async function writeProgram({ platform, programs, command, scale }: LightroomOptions) {
  if (platform === 'darwin') return compileApplet(programs, command, scale);
  const file = path.join(programs, `${titleOf(scale)}.cmd`);
  await writeFile(file, batchFile(command, scale));
  return file;
}

/** Enlarges all photos that Lightroom passes, one by one. */
export function batchFile(command: readonly string[], scale: AnyScale): string {
  const words = command.map((word) => `"${word.replaceAll('%', '%%')}"`).join(' ');
  const lines = [
    '@echo off',
    'rem Written by "enlarger lightroom": enlarges each photo in its place.',
    'chcp 65001 >nul',
    ':next',
    'if "%~1"=="" exit /b 0',
    `${words} edit-in "%~1" --no-original --scale ${scale} || exit /b 1`,
    'shift',
    'goto next',
  ];
  return lines.map((line) => `${line}\r\n`).join('');
}

/** macOS passes photos by an Apple event, which AppleScript receives and shell scripts do not. */
export function appletScript(command: readonly string[], scale: AnyScale): string {
  const words = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const line = `${words} edit-in `.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  return `on open thePhotos
	repeat with thePhoto in thePhotos
		do shell script "${line}" & quoted form of POSIX path of thePhoto & " --no-original --scale ${scale}"
	end repeat
end open
`;
}

async function compileApplet(programs: string, command: readonly string[], scale: AnyScale) {
  const applet = path.join(programs, `${titleOf(scale)}.app`);
  await rm(applet, { recursive: true, force: true });
  const words = ['-o', applet, '-e', appletScript(command, scale)];
  await promisify(execFile)('osacompile', words).catch((cause: unknown) => {
    throw new Error('macOS could not make the application that Lightroom starts (osacompile).', {
      cause,
    });
  });
  return applet;
}
