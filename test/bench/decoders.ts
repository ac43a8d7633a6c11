/**
 * Every decoder of ours against a second one: ImageMagick (PNG, JPEG, TIFF, BMP, GIF, WebP), djxl (JPEG XL) and
 * heif-convert (HEIC, AVIF), over the valid files of the shared corpus, the reported files and generated BMPs.
 * `node test/bench/decoders.ts [FOLDER ...]` prints the worst; it ends with 1 when one differs unexplained.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { extname, join } from 'node:path';
import { EnlargerError } from '../../electron/contract/errors.ts';
import { decode } from '../../electron/engine/raster/decode.ts';
import { inspect, type InspectedPicture } from '../../electron/engine/raster/inspect.ts';
import { openRaster, samplesIn } from '../../electron/engine/raster/raster-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { corpusArchive, photographs, reports } from '../support/shared.ts';
import { printTable } from './bench-pictures.ts';

const folder = temporaryFolder();
const limits = { sourcePixels: 60e6, resultPixels: 16e9 };
/** Levels of 255 in the mean from which a difference needs a reason; lossy decoders round otherwise. */
const maxMean = 1;
const variantsOfFormat = 200;

function given(): string[] {
  if (process.argv.length > 2) return process.argv.slice(2);
  execFileSync('tar', ['xJf', corpusArchive, '-C', folder, 'valid']);
  return [join(folder, 'valid'), reports, generatedBmps()];
}

/** Crops of photographs as ImageMagick writes BMP, in every kind that it has. */
function generatedBmps(): string {
  const into = join(folder, 'generated');
  mkdirSync(into);
  const kinds = [
    ['-type', 'bilevel'],
    ['-colors', '16'],
    ['-colors', '200'],
    ['-colors', '200', '-compress', 'RLE'],
    ['-define', 'bmp:subtype=RGB565'],
    ['-define', 'bmp:subtype=RGB555'],
    ['-colorspace', 'gray'],
    [],
  ];
  const photos = readdirSync(photographs).filter((name) => extname(name) === '.jpg');
  for (let i = 0; i < variantsOfFormat; i += 1) {
    const photo = join(photographs, photos[i % photos.length]!);
    const size = `${17 + ((i * 7) % 90)}x${11 + ((i * 13) % 70)}+${i * 3}+${i * 2}`;
    const version = i % 3 === 0 ? 'BMP3:' : 'BMP:';
    const path = join(into, `${i}.bmp`);
    execFileSync('convert', [photo, '-crop', size, '+repage', ...kinds[i % 8]!, version + path]);
  }
  return into;
}

interface Pixels {
  width: number;
  height: number;
  /** RGBA of 16 bits. */
  samples: Uint16Array;
}

/** Our own numbers as RGBA of 16 bits. */
async function ours(path: string, inspected: InspectedPicture): Promise<Pixels> {
  const scratch = join(folder, 'scratch');
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch);
  const decoded = await decode(path, inspected, scratch, 'png');
  const raster = openRaster(decoded.path);
  const { width, height, bands, bits } = raster.shape;
  const found = samplesIn(raster, { x: 0, y: 0, width, height });
  raster.close();
  const level = bits === 8 ? 257 : 1;
  const samples = new Uint16Array(width * height * 4).fill(65_535);
  for (let i = 0; i < width * height; i += 1) {
    for (let c = 0; c < 3; c += 1)
      samples[4 * i + c] = level * found[i * bands + (bands < 3 ? 0 : c)]!;
    if (bands % 2 === 0) samples[4 * i + 3] = level * found[i * bands + bands - 1]!;
  }
  return { width, height, samples };
}

