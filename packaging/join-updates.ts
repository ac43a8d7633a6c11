/**
 * Joins the files by which a Mac looks for updates. Each architecture is packed on a machine of its own,
 * which writes a file that names only its own packages. electron-updater picks those of its architecture from
 * the joined file. `node packaging/join-updates.ts FILE FILE` prints the joined file.
 */
import { readFileSync } from 'node:fs';
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

/** Joins the texts of files of updates. It throws a sentence when they are not of one version. */
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

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.stdout.write(
    joinUpdates(process.argv.slice(2).map((file) => readFileSync(file, 'utf8'))),
  );
