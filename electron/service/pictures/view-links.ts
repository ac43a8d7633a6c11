/** Signed links of what is looked at: a source's thumbnail, and tiles. A link of tiles is one for all of a picture's. */
import { EnlargerError } from '../../contract/errors.ts';
import type { PictureSide } from '../../contract/picture.ts';
import { isLinkSigned, signLink, type ViewFile } from '../results/signed-link.ts';
import type { Task } from '../tasks/task.ts';
import type { ApiDeps } from '../http/deps.ts';

type LinkDeps = Pick<ApiDeps, 'linkSecret' | 'clock'>;

const dayMs = 24 * 3_600_000;

/** The task's own expiry; of one that has none yet, an end that stays the same for a day, so that links are cached. */
function expiryOf({ expiresOn }: Task, { clock }: LinkDeps): number {
  return expiresOn ?? (Math.floor(clock.nowMs() / dayMs) + 2) * dayMs;
}

function linkTo(task: Task, file: ViewFile, path: string, base: string, deps: LinkDeps): string {
  const { taskId } = task;
  const expiresOn = expiryOf(task, deps);
  const signature = signLink(deps.linkSecret, { taskId, file, expiresOn });
  return `${base}/api/results/${taskId}/${path}?expires=${expiresOn}&signature=${signature}`;
}

export function sourceThumbLink(task: Task, base: string, deps: LinkDeps): string {
  return linkTo(task, 'source-thumb', 'source-thumb.webp', base, deps);
}

/** With {level}, {column} and {row} to be filled in. */
export function tilesLink(task: Task, side: PictureSide, base: string, deps: LinkDeps): string {
  return linkTo(task, `${side}-tiles`, `tiles/${side}/{level}/{column}_{row}`, base, deps);
}

interface ViewClaim {
  taskId: string;
  file: ViewFile;
  query: { expires?: string; signature?: string };
}

/**
 * The task of a link, and how long the link holds. Throws FORBIDDEN_LINK first: who has no valid link learns
 * nothing of tasks; then RESULT_EXPIRED and TASK_NOT_FOUND.
 */
export function linkedTask(
  { taskId, file, query }: ViewClaim,
  { linkSecret, clock, tasks }: LinkDeps & Pick<ApiDeps, 'tasks'>,
): { task: Task; maxAgeSeconds: number } {
  const { expires = '', signature = '' } = query;
  const expiresOn = /^\d{1,15}$/.test(expires) ? Number(expires) : -1;
  if (!isLinkSigned(linkSecret, { taskId, file, expiresOn }, signature))
    throw new EnlargerError(
      'FORBIDDEN_LINK',
      'This link is not signed by this Enlarger. Ask for the task again: its answer has fresh links.',
    );
  const task = tasks.get(taskId);
  if (task?.expired === true || clock.nowMs() >= expiresOn)
    throw new EnlargerError('RESULT_EXPIRED', 'This view has expired; ask for the task again.');
  if (task === undefined)
    throw new EnlargerError('TASK_NOT_FOUND', 'The task of this link is no longer there.');
  return { task, maxAgeSeconds: Math.floor((expiresOn - clock.nowMs()) / 1000) };
}