/** The second decoder's numbers, upright; undefined where it refuses the file. */
function theirs(path: string, { format, channels }: InspectedPicture): Pixels | undefined {
  let readable = `${path}[${channels?.page ?? 0}]`;
  const decoded = join(folder, 'second.png');
  rmSync(decoded, { force: true });
  if (format === 'jxl' || format === 'heic' || format === 'avif') {
    const [program, ...args] =
      format === 'jxl' ? ['djxl', path, decoded] : ['heif-convert', path, decoded];
    if (spawnSync(program, args).status !== 0) return undefined;
    readable = decoded;
  }
  const isTurned = format !== 'jxl' && format !== 'heic' && format !== 'avif';
  const size = spawnSync('convert', [
    ...[readable, ...(isTurned ? ['-auto-orient'] : [])],
    ...['-format', '%w %h', 'info:-'],
  ]);
  const [width = 0, height = 0] = size.stdout.toString().split(' ').map(Number);
  const { stdout, status } = spawnSync(
    'convert',
    [
      ...[readable, ...(isTurned ? ['-auto-orient'] : []), '+profile', '*'],
      ...['-depth', '16', '-endian', 'LSB', 'rgba:-'],
    ],
    { maxBuffer: 1024 ** 3 },
  );
  if (status !== 0 || width < 1 || stdout.length !== width * height * 8) return undefined;
  const samples = new Uint16Array(stdout.buffer.slice(stdout.byteOffset).slice(0, stdout.length));
  return { width, height, samples };
}

/** The mean difference in levels of 255, of what is not transparent in either. */
function meanOf(one: Pixels, other: Pixels): number {
  if (one.width !== other.width || one.height !== other.height) return Infinity;
  let [sum, count] = [0, 0];
  for (let at = 0; at < one.samples.length; at += 4) {
    if (one.samples[at + 3] === 0 && other.samples[at + 3] === 0) continue;
    for (let c = 0; c < 4; c += 1, count += 1)
      sum += Math.abs(one.samples[at + c]! - other.samples[at + c]!) / 257;
  }
  return count === 0 ? 0 : sum / count;
}

/** Why a file may differ. */
function reasonOf({
  format,
  info,
  space,
  isFloat,
  metadata,
  channels,
  unusual,
}: InspectedPicture): string | undefined {
  if (space === 'cmyk') return 'inks: we convert by the profile';
  if (space.startsWith('lab') || unusual?.lab) return 'Lab: we convert by the white of the file';
  if (format === 'png' && metadata.exif) return 'ImageMagick does not turn a PNG by its EXIF';
  if (format === 'gif') return 'ImageMagick gives a frame without the canvas around it';
  if (channels?.extras.includes(0)) return 'ImageMagick takes a saved selection for transparency';
  if (format === 'bmp' && info.channels === 4)
    return 'ImageMagick shifts 4 bits to 8 without filling the lower ones';
  if (isFloat) return 'floats: we take them for linear light';
  if (metadata.declared) return 'colours by nclx, cICP or gAMA: mapped, or applied by the other';
  if (channels?.extras.some((kind) => kind === 1)) return 'colours multiplied with transparency';
  return undefined;
}

const rows: { file: string; mean: number; why: string | undefined }[] = [];
const refused = { ours: 0, theirs: 0 };
const files = given().flatMap((path) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name)),
);
for (const file of files) {
  try {
    const inspected = await inspect(file, limits);
    if (inspected.format === 'raw') continue;
    const second = theirs(file, inspected);
    if (!second) refused.theirs += 1;
    else {
      const mean = meanOf(await ours(file, inspected), second);
      rows.push({ file, mean, why: reasonOf(inspected) });
    }
  } catch (error) {
    if (!(error instanceof EnlargerError)) throw error;
    refused.ours += 1;
  }
}
rows.sort((a, b) => b.mean - a.mean);
const far = rows.filter(({ mean }) => mean > maxMean);
printTable(
  ['file', 'mean levels', 'why'],
  far.map(({ file, mean, why }) => [file.replace(folder, ''), mean.toFixed(2), why ?? '-']),
);
console.log(
  `${rows.length} compared, ${refused.ours} refused by Enlarger, ${refused.theirs} by the other.`,
);
process.exitCode = far.some(({ why }) => why === undefined) ? 1 : 0;
