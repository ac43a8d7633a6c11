/**
 * Plans which kinds of package are made together. electron-builder makes all kinds for Linux from one folder
 * at the same time, and writes the kind into that folder: deb and rpm would state each other's, and an update
 * would install the wrong one.
 */
import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { joinUpdates } from './join-updates.ts';

/** The AppImage comes first, because programs that expect a single file take the first one. */
const linuxPasses = [['AppImage', 'tar.gz'], ['deb'], ['rpm']];

/** Returns the kinds of each pass; undefined for all kinds that electron-builder.yml names. */
export function planPasses(
  platform: NodeJS.Platform,
  only: readonly string[] | undefined,
): (string[] | undefined)[] {
  if (platform !== 'linux') return [only && [...only]];
  return linuxPasses
    .map((kinds) => kinds.filter((kind) => only === undefined || only.includes(kind)))
    .filter((kinds) => kinds.length > 0);
}

/** Collects the files by which updates are found, which each pass overwrites, and joins them at last. */
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
