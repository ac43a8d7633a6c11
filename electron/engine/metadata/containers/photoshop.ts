/** Reads and writes Photoshop's image resources, which hold IPTC (Adobe Photoshop file formats). */

export interface ImageResource {
  id: number;
  /** Padded Pascal string, as read. */
  name: Buffer;
  data: Buffer;
}

const iptcId = 0x0404;
const signature = '8BIM';
const jpegHead = Buffer.from('Photoshop 3.0\0', 'latin1');

/** Not transferred: thumbnails, the old JPEG's quality, copies of ICC, EXIF and XMP. */
const excluded = new Set([0x0406, 0x0409, 0x040c, 0x040f, 0x0422, 0x0423, 0x0424]);

/** Reads the complete resources of a block, which may begin with a JPEG segment's prefix. */
export function readResources(block: Buffer): ImageResource[] {
  const resources: ImageResource[] = [];
  let at = block.subarray(0, jpegHead.length).equals(jpegHead) ? jpegHead.length : 0;
  while (at + 12 <= block.length && block.toString('latin1', at, at + 4) === signature) {
    const id = block.readUInt16BE(at + 4);
    const named = (block[at + 6] ?? 0) + 1;
    const nameEnd = at + 6 + named + (named % 2);
    if (nameEnd + 4 > block.length) break;
    const size = block.readUInt32BE(nameEnd);
    const end = nameEnd + 4 + size;
    if (end > block.length) break;
    const name = block.subarray(at + 6, nameEnd);
    if (!excluded.has(id)) resources.push({ id, name, data: block.subarray(nameEnd + 4, end) });
    at = end + (size % 2);
  }
  return resources;
}

export function writeResources(resources: readonly ImageResource[]): Buffer {
  return Buffer.concat(
    resources.flatMap(({ id, name, data }) => {
      const head = Buffer.alloc(6);
      head.write(signature, 'latin1');
      head.writeUInt16BE(id, 4);
      const size = Buffer.alloc(4);
      size.writeUInt32BE(data.length);
      return [head, name, size, data, Buffer.alloc(data.length % 2)];
    }),
  );
}

export const jpegSegmentOf = (resources: readonly ImageResource[]): Buffer =>
  Buffer.concat([jpegHead, writeResources(resources)]);

/** The IPTC records. */
export const iptcOf = (resources: readonly ImageResource[]): Buffer | undefined =>
  resources.find(({ id }) => id === iptcId)?.data;

export const resourceOfIptc = (data: Buffer): ImageResource => ({
  id: iptcId,
  name: Buffer.alloc(2),
  data,
});

/** Parses ImageMagick's "Raw profile type" text of a PNG: name, length, hex digits. */
export function readRawProfile(text: string): Buffer | undefined {
  const lines = text.trimStart();
  const nameEnd = lines.indexOf('\n');
  const [size = '', ...digits] = lines.slice(nameEnd).trim().split(/\s+/);
  if (nameEnd < 0 || !/^\d{1,9}$/.test(size)) return undefined;
  const bytes = Buffer.from(digits.join(''), 'hex');
  return bytes.length === Number(size) ? bytes : undefined;
}

export function writeRawProfile(name: string, bytes: Buffer): string {
  const lines = bytes.toString('hex').match(/.{1,72}/g) ?? [];
  return `\n${name}\n${String(bytes.length).padStart(8)}\n${lines.join('\n')}\n`;
}

/** Photoshop's checksum of the IPTC. */
const iptcDigestId = 0x0425;
/** IPTC locations below the city: content location code and name, and sub-location. */
const locationDatasets = new Set([26, 27, 92]);
const datasetMarker = 0x1c;
const applicationRecord = 2;

/** Removes locations below the city from IPTC, and the checksum, which is then invalid. */
export const withoutLocations = (resources: readonly ImageResource[]): ImageResource[] =>
  resources.flatMap((resource) => {
    if (resource.id === iptcDigestId) return [];
    return resource.id === iptcId
      ? { ...resource, data: withoutDatasets(resource.data) }
      : resource;
  });

function withoutDatasets(data: Buffer): Buffer {
  const kept: Buffer[] = [];
  let at = 0;
  while (at + 5 <= data.length && data[at] === datasetMarker) {
    const size = data.readUInt16BE(at + 3);
    // Data sets of more than 32 KB have an extended size; none of them is a location.
    if (size > 0x7fff) break;
    const end = at + 5 + size;
    const isLocation =
      data[at + 1] === applicationRecord && locationDatasets.has(data[at + 2] ?? 0);
    if (!isLocation) kept.push(data.subarray(at, end));
    at = end;
  }
  return Buffer.concat([...kept, data.subarray(at)]);
}
