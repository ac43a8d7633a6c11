/** Finds the picture files behind the paths that the person gave to the application or to a service alone. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { GivenFile } from './contract/bridge.ts';
import { asPeopleCount, listPictures } from './files/pictures-below.ts';
import { resultsAmong } from './contract/result-names.ts';
import { isMadeByEnlarger } from './service/sources/made-by-enlarger.ts';

/** Of the files given at once, those beyond this number are left out. */
const mostFiles = 20_000;

/**
 * Lists the files, sorted as people count. Files that are missing or cannot be read are left out, and so are
 * files in folders that Enlarger made.
 */
export async function listGivenFiles(paths: readonly string[]): Promise<GivenFile[]> {
  const found: GivenFile[] = [];
  for (const given of paths) {
    for (const file of await filesUnder(given, mostFiles - found.length)) {
      const read = await describeFile(file, given);
      if (read !== undefined) found.push(read);
    }
  }
  return found;
}

async function filesUnder(given: string, most: number): Promise<string[]> {
  const entry = await stat(given).catch(() => undefined);
  if (entry?.isFile() === true) return [given].slice(0, most);
  if (entry?.isDirectory() !== true) return [];
  return (await withoutResults(await listPictures(given, { most }))).sort(asPeopleCount);
}

async function withoutResults(files: readonly string[]): Promise<string[]> {
  const kept: string[] = [];
  for (const [folder, inIt] of Map.groupBy(files, (file) => path.dirname(file))) {
    const results = resultsAmong(inIt.map((file) => path.basename(file)));
    for (const file of inIt)
      if (!results.has(path.relative(folder, file)) && !(await isMadeByEnlarger(file)))
        kept.push(file);
  }
  return kept;
}

async function describeFile(file: string, given: string): Promise<GivenFile | undefined> {
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
