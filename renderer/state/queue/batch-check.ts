/** What of a finished batch a person should check. It is pure. */

interface GroupedVersion {
  /** The same for all versions of a photo. */
  readonly versions: object;
}

/** Leaves those out of the list's photos to check of which the batch made no version. */
export function batchToCheck<Photo extends GroupedVersion>(
  done: readonly GroupedVersion[],
  toCheck: readonly Photo[],
): Photo[] {
  const own = new Set(done.map(({ versions }) => versions));
  return toCheck.filter(({ versions }) => own.has(versions));
}
