/** Distinguishes versions of a photo by the settings in which they differ. Pure. */

/**
 * Adds to the name of a version those of its parts that not all of the versions have.
 *
 * @param partsOf words the settings of a version one by one, without those that stand in the name
 */
export function distinctName<Version>(
  version: Version,
  versions: readonly Version[],
  nameOf: (version: Version) => string,
  partsOf: (version: Version) => readonly string[],
): string {
  const all = versions.map(partsOf);
  const own = partsOf(version).filter((part) => !all.every((parts) => parts.includes(part)));
  return [nameOf(version), ...own].join(', ');
}
