/** Generated files in every kind of a format that other programs write, made of crops of photographs. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import sharp from 'sharp';
import { dngOf } from '../../support/made-files.ts';
import { photographs } from '../../support/shared.ts';

type WriteVariant = (pngPath: string, path: string) => Promise<void> | void;

const run = (program: string, ...args: string[]) => {
  execFileSync(program, args, { stdio: 'ignore' });
};
const magick =
  (...options: string[]): WriteVariant =>
  (png, path) =>
    run('convert', png, ...options, path);
/** Windows 3, without the alpha of later headers. */
const bmp3 =
  (...options: string[]): WriteVariant =>
  (png, path) =>
    run('convert', png, ...options, `BMP3:${path}`);
const cjxl =
  (...options: string[]): WriteVariant =>
  (png, path) =>
    run('cjxl', png, path, ...options);
const cjxlOfJpeg =
  (...options: string[]): WriteVariant =>
  (png, path) => {
    const jpeg = `${path}.source`;
    run('convert', png, '-quality', '85', `JPEG:${jpeg}`);
    const named = `${path}.source.jpg`;
    run('mv', jpeg, named);
    run('cjxl', named, path, ...options);
    run('rm', named);
  };
const heifEnc =
  (...options: string[]): WriteVariant =>
  (png, path) =>
    run('heif-enc', ...options, png, '-o', path);
const avifEnc =
  (...options: string[]): WriteVariant =>
  (png, path) =>
    run('avifenc', '--speed', '9', ...options, png, path);
const gif2webp =
  (...options: string[]): WriteVariant =>
  (png, path) => {
    const gif = `${path}.source.gif`;
    run('convert', png, '(', '+clone', '-negate', ')', gif);
    run('gif2webp', ...options, gif, '-o', path);
    run('rm', gif);
  };
/** Pillow's options as Python. */
const pillow =
  (script: string, options = ''): WriteVariant =>
  (png, path) =>
    run(
      '/usr/bin/python3',
      '-c',
      `import sys; from PIL import Image; i = Image.open(sys.argv[1]).convert('RGB'); ${script}; i.save(sys.argv[2]${options})`,
      png,
      path,
    );

const halfClear = ['-alpha', 'set', '-channel', 'A', '-fx', 'i/w', '+channel'];
const oneClear = ['-alpha', 'set', '-channel', 'A', '-fx', 'i>w/2?1:0', '+channel'];
const png16 = ['-depth', '16', '-evaluate', 'multiply', '0.9'];

/** LibRaw refuses smaller sensors. */
const minSensorPx = 24;

/** A sensor of one Bayer pattern that sees a photo, with a matrix and a white balance of its own. */
const dng =
  (neutral: readonly [number, number, number], orientation = 1): WriteVariant =>
  async (png, path) => {
    const { width: across, height: down } = await sharp(png).metadata();
    const { data, info } = await sharp(png)
      .removeAlpha()
      .extend({
        right: Math.max(0, minSensorPx - across),
        bottom: Math.max(0, minSensorPx - down),
        extendWith: 'mirror',
      })
      .raw()
      .toBuffer({ resolveWithObject: true });
    const [width, height] = [info.width & ~1, info.height & ~1];
    const linear = (v: number) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    const siteOf = (x: number, y: number) => {
      const band = y % 2 === 0 ? (x % 2 === 0 ? 0 : 1) : x % 2 === 0 ? 1 : 2;
      const value = (data[(y * info.width + x) * info.channels + band] ?? 0) / 255;
      return Math.round(60_000 * linear(value) * neutral[band]);
    };
    // XYZ (D50 scaled to D65) to linear sRGB, the inverse of IEC 61966-2-1's matrix.
    const matrix = [3.2405, -1.5371, -0.4985, -0.9693, 1.876, 0.0416, 0.0556, -0.204, 1.0572];
    writeFileSync(path, dngOf(width, height, siteOf, { orientation, neutral, matrix }));
  };

