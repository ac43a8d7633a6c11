/** What a release's programs are signed with, and where they look for the next one: the releases of the repository that builds it. */
import type { Configuration } from 'electron-builder';

type GithubOptions = Extract<Configuration['publish'], { provider: 'github' }>;

/**
 * Null outside a release: what is built elsewhere never looks for updates. The channel is the beta one for a
 * version with a pre-release part, as in 1.0.0-rc.1.
 * Windows on ARM looks for none: there, electron-updater would take the program for x64. Nor does a Mac's program
 * without a certificate: macOS replaces only one that is signed by the same developer.
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

/** Whether a Mac's build is signed with a developer's certificate, which electron-builder reads from these. */
function hasMacCertificate(env: NodeJS.ProcessEnv): boolean {
  return [env.CSC_LINK, env.CSC_NAME].some(Boolean);
}

/**
 * Changes of electron-builder.yml. Apple silicon starts nothing without a signature, and setting the fuses breaks the
 * one that Electron came with. One without a certificate names no team, so the hardened runtime would let the program
 * load none of its own libraries.
 */
export function unsignedChanges(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): Configuration {
  if (platform !== 'darwin' || hasMacCertificate(env)) return {};
  return { mac: { identity: '-', hardenedRuntime: false, notarize: false } };
}
