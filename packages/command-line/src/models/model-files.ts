/** Finds the networks among files and folders that were named, each with the files that belong to it. */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import {
  isModelFileName,
  isNetworkName,
  sortFiles,
} from '../../../contract/src/models/model-files.ts';
import { t } from '../text.ts';

interface ModelFilePath {
  name: string;
  path: string;
}

/**
 * Returns a list of paths for each network. A folder gives all networks in it and below it, and a network
 * that was named by itself gets the files beside it that have its name. Files that belong to no network form
 * one list, so that the service says what is missing. It throws a sentence where there is nothing of a given
 * name.
 */
export async function networksAmong(given: readonly string[]): Promise<string[][]> {
  const found = new Map<string, ModelFilePath>();
  for (const one of (await Promise.all(given.map(filesFor))).flat()) found.set(one.path, one);
  const folders = Map.groupBy(found.values(), (one) => path.dirname(one.path)).values();
  return [...folders].flatMap((files) => {
    const { models, photos } = sortFiles(files);
    const all = photos.length > 0 ? [...models, photos] : models;
    return all.map((network) => network.map((one) => one.path));
  });
}

async function filesFor(given: string): Promise<ModelFilePath[]> {
  const found = await stat(given).catch(() => undefined);
  if (found === undefined)
    throw new Error(t('There is no file or folder {name}.', { name: given }));
  if (found.isDirectory()) return filesBelow(given);
  const own = namedAt(path.resolve(given));
  return isNetworkName(own.name) ? [own, ...(await filesBeside(own))] : [own];
}

const namedAt = (file: string): ModelFilePath => ({ name: path.basename(file), path: file });

async function filesBelow(folder: string): Promise<ModelFilePath[]> {
  const inside = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = inside.filter((entry) => entry.isFile() && isModelFileName(entry.name));
  if (files.length > 0)
    return files
      .map((entry) => namedAt(path.resolve(entry.parentPath, entry.name)))
      .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  throw new Error(t('There is no network in the folder {folder}.', { folder }));
}

/** Lists the files that belong to a network by their names, such as the .bin of a .param. */
async function filesBeside(own: ModelFilePath): Promise<ModelFilePath[]> {
  const stem = own.name.slice(0, own.name.lastIndexOf('.'));
  const folder = path.dirname(own.path);
  const names = await readdir(folder);
  return names
    .filter((name) => name.startsWith(`${stem}.`) && isModelFileName(name) && !isNetworkName(name))
    .map((name) => namedAt(path.join(folder, name)));
}
