/** Puts the script into darktable's folder, and names it in the file that darktable runs. */
import { appendFile, readFile, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { isFileProblem, sentenceOf, makeFolder } from '../../cli/local-files.ts';
import { darktableScript } from './script.ts';

/** Where darktable keeps its configuration. Packages of Snap and Flatpak have folders of their own. */
export function usualFolder(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): string {
  if (platform === 'win32')
    return path.win32.join(
      env['LOCALAPPDATA'] ?? path.win32.join(homedir(), 'AppData', 'Local'),
      'darktable',
    );
  const config = env['XDG_CONFIG_HOME'];
  return path.posix.join(
    config !== undefined && config !== '' ? config : path.posix.join(homedir(), '.config'),
    'darktable',
  );
}

const requires = /^\s*require\s*\(?\s*["']enlarger["']/m;

/** Answers the script's path. A script that is there is written anew; `luarc` keeps what it has. Throws a sentence. */
export async function installScript(folder: string): Promise<string> {
  const script = path.join(folder, 'lua', 'enlarger.lua');
  const start = path.join(folder, 'luarc');
  if (!(await isFolder(folder)))
    throw new Error(
      `Expected darktable's folder at ${folder}, but there is none. Start darktable once, or name its folder with --config.`,
    );
  makeFolder(path.dirname(script));
  try {
    await writeFile(script, darktableScript);
    const before = await readFile(start, 'utf8').catch(orNothing);
    if (!requires.test(before)) await appendFile(start, `${lineEnd(before)}require "enlarger"\n`);
    return script;
  } catch (error) {
    if (!isFileProblem(error)) throw error;
    throw new Error(`The script cannot be put into ${folder}: ${sentenceOf(error)}`, {
      cause: error,
    });
  }
}

const lineEnd = (before: string) => (before === '' || before.endsWith('\n') ? '' : '\n');

const isFolder = async (folder: string) =>
  (await stat(folder).catch(() => undefined))?.isDirectory() === true;

function orNothing(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
  throw error;
}
