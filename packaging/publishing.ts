/** Where a release's programs look for the next one: the releases of the repository that builds it. */
import type { Configuration } from 'electron-builder';

type GithubOptions = Extract<Configuration['publish'], { provider: 'github' }>;

/**
 * Null outside a release: what is built elsewhere never looks for updates. The channel is the beta one for a
 * version with a pre-release part, as in 1.0.0-rc.1.
 * @param env GITHUB_REPOSITORY is OWNER/NAME
 */
export function publishing(version: string, env: NodeJS.ProcessEnv): GithubOptions | null {
  const [owner, repo] = env.GITHUB_REPOSITORY?.split('/') ?? [];
  if (!owner || !repo) return null;
  const channel = version.includes('-') ? 'beta' : 'latest';
  return { provider: 'github', owner, repo, channel, releaseType: 'draft' };
}
