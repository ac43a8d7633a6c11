/**
 * Reads and writes JPEG XL with libjxl in libvips, compiled to WebAssembly (wasm-vips), whose memory is
 * limited to 2 GB. It reads and writes rasters on disk.
 */
import { UserFacingError } from '../../../contract/src/error-messages.ts';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { ForeignDecoder, JxlOptions } from './protocol.ts';
import { withoutPackedBoxes } from '../metadata/containers/jxl-boxes.ts';
import type { OpenJxlTile } from './dng-jxl.ts';
import { readWasm } from './wasm-file.ts';

interface VipsImage {
  readonly width: number;
  readonly height: number;
  readonly bands: number;
  readonly format: string;
  getTypeof(name: string): number;
  getBlob(name: string): Uint8Array;
  /** Row-major, of the picture's own type. */
  writeToMemory(): Uint8Array | Uint16Array;
  jxlsave(path: string, options: object): void;
  vipssave(path: string, options: object): void;
  writeToMemory(): Uint8Array<ArrayBuffer>;
}
interface Vips {
  Image: {
    jxlload(path: string, options: object): VipsImage;
    jxlloadBuffer(file: Uint8Array, options: object): VipsImage;
    vipsload(path: string): VipsImage;
  };
  concurrency(threads: number): void;
  Cache: { max(operations: number): void };
}
type CreateVips = (options: object) => Promise<Vips>;

/** A global of Node that only the browser's types declare. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => object;
};
/** Hook that emscripten calls instead of reading the file itself. */
type Instantiate = (imports: object, done: (instance: object, module: object) => void) => object;

/**
 * Unpacks the compressed WebAssembly of a packaged application. In a checkout emscripten reads the published
 * file.
 */
function packedWasm(file: string): { instantiateWasm?: Instantiate } {
  if (existsSync(file)) return {};
  return {
    instantiateWasm(imports, done) {
      const module = new WebAssembly.Module(readWasm(file));
      done(new WebAssembly.Instance(module, imports), module);
      return {};
    },
  };
}

/** Starts libvips with one thread: with two, libjxl ran out of memory from 48 megapixels on. */
async function startVips(): Promise<Vips> {
  const require = createRequire(import.meta.url);
  const create = require('wasm-vips') as CreateVips;
  const folder = path.dirname(require.resolve('wasm-vips'));
  const vips = await create({
    ...packedWasm(path.join(folder, 'vips.wasm')),
    dynamicLibraries: ['vips-jxl.wasm'],
    print: () => undefined,
    printErr: () => undefined,
  });
  vips.concurrency(1);
  vips.Cache.max(0);
  return vips;
}

/** VIPS_FOREIGN_KEEP_ICC: writes only the profile of a picture's metadata. */
const keepIcc = 8;
/**
 * Up to these efforts libjxl streams the picture. Above, it buffers all of it: 24 megapixels exceeded its 2
 * GB at effort 7.
 */
const efforts = { lossy: 3, lossless: 1 };

/** Encodes a raster. @throws libvips' error if the picture does not fit in its memory */
export async function writeJxl({
  rasterPath,
  outputPath,
  lossless,
  quality,
}: JxlOptions): Promise<void> {
  const vips = await startVips();
  const how = lossless
    ? { lossless: true, effort: efforts.lossless }
    : { Q: quality, effort: efforts.lossy };
  vips.Image.vipsload(rasterPath).jxlsave(outputPath, { ...how, keep: keepIcc });
}

/**
 * Pictures up to here are decoded into memory, by half as many threads of libvips as into a file; each is a
 * program of its own with WebAssembly, and they take most of the time of a small picture.
 */
const maxBytesInMemory = 64 * 2 ** 20;

const bitsOf: Partial<Record<string, 8 | 16>> = { uchar: 8, ushort: 16 };
const iccName = 'icc-profile-data';

/**
 * Opens a picture, which is returned upright.
 *
 * @throws for files that are not JPEG XL, and for float samples
 */
export async function openJxl(path: string): Promise<ForeignDecoder> {
  const vips = await startVips();
  const options = { fail_on: 'warning' };
  // libvips refuses compressed boxes of 255 bytes and more; Enlarger reads their metadata itself.
  const plain = withoutPackedBoxes(path);
  const image = plain
    ? vips.Image.jxlloadBuffer(plain, options)
    : vips.Image.jxlload(path, options);
  const { width, height, bands, format } = image;
  const bits = bitsOf[format];
  if (!bits || !isBands(bands))
    throw new UserFacingError(`it holds ${bands} bands of type ${format}`);
  const icc = image.getTypeof(iccName) === 0 ? undefined : image.getBlob(iccName).slice();
  return {
    head: { width, height, bits, bands, ...(icc && { icc }) },
    decode(rasterPath) {
      if (width * height * bands * (bits / 8) > maxBytesInMemory) {
        image.vipssave(rasterPath, { keep: 0 });
        return undefined;
      }
      const bytes = image.writeToMemory();
      const samples = bits === 8 ? bytes : new Uint16Array(bytes.buffer);
      return { width, height, bits, bands, samples, stride: width * bands };
    },
  };
}

/** Starts a decoder of bare pictures, such as the tiles of a DNG. */
export async function openJxlTiles(): Promise<OpenJxlTile> {
  const vips = await startVips();
  return (codestream) => {
    const image = vips.Image.jxlloadBuffer(codestream, { fail_on: 'warning' });
    const { width, height, bands, format } = image;
    const bits = bitsOf[format];
    if (!bits) throw new UserFacingError(`it holds samples of type ${format}`);
    return { width, height, bands, bits, samples: () => image.writeToMemory() };
  };
}

const isBands = (bands: number): bands is 1 | 2 | 3 | 4 => bands >= 1 && bands <= 4;
