/** Reads and writes Photoshop's image resources, which hold IPTC (Adobe Photoshop file formats). */

export interface ImageResource {
  id: number;
  /** The name is a Pascal string with its padding, as it stood in the file. */
  name: Buffer;
  data: Buffer;
}

const iptcId = 0x0404;
const signature = '8BIM';
const jpegHead = Buffer.from('Photoshop 3.0\0', 'latin1');

/** Thumbnails, the old JPEG's quality, and copies of ICC, EXIF and XMP are not carried over. */
const notCarried = new Set([0x0406, 0x0409, 0x040c, 0x040f, 0x0422, 0x0423, 0x0424]);

/** Reads the resources that lie whole inside the bytes, which may begin with a JPEG segment's head. */
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
    if (!notCarried.has(id)) resources.push({ id, name, data: block.subarray(nameEnd + 4, end) });
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

/** Finds the IPTC records. */
export const iptcOf = (resources: readonly ImageResource[]): Buffer | undefined =>
  resources.find(({ id }) => id === iptcId)?.data;

export const resourceOfIptc = (data: Buffer): ImageResource => ({
  id: iptcId,
  name: Buffer.alloc(2),
  data,
});

/** Reads ImageMagick's "Raw profile type" text of a PNG: a name, a length and hex digits. */
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
/** IPTC's places below the city: the content's location, by code and name, and the sub-location. */
const placeDatasets = new Set([26, 27, 92]);
const datasetMarker = 0x1c;
const applicationRecord = 2;

/** Removes the places below the city from IPTC, and the checksum that holds for it no longer. */
export const withoutPlaces = (resources: readonly ImageResource[]): ImageResource[] =>
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
    // Data sets of more than 32 KB have their size behind it; none of them is a place.
    if (size > 0x7fff) break;
    const end = at + 5 + size;
    const isPlace = data[at + 1] === applicationRecord && placeDatasets.has(data[at + 2] ?? 0);
    if (!isPlace) kept.push(data.subarray(at, end));
    at = end;
  }
  return Buffer.concat([...kept, data.subarray(at)]);
}
