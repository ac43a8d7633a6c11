/** BMP by bmp-ts: all depths, run lengths, both row orders. */
import { decode } from 'bmp-ts';
import type { ForeignDecoder, ForeignPixels } from './protocol.ts';

const alphaHeaderBytes = 56;

/** Throws for what is no BMP or is cut short. */
export function openBmp(file: Buffer): ForeignDecoder {
  const headerBytes = file.readUInt32LE(14);
  const width = file.readInt32LE(18);
  const height = Math.abs(file.readInt32LE(22));
  const bitsPerPixel = file.readUInt16LE(28);
  const declaresAlpha =
    bitsPerPixel === 32 && headerBytes >= alphaHeaderBytes && file.readUInt32LE(66) !== 0;
  const head = { width, height, bits: 8, bands: declaresAlpha ? 4 : 3 } as const;
  return { head, decode: () => toPixels(decode(file, { toRGBA: true }).data, head) };
}

function toPixels(rgba: Uint8Array, head: ForeignDecoder['head']): ForeignPixels {
  const { width, height, bands } = head;
  if (rgba.length !== width * height * 4) throw new Error('its size is not what its head says');
  if (bands === 4) return { ...head, samples: rgba, stride: width * 4 };
  const samples = new Uint8Array(width * height * 3);
  for (let from = 0, to = 0; from < rgba.length; from += 4, to += 3) {
    samples[to] = rgba[from] as number;
    samples[to + 1] = rgba[from + 1] as number;
    samples[to + 2] = rgba[from + 2] as number;
  }
  return { ...head, samples, stride: width * 3 };
}
