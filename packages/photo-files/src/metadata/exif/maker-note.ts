/**
 * Moves MakerNotes, which are directories in makers' own formats. Many refer to their values by offsets from
 * the file's TIFF header, so a moved note needs each offset adjusted.
 */
import { typeBytes, numberAt } from '../../../../file-records/src/index.ts';

/** Bytes before the directory: none (Canon), or a name (JVC, AOC, Nikon 1, Sony, Panasonic, GE and Leica). */
const prefixes = [0, 4, 6, 8, 10, 12, 16, 18] as const;

interface Pointer {
  at: number;
  littleEndian: boolean;
  value: number;
}

/**
 * Returns the note for `newAt`, read at `oldAt`. Notes with offsets relative to themselves are returned
 * unchanged. Undefined if an offset is not representable.
 */
export function moveMakerNote(note: Buffer, oldAt: number, newAt: number): Buffer | undefined {
  if (oldAt === newAt) return note;
  const pointers = pointersIntoFile(note, oldAt);
  if (pointers.length === 0) return note;
  const moved = Buffer.from(note);
  for (const { at, littleEndian, value } of pointers) {
    const target = value - oldAt + newAt;
    if (target < 0 || target > 0xffffffff) return undefined;
    if (littleEndian) moved.writeUInt32LE(target, at);
    else moved.writeUInt32BE(target, at);
  }
  return moved;
}

/** Finds the offsets into the note, if more than half of them are relative to the file's header. */
function pointersIntoFile(note: Buffer, at: number): Pointer[] {
  for (const prefix of prefixes) {
    for (const littleEndian of [true, false]) {
      const found = readPointers(note, prefix, littleEndian);
      if (!found || found.length === 0) continue;
      const isInside = ({ value }: Pointer) => value >= at && value < at + note.length;
      const counted = found.filter(isInside).length;
      if (counted * 2 > found.length) return found.filter(isInside);
    }
  }
  return [];
}

/** Reads the offsets of a directory at `start`; undefined if there is no directory. */
function readPointers(note: Buffer, start: number, littleEndian: boolean): Pointer[] | undefined {
  if (start + 2 > note.length) return undefined;
  const count = numberAt(note, start, 2, littleEndian);
  if (count === 0 || count > 1000 || start + 2 + count * 12 > note.length) return undefined;
  const pointers: Pointer[] = [];
  for (let i = 0; i < count; i += 1) {
    const entry = start + 2 + i * 12;
    const size = typeBytes(numberAt(note, entry + 2, 2, littleEndian));
    if (size === 0) return undefined;
    if (size * numberAt(note, entry + 4, 4, littleEndian) <= 4) continue;
    const value = numberAt(note, entry + 8, 4, littleEndian);
    pointers.push({ at: entry + 8, littleEndian, value });
  }
  return pointers;
}
