/** What a colour profile says of itself. ICC.1:2022, sections 7.2 and 9.2. */

const classes: Record<string, string> = {
  scnr: 'input',
  mntr: 'display',
  prtr: 'output',
  spac: 'colour space',
};
const headBytes = 132;
const descriptionTag = 'desc';

export function describeProfile(icc: Buffer): { name: string; value: string }[] {
  if (icc.length < headBytes) return [];
  const text = (at: number) => icc.toString('latin1', at, at + 4).trim();
  const [major = 0, minor = 0] = icc.subarray(8, 10);
  const fields = [
    { name: 'ProfileDescription', value: descriptionOf(icc) },
    { name: 'ProfileClass', value: classes[text(12)] ?? text(12) },
    { name: 'ColorSpaceData', value: text(16) },
    { name: 'ProfileVersion', value: `${major}.${minor >> 4}` },
  ];
  return fields.flatMap(({ name, value }) => (value ? [{ name, value }] : []));
}

function descriptionOf(icc: Buffer): string | undefined {
  const count = Math.min(icc.readUInt32BE(128), 100);
  for (let at = headBytes; at + 12 <= Math.min(icc.length, headBytes + count * 12); at += 12) {
    if (icc.toString('latin1', at, at + 4) !== descriptionTag) continue;
    const start = icc.readUInt32BE(at + 4);
    return textOf(icc.subarray(start, start + icc.readUInt32BE(at + 8)));
  }
  return undefined;
}

/** Version 2 writes ASCII, version 4 UTF-16 in languages: the first is taken. */
function textOf(tag: Buffer): string | undefined {
  const kind = tag.toString('latin1', 0, 4);
  const clean = (text: string) => text.replace(/\0[^]*$/, '').trim();
  if (kind === 'desc' && tag.length > 12)
    return clean(tag.toString('latin1', 12, 12 + tag.readUInt32BE(8)));
  if (kind !== 'mluc' || tag.length < 28) return undefined;
  const at = tag.readUInt32BE(24);
  return clean(new TextDecoder('utf-16be').decode(tag.subarray(at, at + tag.readUInt32BE(20))));
}
