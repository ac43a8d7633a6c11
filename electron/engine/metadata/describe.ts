/** What a picture says of itself, field by field, as a person reads it. */
import { labelOf } from '../../contract/formats.ts';
import type { MetadataField, MetadataGroup } from '../protocol.ts';
import type { Inspected } from '../raster/inspect.ts';
import { describeExif } from './exif/describe-exif.ts';
import { describeIptc } from './describe-iptc.ts';
import { iptcOf } from './containers/photoshop.ts';
import { keywordOf, textOfChunk } from './containers/png-chunks.ts';
import { Xmp } from './xmp/xmp.ts';

const longestValue = 2000;
/** Packed text that is longer is not unpacked for looking at it. */
const longestText = 64 * 1024;
const mostFields = 1000;

export function describePicture({ info, metadata }: Inspected): MetadataField[] {
  const { exif, xmp, extendedXmp, photoshop, icc, pngText, jpegComments } = metadata;
  const iptc = iptcOf(photoshop);
  const packets = [xmp, extendedXmp].flatMap((packet) => (packet && Xmp.read(packet)) ?? []);
  const fields = [
    ...fileFields(info, metadata.density),
    ...pngText.flatMap((chunk) => {
      const value = textOfChunk(chunk, longestText);
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
  return fields.slice(0, mostFields);
}

const field = (group: MetadataGroup, name: string, value: string): MetadataField => ({
  group,
  name,
  value: value.length > longestValue ? `${value.slice(0, longestValue)}…` : value,
});

function fileFields(info: Inspected['info'], density: number | undefined): MetadataField[] {
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

/** What a colour profile says of itself. ICC.1:2022, sections 7.2 and 9.2. */
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
