/** Picture files behind the paths that a person opened. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PickedFile } from '../packages/contract/src/bridge.ts';
import { asPeopleCount, listPictures } from '../packages/files/src/pictures-below.ts';
import { resultsAmong } from '../packages/contract/src/result-names.ts';
import { isMadeByEnlarger } from '../packages/files/src/made-by-enlarger.ts';

/** Further files are omitted. */
const maxFiles = 20_000;

/** In natural order. Missing and unreadable files are omitted, and Enlarger's own results in folders. */
export async function listPickedFiles(paths: readonly string[]): Promise<PickedFile[]> {
  const found: PickedFile[] = [];
  for (const given of paths) {
    for (const file of await filesUnder(given, maxFiles - found.length)) {
      const read = await describeFile(file, given);
      if (read !== undefined) found.push(read);
    }
  }
  return found;
}

async function filesUnder(given: string, max: number): Promise<string[]> {
  const entry = await stat(given).catch(() => undefined);
  if (entry?.isFile() === true) return [given].slice(0, max);
  if (entry?.isDirectory() !== true) return [];
  return (await withoutResults(await listPictures(given, { max }))).sort(asPeopleCount);
}

async function withoutResults(files: readonly string[]): Promise<string[]> {
  const remaining: string[] = [];
  for (const [folder, inIt] of Map.groupBy(files, (file) => path.dirname(file))) {
    const results = resultsAmong(inIt.map((file) => path.basename(file)));
    for (const file of inIt)
      if (!results.has(path.relative(folder, file)) && !(await isMadeByEnlarger(file)))
        remaining.push(file);
  }
  return remaining;
}

async function describeFile(file: string, given: string): Promise<PickedFile | undefined> {
  const entry = await stat(file).catch(() => undefined);
  if (entry === undefined) return undefined;
  const inFolder = file === given ? '' : path.relative(given, path.dirname(file));
  return {
    imageUrl: pathToFileURL(file).href,
    path: file,
    name: path.basename(file),
    inFolder: inFolder.replaceAll(path.sep, '/'),
    sizeBytes: entry.size,
    modifiedAt: entry.mtime.toISOString(),
  };
}
