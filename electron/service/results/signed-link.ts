/**
 * Signed links to a task's files, readable without a key. The signature covers task, file and expiry. One
 * link covers all tiles of a picture.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { Type } from 'typebox';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import type { PictureSide } from '../../../packages/contract/src/picture.ts';
import type { ServiceClock } from '../timing/clock.ts';
import type { Task } from '../store/tasks/task.ts';

export const linkFiles = ['image', 'thumb'] as const;
export type LinkFile = (typeof linkFiles)[number];
/** Views of a task. */
type ViewFile = 'source-thumb' | 'source-tiles' | 'result-tiles';

interface LinkClaim {
  taskId: string;
  file: LinkFile | ViewFile;
  /** Service clock, milliseconds. */
  expiresOn: number;
}

/** 64 lower-case hex digits. */
export function signLink(secret: Buffer, { taskId, file, expiresOn }: LinkClaim): string {
  return createHmac('sha256', secret).update(`${taskId}\n${file}\n${expiresOn}`).digest('hex');
}

/** Compares as text, so that only one spelling of a signature is valid. */
export function isLinkSigned(secret: Buffer, claim: LinkClaim, signature: string): boolean {
  const expected = Buffer.from(signLink(secret, claim));
  const received = Buffer.from(signature);
  return received.length === expected.length && timingSafeEqual(received, expected);
}

/** @param path the part of the URL after the task */
function linkTo(claim: LinkClaim, path: string, base: string, secret: Buffer): string {
  const { taskId, expiresOn } = claim;
  const signature = signLink(secret, claim);
  return `${base}/api/results/${taskId}/${path}?expires=${expiresOn}&signature=${signature}`;
}

/**
 * The file ending is for programs that look at it; the signature covers the kind of file only.
 * @param base origin of the request, e.g. http://127.0.0.1:8617
 */
export function resultLink(task: Task, file: LinkFile, base: string, secret: Buffer): string {
  const { taskId, expiresOn = 0, files } = task;
  const ending = /\.\w+$/.exec(files?.[file].name ?? '')?.[0] ?? '';
  return linkTo({ taskId, file, expiresOn }, `${file}${ending}`, base, secret);
}

interface SignedLinkDeps {
  linkSecret: Buffer;
  clock: Pick<ServiceClock, 'nowMs'>;
}

interface KnownTasks {
  get(taskId: string): Task | undefined;
  isExpired(task: Task): boolean;
}

const dayMs = 24 * 3_600_000;

/**
 * Expires with the task. While a task has no expiry, it is rounded to a day, so that links stay the same and
 * are cached.
 */
const viewClaim = ({ taskId, expiresOn }: Task, file: ViewFile, { clock }: SignedLinkDeps) => ({
  taskId,
  file,
  expiresOn: expiresOn ?? (Math.floor(clock.nowMs() / dayMs) + 2) * dayMs,
});

export function sourceThumbLink(task: Task, base: string, deps: SignedLinkDeps): string {
  const claim = viewClaim(task, 'source-thumb', deps);
  return linkTo(claim, 'source-thumb.webp', base, deps.linkSecret);
}

/** URL template with {level}, {column} and {row}. */
export function tilesLink(
  task: Task,
  side: PictureSide,
  base: string,
  deps: SignedLinkDeps,
): string {
  const claim = viewClaim(task, `${side}-tiles`, deps);
  return linkTo(claim, `tiles/${side}/{level}/{column}_{row}`, base, deps.linkSecret);
}

export const LinkQuery = Type.Object({
  expires: Type.Optional(Type.String()),
  signature: Type.Optional(Type.String({ description: 'Signature in hex, as in the link.' })),
});

interface LinkRequest {
  taskId: string;
  /** Undefined if the URL names no such file. */
  file: LinkFile | ViewFile | undefined;
  query: { expires?: string; signature?: string };
}

/**
 * Checks the signature first, so that callers without a valid link learn nothing about tasks.
 * @throws EnlargerError FORBIDDEN_LINK, RESULT_EXPIRED, TASK_NOT_FOUND
 */
export function linkedTask(
  { taskId, file, query: { expires = '', signature = '' } }: LinkRequest,
  { linkSecret, clock, tasks }: SignedLinkDeps & { tasks: KnownTasks },
): { task: Task; maxAgeSeconds: number } {
  const expiresOn = /^\d{1,15}$/.test(expires) ? Number(expires) : -1;
  if (!file || !isLinkSigned(linkSecret, { taskId, file, expiresOn }, signature))
    throw new EnlargerError(
      'FORBIDDEN_LINK',
      'This link is not signed by this Enlarger. Ask for the task again: its answer has fresh links.',
    );
  const task = tasks.get(taskId);
  if (task && tasks.isExpired(task))
    throw new EnlargerError('RESULT_EXPIRED', 'This result has expired; submit the picture again.');
  if (clock.nowMs() >= expiresOn)
    throw new EnlargerError('RESULT_EXPIRED', 'This link has expired; ask for the task again.');
  if (task === undefined)
    throw new EnlargerError('TASK_NOT_FOUND', 'The task of this link is no longer there.');
  return { task, maxAgeSeconds: Math.floor((expiresOn - clock.nowMs()) / 1000) };
}
