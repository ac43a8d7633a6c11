/** How much of a truncated file is there, of formats whose decoders do not say it. */
import { note } from '../../../contract/src/notes/notes.ts';
import { createInflate, constants } from 'node:zlib';
import { Readable } from 'node:stream';
import { EnlargerError } from '../../../contract/src/errors.ts';
import type { Size } from '../../../contract/src/geometry.ts';
import { labelOf, type ReadableFormat } from '../../../contract/src/formats.ts';
import { damagedWords, rowsThere } from '../../../contract/src/failures/rows-there.ts';
import {
  boxesIn,
  endOfImage,
  withFileBytes,
  withOpenFile,
  type TiffBytes,
} from '../../../file-records/src/index.ts';
import { createYield, neverAborted } from '../../../../electron/engine/cancellation/yield.ts';
import { maxFrames } from '../../../../electron/engine/plan/plan-animation.ts';
import { chunksIn } from '../metadata/containers/png-chunks.ts';
import { followGif } from './gif-extent.ts';
import { examineJpeg } from './repair.ts';

interface PictureHead {
  format: ReadableFormat;
  info: Size & { frames?: number };
}

export const truncated = (there: string, { format, info }: PictureHead) =>
  new EnlargerError(
    'UNREADABLE_IMAGE',
    `${there}: the ${labelOf(format)} of ${info.width} x ${info.height} pixels ${damagedWords}.`,
  );

/**
 * Finds what a JPEG or PNG lacks at its end without decoding it. A whole file costs a look at its last bytes.
 *
 * @throws EnlargerError UNREADABLE_IMAGE if rows are missing
 */
export async function assertAllRows(path: string, picture: PictureHead): Promise<void> {
  const there = await missingRows(path, picture.format);
  if (there !== undefined) throw truncated(there, picture);
}

async function missingRows(path: string, format: ReadableFormat): Promise<string | undefined> {
  if (format === 'png') return withOpenFile(path, rowsOfPng);
  if (format !== 'jpeg' || withFileBytes(path, endsAsJpeg)) return undefined;
  const found = await examineJpeg(path);
  return found?.kind === 'cut' ? rowsThere(found.rows, found.height) : undefined;
}

/** Other pictures, films or padding may follow a JPEG's end marker. */
const jpegTailBytes = 64 * 1024;
/** In a smaller file the tail may hold the preview of the metadata, which has an end marker, too. */
const minTailedBytes = 4 * jpegTailBytes;

const endsAsJpeg = (bytes: TiffBytes) =>
  bytes.size >= minTailedBytes &&
  bytes.read(bytes.size - jpegTailBytes, jpegTailBytes).includes(endMarker);

const endMarker = Buffer.from([0xff, endOfImage]);

/**
 * libvips fills what a truncated GIF lacks without an error.
 *
 * @param frames number of frames that are read
 * @returns a note if frames may be missing
 *
 * @throws EnlargerError UNREADABLE_IMAGE if rows of a frame are missing
 */
export async function assertCompleteGif(
  path: string,
  picture: PictureHead,
  frames: number,
): Promise<string[]> {
  const followed = await withOpenFile(path, (bytes) =>
    followGif(bytes, frames === 1 ? 1 : maxFrames, createYield(neverAborted)),
  );
  const { cut } = followed;
  if (cut) {
    const there =
      followed.frames === 0
        ? rowsThere(cut.rows, cut.height)
        : `${framesThere(followed.frames)}, and ${cut.rows} of the ${cut.height} rows of the next`;
    throw truncated(there, picture);
  }
  return followed.hasTrailer ? [] : [note('GIF_WITHOUT_END', { frames: followed.frames })];
}

const framesThere = (frames: number) =>
  frames === 1 ? 'Its first frame is there' : `Its first ${frames} frames are there`;

/** @throws EnlargerError UNREADABLE_IMAGE if an animated PNG ends before its last frame */
export function assertCompleteApng(path: string, picture: PictureHead): void {
  const { frames, hasEnd } = withFileBytes(path, (bytes) => {
    let frames = 0;
    for (const { type, at, length } of chunksIn(bytes, Infinity)) {
      if (type === 'IEND') return { frames, hasEnd: true };
      if (type === 'fcTL' && at + length <= bytes.size) frames += 1;
    }
    return { frames, hasEnd: false };
  });
  if (hasEnd) return;
  const { frames: all = frames } = picture.info;
  const whole = Math.max(0, frames - 1);
  const there =
    whole === 0
      ? `None of its ${all} frames is there whole`
      : `The first ${whole} of its ${all} frames ${whole === 1 ? 'is' : 'are'} there`;
  throw truncated(there, picture);
}

