/**
 * Collects the licences of all JavaScript packages that a package of Enlarger holds: those built into its
 * programs and its page, and those that lie beside them, with their own dependencies.
 */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Type } from 'typebox';
import { Value } from 'typebox/value';

const Description = Type.Object({
  name: Type.String(),
  version: Type.String(),
  license: Type.Optional(Type.String()),
});
const Lock = Type.Object({
  packages: Type.Record(
    Type.String(),
    Type.Object({ dev: Type.Optional(Type.Boolean()), link: Type.Optional(Type.Boolean()) }),
  ),
});

/** Libraries under the LGPL ship as files of their own, which may be replaced. */
const allowed =
  /^\(?(MIT|ISC|BSD-[23]-Clause|0BSD|Apache-2\.0|BlueOak-1\.0\.0|CC0-1\.0|Unlicense|Python-2\.0|LGPL-[\d.]+(-or-later|-only)?|MPL-2\.0)( |\)|$)/;

export function assertMayShip({ name, license }: { name: string; license: string }): void {
  if (!allowed.test(license))
    throw new Error(`Expected ${name} to have a licence that may be shipped and found ${license}.`);
}

/**
 * Returns one text with each package's version, licence and the files in which its authors state it.
 * @throws {Error} a sentence, if a package states no licence, or one under which it may not be shipped
 */
export async function collectLicences(root: string): Promise<string> {
  const folders = await packageFolders(root);
  const stated = await Promise.all([...folders].sort().map((folder) => describe(root, folder)));
  return joinLicences(stated.filter((one) => one !== undefined));
}

interface Stated {
  /** Name, version and licence of the package. */
  title: string;
  /** The files in which its authors state the licence. */
  texts: string[];
}

/** Joins the texts. A text that several packages share stands once, and later packages refer to it. */
export function joinLicences(packages: Stated[]): string {
  const first = new Map<string, string>();
  const sections = packages.map(({ title, texts }) => {
    const parts = texts.map((text) => {
      const said = text.replace(/\r\n/g, '\n').trim();
      const other = first.get(said);
      if (other !== undefined) return `Its text is word for word that of ${other}.`;
      first.set(said, title);
      return said;
    });
    return [title, ...parts].join('\n\n');
  });
  return sections.join(`\n\n${'-'.repeat(72)}\n\n`);
}

/** Lists the folders, below the root, of packages that are built in or lie beside the programs. */
export async function packageFolders(root: string): Promise<Set<string>> {
  const builtIn = await Promise.all(
    ['out/main/built-in.json', 'out/renderer/built-in.json'].map(async (file) =>
      Value.Parse(
        Type.Array(Type.String()),
        JSON.parse(await readFile(path.join(root, file), 'utf8')),
      ),
    ),
  );
  const lock = JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8')) as unknown;
  const { packages } = Value.Parse(Lock, lock);
  const beside = Object.entries(packages)
    .filter(([folder, { dev, link }]) => folder.startsWith('node_modules/') && !dev && !link)
    .map(([folder]) => folder);
  return new Set([...builtIn.flat().map((name) => `node_modules/${name}`), ...beside]);
}

/** Returns undefined for a package of another system, which is not installed. */
async function describe(root: string, folder: string): Promise<Stated | undefined> {
  const inside: string[] = await readdir(path.join(root, folder)).catch(() => []);
  if (!inside.includes('package.json')) return undefined;
  const text = await readFile(path.join(root, folder, 'package.json'), 'utf8');
  const { name, version, license: stated } = Value.Parse(Description, JSON.parse(text));
  const files = inside.filter((name) => /^(licen[cs]e|notice|copying|third-party)/i.test(name));
  const texts = await Promise.all(
    files.map((name) => readFile(path.join(root, folder, name), 'utf8').catch(() => '')),
  );
  const license = stated ?? (texts.some(isMit) ? 'MIT' : '');
  assertMayShip({ name, license });
  return { title: `${name} ${version} (${license})`, texts };
}

/** One package names no licence in its package.json and has only the text. */
function isMit(text: string): boolean {
  return /^\s*MIT License/.test(text);
}
