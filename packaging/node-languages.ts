/**
 * Takes out of Node's program for Linux what its ICU has for other languages than English, and dictionaries: 20 of
 * its 104 MiB. Enlarger's service, engine and command line speak English to people; the page speaks with Chromium's
 * ICU. What remains of every language is its order of letters, by which files are listed, and its character sets,
 * which old metadata are written in.
 *
 * The data are one block in the program's read-only segment, where neither compiler nor linker points inside. What
 * stays of them moves together, the rest leaves the file, and the segment becomes two around the hole: no address
 * changes. (ICU's ucmndata.h and System V's gABI have the formats.)
 */

const languages =
  /^((curr|lang|rbnf|region|unit|zone)\/)?(?!en[_.])[a-z]{2,3}(_[A-Z][a-z]{3})?(_([A-Z]{2}|\d{3}))?(_[A-Z]+)?\.res$/;
/** Words of languages that are written without spaces, and rules for writing one script in another. */
const dictionaries = /^brkitr\/\w+\.dict$|^translit\//;

/** Returns whether the item of ICU's data, such as zone/de.res, is left out. */
export const isLeftOut = (name: string) => languages.test(name) || dictionaries.test(name);

/** Part of a file, in bytes from its beginning. */
interface Range {
  start: number;
  end: number;
}

/**
 * @param program an ELF file of 64 bits, little endian, which is changed
 * @returns the shorter one
 * @throws {Error} a sentence, if the program is not built as Node's makers build it
 */
export function leaveLanguagesOut(program: Buffer): Buffer {
  if (program.readUInt32BE(0) !== 0x7f454c46 || program.readUInt16BE(4) !== 0x0201)
    throw unexpected('a little-endian ELF file of 64 bits');
  return cut(program, compactData(program));
}

const unexpected = (what: string) =>
  new Error(
    `Expected Node's program to have ${what}, which packaging/node-languages.ts takes languages out of, and it has not.`,
  );

interface Item {
  name: string;
  /** Position of the item's entry in the table of contents. */
  entry: number;
  /** From the beginning of the table of contents. */
  offset: number;
}

/** Moves the items that stay to the front of ICU's data. @returns what is no longer used */
function compactData(program: Buffer): Range {
  const contents = findContents(program);
  const items = readItems(program, contents);
  const last = items.at(-1);
  if (last === undefined) throw unexpected('items in its ICU data');
  let count = 0;
  let end = items[0]?.offset ?? 0;
  items.forEach(({ name, entry, offset }, index) => {
    if (isLeftOut(name)) return;
    const next = items[index + 1]?.offset;
    // The length of the last one is known from nothing, so it stays where it is.
    const isMoved = next !== undefined;
    if (isMoved) program.copy(program, contents + end, contents + offset, contents + next);
    const target = contents + 4 + count * entryBytes;
    program.writeUInt32LE(program.readUInt32LE(entry), target);
    program.writeUInt32LE(isMoved ? end : offset, target + 4);
    if (isMoved) end += next - offset;
    count += 1;
  });
  program.writeUInt32LE(count, contents);
  return { start: contents + end, end: contents + last.offset };
}

const entryBytes = 8;

/** Returns where the table of contents begins, behind the header with magic number and format. */
function findContents(program: Buffer): number {
  const found: number[] = [];
  for (let at = program.indexOf('CmnD'); at !== -1; at = program.indexOf('CmnD', at + 1)) {
    const header = at - 12;
    if (header >= 0 && program.readUInt16BE(header + 2) === 0xda27)
      found.push(header + program.readUInt16LE(header));
  }
  const [contents] = found;
  if (contents === undefined || found.length > 1) throw unexpected('one block of ICU data');
  return contents;
}

function readItems(program: Buffer, contents: number): Item[] {
  const count = program.readUInt32LE(contents);
  return Array.from({ length: count }, (_, index) => {
    const entry = contents + 4 + index * entryBytes;
    const nameAt = contents + program.readUInt32LE(entry);
    const fullName = program.toString('latin1', nameAt, program.indexOf(0, nameAt));
    // Behind the name of the whole, such as icudt78l/.
    const name = fullName.slice(fullName.indexOf('/') + 1);
    return { name, entry, offset: program.readUInt32LE(entry + 4) };
  });
}

const segmentType = { load: 1, note: 4 } as const;

interface Segment {
  header: Buffer;
  type: number;
  offset: number;
  sizeBytes: number;
  alignment: number;
}

