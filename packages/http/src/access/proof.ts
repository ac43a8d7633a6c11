/**
 * Challenge-response (HMAC) by which a service proves that it owns the data folder's cli.key, without showing
 * the key: another program may have taken the port after a crash. The port is hashed too, so that a proof
 * cannot be relayed from the real service.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

export const challengeHeader = 'x-enlarger-challenge';
export const proofHeader = 'x-enlarger-proof';

/** @param challenge fresh hex digits of the caller */
export function proofOf(key: string, port: number, challenge: string): string {
  return createHmac('sha256', key).update(`enlarger ${port} ${challenge}`).digest('hex');
}

export const isChallenge = (text: unknown): text is string =>
  typeof text === 'string' && /^[0-9a-f]{32,64}$/.test(text);

export function isProof(received: string | null, expected: string): boolean {
  const [a, b] = [Buffer.from(received ?? ''), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
