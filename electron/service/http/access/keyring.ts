/**
 * Knows who holds which key. Users make stored keys for their programs. The key of cli.key and the pages'
 * session keys, which exist in memory only, may also change settings and keys.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { GivenFile } from '../../../contract/bridge.ts';
import type { SessionKey } from '../../../contract/settings/settings.ts';
import type { ServiceClock } from '../../clock.ts';
import type { KeyTable } from '../../store/keys.ts';
import { newKey } from './cli-key.ts';
import { proofOf } from './proof.ts';

export interface Caller {
  /** The id tells callers apart, for Idempotency-Key. */
  keyId: string;
  /** The log of requests shows this name. */
  name: string;
  /** The caller may change settings and keys. */
  mayAdminister: boolean;
}

export interface Keyring {
  /**
   * Finds the caller of a request; undefined for a key that is not valid.
   * @param authorization the header's value: the word KEY or Bearer, one space, the key
   */
  callerOf(authorization: string | undefined): Caller | undefined;
  /** Finds the caller by a key that came in another form. */
  holderOf(key: string): Caller | undefined;
  /** Proves to a program that knows the key of cli.key that this service knows it too (proof.ts). */
  proofFor(port: number, challenge: string): string;
  /** Makes a session key for a page. Only the newest thousand stay valid. */
  newSessionKey(): string;
  /** Makes a session key for the application's own window. It is counted apart from the pages' keys. */
  newOwnSessionKey(): string;
  /** Makes a token for one visit of the page, which shows these files. Only the newest hundred stay valid. */
  newPageToken(files?: readonly GivenFile[]): string;
  /** Exchanges a token for a session, once; undefined for a token that is unknown or was used. */
  exchange(token: string): SessionKey | undefined;
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
  /** Pages that others open cannot displace the key of the application's own window from this set. */
  const ownSessions = new Set<string>();
  /** The files that a page shows, by the hash of its token. */
  const tokens = new Map<string, readonly GivenFile[]>();
  const newSessionKey = (kept = sessions) => {
    const key = newKey();
    kept.add(hashOf(key).toString('hex'));
    deleteOldest(kept, mostSessions);
    return key;
  };
  const holderOf = (key: string): Caller | undefined => {
    const hash = hashOf(key);
    if (timingSafeEqual(hash, cliHash))
      return { keyId: 'cli', name: 'Command line', mayAdminister: true };
    // Session keys are looked up by their hash, so that the time this takes tells nothing about a key.
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
      const key = /^(?:KEY |[Bb]earer +)(\S+)$/.exec(authorization ?? '')?.[1];
      return key === undefined ? undefined : holderOf(key);
    },
    holderOf,
    newPageToken(files = []) {
      const token = randomBytes(32).toString('base64url');
      tokens.set(hashOf(token).toString('hex'), files);
      deleteOldest(tokens, mostTokens);
      return token;
    },
    exchange(token) {
      const hash = hashOf(token).toString('hex');
      const files = tokens.get(hash);
      if (files === undefined) return undefined;
      tokens.delete(hash);
      return { key: newSessionKey(), ...(files.length > 0 && { files: [...files] }) };
    },
  };
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Deletes the oldest entries while there are more than `max`. */
function deleteOldest(entries: Set<string> | Map<string, unknown>, max: number): void {
  for (const oldest of entries.keys()) {
    if (entries.size <= max) return;
    entries.delete(oldest);
  }
}
