/** Pictures for tests, made here so that every number in them is known. */
import sharp from 'sharp';
import { samplePicture } from '../../electron/engine/inference/checks/sample-picture.ts';

export interface Pixels {
  data: Uint8Array | Uint16Array;
  width: number;
  height: number;
  channels: 1 | 2 | 3 | 4;
}

/** Samples by size, of small pictures alone: many tests of a file take the same. */
const drawn = new Map<string, Uint8Array>();
const maxDrawnPixels = 1e6;

/** RGB that looks like a photograph: soft ground, texture and edges. */
export function photo(width: number, height: number): Pixels {
  const size = `${width} ${height}`;
  const data = drawn.get(size) ?? samplePicture(width, height);
  if (width * height <= maxDrawnPixels) drawn.set(size, data);
  return { data: data.slice(), width, height, channels: 3 };
}

/** One channel of a picture, 8 bit. */
export function grey(picture: Pixels): Pixels {
  const data = new Uint8Array(picture.width * picture.height);
  for (let i = 0; i < data.length; i += 1) data[i] = picture.data[i * picture.channels]!;
  return { ...picture, data, channels: 1 };
}

/** The same in 16 bits, with values between the 8-bit ones. */
export function deep(picture: Pixels): Pixels {
  const data = new Uint16Array(picture.data.length);
  for (let i = 0; i < data.length; i += 1)
    data[i] = Math.min((picture.data[i] as number) * 257 + (i % 200), 65535);
  return { ...picture, data };
}

/** With an alpha channel that is clear left of `clearTo` and full elsewhere; clear pixels are black. */
export function withAlpha(picture: Pixels, clearTo: number): Pixels {
  const { width, height, channels } = picture;
  const top = picture.data instanceof Uint16Array ? 65535 : 255;
  const wide = channels + 1;
  const data =
    picture.data.slice(0, 0).constructor === Uint16Array
      ? new Uint16Array(width * height * wide)
      : new Uint8Array(width * height * wide);
  for (let i = 0; i < width * height; i += 1) {
    const clear = i % width < clearTo;
    for (let c = 0; c < channels; c += 1) {
      data[i * wide + c] = clear ? 0 : picture.data[i * channels + c]!;
    }
    data[i * wide + channels] = clear ? 0 : top;
  }
  return { data, width, height, channels: channels === 1 ? 2 : 4 };
}

/** The picture in sharp's hands, 8 or 16 bit as it is. */
export function asSharp({ data, width, height, channels }: Pixels) {
  const isDeep = data instanceof Uint16Array;
  const space = channels < 3 ? (isDeep ? 'grey16' : 'b-w') : isDeep ? 'rgb16' : 'srgb';
  return sharp(data, { raw: { width, height, channels } }).toColourspace(space);
}

/** A file's own numbers. */
export async function readPixels(path: string): Promise<Pixels> {
  const file = sharp(path, { ignoreIcc: true, limitInputPixels: false });
  const { depth, space, channels: own } = await file.metadata();
  const isGreyWithAlpha = own === 2;
  const deepSpace = space === 'grey16' ? 'rgb16' : 'srgb';
  const { data, info } = await file
    .toColourspace(isGreyWithAlpha ? deepSpace : space)
    .raw({ depth: depth === 'ushort' ? 'ushort' : 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const samples =
    depth === 'ushort' ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data;
  const { width, height, channels } = info;
  if (!isGreyWithAlpha) return { data: samples, width, height, channels };
  // sharp's raw output of grey drops the alpha: it is read as RGB and every second band left.
  const twoBands = samples.filter((_, i) => i % 4 === 0 || i % 4 === 3);
  return { data: twoBands, width, height, channels: 2 };
}

/** Largest difference of red from green or blue. */
export function largestChroma({ data, channels }: Pixels): number {
  let largest = 0;
  for (let i = 0; i < data.length; i += channels)
    largest = Math.max(
      largest,
      Math.abs(data[i]! - data[i + 1]!),
      Math.abs(data[i]! - data[i + 2]!),
    );
  return largest;
}
