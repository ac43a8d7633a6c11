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
 * still runs or waits was submitted, and those that ended while these waited, and so on.
 */
export function startOf<Photo extends BatchPhoto>(
  { active, ended }: { active: readonly Photo[]; ended: readonly Photo[] },
  nowMs: number,
): BatchStart<Photo> {
  const earliest = earliestSubmit(active);
  if (earliest === undefined) return { before: [...ended], agoMs: 0 };
  let submittedAt: string = earliest;
  const latestFirst = ended.toSorted((one, other) => endOf(other).localeCompare(endOf(one)));
  const own = new Set<Photo>();
  for (const photo of latestFirst) {
    if (endOf(photo) <= submittedAt) break;
    own.add(photo);
    const createdAt = photo.record?.createdAt ?? submittedAt;
    if (createdAt < submittedAt) submittedAt = createdAt;
  }
  return {
    before: ended.filter((photo) => !own.has(photo)),
    agoMs: own.size > 0 ? Math.max(0, nowMs - Date.parse(submittedAt)) : 0,
  };
}

const endOf = ({ record }: BatchPhoto) => record?.finishedAt ?? '';

/** The time is undefined while one of the photos is still being sent. */
function earliestSubmit(active: readonly BatchPhoto[]): string | undefined {
  const times = active.map(({ record }) => record?.createdAt);
  return times.includes(undefined) ? undefined : times.toSorted()[0];
}