/** Takes the range, as far as whole pages go, out of the file, and leaves its addresses empty. */
function cut(program: Buffer, unused: Range): Buffer {
  const segments = readSegments(program);
  const isAround = ({ type, offset, sizeBytes }: Segment) =>
    type === segmentType.load && offset <= unused.start && offset + sizeBytes >= unused.end;
  const split = segments.find(isAround);
  if (split === undefined) throw unexpected('a segment around its ICU data');
  const page = Math.max(
    ...segments
      .filter(({ type, offset }) => type === segmentType.load && offset >= split.offset)
      .map(({ alignment }) => alignment),
  );
  const gone = {
    start: Math.ceil(unused.start / page) * page,
    end: Math.floor(unused.end / page) * page,
  };
  const removed = gone.end - gone.start;
  if (removed <= 0) throw unexpected('a page or more of other languages');
  writeSegments(program, segments, split, gone);
  const sections = moveSections(program, gone);
  const shorter = [program.subarray(0, gone.start), program.subarray(gone.end), sections];
  return Buffer.concat(shorter);
}

const segmentBytes = 56;

function readSegments(program: Buffer): Segment[] {
  const table = Number(program.readBigUInt64LE(32));
  if (program.readUInt16LE(54) !== segmentBytes) throw unexpected('program headers of 56 bytes');
  return Array.from({ length: program.readUInt16LE(56) }, (_, index) => {
    const start = table + index * segmentBytes;
    const header = Buffer.from(program.subarray(start, start + segmentBytes));
    return {
      header,
      type: header.readUInt32LE(0),
      offset: Number(header.readBigUInt64LE(8)),
      sizeBytes: Number(header.readBigUInt64LE(32)),
      alignment: Number(header.readBigUInt64LE(48)),
    };
  });
}

/** Writes two headers for the segment that is split. The second one takes the place of a note's, which nothing reads. */
function writeSegments(program: Buffer, segments: Segment[], split: Segment, gone: Range): void {
  const note = segments.find(({ type }) => type === segmentType.note);
  if (note === undefined) throw unexpected('a note');
  const before = Buffer.from(split.header);
  for (const at of [32, 40]) before.writeBigUInt64LE(BigInt(gone.start - split.offset), at);
  const behind = Buffer.from(split.header);
  behind.writeBigUInt64LE(BigInt(gone.start), 8);
  for (const at of [16, 24]) add(behind, at, gone.end - split.offset);
  for (const at of [32, 40]) add(behind, at, split.offset - gone.end);
  const headers = segments.flatMap((segment) => {
    if (segment === split) return [before, behind];
    if (segment === note) return [];
    if (segment.offset >= gone.end) add(segment.header, 8, gone.start - gone.end);
    return [segment.header];
  });
  Buffer.concat(headers).copy(program, Number(program.readBigUInt64LE(32)));
}

/** Adds to a number of 64 bits. */
function add(header: Buffer, at: number, change: number): void {
  header.writeBigUInt64LE(header.readBigUInt64LE(at) + BigInt(change), at);
}

const sectionBytes = 64;

/**
 * Moves what the table of sections names; strip and debuggers read it. Sections are known by their number, so the
 * second part of the one that is split comes last.
 * @returns the header to append
 */
function moveSections(program: Buffer, gone: Range): Buffer {
  const table = Number(program.readBigUInt64LE(40));
  const count = program.readUInt16LE(60);
  if (program.readUInt16LE(58) !== sectionBytes || table + count * sectionBytes !== program.length)
    throw unexpected('its section headers at its end');
  let behind: Buffer | undefined;
  for (let index = 0; index < count; index += 1) {
    const start = table + index * sectionBytes;
    const header = program.subarray(start, start + sectionBytes);
    const offset = Number(header.readBigUInt64LE(24));
    const end = offset + Number(header.readBigUInt64LE(32));
    if (offset >= gone.end) add(header, 24, gone.start - gone.end);
    else if (offset <= gone.start && end >= gone.end) {
      behind = Buffer.from(header);
      add(behind, 16, gone.end - offset);
      behind.writeBigUInt64LE(BigInt(gone.start), 24);
      behind.writeBigUInt64LE(BigInt(end - gone.end), 32);
      header.writeBigUInt64LE(BigInt(gone.start - offset), 32);
    }
  }
  if (behind === undefined) throw unexpected('a section around its ICU data');
  add(program, 40, gone.start - gone.end);
  program.writeUInt16LE(count + 1, 60);
  return behind;
}
