/** Decides how a release's programs are signed, and where they look for updates. */
import type { Configuration } from 'electron-builder';

type GithubOptions = Extract<Configuration['publish'], { provider: 'github' }>;

/**
 * Returns where the programs of a release look for updates, or null if they look nowhere. Programs that are
 * built elsewhere never look. Nor do programs for Windows on ARM, because electron-updater would take the
 * program for x64 there, nor programs for a Mac without a certificate, because macOS replaces only those that
 * the same developer signed.
 * @param env GITHUB_REPOSITORY is OWNER/NAME
 * @throws {Error} if the version has a name that electron-updater's beta channel overlooks
 */
export function publishing(
  version: string,
  env: NodeJS.ProcessEnv,
  { platform, arch }: { platform: NodeJS.Platform; arch: string } = process,
): GithubOptions | null {
  const channel = channelOf(version);
  const [owner, repo] = env.GITHUB_REPOSITORY?.split('/') ?? [];
  if (!owner || !repo || (platform === 'win32' && arch === 'arm64')) return null;
  if (platform === 'darwin' && !hasMacCertificate(env)) return null;
  return { provider: 'github', owner, repo, channel, releaseType: 'draft' };
}

function channelOf(version: string): 'latest' | 'beta' {
  const [, prerelease] = /^\d+\.\d+\.\d+(?:-(.+))?$/.exec(version) ?? [];
  if (prerelease === undefined) return 'latest';
  if (/^beta\.\d+$/.test(prerelease)) return 'beta';
  throw new Error(
    `Expected a version such as 1.0.0 or 1.0.0-beta.1 and found ${version}: electron-updater takes no other pre-releases.`,
  );
}

/** Whether electron-builder finds a developer's certificate to sign a Mac's build with. */
function hasMacCertificate(env: NodeJS.ProcessEnv): boolean {
  return [env.CSC_LINK, env.CSC_NAME].some(Boolean);
}

/**
 * Returns the changes to electron-builder.yml for a Mac's build without a certificate. Apple silicon starts
 * nothing without a signature, and setting the fuses breaks the one that Electron came with, so the build is
 * signed ad hoc. Such a signature names no team, so the hardened runtime would let the program load none of
 * its own libraries.
 */
export function unsignedChanges(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): Configuration {
  if (platform !== 'darwin' || hasMacCertificate(env)) return {};
  return { mac: { identity: '-', hardenedRuntime: false, notarize: false } };
}
