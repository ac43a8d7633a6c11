/** Distinguishes versions of one name by the settings in which they differ. Pure. */

/**
 * Adds to the name of a version those of its parts that not all versions of that name have.
 *
 * @param partsOf words the settings of a version one by one
 */
export function distinctName<Version>(
  version: Version,
  versions: readonly Version[],
  nameOf: (version: Version) => string,
  partsOf: (version: Version) => readonly string[],
): string {
  const name = nameOf(version);
  const all = versions.filter((other) => nameOf(other) === name).map(partsOf);
  const own = partsOf(version).filter((part) => !all.every((parts) => parts.includes(part)));
  return [name, ...own].join(', ');
}
