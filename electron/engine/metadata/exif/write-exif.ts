/** Writes EXIF as a block of its own, in classic TIFF layout and in the byte order in which it came. */
import { DirectoryWriter, putNumber } from '../tiff/directory-writer.ts';
import { findEntry, tags, without, type ExifModel } from '../../../files/tiff/exif-model.ts';

/** A JPEG's segment takes no more than this, nor does libvips for any format. */
const mostExifBytes = 65_000;
const headerBytes = 8;

interface WrittenExif {
  /** The block begins with the TIFF header, without "Exif\0\0". */
  block: Buffer;
  /** It tells whether the MakerNote was left out, because it was too large or could not be moved. */
  leftMakerNote: boolean;
}

/** Writes the block. It is undefined when it would be too large even without the MakerNote. */
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

/** Keeps the MakerNote at its old offset where it fits into the block, so that its own offsets hold. */
function placeOfNote({ photo, makerNoteAt }: ExifModel) {
  const note = findEntry(photo, tags.makerNote);
  if (!note || note.bytes.length <= 4 || makerNoteAt === undefined) return undefined;
  const end = makerNoteAt + note.bytes.length;
  const canStay = makerNoteAt >= headerBytes && end <= mostExifBytes;
  return canStay ? { start: makerNoteAt, end } : undefined;
}

/** Hands out even offsets, one after the other, outside the range that is kept free. */
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
