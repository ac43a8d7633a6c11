import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { joinParts, joinUpdates } from '../../packaging/join-updates.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const of = (version: string, arch: string) =>
  `version: ${version}\nfiles:\n  - url: Enlarger-${arch}.zip\n    sha512: abc\n    size: 5\npath: Enlarger-${arch}.zip\n`;

describe('the files by which programs look for updates', () => {
  it('become one that names the packages of both architectures, with all that each says', () => {
    const joined: unknown = parse(joinUpdates([of('1.0.0', 'x64'), of('1.0.0', 'arm64')]));
    expect(joined).toMatchObject({
      version: '1.0.0',
      path: 'Enlarger-x64.zip',
      files: [
        { url: 'Enlarger-x64.zip', sha512: 'abc', size: 5 },
        { url: 'Enlarger-arm64.zip', sha512: 'abc', size: 5 },
      ],
    });
  });

  it('are refused when they are of two versions, or are none', () => {
    expect(() => joinUpdates([of('1.0.0', 'x64'), of('1.0.1', 'arm64')])).toThrow('1.0.1');
    expect(() => joinUpdates(['version: 1.0.0\n'])).toThrow();
  });
});

describe('the parts of a release', () => {
  function writeParts(files: Record<string, string>): [parts: string, folder: string] {
    const dir = temporaryFolder();
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(dir, 'parts', name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    return [path.join(dir, 'parts'), path.join(dir, 'files')];
  }

  it.each(['latest-mac.yml', 'beta-mac.yml', 'latest.yml', 'beta-linux.yml'])(
    'come into one folder, with one %s for both architectures',
    (name) => {
      const [parts, folder] = writeParts({
        [`one-arm64/${name}`]: of('1.0.0', 'arm64'),
        'one-arm64/Enlarger-arm64.zip': 'for arm64',
        [`one-x64/${name}`]: of('1.0.0', 'x64'),
        'one-x64/Enlarger-x64.zip': 'for x64',
        'npm/enlarger.tgz': 'for npm',
      });
      joinParts(parts, folder);
      expect(readdirSync(folder).toSorted()).toEqual(
        ['Enlarger-arm64.zip', 'Enlarger-x64.zip', name, 'enlarger.tgz'].toSorted(),
      );
      expect(parse(readFileSync(path.join(folder, name), 'utf8'))).toMatchObject({
        path: 'Enlarger-x64.zip',
        files: [{ url: 'Enlarger-x64.zip' }, { url: 'Enlarger-arm64.zip' }],
      });
    },
  );

  it('are refused where two packages have one name', () => {
    const [parts, folder] = writeParts({ 'a/one.exe': 'a', 'b/one.exe': 'b' });
    expect(() => joinParts(parts, folder)).toThrow('Expected one file named one.exe');
  });
});
