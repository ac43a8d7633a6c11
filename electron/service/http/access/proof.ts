/**
 * How a service shows that it is the one whose cli.key lies in the data folder, without showing that key: another
 * program may have got the port that a crash left behind. The port is part of it, so that nobody can pass the
 * question on to the real service and its answer back.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

export const challengeHeader = 'x-enlarger-challenge';
export const proofHeader = 'x-enlarger-proof';

/** @param challenge hex digits, chosen by who asks, never twice */
export function proofOf(key: string, port: number, challenge: string): string {
  return createHmac('sha256', key).update(`enlarger ${port} ${challenge}`).digest('hex');
}

export const isChallenge = (text: unknown): text is string =>
  typeof text === 'string' && /^[0-9a-f]{32,64}$/.test(text);

export function isProof(given: string | null, expected: string): boolean {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
