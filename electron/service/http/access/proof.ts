/**
 * A service proves by a challenge and a keyed hash (HMAC) that it is the one whose cli.key is in the data
 * folder, without showing that key, because another program may have got the port that a crash left behind.
 * The port is hashed too, so that nobody can pass the challenge on to the real service and its answer back.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

export const challengeHeader = 'x-enlarger-challenge';
export const proofHeader = 'x-enlarger-proof';

/**
 * Computes the proof.
 * @param challenge hex digits that the asking program chooses anew each time
 */
export function proofOf(key: string, port: number, challenge: string): string {
  return createHmac('sha256', key).update(`enlarger ${port} ${challenge}`).digest('hex');
}

export const isChallenge = (text: unknown): text is string =>
  typeof text === 'string' && /^[0-9a-f]{32,64}$/.test(text);

export function isProof(given: string | null, expected: string): boolean {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
