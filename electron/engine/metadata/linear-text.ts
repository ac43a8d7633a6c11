/**
 * What metadata needs of text, in time that grows with the text alone: the files are not to be trusted, and a
 * regular expression that tries anew from each place takes minutes for a megabyte.
 */

/** The text up to the zeros that fill its end. */
export function withoutEndingZeros(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0) end -= 1;
  return text.slice(0, end);
}

/** XML without the processing instructions of these names, such as `<?xpacket …?>`. */
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
