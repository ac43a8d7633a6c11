/** Finds where a batch begins among earlier ones, by the times of its tasks. It is pure. */

interface BatchPhoto {
  readonly record?: { readonly createdAt?: string; readonly finishedAt?: string } | undefined;
}

interface BatchStart<Photo> {
  /** These ended photos belong to an earlier batch. */
  before: Photo[];
  /** The batch has run for so long; more than 0 for a page that was opened meanwhile. */
  agoMs: number;
}

/**
 * A page that is opened while a batch runs counts what has ended of it: photos that ended after the first one that
 * still runs or waits was submitted.
 */
export function startOf<Photo extends BatchPhoto>(
  { active, ended }: { active: readonly Photo[]; ended: readonly Photo[] },
  nowMs: number,
): BatchStart<Photo> {
  const submittedAt = earliestSubmit(active);
  if (submittedAt === undefined) return { before: [...ended], agoMs: 0 };
  const before = ended.filter(({ record }) => (record?.finishedAt ?? '') <= submittedAt);
  const isOpenedLate = before.length < ended.length;
  return { before, agoMs: isOpenedLate ? Math.max(0, nowMs - Date.parse(submittedAt)) : 0 };
}

/** The time is undefined while one of the photos is still being sent. */
function earliestSubmit(active: readonly BatchPhoto[]): string | undefined {
  const times = active.map(({ record }) => record?.createdAt);
  return times.includes(undefined) ? undefined : times.toSorted()[0];
}
