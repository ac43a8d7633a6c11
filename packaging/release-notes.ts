/**
 * Prints what changed in a version, from CHANGELOG.md: node packaging/release-notes.ts 1.1.0. That becomes
 * the text of the release, which an older Enlarger shows before it is replaced.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Returns the text under the version's heading.
 * @throws {Error} a sentence, if there is none or it is empty
 */
export function notesOf(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const found = sections.find((section) => /^\[?([^\]\s]+)/.exec(section)?.[1] === version);
  const notes = found?.split('\n').slice(1).join('\n').trim();
  if (!notes)
    throw new Error(
      `Expected CHANGELOG.md to say under "## ${version}" what changed, and it does not: name the version there.`,
    );
  return notes;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const file = path.resolve(import.meta.dirname, '../CHANGELOG.md');
  process.stdout.write(`${notesOf(readFileSync(file, 'utf8'), process.argv[2] ?? '')}\n`);
}
