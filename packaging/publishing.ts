/** Where a release's programs look for the next one: the releases of the repository that builds it. */
import type { Configuration } from 'electron-builder';
import { hasMacCertificate } from './signing.ts';

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
