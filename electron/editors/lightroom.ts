/**
 * Installs what Lightroom Classic needs to edit in Enlarger: a program that it can start with a photo, and a
 * preset of its external editors that names the program. Lightroom's presets are Lua tables. Field names and
 * the value for the format (`TIFF_ZIP_16_ProPhotoRGB`) are those that other makers' installers write.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { AnyScale } from '../contract/common.ts';
import { makeFolder } from '../local-files.ts';
import { intoFolder } from './into-folder.ts';

/** Lightroom Classic runs on these systems. */
type LightroomPlatform = 'darwin' | 'win32';

export interface LightroomOptions {
  platform: LightroomPlatform;
  /** Lightroom makes this folder of its own at its first start. */
  folder: string;
  /** The program that Lightroom starts goes into this folder, which is made when missing. */
  programs: string;
  /** The program's file and its arguments make up the command `enlarger`. */
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

/** Writes program and preset anew, and answers the preset's path. It throws a sentence. */
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

/** Writes the preset that Lightroom reads. */
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

/** Derives the id from the title, so that Lightroom shows one preset however often it is written. */
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

/** Writes the program that Lightroom starts, and answers its path. */
async function writeProgram({ platform, programs, command, scale }: LightroomOptions) {
  if (platform === 'darwin') return compileApplet(programs, command, scale);
  const file = path.join(programs, `${titleOf(scale)}.cmd`);
  await writeFile(file, batchFile(command, scale));
  return file;
}

/** The batch file enlarges all photos that Lightroom names, one after the other. */
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

/** macOS hands photos to an application by an event, which AppleScript gets and a shell script does not. */
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
