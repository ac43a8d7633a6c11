/**
 * Camera RAW by LibRaw, compiled to WebAssembly (libraw-wasm): developed as the camera would, with its
 * own white balance, into sRGB of 16 bits, upright, without brightening.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { ForeignDecoder } from './protocol.ts';

interface LibRaw {
  open(file: Uint8Array, settings: object): void;
  metadata(all: boolean): { width: number; height: number; flip: number } | undefined;
  imageData():
    { width: number; height: number; colors: number; bits: number; data: Uint16Array } | undefined;
}
type CreateLibRaw = (options: { wasmBinary: Uint8Array }) => Promise<{ LibRaw: new () => LibRaw }>;

const settings = {
  outputBps: 16,
  outputColor: 1,
  useCameraWb: true,
  noAutoBright: true,
  // The curve of sRGB; fewer than six numbers are taken for none.
  gamm: [1 / 2.4, 12.92, 0, 0, 0, 0],
};

/** Throws for what LibRaw does not know or cannot read. */
export async function openRaw(file: Buffer): Promise<ForeignDecoder> {
  // The package looks for its .wasm as a browser would; here it is read from its folder.
  const packed = createRequire(import.meta.url).resolve('libraw-wasm/dist/libraw.js');
  const module = (await import(pathToFileURL(packed).href)) as { default: CreateLibRaw };
  const wasmBinary = readFileSync(packed.replace(/\.js$/, '.wasm'));
  const { LibRaw } = await module.default({ wasmBinary });
  const raw = new LibRaw();
  raw.open(new Uint8Array(file), settings);
  const found = raw.metadata(false);
  if (!found || found.width < 1 || found.height < 1) throw new Error('it holds no picture');
  // LibRaw turns by 90 degrees for flip 5 and 6.
  const isTurned = found.flip === 5 || found.flip === 6;
  const [width, height] = isTurned ? [found.height, found.width] : [found.width, found.height];
  const head = { width, height, bits: 16, bands: 3 } as const;
  return {
    head,
    decode() {
      const image = raw.imageData();
      if (image?.colors !== 3 && image?.colors !== 1) throw new Error('it cannot be developed');
      const { data, colors } = image;
      const size = { width: image.width, height: image.height };
      return { ...head, ...size, bands: colors, samples: data, stride: size.width * colors };
    },
  };
}