/** Every kind of a format that its encoders have. */
export const variants: Record<string, readonly WriteVariant[]> = {
  bmp: [
    magick('-type', 'bilevel'),
    magick('-colors', '16'),
    bmp3('-colors', '200'),
    bmp3('-colors', '200', '-compress', 'RLE'),
    magick('-define', 'bmp:subtype=RGB565'),
    magick('-define', 'bmp:subtype=RGB555'),
    magick('-colorspace', 'gray'),
    bmp3(),
    magick(...halfClear),
    bmp3('-type', 'bilevel'),
  ],
  png: [
    magick(),
    magick(...png16),
    magick('-colors', '200', '-define', 'png:color-type=3'),
    magick('-colors', '16', '-define', 'png:color-type=3', '-define', 'png:bit-depth=4'),
    magick('-colorspace', 'gray', '-define', 'png:color-type=0'),
    magick('-colorspace', 'gray', ...png16, '-define', 'png:color-type=0'),
    magick('-type', 'bilevel', '-define', 'png:bit-depth=1'),
    magick('-interlace', 'PNG'),
    magick(...halfClear, '-define', 'png:color-type=6'),
    magick('-colorspace', 'gray', ...halfClear, '-define', 'png:color-type=4'),
    magick('-colors', '4', ...oneClear, '-define', 'png:color-type=3'),
    magick(...halfClear, ...png16, '-define', 'png:color-type=6', '-define', 'png:bit-depth=16'),
    pillow('i = i.quantize(4)', ', bits=2'),
    pillow("i = i.convert('RGBA'); i.putalpha(Image.linear_gradient('L').resize(i.size))"),
  ],
  jpg: [
    magick('-quality', '90', '-sampling-factor', '4:4:4'),
    magick('-quality', '80', '-sampling-factor', '4:2:0'),
    magick('-quality', '75', '-sampling-factor', '4:2:2'),
    magick('-quality', '85', '-sampling-factor', '4:1:1'),
    magick('-quality', '60', '-interlace', 'JPEG'),
    magick('-quality', '92', '-colorspace', 'gray'),
    magick('-quality', '95', '-define', 'jpeg:optimize-coding=false'),
    magick('-quality', '30'),
    magick('-quality', '85', '-sampling-factor', '1x2'),
    pillow('pass', ', quality=90, subsampling=0, restart_marker_rows=1'),
    pillow('pass', ', quality=70, progressive=True, subsampling=2'),
    magick('-quality', '85', '-colorspace', 'RGB', '-set', 'colorspace', 'RGB'),
    magick('-quality', '90', '-colorspace', 'CMYK'),
    magick('-quality', '90', '-colorspace', 'gray', '-interlace', 'JPEG'),
  ],
  tif: [
    magick('-compress', 'none'),
    magick('-compress', 'LZW'),
    magick('-compress', 'Zip', ...png16),
    magick('-compress', 'RLE'),
    magick('-type', 'bilevel', '-compress', 'Group4'),
    magick('-colors', '200', '-compress', 'LZW'),
    magick('-colorspace', 'gray', ...png16),
    magick('-interlace', 'plane', '-compress', 'none'),
    magick('-define', 'tiff:tile-geometry=16x16', '-compress', 'Zip'),
    magick('-endian', 'MSB', ...png16),
    magick('-define', 'tiff:rows-per-strip=3', '-compress', 'LZW'),
    magick(...halfClear, '-define', 'tiff:alpha=unassociated'),
    magick('-colorspace', 'gray', '-define', 'quantum:polarity=min-is-white'),
    magick('-type', 'bilevel', '-compress', 'Fax'),
    magick(...halfClear, '-define', 'tiff:alpha=associated'),
    magick('-compress', 'JPEG', '-quality', '90'),
    magick('-define', 'tiff:fill-order=LSB', '-type', 'bilevel', '-compress', 'Group4'),
    magick('-define', 'tiff:tile-geometry=16x16', '-interlace', 'plane', '-compress', 'LZW'),
    (png, path) => run('convert', png, '-compress', 'Zip', `TIFF64:${path}`),
    magick('-colors', '16', '-depth', '4', '-type', 'palette', '-compress', 'none'),
    pillow('pass', ", compression='packbits'"),
    pillow("i = i.convert('CMYK')", ", compression='tiff_lzw'"),
    pillow("i = i.convert('YCbCr')"),
    pillow("i = i.convert('1')", ", compression='group3'"),
    pillow("i = i.convert('LAB')"),
  ],
  gif: [
    magick(),
    magick('-colors', '16'),
    magick('-type', 'bilevel'),
    magick('-interlace', 'GIF'),
    magick('-colorspace', 'gray'),
    magick(...oneClear),
    magick('-repage', '200x150+9+7'),
    magick(...oneClear, '-repage', '200x150+9+7'),
    magick('(', '+clone', '-negate', ')', '-loop', '0'),
    pillow('i = i.quantize(32)', ', interlace=0, optimize=True'),
  ],
  webp: [
    magick('-quality', '90'),
    magick('-quality', '50'),
    magick('-define', 'webp:lossless=true'),
    magick(...halfClear, '-define', 'webp:lossless=true'),
    magick(...halfClear, '-quality', '85'),
    magick('-colorspace', 'gray', '-quality', '80'),
    (png, path) => run('cwebp', '-quiet', '-near_lossless', '60', png, '-o', path),
    (png, path) => run('cwebp', '-quiet', '-sharp_yuv', '-q', '75', png, '-o', path),
    gif2webp(),
    gif2webp('-lossy', '-q', '60'),
  ],
  jxl: [
    cjxl('-d', '0'),
    cjxl('-d', '1'),
    cjxl('-d', '3', '-e', '4'),
    cjxl('-q', '100', '-m', '1'),
    cjxl('-d', '1', '--progressive'),
    cjxl('-d', '0', '-e', '3'),
    cjxlOfJpeg(),
    cjxlOfJpeg('-j', '0', '-d', '1'),
    (png, path) => {
      run('convert', png, ...halfClear, `${path}.png`);
      run('cjxl', `${path}.png`, path, '-d', '0');
      run('rm', `${path}.png`);
    },
    (png, path) => {
      run('convert', png, '-colorspace', 'gray', ...png16, `${path}.png`);
      run('cjxl', `${path}.png`, path, '-d', '0');
      run('rm', `${path}.png`);
    },
  ],
  avif: [
    heifEnc('-A', '-q', '80'),
    heifEnc('-A', '-q', '40', '-p', 'chroma=420'),
    heifEnc('-A', '-q', '90', '-p', 'chroma=444'),
    heifEnc('-A', '-q', '60', '-p', 'chroma=422'),
    avifEnc('--min', '10', '--max', '20', '-y', '444'),
    avifEnc('--lossless'),
    avifEnc('-d', '10', '-y', '422'),
    avifEnc('-d', '12', '-y', '444'),
    avifEnc('-r', 'limited', '-y', '420'),
    avifEnc('-y', '400'),
    avifEnc('--irot', '1'),
    avifEnc('--imir', '0', '--irot', '2'),
    avifEnc('--cicp', '1/13/1'),
  ],
  heic: [
    heifEnc('-q', '80'),
    heifEnc('-q', '40', '-p', 'chroma=420'),
    heifEnc('-q', '90', '-p', 'chroma=444'),
    heifEnc('-q', '60', '-p', 'chroma=422'),
    heifEnc('-q', '80', '-b', '10'),
    heifEnc('-q', '80', '-L', '-p', 'chroma=444'),
  ],
  dng: [
    dng([1, 1, 1]),
    dng([0.5, 1, 0.6]),
    dng([0.7, 1, 0.4]),
    dng([0.5, 1, 0.6], 6),
    dng([0.5, 1, 0.6], 3),
  ],
};

