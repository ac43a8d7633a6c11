/**
 * Edits text of metadata in time that is linear in its length. The files are not to be trusted, and a regular
 * expression that tries anew from each position takes minutes for a megabyte.
 */

/** Removes the zeros at the end of a text. */
export function withoutEndingZeros(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0) end -= 1;
  return text.slice(0, end);
}

/** Removes the processing instructions of these names from XML, such as `<?xpacket …?>`. */
export function withoutInstructions(xml: string, names: readonly string[]): string {
  const kept: string[] = [];
  let [from, end] = [0, -1];
  for (let at = xml.indexOf('<?'); at >= 0; at = xml.indexOf('<?', at + 2)) {
    if (end < at) end = xml.indexOf('>', at);
    if (end < 0) break;
    const isNamed = names.some((name) => xml.startsWith(name, at + 2));
    if (at < from || !isNamed || xml[end - 1] !== '?') continue;
    kept.push(xml.slice(from, at));
    from = end + 1;
  }
  return kept.join('') + xml.slice(from);
}
