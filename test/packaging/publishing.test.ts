/** A program of a release and electron-updater's own search among the releases of a repository on GitHub. */
import { GitHubProvider } from 'electron-updater/out/providers/GitHubProvider.js';
import { describe, expect, it } from 'vitest';
import { takesBetas, updaterSettings } from '../../electron/desktop/updates/decide.ts';
import description from '../../package.json' with { type: 'json' };
import { publishing } from '../../packaging/publishing.ts';

type Updater = ConstructorParameters<typeof GitHubProvider>[1];
type Runtime = ConstructorParameters<typeof GitHubProvider>[2];

const place = { platform: 'linux', arch: 'x64' } as const;
const repository = { GITHUB_REPOSITORY: 'ada/enlarger' };

/** Finds the tag that a program of this version is offered, among the releases of these tags, newest first. */
async function offered(version: string, tags: readonly string[], betas = false): Promise<string> {
  const feed = publishing(version, repository, place);
  if (feed === null) throw new Error('It looks nowhere.');
  const settings = updaterSettings(takesBetas(version, { betas }));
  const updater = { channel: null, ...settings, currentVersion: version };
  const finished = tags.find((tag) => !tag.includes('-'));
  const entries = tags.map(
    (tag) =>
      `<entry><link href="https://github.com/ada/enlarger/releases/tag/${tag}"/><title>${tag}</title><content>Notes</content></entry>`,
  );
  const request = ({ path = '' }: { path?: string | null }) => {
    if (path?.endsWith('.atom')) return Promise.resolve(`<feed>${entries.join('')}</feed>`);
    if (path?.endsWith('/latest')) return Promise.resolve(JSON.stringify({ tag_name: finished }));
    const tag = /\/download\/v([^/]+)\/(?:latest|beta)-linux\.yml$/.exec(path ?? '')?.[1];
    if (tag === undefined) return Promise.reject(new Error(`Nothing lies at ${path}.`));
    return Promise.resolve(`version: ${tag}\nfiles: []\n`);
  };
  const runtime = { executor: { request }, platform: 'linux', isUseMultipleRangeRequest: false };
  const provider = new GitHubProvider(
    feed,
    updater as unknown as Updater,
    runtime as unknown as Runtime,
  );
  return (await provider.getLatestVersion()).tag;
}

describe('the release of this version', () => {
  const own = `v${description.version}`;

  it('is found by programs that take its channel', async () => {
    expect(await offered('0.9.0-beta.1', [own])).toBe(own);
    expect(await offered('0.9.0', [own, 'v0.9.0'], true)).toBe(own);
  });

  it('finds the next one, and the finished one after it', async () => {
    expect(await offered(description.version, ['v1.0.0-beta.99', own])).toBe('v1.0.0-beta.99');
    expect(await offered(description.version, ['v1.0.0', own])).toBe('v1.0.0');
  });
});

describe('a finished release', () => {
  it('finds no beta, unless the person asked for them', async () => {
    const tags = ['v1.1.0-beta.1', 'v1.0.1', 'v1.0.0'];
    expect(await offered('1.0.0', tags)).toBe('v1.0.1');
    expect(await offered('1.0.0', tags, true)).toBe('v1.1.0-beta.1');
  });
});
