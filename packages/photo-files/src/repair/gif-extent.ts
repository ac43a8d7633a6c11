/**
 * Follows a GIF's blocks and LZW codes without computing pixels, to find how much of a file arrived. libvips
 * fills what is missing without an error. (GIF89a specification, sections 17 to 27 and appendix F.)
 */
import type { TiffBytes } from '../../../file-records/src/index.ts';
import type { YieldTurn } from '../../../../electron/engine/cancellation/yield.ts';
import { colourTableBytes } from '../metadata/containers/gif-blocks.ts';

export interface GifExtent {
  /** Frames that arrived complete. */
  frames: number;
  /** The frame after these, of which at least a row is missing; undefined if there is none. */
  cut?: { rows: number; height: number };
  /** False if the file ends without a trailer, so that further frames may be missing. */
  hasTrailer: boolean;
}

const extension = 0x21;
const image = 0x2c;
const descriptorBytes = 10;
const screenBytes = 13;
const windowBytes = 1024 * 1024;
const maxCodes = 4096;

/** @param maxFrames following stops after this number of frames */
export async function followGif(
  bytes: TiffBytes,
  maxFrames: number,
  yieldTurn: YieldTurn,
): Promise<GifExtent> {
  const file = openWindow(bytes);
  let at = screenBytes + colourTableBytes(file.byteAt(10));
  let frames = 0;
  while (frames < maxFrames) {
    await yieldTurn();
    const kind = file.byteAt(at);
    if (kind === image) {
      const height = file.wordAt(at + 7);
      const pixels = file.wordAt(at + 5) * height;
      const data = at + descriptorBytes + colourTableBytes(file.byteAt(at + 9));
      const followed = await countPixels(file, data, pixels, yieldTurn);
      const rows = pixels === 0 ? height : Math.floor((followed.pixels / pixels) * height);
      if (rows < height) return { frames, cut: { rows, height }, hasTrailer: false };
      frames += 1;
      at = followed.end;
    } else if (kind === extension) {
      at = await skipSubBlocks(file, at + 2, yieldTurn);
    } else {
      // The trailer, or a block of unknown kind, at which readers stop.
      return { frames, hasTrailer: kind !== undefined };
    }
  }
  return { frames, hasTrailer: true };
}

interface FileWindow {
  /** Undefined behind the end of the file. */
  byteAt(offset: number): number | undefined;
  /** Little-endian number of two bytes; 0 behind the end. */
  wordAt(offset: number): number;
}

function openWindow(bytes: TiffBytes): FileWindow {
  let start = 0;
  let window = bytes.read(0, windowBytes);
  const byteAt = (offset: number) => {
    if (offset < start || offset >= start + window.length) {
      if (offset >= bytes.size) return undefined;
      start = offset;
      window = bytes.read(offset, windowBytes);
    }
    return window[offset - start];
  };
  return { byteAt, wordAt: (at) => (byteAt(at) ?? 0) + 256 * (byteAt(at + 1) ?? 0) };
}

/** @returns the offset after the block that ends the list, or of the end of the file */
async function skipSubBlocks(
  file: FileWindow,
  from: number,
  yieldTurn: YieldTurn,
): Promise<number> {
  let at = from;
  for (;;) {
    await yieldTurn();
    const length = file.byteAt(at);
    if (length === undefined) return at;
    at += 1 + length;
    if (length === 0) return at;
  }
}

/** Counts the pixels of LZW data, at most `max`. @returns them, and the offset after the data */
async function countPixels(
  file: FileWindow,
  from: number,
  max: number,
  yieldTurn: YieldTurn,
): Promise<{ pixels: number; end: number }> {
  const counter = createLzwCounter(file.byteAt(from) ?? 0);
  let isCounting = true;
  let at = from + 1;
  for (;;) {
    await yieldTurn();
    const length = file.byteAt(at) ?? 0;
    for (let i = 1; i <= length && isCounting; i += 1) {
      const byte = file.byteAt(at + i);
      isCounting = byte !== undefined && counter.take(byte) && counter.pixels() < max;
    }
    at += 1 + length;
    if (length === 0) return { pixels: Math.min(max, counter.pixels()), end: at };
  }
}

/** Counts the pixels that codes stand for: of each string its length is known. */
function createLzwCounter(minimumBits: number) {
  const clear = 1 << minimumBits;
  const lengths = new Uint32Array(maxCodes).fill(1, 0, clear);
  let [next, codeBits] = [clear + 2, minimumBits + 1];
  let previous = 0;
  let [bits, count] = [0, 0];
  let pixels = 0;
  let isEnded = minimumBits < 1 || minimumBits > 11;

  function takeCode(code: number): void {
    if (code === clear) {
      [next, codeBits, previous] = [clear + 2, minimumBits + 1, 0];
      return;
    }
    const isKnown = code < next || (code === next && previous > 0);
    if (code === clear + 1 || !isKnown) {
      isEnded = true;
      return;
    }
    if (previous > 0 && next < maxCodes) {
      lengths[next] = previous + 1;
      next += 1;
      if (next === 1 << codeBits && codeBits < 12) codeBits += 1;
    }
    previous = lengths[code] ?? 0;
    pixels += previous;
  }

  return {
    pixels: () => pixels,
    /** @returns false after the end code, or one that cannot be */
    take(byte: number): boolean {
      bits |= byte << count;
      count += 8;
      while (count >= codeBits && !isEnded) {
        const code = bits & ((1 << codeBits) - 1);
        bits >>>= codeBits;
        count -= codeBits;
        takeCode(code);
      }
      return !isEnded;
    },
  };
}
