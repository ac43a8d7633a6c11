/** What the packages tell each system that Enlarger opens, against the formats' rows. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { pictureEndings } from '../../packages/contract/src/formats.ts';
import { openWithFiles } from '../../packaging/open-with.ts';
import { root } from '../support/program.ts';

const readText = (file: string) => readFile(path.join(root, file), 'utf8');
const shuffled = (text: string) =>
  text
    .replace('    - image/png\n', '')
    .replace('          - public.png\n', '')
    .replace('          - com.microsoft.bmp\n', '')
    .replace('  !insertmacro offerFor ".png"\n', '')
    .replace('image/png;', '');

describe('"Open with"', () => {
  it.each(Object.entries(openWithFiles))(
    'is offered in %s for every format',
    async (file, fill) => {
      const text = await readText(file);
      expect(fill(text), 'run `node packaging/open-with.ts`').toBe(text);
      expect(shuffled(text)).not.toBe(text);
      expect(fill(shuffled(text))).toBe(text);
    },
  );

  it('is offered on Windows for what is taken out of a folder and can be read', async () => {
    const script = await readText('resources/installer.nsh');
    const named = [...script.matchAll(/offerFor "\.(\w+)"/g)].map(([, ending]) => ending);
    const secondNamesAndUnread = ['jpe', 'jp2'];
    const wanted = pictureEndings.filter((ending) => !secondNamesAndUnread.includes(ending));
    expect(named.sort()).toEqual(wanted.sort());
  });
});
