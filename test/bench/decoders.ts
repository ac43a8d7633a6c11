/**
 * Every decoder of ours against others that have nothing to do with it (`decoders/second-decoders.ts`), over the valid
 * files of the shared corpus, the reported files and 200 generated variants of each format.
 * `node test/bench/decoders.ts [FOLDER|FORMAT ...] [--variants 200] [--first 0]` prints the worst; it ends with 1 when one
 * differs unexplained, or a generated one is refused.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { EnlargerError } from '../../packages/contract/src/errors.ts';
import type { Size } from '../../packages/contract/src/geometry.ts';
import { framesOfGif } from '../../packages/photo-files/src/metadata/containers/gif-blocks.ts';
import { withWhiteLevel } from '../../packages/photo-files/src/metadata/tiff/white-level.ts';
import { withFileBytes } from '../../packages/file-records/src/tiff/tiff-directory.ts';
import { decode } from '../../packages/photo-files/src/decode.ts';
import { inspect, type InspectedPicture } from '../../packages/photo-files/src/inspect.ts';
import { openRaster, samplesIn } from '../../electron/engine/raster/raster-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { corpusArchive, reports } from '../support/shared.ts';
import { printTable } from './bench-pictures.ts';
import { secondDecodersOf, type DecodedSamples } from './decoders/second-decoders.ts';
import { generateVariants, variants } from './decoders/variants.ts';

const folder = temporaryFolder();
const limits = { sourcePixels: 60e6, resultPixels: 16e9 };
/** Levels of 255 in the mean from which a difference needs a reason; lossy decoders round otherwise. */
const maxMean = 1;
/** Of RAW: demosaicing and the white of the matrices differ by rounding. */
const maxRawMean = 2;

const { values, positionals: requested } = parseArgs({
  allowPositionals: true,
  options: {
    variants: { type: 'string', default: '200' },
    first: { type: 'string', default: '0' },
  },
});
/** Generated files of each format, by number. */
const generated = { first: Number(values.first), count: Number(values.variants) };

async function sourceFolders(): Promise<string[]> {
  const isFormat = (name: string) => Object.hasOwn(variants, name);
  if (requested.length > 0)
    return Promise.all(
      requested.map(async (name) =>
        isFormat(name) ? generateVariants(name, folder, generated) : name,
      ),
    );
  execFileSync('tar', ['xJf', corpusArchive, '-C', folder, 'valid']);
  const found = [join(folder, 'valid'), reports];
  for (const format of Object.keys(variants))
    found.push(await generateVariants(format, folder, generated));
  return found;
}

/** Our own numbers as RGBA of 16 bits. */
async function decodeByEnlarger(
  path: string,
  inspected: InspectedPicture,
): Promise<DecodedSamples> {
  const scratch = join(folder, 'scratch');
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch);
  const decoded = await decode(path, inspected, scratch, { format: 'png', bits: 16 });
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

/**
 * The mean difference in levels of 255, of what is not transparent in either.
 *
 * @param isCovered whether what is transparent in ours is left out, whatever the other shows there
 */
function meanOf(ours: DecodedSamples, other: DecodedSamples, isCovered: boolean): number {
  if (ours.width !== other.width || ours.height !== other.height) return Infinity;
  let [sum, count] = [0, 0];
  for (let at = 0; at < ours.samples.length; at += 4) {
    if (ours.samples[at + 3] === 0 && (!isCovered || other.samples[at + 3] === 0)) continue;
    for (let c = 0; c < 4; c += 1, count += 1)
      sum += Math.abs(ours.samples[at + c]! - other.samples[at + c]!) / 257;
  }
  return count === 0 ? 0 : sum / count;
}

/** Whether the first frame covers the canvas. */
function isCovered(path: string, { width, height }: Size): boolean {
  const [first] = withFileBytes(path, (bytes) => framesOfGif(bytes, 1));
  return first !== undefined && first.width >= width && first.height >= height;
}

function isWithoutWhiteLevel(path: string): boolean {
  const file = readFileSync(path);
  return withWhiteLevel(file) !== file;
}

