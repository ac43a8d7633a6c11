/** Describes a picture's metadata field by field for display. */
import { labelOf } from '../../../contract/src/formats.ts';
import type {
  MetadataField,
  MetadataGroup,
  SourceInspection,
} from '../../../../electron/engine/protocol/messages.ts';
import { describeExif } from './exif/describe-exif.ts';
import { iptcOf } from './containers/photoshop.ts';
import { keywordOf, textOfChunk } from './containers/png-chunks.ts';
import type { SourceMetadata } from './source-metadata.ts';
import { Xmp } from './xmp/xmp.ts';

export interface DescribedSource {
  info: SourceInspection;
  metadata: SourceMetadata;
}

const maxValueLength = 2000;
/** Longer compressed text is not unpacked for display. */
const maxTextBytes = 64 * 1024;
const maxFields = 1000;

export function describePicture({ info, metadata }: DescribedSource): MetadataField[] {
  const { exif, xmp, extendedXmp, photoshop, icc, pngText, jpegComments } = metadata;
  const iptc = iptcOf(photoshop);
  const packets = [xmp, extendedXmp].flatMap((packet) => (packet && Xmp.read(packet)) ?? []);
  const fields = [
    ...fileFields(info, metadata.density),
    ...pngText.flatMap((chunk) => {
      const value = textOfChunk(chunk, maxTextBytes);
      return value ? [field('File', keywordOf(chunk), value)] : [];
    }),
    ...jpegComments.map((comment) => field('File', 'Comment', comment.toString('utf8'))),
    ...(exif ? describeExif(exif) : []).map(({ directory, name, value }) =>
      field(directory === 'gps' ? 'GPS' : 'EXIF', name, value),
    ),
    ...(iptc ? describeIptc(iptc) : []).map(({ name, value }) => field('IPTC', name, value)),
    ...packets.flatMap((packet) =>
      packet.describe().map(({ name, value }) => field('XMP', name, value)),
    ),
    ...(icc ? describeProfile(icc) : []).map(({ name, value }) => field('Profile', name, value)),
  ];
  return fields.slice(0, maxFields);
}

const field = (group: MetadataGroup, name: string, value: string): MetadataField => ({
  group,
  name,
  value: value.length > maxValueLength ? `${value.slice(0, maxValueLength)}…` : value,
});

function fileFields(info: SourceInspection, density: number | undefined): MetadataField[] {
  const { format, width, height, bitDepth, channels, sizeBytes } = info;
  const fields = [
    field('File', 'Format', labelOf(format)),
    field('File', 'ImageWidth', String(width)),
    field('File', 'ImageHeight', String(height)),
    field('File', 'BitsPerSample', String(bitDepth)),
    field('File', 'SamplesPerPixel', String(channels)),
    field('File', 'FileSize', `${sizeBytes} bytes`),
  ];
  return density ? [...fields, field('File', 'Resolution', `${Math.round(density)} dpi`)] : fields;
}

const classes: Record<string, string> = {
  scnr: 'input',
  mntr: 'display',
  prtr: 'output',
  spac: 'colour space',
};
const headBytes = 132;
const descriptionTag = 'desc';

/** Describes a colour profile (ICC.1:2022, 7.2 and 9.2). */
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

/** Text of a profile: ASCII in version 2, the first of several UTF-16 languages in version 4. */
function textOf(tag: Buffer): string | undefined {
  const kind = tag.toString('latin1', 0, 4);
  const clean = (text: string) => text.replace(/\0[^]*$/, '').trim();
  if (kind === 'desc' && tag.length > 12)
    return clean(tag.toString('latin1', 12, 12 + tag.readUInt32BE(8)));
  if (kind !== 'mluc' || tag.length < 28) return undefined;
  const at = tag.readUInt32BE(24);
  return clean(new TextDecoder('utf-16be').decode(tag.subarray(at, at + tag.readUInt32BE(20))));
}

/** Data sets of IPTC's application record. */
const datasets: Record<number, string> = {
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
const maxDataBytes = 0x7fff;

/**
 * Describes IPTC's application record (IPTC-NAA Information Interchange Model 4.2). Repeated data sets, such
 * as keywords, are joined with semicolons.
 */
export function describeIptc(data: Buffer): { name: string; value: string }[] {
  const found = new Map<string, string[]>();
  for (let at = 0; at + 5 <= data.length && data[at] === marker;) {
    const [record, dataset = 0] = data.subarray(at + 1, at + 3);
    const size = data.readUInt16BE(at + 3);
    if (size > maxDataBytes) break;
    const name = datasets[dataset];
    if (record === application && name)
      valuesOf(found, name).push(plainTextOf(data.subarray(at + 5, at + 5 + size)));
    at += 5 + size;
  }
  return [...found].map(([name, values]) => ({ name, value: values.join('; ') }));
}

function valuesOf(found: Map<string, string[]>, name: string): string[] {
  const values = found.get(name) ?? [];
  if (values.length === 0) found.set(name, values);
  return values;
}

/** Decodes UTF-8 if valid, else Latin-1, which older programs wrote. */
function plainTextOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}
