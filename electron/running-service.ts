/**
 * Finds the service of a data folder by its service.json and reads its key, without loading web server or
 * database.
 */
import { readFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { nodeFetch } from '../packages/api-client/src/node-fetch.ts';
import type { Health } from '../packages/contract/src/settings/settings.ts';
import { hasCode } from '../packages/files/src/file-errors.ts';
import { readServiceFile, type ServiceInfo } from '../packages/files/src/service-file.ts';
import { challengeHeader, isProof, proofHeader, proofOf } from '../packages/http/src/index.ts';

type RunningService = Pick<ServiceInfo, 'url' | 'version'>;

const answerTimeoutMs = 3000;

/** Undefined if none is running. */
export async function findRunningService(dataDir: string): Promise<RunningService | undefined> {
  const named = readServiceFile(dataDir);
  if (named === undefined || !isAlive(named.pid)) return undefined;
  return (await answers(named, dataDir)) ? { url: named.url, version: named.version } : undefined;
}

/** Whether a process is said to serve the data folder; it may be another one by now. */
export function isServiceNamed(dataDir: string): boolean {
  const named = readServiceFile(dataDir);
  return named !== undefined && isAlive(named.pid);
}

/** The service's own key. @throws Error a sentence */
export async function readServiceKey(dataDir: string): Promise<string> {
  const file = path.join(dataDir, 'cli.key');
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (cause) {
    throw new Error(`No API key: ${file} cannot be read. Name one with --key.`, { cause });
  }
}

/** True also for another user's process, which may not be signalled. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return hasCode(error, ['EPERM']);
  }
}

/**
 * True if this data folder's service responds. After a crash another program may have its port and must not
 * receive the key, so a challenge is sent whose answer proves knowledge of the key.
 */
async function answers({ url, version }: RunningService, dataDir: string): Promise<boolean> {
  try {
    const challenge = randomBytes(32).toString('hex');
    const proof = proofOf(await readServiceKey(dataDir), Number(new URL(url).port), challenge);
    const response = await nodeFetch(new URL('/api/health', url).href, {
      headers: { [challengeHeader]: challenge },
      signal: AbortSignal.timeout(answerTimeoutMs),
    });
    const isOurs = response.ok && isProof(response.headers.get(proofHeader), proof);
    return isOurs && ((await response.json()) as Health).version === version;
  } catch {
    return false;
  }
}
