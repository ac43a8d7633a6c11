/**
 * Edits metadata text in linear time. Files are untrusted, and a regular expression that backtracks from each
 * position takes minutes for a megabyte.
 */

/** Removes trailing zeros. */
export function withoutTrailingZeros(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0) end -= 1;
  return text.slice(0, end);
}

/** Removes XML processing instructions with these names, such as `<?xpacket …?>`. */
export function withoutInstructions(xml: string, names: readonly string[]): string {
  const parts: string[] = [];
  let [from, end] = [0, -1];
  for (let at = xml.indexOf('<?'); at >= 0; at = xml.indexOf('<?', at + 2)) {
    if (end < at) end = xml.indexOf('>', at);
    if (end < 0) break;
    const isNamed = names.some((name) => xml.startsWith(name, at + 2));
    if (at < from || !isNamed || xml[end - 1] !== '?') continue;
    parts.push(xml.slice(from, at));
    from = end + 1;
  }
  return parts.join('') + xml.slice(from);
}
