/** Decoders that have nothing to do with Enlarger's: ImageMagick, djxl, heif-convert, avifdec, Pillow and dcraw. */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import type { InspectedPicture } from '../../../packages/photo-files/src/inspect.ts';

export interface DecodedSamples {
  width: number;
  height: number;
  /** RGBA of 16 bits. */
  samples: Uint16Array;
}

type SecondDecoder = (
  path: string,
  inspected: InspectedPicture,
  folder: string,
) => DecodedSamples | undefined | Promise<DecodedSamples | undefined>;

/** All decoders of a format, the nearest of kin last. */
export function secondDecodersOf({ format, space }: InspectedPicture): [string, SecondDecoder][] {
  if (space === 'cmyk') return [["ImageMagick's inks", byInks]];
  if (format === 'jxl') return [['djxl', byProgram('djxl')]];
  if (format === 'heic') return [['heif-convert', byProgram('heif-convert')]];
  if (format === 'avif')
    return [
      ['avifdec', byProgram('avifdec', '-d', '16')],
      ['heif-convert', byProgram('heif-convert')],
    ];
  if (format === 'raw')
    return [
      ['dcraw', byDcraw('dcraw')],
      ['dcraw_emu', byDcraw('dcraw_emu')],
    ];
  return [
    ['ImageMagick', byMagick],
    ['Pillow', byPillow],
  ];
}

/** Decoders that write a PNG. */
const byProgram =
  (program: string, ...options: string[]): SecondDecoder =>
  (path, _, folder) => {
    const decoded = join(folder, 'second.png');
    rmSync(decoded, { force: true });
    if (spawnSync(program, [...options, path, decoded]).status !== 0) return undefined;
    return readByMagick(decoded, []);
  };

/** ProPhoto's primaries, the curve of sRGB, the camera's white balance and no brightening, as we develop. */
const byDcraw =
  (program: string): SecondDecoder =>
  (path) => {
    const options = ['-w', '-W', '-6', '-o', '4', '-g', '2.4', '12.92', '-T'];
    const isLibRaw = program === 'dcraw_emu';
    const { status, stdout } = spawnSync(
      program,
      [...options, isLibRaw ? '-Z' : '-c', ...(isLibRaw ? ['-'] : []), path],
      { maxBuffer: 1024 ** 3 },
    );
    if (status !== 0 || stdout.length === 0) return undefined;
    return readByMagick('TIFF:-', [], stdout);
  };

/** Composes the first frame on its canvas, as GIF's and WebP's describe. */
const byMagick: SecondDecoder = (path, { format, channels, info }) => {
  const isTurned = format !== 'png';
  const page = info.pages > 1 && format === 'gif' ? 0 : (channels?.page ?? 0);
  return readByMagick(`${path}[${page}]`, [
    ...(format === 'gif' ? ['-coalesce'] : []),
    ...(isTurned ? ['-auto-orient'] : []),
  ]);
};

/** The inks as ImageMagick reads them, in colours by the profile that we convert by. */
const byInks: SecondDecoder = async (path, { channels }, folder) => {
  const inks = join(folder, 'inks.tif');
  rmSync(inks, { force: true });
  const options = ['-auto-orient', '-compress', 'none', '-colorspace', 'CMYK', `TIFF:${inks}`];
  if (spawnSync('convert', [`${path}[${channels?.page ?? 0}]`, ...options]).status !== 0)
    return undefined;
  const { data, info } = await sharp(inks)
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  return { width, height, samples: Uint16Array.from(data, (value) => value * 257) };
};

function readByMagick(path: string, options: string[], input?: Buffer): DecodedSamples | undefined {
  const args = [path, ...options, '+profile', '*'];
  const { stdout, status } = spawnSync(
    'convert',
    [...args, '-depth', '16', '-endian', 'LSB', '-format', '%w %h\n', '-write', 'info:-', 'rgba:-'],
    { maxBuffer: 1024 ** 3, ...(input && { input }) },
  );
  const [width = 0, height = 0] = stdout
    .subarray(0, 40)
    .toString('latin1')
    .split(/[ \n]/)
    .map(Number);
  const bytes = stdout.subarray(stdout.indexOf(10) + 1);
  if (status !== 0 || width < 1 || bytes.length !== width * height * 8) return undefined;
  return { width, height, samples: new Uint16Array(Uint8Array.from(bytes).buffer) };
}

const pillowScript = `
import sys
from PIL import Image, ImageOps
i = Image.open(sys.argv[1])
i.seek(int(sys.argv[2]))
i = ImageOps.exif_transpose(i).convert('RGBA')
sys.stdout.buffer.write(b'%d %d\\n' % i.size + i.tobytes())`;

/** In 8 bits. */
const byPillow: SecondDecoder = (path, { channels }) => {
  const { stdout, status } = spawnSync(
    '/usr/bin/python3',
    ['-c', pillowScript, path, String(channels?.page ?? 0)],
    { maxBuffer: 1024 ** 3 },
  );
  if (status !== 0) return undefined;
  const [width = 0, height = 0] = stdout
    .subarray(0, 40)
    .toString('latin1')
    .split(/[ \n]/)
    .map(Number);
  const bytes = stdout.subarray(stdout.indexOf(10) + 1);
  return { width, height, samples: Uint16Array.from(bytes, (value) => value * 257) };
};
