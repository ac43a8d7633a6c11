/**
 * Reads and writes JPEG XL by libjxl in libvips, compiled to WebAssembly (wasm-vips). Its memory ends at 2
 * GB, whatever a picture holds. It reads and writes rasters as they lie on disk.
 */
import { OwnWords } from '../../../contract/faults.ts';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { ForeignDecoder, JxlOrder } from './protocol.ts';
import { withoutPackedBoxes } from '../../metadata/containers/jxl-boxes.ts';
import { readWasm } from './wasm-file.ts';

interface VipsImage {
  readonly width: number;
  readonly height: number;
  readonly bands: number;
  readonly format: string;
  getTypeof(name: string): number;
  getBlob(name: string): Uint8Array;
  jxlsave(path: string, options: object): void;
  vipssave(path: string, options: object): void;
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

/** Node has this global, but its types leave it to those of browsers. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => object;
};
/** emscripten calls such a function in place of reading the file itself. */
type Instantiate = (imports: object, done: (instance: object, module: object) => void) => object;

/** Unpacks an application's compressed WebAssembly. In a checkout emscripten reads the published file. */
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

/** Starts libvips with one thread. With two, libjxl ran out of its memory from 48 megapixels on. */
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

/** With this flag libvips writes the profile alone of a picture's metadata (VIPS_FOREIGN_KEEP_ICC). */
const keepIcc = 8;
/**
 * At these efforts libjxl reads the picture piece by piece. Above them it holds all of the picture: 24
 * megapixels took more than its 2 GB at effort 7.
 */
const efforts = { lossy: 3, lossless: 1 };

/** Encodes a raster. It throws libvips' own error when the picture does not fit into its memory. */
export async function writeJxl({
  rasterPath,
  outputPath,
  lossless,
  quality,
}: JxlOrder): Promise<void> {
  const vips = await startVips();
  const how = lossless
    ? { lossless: true, effort: efforts.lossless }
    : { Q: quality, effort: efforts.lossy };
  vips.Image.vipsload(rasterPath).jxlsave(outputPath, { ...how, keep: keepIcc });
}

const bitsOf: Partial<Record<string, 8 | 16>> = { uchar: 8, ushort: 16 };
const iccName = 'icc-profile-data';

/** Opens a picture, which comes upright. It throws for files that are no JPEG XL and for float samples. */
export async function openJxl(path: string): Promise<ForeignDecoder> {
  const vips = await startVips();
  const options = { fail_on: 'warning' };
  // libvips refuses compressed boxes of 255 bytes and more; the metadata in them is read by Enlarger.
  const plain = withoutPackedBoxes(path);
  const image = plain
    ? vips.Image.jxlloadBuffer(plain, options)
    : vips.Image.jxlload(path, options);
  const { width, height, bands, format } = image;
  const bits = bitsOf[format];
  if (!bits || !isBands(bands)) throw new OwnWords(`it holds ${bands} bands of type ${format}`);
  const icc = image.getTypeof(iccName) === 0 ? undefined : image.getBlob(iccName).slice();
  return {
    head: { width, height, bits, bands, ...(icc && { icc }) },
    decode(rasterPath) {
      image.vipssave(rasterPath, { keep: 0 });
      return undefined;
    },
  };
}

const isBands = (bands: number): bands is 1 | 2 | 3 | 4 => bands >= 1 && bands <= 4;