/** Why a file may differ. */
function reasonOf(
  path: string,
  { info, format, space, isFloat, metadata, channels, unusual }: InspectedPicture,
): string | undefined {
  if (space.startsWith('lab') || unusual?.lab) return 'Lab: we convert by the white of the file';
  if (channels?.extras.includes(0)) return 'ImageMagick takes a saved selection for transparency';
  if (format === 'bmp' && info.channels === 4)
    return 'ImageMagick shifts 4 bits to 8 without filling the lower ones';
  if (format === 'raw' && isWithoutWhiteLevel(path))
    return 'floats without WhiteLevel, whose default is 1: the others develop them to black';
  if (isFloat) return 'floats: we take them for linear light';
  if (metadata.declared) return 'colours by nclx, cICP or gAMA: mapped, or applied by the other';
  return undefined;
}

interface Row {
  file: string;
  format: string;
  /** Difference from the nearest of the other decoders. */
  mean: number;
  /** Of each decoder. */
  means: string;
  why: string | undefined;
}
const rows: Row[] = [];
const refused = { ours: new Map<string, string[]>(), theirs: 0 };
const files = (await sourceFolders()).flatMap((path) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name)),
);

async function compare(file: string): Promise<void> {
  const inspected = await inspect(file, limits);
  const maxOfFormat = inspected.format === 'raw' ? maxRawMean : maxMean;
  const ours = await decodeByEnlarger(file, inspected);
  const means: [string, number][] = [];
  // What no frame covers is transparent, as browsers show it; the others fill it.
  const isWhole = inspected.format !== 'gif' || isCovered(file, inspected.info);
  for (const [name, decodeBySecond] of secondDecodersOf(inspected)) {
    const second = await decodeBySecond(file, inspected, folder);
    if (second) means.push([name, meanOf(ours, second, isWhole)]);
    // A further decoder is asked only where the first is of another opinion.
    if ((means.at(-1)?.[1] ?? Infinity) <= maxOfFormat) break;
  }
  if (means.length === 0) {
    refused.theirs += 1;
    return;
  }
  const mean = Math.min(...means.map(([, value]) => value));
  rows.push({
    ...{ file, format: inspected.format, mean },
    means: means.map(([name, value]) => `${name} ${value.toFixed(2)}`).join(', '),
    why: mean <= maxOfFormat ? 'the other decoder is alone' : reasonOf(file, inspected),
  });
}

for (const file of files) {
  try {
    await compare(file);
  } catch (error) {
    if (!(error instanceof EnlargerError)) throw error;
    const others = refused.ours.get(error.message) ?? [];
    refused.ours.set(error.message, [...others, basename(file)]);
  }
}
rows.sort((a, b) => b.mean - a.mean);
const formats = [...new Set(rows.map(({ format }) => format))].sort();
printTable(
  ['format', 'compared', 'mean', 'worst'],
  formats.map((format) => {
    const means = rows.filter((row) => row.format === format).map(({ mean }) => mean);
    const finite = means.filter(Number.isFinite);
    return [
      format,
      String(means.length),
      (finite.reduce((sum, mean) => sum + mean, 0) / finite.length).toFixed(3),
      Math.max(...means).toFixed(2),
    ];
  }),
);
const isFar = ({ mean, means, format }: Row) =>
  mean > (format === 'raw' ? maxRawMean : maxMean) || means.includes(',');
const far = rows.filter(isFar);
printTable(
  ['file', 'mean levels', 'why'],
  far.map(({ file, means, why }) => [file.replace(folder, ''), means, why ?? '-']),
);
for (const [message, names] of refused.ours)
  console.log(`Refused by Enlarger: ${message} ${names.length}: ${names.slice(0, 5).join(' ')}`);
console.log(`${rows.length} compared, ${refused.theirs} refused by the others.`);
const isGenerated = (name: string) => /^[a-z]+-\d+-\d+\.[a-z]+$/.test(name);
const isRefused = [...refused.ours.values()].flat().some(isGenerated);
process.exitCode = isRefused || far.some(({ why }) => why === undefined) ? 1 : 0;
