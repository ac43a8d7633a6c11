/** What a picture says of itself, field by field, as a person reads it. */
import { labelOf } from '../../contract/formats.ts';
import type { MetadataField, MetadataGroup } from '../protocol.ts';
import type { Inspected } from '../raster/inspect.ts';
import { describeExif } from './exif/describe-exif.ts';
import { describeIptc } from './describe-iptc.ts';
import { describeProfile } from './describe-profile.ts';
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
