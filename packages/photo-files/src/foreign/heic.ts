/** Reads HEIC with libheif compiled to WebAssembly (libheif-js, LGPL, unmodified). */
import { UserFacingError } from '../../../contract/src/error-messages.ts';
import type { Size } from '../../../contract/src/geometry.ts';
import { createRequire } from 'node:module';
import type { ForeignDecoder, ForeignPixels } from './protocol.ts';
import { readWasm } from './wasm-file.ts';

interface LibheifChannel extends Size {
  data: Uint8Array;
  /** Bytes per row, padding included. */
  stride: number;
}
interface LibheifImage {
  handle: unknown;
  get_width(): number;
  get_height(): number;
  is_primary(): boolean;
  has_alpha_channel(): boolean;
}
interface Libheif {
  HeifDecoder: new () => { decode(file: Buffer): LibheifImage[] };
  heif_colorspace: { heif_colorspace_RGB: unknown };
  heif_chroma: Record<string, unknown>;
  heif_js_decode_image2(
    handle: unknown,
    space: unknown,
    chroma: unknown,
  ): { channels?: (LibheifChannel & { bits_per_pixel: number })[]; message?: string };
}

type CreateLibheif = (options: { wasmBinary: Uint8Array }) => Libheif;

/**
 * Loads libheif with its WebAssembly read here: the package's entry points embed it as text, or look for it
 * in the working directory.
 */
function loadLibheif(): Libheif {
  const require = createRequire(import.meta.url);
  const program = require.resolve('libheif-js/libheif-wasm/libheif.js');
  const create = require(program) as CreateLibheif;
  return create({ wasmBinary: readWasm(program.replace(/\.js$/, '.wasm')) });
}

/**
 * Opens a photo, which libheif returns upright.
 *
 * @param isDeep decode to 16 bits
 * @throws if the file cannot be read
 */
export function openHeic(file: Buffer, isDeep: boolean): ForeignDecoder {
  const libheif = loadLibheif();
  const images = new libheif.HeifDecoder().decode(file);
  const image = images.find((one) => one.is_primary()) ?? images[0];
  if (!image) throw new UserFacingError('it holds no picture');
  const hasAlpha = image.has_alpha_channel();
  const head = {
    width: image.get_width(),
    height: image.get_height(),
    bits: isDeep ? 16 : 8,
    bands: hasAlpha ? 4 : 3,
  } as const;
  const colours = isDeep ? 'RRGGBB' : 'RGB';
  const alpha = hasAlpha ? (isDeep ? 'AA' : 'A') : '';
  const chroma = `heif_chroma_interleaved_${colours}${alpha}${isDeep ? '_LE' : ''}`;
  return {
    head,
    decode() {
      const { channels, message } = libheif.heif_js_decode_image2(
        image.handle,
        libheif.heif_colorspace.heif_colorspace_RGB,
        libheif.heif_chroma[chroma],
      );
      const [channel] = channels ?? [];
      if (!channel) throw new Error(message ?? 'no channel');
      return toPixels(channel, channel.bits_per_pixel, head);
    },
  };
}

function toPixels(
  channel: LibheifChannel,
  bits: number,
  head: ForeignDecoder['head'],
): ForeignPixels {
  const { data, width, height, stride } = channel;
  if (width !== head.width || height !== head.height)
    throw new UserFacingError('its size is not what its head says');
  if (head.bits === 8) return { ...head, samples: data, stride };
  const aligned = data.byteOffset % 2 === 0 ? data : data.slice();
  const samples = new Uint16Array(aligned.buffer, aligned.byteOffset, aligned.length >> 1);
  const gain = 65_535 / (2 ** bits - 1);
  for (let i = 0; i < samples.length; i += 1)
    samples[i] = Math.round((samples[i] as number) * gain);
  return { ...head, samples, stride: stride / 2 };
}
