/**
 * What is packed together. electron-builder packs all kinds for Linux from one folder at the same time, and writes
 * into it which kind it is: deb and rpm would say each other's, and an update would install the wrong one.
 */
import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { joinUpdates } from './join-updates.ts';

/** The AppImage first: programs that know of one file alone take that one. */
const linuxPasses = [['AppImage', 'tar.gz'], ['deb'], ['rpm']];

/** The kinds of each pass. Undefined: all that electron-builder.yml names. */
export function planPasses(
  platform: NodeJS.Platform,
  only: readonly string[] | undefined,
): (string[] | undefined)[] {
  if (platform !== 'linux') return [only && [...only]];
  return linuxPasses
    .map((kinds) => kinds.filter((kind) => only === undefined || only.includes(kind)))
    .filter((kinds) => kinds.length > 0);
}

/** Each pass writes the files by which updates are found anew: they are taken after it, and at last joined. */
export function openUpdateFiles(folder: string) {
  const taken = new Map<string, string[]>();
  return {
    async take(): Promise<void> {
      for (const name of globSync('*-linux{,-arm64}.yml', { cwd: folder })) {
        const text = await readFile(path.join(folder, name), 'utf8');
        taken.set(name, [...(taken.get(name) ?? []), text]);
      }
    },
    async write(): Promise<void> {
      for (const [name, texts] of taken)
        await writeFile(path.join(folder, name), joinUpdates(texts));
    },
  };
}
