/** Finds the pictures that the command line names, and the folder below --out for the result of each. */
import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';
import { glob } from 'tinyglobby';
import { asPeopleCount, listPictures, type Walk } from '../../../files/src/pictures-below.ts';
import type { ChosenPath } from '../../../../electron/granting.ts';
import { resultsAmong } from '../../../contract/src/result-names.ts';
import { isInside } from '../../../files/src/is-inside.ts';
import { printable } from '../printable.ts';
import { isMadeByEnlarger } from '../../../files/src/made-by-enlarger.ts';
import { t } from '../text.ts';

export interface Picture {
  /** The path is absolute. */
  file: string;
  /** People are shown this path, which is relative to the current folder where that is shorter. */
  shown: string;
  /** The result goes into this folder below --out; '' stands for --out itself. */
  folder: string;
  sizeBytes: number;
}

export interface Inputs {
  pictures: Picture[];
  /** These names lead to nothing, and a sentence says why for each. */
  problems: { shown: string; message: string }[];
  /** The service needs these places: folders that were named, the folder of the results, and the pictures. */
  places: ChosenPath[];
  /** Pictures that were left out because Enlarger made them. */
  leftOut: number;
  /** Endings of the files in folders that are no pictures by their names, and how many have each. */
  otherFiles?: Map<string, number>;
}

export interface Search {
  names: string[];
  /** Results go into this folder, in which no pictures are looked for. */
  outDir: string | undefined;
  /** The command names its results by this template. */
  nameTemplate: string;
  /** Pictures that Enlarger made are taken too. */
  includeResults: boolean;
}

/**
 * Finds each picture once, in the order of the names and then of the paths. Pictures that Enlarger made are
 * left out of folders, and wherever the photo of such a picture is found too. A file that is named itself and
 * has no such photo is taken whatever it is called.
 */
export async function findPictures(search: Search): Promise<Inputs> {
  const { names, outDir } = search;
  const found = new Map<string, Picture>();
  const problems: Inputs['problems'] = [];
  const folders = await Promise.all(names.map(isFolder));
  const severalFolders = folders.filter(Boolean).length > 1;
  let leftOut = 0;
  const otherFiles = new Map<string, number>();
  const onOther = (file: string) => {
    const ending = path.extname(file).toLowerCase();
    otherFiles.set(ending, (otherFiles.get(ending) ?? 0) + 1);
  };
  const onUnreadableName = (file: string) =>
    problems.push({
      shown: shownPath(file),
      message: t(
        'Its name is not UTF-8 and cannot be opened; rename it (convmv does so for many).',
      ),
    });
  for (const [index, name] of names.entries()) {
    const there = folders[index]
      ? await inFolder(name, severalFolders ? path.basename(path.resolve(name)) : '', outDir, {
          onOther,
          onUnreadableName,
        })
      : await byNameOrPattern(name);
    const pictures = folders[index] && !search.includeResults ? await withoutMarked(there) : there;
    leftOut += there.length - pictures.length;
    if (pictures.length === 0)
      problems.push({ shown: name, message: await absenceOf(name, there.length) });
    for (const picture of pictures) if (!found.has(picture.file)) found.set(picture.file, picture);
  }
  const all = [...found.values()];
  const pictures = search.includeResults ? all : await withoutNamed(all, search.nameTemplate);
  const places: ChosenPath[] = [
    ...names.flatMap((name, i) =>
      folders[i] ? [{ path: path.resolve(name), isFolder: true }] : [],
    ),
    ...(outDir === undefined ? [] : [{ path: outDir, isFolder: true }]),
    ...pictures.map(({ file }) => ({ path: file, isFolder: false })),
  ];
  return {
    pictures,
    problems,
    places,
    leftOut: leftOut + all.length - pictures.length,
    otherFiles,
  };
}

/** Whether a template adds a word of its own, which no camera or person puts behind a photo's name by chance. */
const addsWord = (template: string): boolean => /\p{L}/u.test(template.replaceAll(/\{\w+\}/g, ''));

/**
 * Leaves out the pictures that are named as results of others beside them. A name that a template of numbers
 * makes, such as a_1 beside a, can be a photo's as well: there the file must say that Enlarger made it.
 */
