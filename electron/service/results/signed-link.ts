/** The signature that lets a link be read without a key: bound to the task, the file and the expiry. */
import { createHmac, timingSafeEqual } from 'node:crypto';

export const linkFiles = ['image', 'thumb'] as const;
export type LinkFile = (typeof linkFiles)[number];
/** What is looked at; a link of tiles is one for all of them. */
export type ViewFile = 'source-thumb' | 'source-tiles' | 'result-tiles';

export interface LinkClaim {
  taskId: string;
  file: LinkFile | ViewFile;
  /** By the service's clock, in milliseconds. */
  expiresOn: number;
}

/** 64 lower-case hex digits. */
export function signLink(secret: Buffer, { taskId, file, expiresOn }: LinkClaim): string {
  return createHmac('sha256', secret).update(`${taskId}\n${file}\n${expiresOn}`).digest('hex');
}

/** Compared as text: one spelling of a signature is valid, and no other. */
export function isLinkSigned(secret: Buffer, claim: LinkClaim, signature: string): boolean {
  const expected = Buffer.from(signLink(secret, claim));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
