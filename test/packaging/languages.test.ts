import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from '../support/program.ts';

/** Returns Chromium's name of a language, which has a region where BCP 47 has a script. */
function chromiumName(tag: string): string {
  const { language, region } = new Intl.Locale(tag).maximize();
  return tag.includes('-') ? `${language}-${region}` : tag;
}

// A French system has the page in English where Chromium has no French (seen in Electron 33): navigator.languages
// then begins with en-US.
test("packages keep Chromium's part of every language of the page", async () => {
  const names = await readdir(path.join(root, 'renderer/text/languages'));
  const tags = names.flatMap((name) => /^(.+)\.ts$/.exec(name)?.[1] ?? []);
  expect(tags.length).toBeGreaterThan(1);
  const text = await readFile(path.join(root, 'electron-builder.yml'), 'utf8');
  const { electronLanguages } = parse(text) as { electronLanguages: string[] };
  expect(electronLanguages.toSorted()).toEqual(tags.map(chromiumName).toSorted());
});