/**
 * Runs what reads a file. A failure of a truncated file says how much is there.
 *
 * @throws what `run` throws
 */
export async function withTruncation<T>(
  path: string,
  format: ReadableFormat,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof EnlargerError) || error.code !== 'UNREADABLE_IMAGE') throw error;
    const there = await partThere(path, format);
    if (there === undefined) throw error;
    const { code, message } = error;
    const rest = message.charAt(0).toLowerCase() + message.slice(1);
    throw new EnlargerError(code, `${there}: ${rest}`, { cause: error });
  }
}

/** Undefined for a whole file, and for formats whose decoders say it. */
async function partThere(path: string, format: ReadableFormat): Promise<string | undefined> {
  if (format === 'png') return withOpenFile(path, rowsOfPng);
  if (format === 'gif') {
    const { cut } = await withOpenFile(path, (bytes) =>
      followGif(bytes, 1, createYield(neverAborted)),
    );
    return cut && rowsThere(cut.rows, cut.height);
  }
  const declared = withFileBytes(path, (bytes) => ({
    size: bytes.size,
    whole: format === 'webp' ? riffBytes(bytes) : isBoxed(format) ? boxedBytes(bytes) : 0,
  }));
  if (declared.whole <= declared.size) return undefined;
  const percent = Math.floor((100 * declared.size) / declared.whole);
  return `The first ${percent} % of its bytes are there`;
}

const isBoxed = (format: ReadableFormat) =>
  format === 'avif' || format === 'heic' || format === 'jxl';

const riffBytes = (bytes: TiffBytes) => 8 + bytes.read(4, 4).readUInt32LE(0);

const maxBoxes = 1000;
/** Boxes may end behind the file, whose end is then missing. */
const anywhere = Number.MAX_SAFE_INTEGER;

/** Where the last of the file's boxes says that it ends; 0 for a bare JPEG XL. */
function boxedBytes(bytes: TiffBytes): number {
  const boxes = boxesIn(bytes, 0, anywhere, maxBoxes);
  if (!['ftyp', 'JXL '].includes(boxes[0]?.type ?? '')) return 0;
  const end = boxes.at(-1)?.end ?? 0;
  // A box of size 0 extends to the end, wherever that is.
  return end === anywhere ? bytes.size : end;
}

/** Channels of PNG's colour types. */
const channelsOfType: Partial<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Of a PNG's IHDR. */
const headerBytes = 13;
const stepBytes = 1024 * 1024;

/** Counts the rows that can be inflated; undefined for a whole file, and for interlaced rows. */
async function rowsOfPng(bytes: TiffBytes): Promise<string | undefined> {
  let header: Buffer | undefined;
  const parts: { at: number; length: number }[] = [];
  for (const { type, at, length } of chunksIn(bytes, Infinity)) {
    if (type === 'IHDR' && length === headerBytes) header = bytes.read(at, length);
    else if (type === 'IDAT') parts.push({ at, length: Math.min(length, bytes.size - at) });
    else if (type === 'IEND') return undefined;
  }
  if (header?.length !== headerBytes || header[12] !== 0) return undefined;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const bits = (header[8] ?? 0) * (channelsOfType[header[9] ?? 0] ?? 0);
  const rowBytes = 1 + Math.ceil((width * bits) / 8);
  function* dataOf() {
    for (const { at, length } of parts)
      for (let done = 0; done < length; done += stepBytes)
        yield bytes.read(at + done, Math.min(stepBytes, length - done));
  }
  let inflated = 0;
  try {
    const data = Readable.from(dataOf()).pipe(
      createInflate({ finishFlush: constants.Z_SYNC_FLUSH }),
    );
    for await (const chunk of data as AsyncIterable<Buffer>) {
      inflated += chunk.length;
      if (inflated >= rowBytes * height) break;
    }
  } catch {
    // Damaged data end the count.
  }
  const rows = Math.floor(inflated / rowBytes);
  return rows < height ? rowsThere(rows, height) : undefined;
}
