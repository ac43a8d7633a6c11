/** EXIF as a block of its own, classic TIFF layout, in the byte order that it came in. */
import { DirectoryWriter, putNumber } from '../tiff/directory-writer.ts';
import { findEntry, tags, without, type ExifModel } from './exif-model.ts';

/** Most that one segment of a JPEG takes, and libvips for every format. */
const mostExifBytes = 65_000;
const headerBytes = 8;

interface WrittenExif {
  /** From the TIFF header on, without "Exif\0\0". */
  block: Buffer;
  /** The MakerNote was too large, or could not be moved. */
  leftMakerNote: boolean;
}

/** Undefined when it is too large even without the MakerNote. */
export function writeExifBlock(model: ExifModel): WrittenExif | undefined {
  const whole = layOut(model);
  if (whole.block.length <= mostExifBytes) return whole;
  const rest = layOut({ ...model, photo: without(model.photo, tags.makerNote) });
  return rest.block.length <= mostExifBytes ? { ...rest, leftMakerNote: true } : undefined;
}

function layOut(model: ExifModel): WrittenExif {
  const { littleEndian } = model;
  const kept = placeOfNote(model);
  const makerNoteAt = kept?.start;
  const writer = new DirectoryWriter({
    littleEndian,
    big: false,
    place: createPlaces(kept ?? { start: Infinity, end: 0 }),
    makerNoteAt,
  });
  const first = writer.write(writer.writeModel(model));
  const block = Buffer.alloc(Math.max(...writer.chunks.map(({ at, bytes }) => at + bytes.length)));
  for (const { at, bytes } of writer.chunks) bytes.copy(block, at);
  block.write(littleEndian ? 'II' : 'MM', 0, 'latin1');
  putNumber(block, 2, 2, 42, littleEndian);
  putNumber(block, 4, 4, first, littleEndian);
  return { block, leftMakerNote: writer.leftMakerNote };
}

/** The MakerNote keeps its offset where that is not far away, so that its own offsets hold. */
function placeOfNote({ photo, makerNoteAt }: ExifModel) {
  const note = findEntry(photo, tags.makerNote);
  if (!note || note.bytes.length <= 4 || makerNoteAt === undefined) return undefined;
  const end = makerNoteAt + note.bytes.length;
  const canStay = makerNoteAt >= headerBytes && end <= mostExifBytes;
  return canStay ? { start: makerNoteAt, end } : undefined;
}

/** Even offsets, one after the other, but for the range that is kept free. */
function createPlaces(kept: { start: number; end: number }) {
  let next = headerBytes;
  return (size: number) => {
    const even = next + (next % 2);
    const meets = even < kept.end && even + size > kept.start;
    const at = meets ? kept.end + (kept.end % 2) : even;
    next = at + size;
    return at;
  };
}
