/**
 * Reads camera RAW with LibRaw compiled to WebAssembly (libraw-wasm). Photos are developed with the camera's
 * white balance, in 16 bits, with ProPhoto primaries and the curve of sRGB, upright, without brightening.
 * sRGB would clip colours that the sensor holds.
 */
import { UserFacingError } from '../../../contract/src/error-messages.ts';
import type { Size } from '../../../contract/src/geometry.ts';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { hasJxlTiles, withPlainHeader, withPlainSamples } from './dng-jxl.ts';
import { openJxlTiles } from './jxl.ts';
import type { ForeignDecoder, ForeignRequest } from './protocol.ts';
import { rawProfile } from '../colour/code-points.ts';
import { isDng, withWhiteLevel } from '../metadata/tiff/white-level.ts';
import { readWasm } from './wasm-file.ts';

interface LibRaw {
  open(file: Uint8Array, settings: object): void;
  /** `all` adds `pixel_aspect`. The size is before the correction of non-square pixels. */
  metadata(all: boolean): RawSize | undefined;
  imageData(): (Size & { colors: number; bits: number; data: Uint16Array }) | undefined;
}
interface RawSize extends Size {
  /** LibRaw's orientation code, 0 to 7. From 4 on width and height are swapped. */
  flip: number;
  /** Width of a sensor pixel divided by its height. */
  pixel_aspect?: number;
}
type CreateLibRaw = (options: { wasmBinary: Uint8Array }) => Promise<{ LibRaw: new () => LibRaw }>;

type RawRequest = Pick<ForeignRequest, 'rasterPath' | 'maxPixels'>;

/** Tiles of a DNG in JPEG XL are unpacked where the pixels are asked for: LibRaw reads none. */
async function withoutJxl(file: Buffer, { rasterPath, maxPixels }: RawRequest): Promise<Buffer> {
  if (!isDng(file) || !hasJxlTiles(file)) return file;
  if (rasterPath === undefined) return withPlainHeader(file);
  return withPlainSamples(file, await openJxlTiles(), maxPixels);
}

const settings = {
  outputBps: 16,
  // ProPhoto primaries.
  outputColor: 4,
  useCameraWb: true,
  noAutoBright: true,
  // Curve of sRGB. The package ignores lists of fewer than six numbers.
  gamm: [1 / 2.4, 12.92, 0, 0, 0, 0],
};
/**
 * LibRaw takes the brightest value of the sensor for white where it is above 75 % of the white level: the white
 * levels of its table are uncertain. A DNG states its own, and photos of one series must be equally bright.
 */
const dngSettings = { ...settings, adjustMaximumThr: 0 };

/**
 * Opens a photo.
 *
 * @throws for files that LibRaw does not know or cannot read
 */
export async function openRaw(path: string, request: RawRequest): Promise<ForeignDecoder> {
  const file = await withoutJxl(readFileSync(path), request);
  // The package resolves its .wasm as in a browser, so it is read from the package's folder here.
  const packed = createRequire(import.meta.url).resolve('libraw-wasm/dist/libraw.js');
  const module = (await import(pathToFileURL(packed).href)) as { default: CreateLibRaw };
  const wasmBinary = readWasm(packed.replace(/\.js$/, '.wasm'));
  const { LibRaw } = await module.default({ wasmBinary });
  const raw = new LibRaw();
  raw.open(new Uint8Array(withWhiteLevel(file)), isDng(file) ? dngSettings : settings);
  const found = raw.metadata(true);
  if (!found || found.width < 1 || found.height < 1)
    throw new UserFacingError('it holds no picture');
  const head = { ...developedSize(found), bits: 16, bands: 3, icc: rawProfile() } as const;
  return {
    head,
    decode() {
      const image = raw.imageData();
      if (image?.colors !== 3 && image?.colors !== 1)
        throw new UserFacingError('it cannot be developed');
      const { data, colors } = image;
      if (isMisread(data, file))
        throw new UserFacingError('its development has one value everywhere');
      const size = { width: image.width, height: image.height };
      const samples = colors === 3 ? data : greyToRgb(data);
      return { ...head, ...size, samples, stride: size.width * 3 };
    },
  };
}

/** Bytes at the end of a file, within its data, that are examined. */
const comparedBytes = 4096;

/** Whether development is constant although the data are not: LibRaw misread the file. */
function isMisread(samples: Uint16Array, file: Buffer): boolean {
  const [first = 0] = samples;
  if (!samples.every((sample) => sample === first)) return false;
  const isExtreme = first === 0 || first === 65_535;
  return isExtreme || new Set(file.subarray(-comparedBytes)).size > 2;
}

/** A monochrome sensor is developed to grey, whose profile is that of equal colours. */
function greyToRgb(grey: Uint16Array): Uint16Array {
  const samples = new Uint16Array(grey.length * 3);
  for (let i = 0; i < grey.length; i += 1) samples.fill(grey[i] ?? 0, 3 * i, 3 * i + 3);
  return samples;
}

/**
 * Size of LibRaw's development. The package has swapped the sides for the orientations 5, 6 and 7, but not
 * for 4 (mirrored and turned). LibRaw stretches the shorter side of non-square pixels (its
 * `adjust_sizes_info_only`).
 */
function developedSize({ width, height, flip, pixel_aspect: aspect = 1 }: RawSize) {
  const wasExchanged = flip > 4;
  const [across, down] = wasExchanged ? [height, width] : [width, height];
  const wide = aspect > 1.005 ? Math.floor(across * aspect + 0.5) : across;
  const high = aspect < 0.995 ? Math.floor(down / aspect + 0.5) : down;
  return flip >= 4 ? { width: high, height: wide } : { width: wide, height: high };
}
