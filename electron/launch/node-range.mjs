/** Whether a version of Node is in a range of package.json's `engines`. Runs before any package may be used. */

/**
 * @param {string} version such as v24.1.0
 * @param {string} range parts of the forms ^1.2.3 and >=1.2.3, joined by ||
 * @returns {boolean}
 * @throws {Error} if a part has another form
 */
export function isInRange(version, range) {
  const own = numbersOf(version);
  return range.split('||').some((part) => {
    const [, kind, text] = /^\s*(\^|>=)\s*(\d+\.\d+\.\d+)\s*$/.exec(part) ?? [];
    if (text === undefined)
      throw new Error(`Expected ^1.2.3 or >=1.2.3 in engines, found ${part}.`);
    const oldest = numbersOf(text);
    return compare(own, oldest) >= 0 && (kind === '>=' || own[0] === oldest[0]);
  });
}

/** @param {string} version @returns {number[]} major, minor, patch */
function numbersOf(version) {
  return version
    .replace(/^v/, '')
    .split('.', 3)
    .map((part) => Number.parseInt(part, 10));
}

/** @param {number[]} one @param {number[]} other @returns {number} below, equal to or above 0 */
function compare(one, other) {
  const at = one.findIndex((part, index) => part !== other[index]);
  return at === -1 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}
