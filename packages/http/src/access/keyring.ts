/**
 * Key holders. Stored keys are for programs. The key in cli.key and pages' session keys, which live in
 * memory, may also administer settings and keys.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { PickedFile } from '../../../contract/src/bridge.ts';
import type { SessionKey } from '../../../contract/src/settings/settings.ts';
import type { WallClock } from '../wall-clock.ts';
import { newKey } from './cli-key.ts';
import { proofOf } from './proof.ts';

export interface Caller {
  /** Separates the Idempotency-Keys of callers. */
  keyId: string;
  /** Name in the request log. */
  name: string;
  /** May change settings and keys. */
  mayAdminister: boolean;
  /** A callbackUrl of this caller may name this machine or a private network. */
  localCallbacks: boolean;
}

export interface Keyring {
  /** Returns undefined for an invalid key. @param authorization `KEY <key>` or `Bearer <key>` */
  callerOf(authorization: string | undefined): Caller | undefined;
  /** Caller of a key that came in another header. */
  holderOf(key: string): Caller | undefined;
  /** Proves knowledge of the key in cli.key (proof.ts). */
  proofFor(port: number, challenge: string): string;
  /** Session key of a page. The newest 1000 stay valid. */
  newSessionKey(): string;
  /** Session key of the application's window, limited apart from the pages' keys. */
  newOwnSessionKey(): string;
  /** Token for one visit of the page, with the files it opens. The newest 100 stay valid. */
  newPageToken(files?: readonly PickedFile[]): string;
  /** Exchanges a token for a session, once; undefined for an unknown or used token. */
  exchange(token: string): SessionKey | undefined;
}

/** Keys of programs, which outlive the process. */
interface StoredKeys {
  /** Returns the holder of a valid key. */
  verify(
    key: string,
    nowAt: number,
  ): { id: string; name: string; localCallbacks: boolean } | undefined;
}

interface KeyringOptions {
  keys: StoredKeys;
  cliKey: string;
  clock: WallClock;
}

const maxTokens = 100;
const maxSessions = 1000;

export function createKeyring({ keys, cliKey, clock }: KeyringOptions): Keyring {
  const cliHash = hashOf(cliKey);
  const sessions = new Set<string>();
  /** Separate, so that other pages cannot evict the window's key. */
  const ownSessions = new Set<string>();
  /** Files to open, by the hash of the token. */
  const tokens = new Map<string, readonly PickedFile[]>();
  const newSessionKey = (validKeys = sessions) => {
    const key = newKey();
    validKeys.add(hashOf(key).toString('hex'));
    deleteOldest(validKeys, maxSessions);
    return key;
  };
  const holderOf = (key: string): Caller | undefined => {
    const hash = hashOf(key);
    if (timingSafeEqual(hash, cliHash))
      return { keyId: 'cli', name: 'Command line', mayAdminister: true, localCallbacks: false };
    // Looked up by hash, so that timing reveals nothing about keys.
    const known = hash.toString('hex');
    if (sessions.has(known) || ownSessions.has(known))
      return { keyId: 'page', name: 'Page', mayAdminister: true, localCallbacks: false };
    const row = keys.verify(key, clock.wallMs());
    if (!row) return undefined;
    const { id, name, localCallbacks } = row;
    return { keyId: id, name, mayAdminister: false, localCallbacks };
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
      deleteOldest(tokens, maxTokens);
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

function deleteOldest(entries: Set<string> | Map<string, unknown>, max: number): void {
  for (const oldest of entries.keys()) {
    if (entries.size <= max) return;
    entries.delete(oldest);
  }
}
