/** Decides how a release's programs are signed, and where they look for updates. */
import type { Configuration } from 'electron-builder';

type GithubOptions = Extract<Configuration['publish'], { provider: 'github' }>;

/**
 * Answers where programs look for updates. It is null outside a release, because programs that are built
 * elsewhere never look for updates. A version with a pre-release part, as in 1.0.0-rc.1, uses the beta
 * channel. Programs for Windows on ARM look for none, because electron-updater would take the program for x64
 * there. Programs for a Mac without a certificate look for none either, because macOS replaces only those
 * signed by the same developer.
 * @param env GITHUB_REPOSITORY is OWNER/NAME
 */
export function publishing(
  version: string,
  env: NodeJS.ProcessEnv,
  { platform, arch }: { platform: NodeJS.Platform; arch: string } = process,
): GithubOptions | null {
  const [owner, repo] = env.GITHUB_REPOSITORY?.split('/') ?? [];
  if (!owner || !repo || (platform === 'win32' && arch === 'arm64')) return null;
  if (platform === 'darwin' && !hasMacCertificate(env)) return null;
  const channel = version.includes('-') ? 'beta' : 'latest';
  return { provider: 'github', owner, repo, channel, releaseType: 'draft' };
}

/** Tells whether electron-builder finds a developer's certificate to sign a Mac's build with. */
function hasMacCertificate(env: NodeJS.ProcessEnv): boolean {
  return [env.CSC_LINK, env.CSC_NAME].some(Boolean);
}

/**
 * Answers the changes to electron-builder.yml for a Mac's build without a certificate. Apple silicon starts
 * nothing without a signature, and setting the fuses breaks the one that Electron came with, so the build is
 * signed ad hoc. Such a signature names no team, so the hardened runtime would let the program load none of
 * its own libraries.
 */
export function unsignedChanges(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): Configuration {
  if (platform !== 'darwin' || hasMacCertificate(env)) return {};
  return { mac: { identity: '-', hardenedRuntime: false, notarize: false } };
}
