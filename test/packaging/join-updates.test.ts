import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { joinUpdates } from '../../packaging/join-updates.ts';

const of = (version: string, arch: string) =>
  `version: ${version}\nfiles:\n  - url: Enlarger-${arch}.zip\n    sha512: abc\n    size: 5\npath: Enlarger-${arch}.zip\n`;

describe('the files by which Macs look for updates', () => {
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