async function withoutNamed(pictures: Picture[], nameTemplate: string): Promise<Picture[]> {
  const folders = Map.groupBy(pictures, ({ file }) => path.dirname(file));
  const results = new Set<string>();
  for (const [folder, inIt] of folders) {
    const names = inIt.map(({ file }) => path.basename(file));
    const usual = resultsAmong(names, addsWord(nameTemplate) ? [nameTemplate] : []);
    for (const name of resultsAmong(names, [nameTemplate])) {
      const file = path.join(folder, name);
      if (usual.has(name) || (await isMadeByEnlarger(file))) results.add(file);
    }
  }
  return pictures.filter(({ file }) => !results.has(file));
}

const readTogether = 16;

/** Leaves out the pictures whose files say that Enlarger made them. */
async function withoutMarked(pictures: Picture[]): Promise<Picture[]> {
  const kept: Picture[] = [];
  for (let i = 0; i < pictures.length; i += readTogether) {
    const some = pictures.slice(i, i + readTogether);
    const marks = await Promise.all(some.map(({ file }) => isMadeByEnlarger(file)));
    kept.push(...some.filter((_, index) => !marks[index]));
  }
  return kept;
}

async function isFolder(name: string): Promise<boolean> {
  return (await statOf(name))?.isDirectory() ?? false;
}

async function statOf(file: string) {
  return stat(file).catch(() => undefined);
}

async function inFolder(
  name: string,
  under: string,
  outDir: string | undefined,
  listeners: Pick<Walk, 'onOther' | 'onUnreadableName'>,
): Promise<Picture[]> {
  const folder = path.resolve(name);
  const results = path.resolve(outDir ?? folder);
  const isBelow = results !== folder && isInside(results, folder);
  const isExcluded = (at: string) => isBelow && isInside(at, results);
  return picturesOf(await listPictures(folder, { isExcluded, ...listeners }), folder, under);
}

async function byNameOrPattern(name: string): Promise<Picture[]> {
  const stats = await statOf(name);
  if (stats !== undefined) return [pictureOf(path.resolve(name), '', stats.size)];
  if (!isPattern(name)) return [];
  const parts = (path.sep === '\\' ? name.replaceAll('\\', '/') : name).split('/');
  const fixed = await fixedParts(parts);
  const base = name.startsWith('/') ? `/${fixed.join('/')}` : fixed.join('/');
  return search(parts.slice(fixed.length).join('/'), path.resolve(base));
}

/** Takes the parts before the pattern. A folder that is there is none, whatever letters its name has. */
async function fixedParts(parts: readonly string[]): Promise<string[]> {
  let count = 0;
  for (const [i, part] of parts.slice(0, -1).entries()) {
    if (isPattern(part) && !(await isFolder(parts.slice(0, i + 1).join('/')))) break;
    count = i + 1;
  }
  return parts.slice(0, count);
}

function isPattern(text: string): boolean {
  return /[*?[\]{}!]/.test(text);
}

async function search(pattern: string, cwd: string): Promise<Picture[]> {
  const files = await glob(pattern, {
    cwd,
    absolute: true,
    caseSensitiveMatch: false,
    followSymbolicLinks: false,
    expandDirectories: false,
  });
  return picturesOf(files.map((file) => path.normalize(file)).sort(asPeopleCount), cwd, '');
}

/** @param from is the folder whose own pictures have their results in `under`, below --out */
const picturesOf = (files: readonly string[], from: string, under: string): Promise<Picture[]> =>
  Promise.all(
    files.map(async (file) => {
      const folder = path.join(under, path.relative(from, path.dirname(file)));
      return pictureOf(file, folder === '.' ? '' : folder, (await statOf(file))?.size ?? 0);
    }),
  );

const pictureOf = (file: string, folder: string, sizeBytes: number): Picture => ({
  file,
  shown: shownPath(file),
  folder,
  sizeBytes,
});

/** Path as people see it, relative to the current folder where that is shorter. */
export function shownPath(file: string): string {
  const relative = path.relative(process.cwd(), file);
  return printable(relative.length < file.length ? relative : file);
}

async function absenceOf(name: string, results: number): Promise<string> {
  if (results > 0)
    return t(
      'All pictures in this folder were made by Enlarger; --include-results takes them too.',
    );
  if (await isFolder(name))
    return (await mayRead(name))
      ? t(
          'There are no pictures in this folder. Links in it are not followed; name what they lead to.',
        )
      : t('It cannot be read: you have no right to read it.');
  return isPattern(name) ? t('No file matches this pattern.') : t('There is no such file.');
}

async function mayRead(folder: string): Promise<boolean> {
  return access(folder, constants.R_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}
