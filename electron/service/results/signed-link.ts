/**
 * Links to what belongs to a task, read without a key: the signature is bound to the task, the file and the expiry.
 * A link of tiles is one for all of a picture's.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { Type } from 'typebox';
import { EnlargerError } from '../../contract/errors.ts';
import type { PictureSide } from '../../contract/picture.ts';
import type { ApiDeps } from '../http/deps.ts';
import type { Task } from '../store/tasks/task.ts';

export const linkFiles = ['image', 'thumb'] as const;
export type LinkFile = (typeof linkFiles)[number];
/** What is looked at. */
type ViewFile = 'source-thumb' | 'source-tiles' | 'result-tiles';

interface LinkClaim {
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

/** @param path what follows the task in the address */
function linkTo(claim: LinkClaim, path: string, base: string, secret: Buffer): string {
  const { taskId, expiresOn } = claim;
  const signature = signLink(secret, claim);
  return `${base}/api/results/${taskId}/${path}?expires=${expiresOn}&signature=${signature}`;
}

/**
 * The file's ending is there for programs that look at it; the signature is bound to which file it is.
 * @param base the address that was called, such as http://127.0.0.1:8617
 */
export function resultLink(task: Task, file: LinkFile, base: string, secret: Buffer): string {
  const { taskId, expiresOn = 0, files } = task;
  const ending = /\.\w+$/.exec(files?.[file].name ?? '')?.[0] ?? '';
  return linkTo({ taskId, file, expiresOn }, `${file}${ending}`, base, secret);
}

type LinkDeps = Pick<ApiDeps, 'linkSecret' | 'clock'>;

const dayMs = 24 * 3_600_000;

/** The task's own expiry; of one that has none yet, an end that stays the same for a day, so that links are cached. */
const viewClaim = ({ taskId, expiresOn }: Task, file: ViewFile, { clock }: LinkDeps) => ({
  taskId,
  file,
  expiresOn: expiresOn ?? (Math.floor(clock.nowMs() / dayMs) + 2) * dayMs,
});

export function sourceThumbLink(task: Task, base: string, deps: LinkDeps): string {
  const claim = viewClaim(task, 'source-thumb', deps);
  return linkTo(claim, 'source-thumb.webp', base, deps.linkSecret);
}

/** With {level}, {column} and {row} to be filled in. */
export function tilesLink(task: Task, side: PictureSide, base: string, deps: LinkDeps): string {
  const claim = viewClaim(task, `${side}-tiles`, deps);
  return linkTo(claim, `tiles/${side}/{level}/{column}_{row}`, base, deps.linkSecret);
}

export const LinkQuery = Type.Object({
  expires: Type.Optional(Type.String()),
  signature: Type.Optional(Type.String({ description: 'Hex, as the link has it.' })),
});

interface CalledLink {
  taskId: string;
  /** Undefined: what no link is made of. */
  file: LinkFile | ViewFile | undefined;
  query: { expires?: string; signature?: string };
}

/**
 * The task of a link, and how long the link holds. Throws FORBIDDEN_LINK first: who has no valid link learns
 * nothing of tasks; then RESULT_EXPIRED and TASK_NOT_FOUND.
 */
export function linkedTask(
  { taskId, file, query: { expires = '', signature = '' } }: CalledLink,
  { linkSecret, clock, tasks }: LinkDeps & Pick<ApiDeps, 'tasks'>,
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
