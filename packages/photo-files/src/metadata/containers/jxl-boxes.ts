/** Reads and inserts EXIF and XMP in JPEG XL: boxes of its container (ISO/IEC 18181-2). */
import { brotliDecompressSync } from 'node:zlib';
import { insertBytes, type OnMoved } from './insert-bytes.ts';
import {
  boxesIn,
  type Box,
  withFileBytes,
  type TiffBytes,
} from '../../../../file-records/src/index.ts';

interface JxlMetadata {
  /** From the TIFF header on. */
  exif?: Buffer | undefined;
  xmp?: Buffer | undefined;
}

const signature = Buffer.from('0000000c4a584c200d0a870a', 'hex');
const fileType = Buffer.from('00000014667479706a786c20000000006a786c20', 'hex');
const maxBoxes = 10_000;
const maxMetadataBytes = 32 * 1024 * 1024;

/** Reads the metadata; empty for a bare codestream, without damaged boxes. */
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

/** Unpacks only the first box of a type: a small file may hold hundreds that expand greatly. */
function firstOf(type: string, bytes: TiffBytes, boxes: Box[]): Buffer | undefined {
  const box = boxes.find(
    (one) => (one.type === 'brob' ? packedType(bytes, one) : one.type) === type,
  );
  return box && contentOf(bytes, box);
}

/** A brob box holds another box, compressed with Brotli. */
const packedType = (bytes: TiffBytes, { at, end }: Box) =>
  end - at < 4 ? '' : bytes.read(at, 4).toString('latin1');

/** Complete top-level boxes of the container. */
export const boxesOf = (bytes: TiffBytes): Box[] =>
  bytes.read(0, signature.length).equals(signature) ? boxesIn(bytes, 0, bytes.size, maxBoxes) : [];

/** Returns a JPEG XL file without its Brotli boxes; undefined if it has none. */
export const withoutPackedBoxes = (path: string): Buffer | undefined =>
  withFileBytes(path, (bytes) => {
    const packed = boxesOf(bytes).filter(({ type }) => type === 'brob');
    if (packed.length === 0) return undefined;
    const file = bytes.read(0, bytes.size);
    const parts: Buffer[] = [];
    let from = 0;
    for (const { at, end } of packed) {
      const hasLongSize =
        file.readUInt32BE(at - 16) === 1 && file.toString('latin1', at - 12, at - 8) === 'brob';
      parts.push(file.subarray(from, at - (hasLongSize ? 16 : 8)));
      from = end;
    }
    return Buffer.concat([...parts, file.subarray(from)]);
  });

function contentOf(bytes: TiffBytes, { type, at, end }: Box): Buffer {
  if (end - at > maxMetadataBytes) return Buffer.alloc(0);
  const content = bytes.read(at, end - at);
  return type === 'brob' ? unpack(content.subarray(4)) : content;
}

function unpack(packed: Buffer): Buffer {
  try {
    return brotliDecompressSync(packed, { maxOutputLength: maxMetadataBytes });
  } catch {
    return Buffer.alloc(0);
  }
}

/** Inserts the metadata before the picture. A bare codestream is wrapped in a container. */
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
  const slot = slotFor(path);
  await insertBytes(
    path,
    slot.at,
    Buffer.concat([...slot.before, ...boxes, ...slot.after]),
    onMoved,
  );
}

function boxOf(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
}

/** Header of a box whose codestream extends to the end of the file. */
const codestream = Buffer.from('000000006a786c63', 'hex');
const levelBytes = 9;

function slotFor(path: string): { at: number; before: Buffer[]; after: Buffer[] } {
  const head = withFileBytes(path, (bytes) => bytes.read(0, 64));
  if (!head.subarray(0, signature.length).equals(signature))
    return { at: 0, before: [signature, fileType], after: [codestream] };
  const at = signature.length + fileType.length;
  const hasLevel = head.toString('latin1', at + 4, at + 8) === 'jxll';
  return { at: hasLevel ? at + levelBytes : at, before: [], after: [] };
}
