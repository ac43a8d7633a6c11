/** Reads and writes Photoshop's image resources, which hold IPTC (Adobe Photoshop file formats). */
import { createHash } from 'node:crypto';

export interface ImageResource {
  id: number;
  /** Padded Pascal string, as read. */
  name: Buffer;
  data: Buffer;
}

const iptcId = 0x0404;
const signature = '8BIM';
/** Begins the segments of a JPEG that hold resources. */
export const photoshopHead = 'Photoshop 3.0\0';
const jpegHead = Buffer.from(photoshopHead, 'latin1');

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

/**
 * Reads the resources of several segments of a JPEG: one block that is split anywhere, or each a block of its own. Of
 * equal ones the first is returned.
 *
 * @param parts without the segments' prefix
 */
export function readSegmentedResources(parts: readonly Buffer[]): ImageResource[] {
  const joined = readResources(Buffer.concat(parts));
  const single = parts.flatMap((part) => readResources(part));
  const resources = single.length > joined.length ? single : joined;
  const found = new Map<string, ImageResource>();
  for (const resource of resources) {
    const key = `${resource.id}:${createHash('sha256').update(resource.data).digest('hex')}`;
    if (!found.has(key)) found.set(key, resource);
  }
  return [...found.values()];
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

/** Payloads of a JPEG's segments, in which longer resources go on from one to the next, as Photoshop writes them. */
export function jpegPayloadsOf(resources: readonly ImageResource[], maxBytes: number): Buffer[] {
  const block = writeResources(resources);
  const step = maxBytes - jpegHead.length;
  return Array.from({ length: Math.ceil(block.length / step) }, (_, i) =>
    Buffer.concat([jpegHead, block.subarray(i * step, (i + 1) * step)]),
  );
}

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
