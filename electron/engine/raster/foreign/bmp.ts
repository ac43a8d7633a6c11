/** Reads BMP by bmp-ts: all bit depths, run-length encoding, and both row orders. */
import { OwnWords } from '../../../contract/faults.ts';
import { decode } from 'bmp-ts';
import type { ForeignDecoder, ForeignPixels } from './protocol.ts';

const alphaHeaderBytes = 56;
/** The positions of red, green and blue in the four bytes of a decoded pixel. */
type Order = readonly [red: number, green: number, blue: number];
const plainOrder: Order = [0, 1, 2];
const paletteOrder: Order = [3, 2, 1];

/** Reads the head. This and the decoding throw for files that are no BMP or are cut short. */
export function openBmp(file: Buffer): ForeignDecoder {
  const headerBytes = file.readUInt32LE(14);
  const width = file.readInt32LE(18);
  const height = Math.abs(file.readInt32LE(22));
  const bitsPerPixel = file.readUInt16LE(28);
  const declaresAlpha =
    bitsPerPixel === 32 && headerBytes >= alphaHeaderBytes && file.readUInt32LE(66) !== 0;
  const bands = declaresAlpha ? 4 : isGrey(file, headerBytes, bitsPerPixel) ? 1 : 3;
  const head = { width, height, bits: 8, bands } as const;
  // bmp-ts gives pictures with a palette as alpha, blue, green, red, whatever it is asked for.
  const order = bitsPerPixel <= 8 ? paletteOrder : plainOrder;
  return { head, decode: () => toPixels(decode(file, { toRGBA: true }).data, head, order) };
}

/** Tells whether every colour of a picture's palette is a grey. */
function isGrey(file: Buffer, headerBytes: number, bitsPerPixel: number): boolean {
  // The oldest header, of 12 bytes, has entries of three bytes and no count.
  if (bitsPerPixel > 8 || headerBytes < 40) return false;
  const from = 14 + headerBytes;
  const count = file.readUInt32LE(46) || 2 ** bitsPerPixel;
  const entries = Array.from({ length: Math.min(count, 256) }, (_, i) => from + 4 * i);
  return entries.every(
    (at) => at + 3 <= file.length && file[at] === file[at + 1] && file[at + 1] === file[at + 2],
  );
}

function toPixels(
  rgba: Uint8Array,
  head: ForeignDecoder['head'],
  [red, green, blue]: Order,
): ForeignPixels {
  const { width, height, bands } = head;
  if (rgba.length !== width * height * 4) throw new OwnWords('its size is not what its head says');
  if (bands === 4) return { ...head, samples: rgba, stride: width * 4 };
  if (bands === 1) {
    const grey = Uint8Array.from({ length: width * height }, (_, i) => rgba[4 * i + red] as number);
    return { ...head, samples: grey, stride: width };
  }
  const samples = new Uint8Array(width * height * 3);
  for (let from = 0, to = 0; from < rgba.length; from += 4, to += 3) {
    samples[to] = rgba[from + red] as number;
    samples[to + 1] = rgba[from + green] as number;
    samples[to + 2] = rgba[from + blue] as number;
  }
  return { ...head, samples, stride: width * 3 };
}
