/**
 * Makes and checks links to a task's files, which are read without a key: the signature is bound to the task,
 * the file and the expiry. One link is for all tiles of a picture.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { Type } from 'typebox';
import { EnlargerError } from '../../contract/errors.ts';
import type { PictureSide } from '../../contract/picture.ts';
import type { ServiceClock } from '../clock.ts';
import type { Task } from '../store/tasks/task.ts';

export const linkFiles = ['image', 'thumb'] as const;
export type LinkFile = (typeof linkFiles)[number];
/** These files are views of a task. */
type ViewFile = 'source-thumb' | 'source-tiles' | 'result-tiles';

interface LinkClaim {
  taskId: string;
  file: LinkFile | ViewFile;
  /** The expiry is in milliseconds of the service's clock. */
  expiresOn: number;
}

/** Answers the signature: 64 lower-case hex digits. */
export function signLink(secret: Buffer, { taskId, file, expiresOn }: LinkClaim): string {
  return createHmac('sha256', secret).update(`${taskId}\n${file}\n${expiresOn}`).digest('hex');
}

/** Tells whether the signature is right. Texts are compared, so only one spelling of a signature is valid. */
export function isLinkSigned(secret: Buffer, claim: LinkClaim, signature: string): boolean {
  const expected = Buffer.from(signLink(secret, claim));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/**
 * Builds a link.
 * @param path the part of the address after the task
 */
function linkTo(claim: LinkClaim, path: string, base: string, secret: Buffer): string {
  const { taskId, expiresOn } = claim;
  const signature = signLink(secret, claim);
  return `${base}/api/results/${taskId}/${path}?expires=${expiresOn}&signature=${signature}`;
}

/**
 * Builds the link of a result. The file's ending is there for programs that look at it; the signature is
 * bound to the kind of file alone.
 * @param base the address that was called, such as http://127.0.0.1:8617
 */
export function resultLink(task: Task, file: LinkFile, base: string, secret: Buffer): string {
  const { taskId, expiresOn = 0, files } = task;
  const ending = /\.\w+$/.exec(files?.[file].name ?? '')?.[0] ?? '';
  return linkTo({ taskId, file, expiresOn }, `${file}${ending}`, base, secret);
}

interface LinkDeps {
  /** Signs links. */
  linkSecret: Buffer;
  clock: Pick<ServiceClock, 'nowMs'>;
}

interface KnownTasks {
  get(taskId: string): Task | undefined;
  isExpired(task: Task): boolean;
}

const dayMs = 24 * 3_600_000;

/**
 * Answers the claim of a view. Its expiry is the task's; while the task has none, the expiry stays the same
 * for a day, so that links are cached.
 */
const viewClaim = ({ taskId, expiresOn }: Task, file: ViewFile, { clock }: LinkDeps) => ({
  taskId,
  file,
  expiresOn: expiresOn ?? (Math.floor(clock.nowMs() / dayMs) + 2) * dayMs,
});

export function sourceThumbLink(task: Task, base: string, deps: LinkDeps): string {
  const claim = viewClaim(task, 'source-thumb', deps);
  return linkTo(claim, 'source-thumb.webp', base, deps.linkSecret);
}

/** Builds the link of tiles, in which {level}, {column} and {row} are to be filled in. */
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
  /** The address names this file; it is undefined where no link leads to such a file. */
  file: LinkFile | ViewFile | undefined;
  query: { expires?: string; signature?: string };
}

/**
 * Answers the task of a link, and how long the link is valid. It throws FORBIDDEN_LINK first, so that callers
 * without a valid link learn nothing of tasks; then RESULT_EXPIRED and TASK_NOT_FOUND.
 */
export function linkedTask(
  { taskId, file, query: { expires = '', signature = '' } }: CalledLink,
  { linkSecret, clock, tasks }: LinkDeps & { tasks: KnownTasks },
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
