/**
 * Who holds which key. Stored keys are what users make for their programs. The key of cli.key and the pages'
 * session keys, which live only in memory, may also change settings and keys.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ServiceClock } from '../../clock.ts';
import type { KeyTable } from '../../store/keys.ts';
import { newKey } from './cli-key.ts';
import { proofOf } from './proof.ts';

export interface Caller {
  /** Tells callers apart, for Idempotency-Key. */
  keyId: string;
  /** As the log of requests shows it. */
  name: string;
  /** Whether settings and keys are open to it. */
  mayAdminister: boolean;
}

export interface Keyring {
  /** @param authorization the header's value: the word KEY, one space, the key */
  callerOf(authorization: string | undefined): Caller | undefined;
  /** The same for a key that came in another form. */
  holderOf(key: string): Caller | undefined;
  /** That this service has the key of cli.key, for who knows it too (proof.ts). */
  proofFor(port: number, challenge: string): string;
  /** A new session key for a page. Only the newest thousand stay valid. */
  newSessionKey(): string;
  /** A new session key for the application's own window, counted apart from the pages'. */
  newOwnSessionKey(): string;
  /** A token for one visit of the page. Only the newest few stay valid. */
  newPageToken(): string;
  /** The session key for a token, once; undefined for a token that is unknown or was used. */
  exchange(token: string): string | undefined;
}

interface KeyringOptions {
  keys: KeyTable;
  cliKey: string;
  clock: Pick<ServiceClock, 'wallMs'>;
}

const mostTokens = 100;
const mostSessions = 1000;

export function createKeyring({ keys, cliKey, clock }: KeyringOptions): Keyring {
  const cliHash = hashOf(cliKey);
  const sessions = new Set<string>();
  /** The application's own window never loses its key to pages that others open. */
  const ownSessions = new Set<string>();
  const tokens = new Set<string>();
  const newSessionKey = (kept = sessions) => {
    const key = newKey();
    remember(kept, hashOf(key).toString('hex'), mostSessions);
    return key;
  };
  const holderOf = (key: string): Caller | undefined => {
    const hash = hashOf(key);
    if (timingSafeEqual(hash, cliHash))
      return { keyId: 'cli', name: 'Command line', mayAdminister: true };
    // Found by its hash: how long that takes tells nothing of a key.
    const known = hash.toString('hex');
    if (sessions.has(known) || ownSessions.has(known))
      return { keyId: 'page', name: 'Page', mayAdminister: true };
    const row = keys.verify(key, clock.wallMs());
    return row && { keyId: row.id, name: row.name, mayAdminister: false };
  };
  return {
    proofFor: (port, challenge) => proofOf(cliKey, port, challenge),
    newSessionKey: () => newSessionKey(),
    newOwnSessionKey: () => newSessionKey(ownSessions),
    callerOf(authorization) {
      const key = /^KEY (\S+)$/.exec(authorization ?? '')?.[1];
      return key === undefined ? undefined : holderOf(key);
    },
    holderOf,
    newPageToken() {
      const token = randomBytes(32).toString('base64url');
      remember(tokens, hashOf(token).toString('hex'), mostTokens);
      return token;
    },
    exchange(token) {
      return tokens.delete(hashOf(token).toString('hex')) ? newSessionKey() : undefined;
    },
  };
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Forgets the oldest when there are more than `most`. */
function remember(set: Set<string>, value: string, most: number): void {
  set.add(value);
  for (const oldest of set) {
    if (set.size <= most) return;
    set.delete(oldest);
  }
}
