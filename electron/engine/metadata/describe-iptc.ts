/** IPTC's application record as a person reads it. IPTC-NAA Information Interchange Model 4.2. */

const names: Record<number, string> = {
  5: 'ObjectName',
  7: 'EditStatus',
  10: 'Urgency',
  15: 'Category',
  20: 'SupplementalCategories',
  25: 'Keywords',
  40: 'SpecialInstructions',
  55: 'DateCreated',
  60: 'TimeCreated',
  62: 'DigitalCreationDate',
  63: 'DigitalCreationTime',
  65: 'OriginatingProgram',
  70: 'ProgramVersion',
  80: 'By-line',
  85: 'By-lineTitle',
  90: 'City',
  92: 'Sub-location',
  95: 'Province-State',
  100: 'Country-PrimaryLocationCode',
  101: 'Country-PrimaryLocationName',
  103: 'OriginalTransmissionReference',
  105: 'Headline',
  110: 'Credit',
  115: 'Source',
  116: 'CopyrightNotice',
  118: 'Contact',
  120: 'Caption-Abstract',
  122: 'Writer-Editor',
};

const marker = 0x1c;
const application = 2;
const longestData = 0x7fff;

/** What is repeated, such as keywords, stands in one value, with semicolons between. */
export function describeIptc(data: Buffer): { name: string; value: string }[] {
  const found = new Map<string, string[]>();
  for (let at = 0; at + 5 <= data.length && data[at] === marker;) {
    const [record, dataset = 0] = data.subarray(at + 1, at + 3);
    const size = data.readUInt16BE(at + 3);
    if (size > longestData) break;
    const name = names[dataset];
    if (record === application && name)
      valuesOf(found, name).push(textOf(data.subarray(at + 5, at + 5 + size)));
    at += 5 + size;
  }
  return [...found].map(([name, values]) => ({ name, value: values.join('; ') }));
}

function valuesOf(found: Map<string, string[]>, name: string): string[] {
  const values = found.get(name) ?? [];
  if (values.length === 0) found.set(name, values);
  return values;
}

/** UTF-8 where it is valid; older programs wrote Latin-1. */
function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}
