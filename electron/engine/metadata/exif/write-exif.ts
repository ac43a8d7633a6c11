/** Writes EXIF as a separate block, in classic TIFF layout and in its original byte order. */
import { DirectoryWriter, putNumber } from '../tiff/directory-writer.ts';
import { findEntry, tags, without, type ExifModel } from '../../../files/tiff/exif-model.ts';

/** Limit of a JPEG segment, and of libvips for any format. */
const maxExifBytes = 65_000;
const headerBytes = 8;

interface WrittenExif {
  /** From the TIFF header on, without "Exif\\0\\0". */
  block: Buffer;
  /** Whether the MakerNote was left out, because it was too large or could not be moved. */
  droppedMakerNote: boolean;
}

/** Writes the block; undefined if it is too large even without the MakerNote. */
export function writeExifBlock(model: ExifModel): WrittenExif | undefined {
  const whole = layOut(model);
  if (whole.block.length <= maxExifBytes) return whole;
  const rest = layOut({ ...model, photo: without(model.photo, tags.makerNote) });
  return rest.block.length <= maxExifBytes ? { ...rest, droppedMakerNote: true } : undefined;
}

function layOut(model: ExifModel): WrittenExif {
  const { littleEndian } = model;
  const reserved = noteRange(model);
  const makerNoteAt = reserved?.start;
  const writer = new DirectoryWriter({
    littleEndian,
    big: false,
    allocate: createAllocator(reserved ?? { start: Infinity, end: 0 }),
    makerNoteAt,
  });
  const first = writer.write(writer.writeModel(model));
  const block = Buffer.alloc(Math.max(...writer.chunks.map(({ at, bytes }) => at + bytes.length)));
  for (const { at, bytes } of writer.chunks) bytes.copy(block, at);
  block.write(littleEndian ? 'II' : 'MM', 0, 'latin1');
  putNumber(block, 2, 2, 42, littleEndian);
  putNumber(block, 4, 4, first, littleEndian);
  return { block, droppedMakerNote: writer.droppedMakerNote };
}

/** Keeps the MakerNote at its old offset if that is inside the block, so that its own offsets stay valid. */
function noteRange({ photo, makerNoteAt }: ExifModel) {
  const note = findEntry(photo, tags.makerNote);
  if (!note || note.bytes.length <= 4 || makerNoteAt === undefined) return undefined;
  const end = makerNoteAt + note.bytes.length;
  const canStay = makerNoteAt >= headerBytes && end <= maxExifBytes;
  return canStay ? { start: makerNoteAt, end } : undefined;
}

/** Allocates even offsets in order, outside the reserved range. */
function createAllocator(reserved: { start: number; end: number }) {
  let next = headerBytes;
  return (size: number) => {
    const even = next + (next % 2);
    const meets = even < reserved.end && even + size > reserved.start;
    const at = meets ? reserved.end + (reserved.end % 2) : even;
    next = at + size;
    return at;
  };
}
