/**
 * Puts the parts of a release, which machines of several systems and architectures have packed, into one
 * folder: `node packaging/join-updates.ts PARTS FOLDER`. The files by which programs look for updates have the
 * same name for several architectures and name only their own packages: they are joined, and electron-updater
 * picks its architecture's.
 */
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { parse, stringify } from 'yaml';

const Updates = Type.Object(
  {
    version: Type.String(),
    files: Type.Array(Type.Object({ url: Type.String(), sha512: Type.String() })),
  },
  { additionalProperties: true },
);

/**
 * Joins the texts of files of updates.
 * @throws {Error} a sentence, if they are not of one version
 */
export function joinUpdates(texts: readonly string[]): string {
  const [first, ...others] = texts.map((text) => Value.Parse(Updates, parse(text)));
  if (first === undefined) throw new Error('Expected at least one file of updates and found none.');
  const stranger = others.find(({ version }) => version !== first.version);
  if (stranger !== undefined)
    throw new Error(
      `Expected updates of one version, found ${first.version} and ${stranger.version}.`,
    );
  return stringify({ ...first, files: [first, ...others].flatMap(({ files }) => files) });
}

/**
 * Copies the files of all folders in `parts` into `folder`.
 * @throws {Error} a sentence, if two have the same name and are no files of updates
 */
export function joinParts(parts: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  // x64 before arm64: the first package is also named apart, for programs that know one architecture.
  const files = globSync('*/**', { cwd: parts, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted()
    .toReversed();
  for (const [name, same] of Map.groupBy(files, (file) => path.basename(file))) {
    const target = path.join(folder, name);
    const [first] = same;
    if (existsSync(target)) throw new Error(`${target} is there already.`);
    if (name.endsWith('.yml'))
      writeFileSync(target, joinUpdates(same.map((file) => readFileSync(file, 'utf8'))));
    else if (same.length === 1 && first !== undefined) copyFileSync(first, target);
    else throw new Error(`Expected one file named ${name} and found ${same.join(', ')}.`);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [parts, folder] = process.argv.slice(2);
  if (parts === undefined || folder === undefined)
    throw new Error('Expected two folders: that of the parts, and the one to be filled.');
  joinParts(parts, folder);
}
