import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import description from '../../package.json' with { type: 'json' };
import { archiveOf, assertPublished, publishedHash } from '../../packaging/official-node.ts';
import { publishing, unsignedChanges } from '../../packaging/publishing.ts';

const bytes = new TextEncoder().encode('an archive');
const hash = createHash('sha256').update(bytes).digest('hex');
const sums = `${'0'.repeat(64)}  node-v24.21.0.tar.gz\n${hash}  node-v24.21.0-linux-x64.tar.gz\n`;

describe("Node's published archives", () => {
  it('are named as their makers name them', () => {
    const version = '24.21.0';
    const nameOn = (platform: NodeJS.Platform, arch: string) =>
      archiveOf({ version, platform, arch }).name;
    expect(nameOn('linux', 'arm64')).toBe('node-v24.21.0-linux-arm64.tar.gz');
    expect(nameOn('darwin', 'x64')).toBe('node-v24.21.0-darwin-x64.tar.gz');
    expect(nameOn('win32', 'arm64')).toBe('node-v24.21.0-win-arm64.zip');
    expect(archiveOf({ version, platform: 'win32', arch: 'x64' }).program).toBe(
      'node-v24.21.0-win-x64/node.exe',
    );
  });

  it('are taken with the hash that is published for exactly that name', () => {
    expect(publishedHash(sums, 'node-v24.21.0-linux-x64.tar.gz')).toBe(hash);
    expect(() => publishedHash(sums, 'node-v24.21.0-linux-x64.tar')).toThrow('does not');
    expect(() => publishedHash(sums, 'linux-x64.tar.gz')).toThrow('does not');
  });

  it('are refused with other bytes', () => {
    expect(() => assertPublished(bytes, hash, 'it')).not.toThrow();
    expect(() => assertPublished(bytes.slice(1), hash, 'it')).toThrow(`SHA-256 ${hash}`);
  });
});

describe('where the next release is looked for', () => {
  it('is the repository that builds the release, and nowhere for what is built elsewhere', () => {
    const env = { GITHUB_REPOSITORY: 'ada/enlarger' };
    expect(publishing('1.0.0', {})).toBeNull();
    expect(publishing('1.0.0', env, { platform: 'win32', arch: 'arm64' })).toBeNull();
    expect(publishing('1.0.0', env, { platform: 'win32', arch: 'x64' })).toMatchObject({
      owner: 'ada',
      repo: 'enlarger',
      channel: 'latest',
    });
  });

  it('is the beta channel for a beta, and no other pre-release is made', () => {
    const env = { GITHUB_REPOSITORY: 'ada/enlarger' };
    const place = { platform: 'linux', arch: 'x64' } as const;
    expect(publishing('1.0.0-beta.1', env, place)).toMatchObject({ channel: 'beta' });
    expect(() => publishing('1.0.0-rc.1', env, place)).toThrow('found 1.0.0-rc.1');
    expect(() => publishing(description.version, env, place)).not.toThrow();
  });

  it('is nowhere for a Mac without a certificate, whose program macOS would not replace', () => {
    const env = { GITHUB_REPOSITORY: 'ada/enlarger' };
    const place = { platform: 'darwin', arch: 'arm64' } as const;
    expect(publishing('1.0.0', env, place)).toBeNull();
    expect(publishing('1.0.0', { ...env, CSC_LINK: 'AAAA' }, place)).toMatchObject({
      channel: 'latest',
    });
  });
});

describe('a build without a certificate', () => {
  it('is signed for its own machine on a Mac, without the hardened runtime, which would refuse its libraries', () => {
    expect(unsignedChanges('darwin', {})).toMatchObject({
      mac: { identity: '-', hardenedRuntime: false },
    });
    expect(unsignedChanges('darwin', { CSC_LINK: 'AAAA' })).toEqual({});
    expect(unsignedChanges('linux', {})).toEqual({});
  });
});
