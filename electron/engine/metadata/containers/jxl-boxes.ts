/** Reads and inserts EXIF and XMP in a JPEG XL file, which are boxes of its container (ISO/IEC 18181-2). */
import { brotliDecompressSync } from 'node:zlib';
import { insertBytes, type OnMoved } from './insert-bytes.ts';
import { boxesIn, type Box } from './iso-boxes.ts';
import { withFileBytes, type TiffBytes } from '../../../files/tiff/tiff-directory.ts';

interface JxlMetadata {
  /** The bytes begin with the TIFF header. */
  exif?: Buffer | undefined;
  xmp?: Buffer | undefined;
}

const signature = Buffer.from('0000000c4a584c200d0a870a', 'hex');
const fileType = Buffer.from('00000014667479706a786c20000000006a786c20', 'hex');
const mostBoxes = 10_000;
const mostMetadataBytes = 32 * 1024 * 1024;

/** Reads the metadata. It is empty for a bare codestream, and lacks boxes that are damaged. */
export function readJxlMetadata(path: string): JxlMetadata {
  return withFileBytes(path, (bytes) => {
    const boxes = boxesOf(bytes);
    const exif = firstOf('Exif', bytes, boxes);
    const xmp = firstOf('xml ', bytes, boxes);
    return {
      ...(exif && exif.length > 4 && { exif: exif.subarray(4 + exif.readUInt32BE(0)) }),
      ...(xmp && { xmp }),
    };
  });
}

/** Only the first box of a type is unpacked, because a small file can hold hundreds that become large. */
function firstOf(type: string, bytes: TiffBytes, boxes: Box[]): Buffer | undefined {
  const box = boxes.find(
    (one) => (one.type === 'brob' ? packedType(bytes, one) : one.type) === type,
  );
  return box && contentOf(bytes, box);
}

/** A brob box holds another box, compressed by Brotli. */
const packedType = (bytes: TiffBytes, { at, end }: Box) =>
  end - at < 4 ? '' : bytes.read(at, 4).toString('latin1');

/** Reads the boxes of the container's outermost level, as far as they are whole. */
export const boxesOf = (bytes: TiffBytes): Box[] =>
  bytes.read(0, signature.length).equals(signature) ? boxesIn(bytes, 0, bytes.size, mostBoxes) : [];

/** Returns a JPEG XL file without its boxes compressed by Brotli; undefined where it has none. */
export const withoutPackedBoxes = (path: string): Buffer | undefined =>
  withFileBytes(path, (bytes) => {
    const packed = boxesOf(bytes).filter(({ type }) => type === 'brob');
    if (packed.length === 0) return undefined;
    const file = bytes.read(0, bytes.size);
    const kept: Buffer[] = [];
    let from = 0;
    for (const { at, end } of packed) {
      const hasLongSize =
        file.readUInt32BE(at - 16) === 1 && file.toString('latin1', at - 12, at - 8) === 'brob';
      kept.push(file.subarray(from, at - (hasLongSize ? 16 : 8)));
      from = end;
    }
    return Buffer.concat([...kept, file.subarray(from)]);
  });

function contentOf(bytes: TiffBytes, { type, at, end }: Box): Buffer {
  if (end - at > mostMetadataBytes) return Buffer.alloc(0);
  const content = bytes.read(at, end - at);
  return type === 'brob' ? unpack(content.subarray(4)) : content;
}

function unpack(packed: Buffer): Buffer {
  try {
    return brotliDecompressSync(packed, { maxOutputLength: mostMetadataBytes });
  } catch {
    return Buffer.alloc(0);
  }
}

/** Inserts the metadata before the picture. A bare codestream becomes a container. */
export async function insertJxlMetadata(
  path: string,
  { exif, xmp }: JxlMetadata,
  onMoved: OnMoved,
): Promise<void> {
  const boxes = [
    ...(exif ? [boxOf('Exif', Buffer.concat([Buffer.alloc(4), exif]))] : []),
    ...(xmp ? [boxOf('xml ', xmp)] : []),
  ];
  if (boxes.length === 0) return;
  const place = placeFor(path);
  await insertBytes(
    path,
    place.at,
    Buffer.concat([...place.before, ...boxes, ...place.after]),
    onMoved,
  );
}

function boxOf(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
}

/** This is the head of a box whose codestream reaches to the end of the file. */
const codestream = Buffer.from('000000006a786c63', 'hex');
const levelBytes = 9;

function placeFor(path: string): { at: number; before: Buffer[]; after: Buffer[] } {
  const head = withFileBytes(path, (bytes) => bytes.read(0, 64));
  if (!head.subarray(0, signature.length).equals(signature))
    return { at: 0, before: [signature, fileType], after: [codestream] };
  const at = signature.length + fileType.length;
  const hasLevel = head.toString('latin1', at + 4, at + 8) === 'jxll';
  return { at: hasLevel ? at + levelBytes : at, before: [], after: [] };
}