/** Writes crops of photographs, by number, in every variant of a format. @returns their folder */
export async function generateVariants(
  format: string,
  folder: string,
  { first, count }: { first: number; count: number },
): Promise<string> {
  const crops = writeCrops(folder, first + count);
  const variantsFolder = join(folder, format);
  mkdirSync(variantsFolder);
  const kinds = variants[format] ?? [];
  for (const [i, crop] of crops.entries()) {
    if (i < first) continue;
    const kind = i % kinds.length;
    const path = join(
      variantsFolder,
      `${format}-${kind}-${Math.floor(i / kinds.length)}.${format}`,
    );
    try {
      await kinds[kind]!(crop, path);
    } catch {
      // heif-enc 1.15 aborts for some crops of few colours.
      console.log(`${path.slice(folder.length)} could not be written by its encoder.`);
    }
  }
  return variantsFolder;
}

let crops: string[] | undefined;

/** PNG files of 17 to 106 by 11 to 80 pixels, even and odd. */
function writeCrops(folder: string, count: number): string[] {
  if (crops) return crops;
  const cropsFolder = join(folder, 'crops');
  mkdirSync(cropsFolder);
  const photos = readdirSync(photographs).filter((name) => extname(name) === '.jpg');
  crops = Array.from({ length: count }, (_, i) => {
    const size = `${17 + ((i * 7) % 90)}x${11 + ((i * 13) % 70)}+${i * 3}+${i * 2}`;
    const path = join(cropsFolder, `${i}.png`);
    const photo = join(photographs, photos[i % photos.length]!);
    run('convert', photo, '-crop', size, '+repage', '-strip', path);
    return path;
  });
  return crops;
}
