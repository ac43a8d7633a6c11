/**
 * Decodes a user's picture into a raster: upright, in its own numbers, 8 or 16 bits, grey or RGB, with or
 * without alpha.
 */
import { note } from '../../contract/src/notes/notes.ts';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EnlargerError } from '../../contract/src/errors.ts';
import { labelOf, type ReadableFormat } from '../../contract/src/formats.ts';
import { damagedWords, rowsThere } from '../../contract/src/failures/rows-there.ts';
import { bytesWritten } from '../../../electron/engine/cancellation/uncancellable-work.ts';
import { requestForeign } from './foreign/client.ts';
import { isForeign, type ForeignFormat } from './foreign/protocol.ts';
import type { InspectedPicture } from './inspect.ts';
import {
  firstLineOf,
  openOwnRaster,
  openPicture,
} from '../../../electron/engine/raster/libvips.ts';
import {
  vipsSpaceOf,
  type RasterShape,
  shapeOf,
} from '../../../electron/engine/raster/raster-file.ts';
import { assertDisk } from '../../../electron/engine/raster/disk.ts';
import type { LightEncoding } from './colour/tone-map.ts';
import { keepsHdr } from './metadata/declared-colours.ts';
import { stillOfSequence } from './metadata/containers/image-sequence.ts';
import type { OutputPlan } from '../../../electron/engine/plan/output-plan.ts';
import { frameLimitNote } from '../../../electron/engine/plan/plan-animation.ts';
import { unpremultiplyRaster } from './unpremultiply.ts';
import { toneMapRaster } from './tone-map-raster.ts';
import { writeFromFloats } from './float-raster.ts';
import { keepBands } from '../../../electron/engine/raster/keep-bands.ts';
import { repairedName, repairPicture } from './repair/repair.ts';
import { assertCompleteGif, truncated, withTruncation } from './repair/truncation.ts';
import { clearUncovered } from './animation/gif-coverage.ts';
import { copyAsIntegers } from './tiff/half-floats.ts';
import { plainTiffFiles, writePlainTiff } from './tiff/plain-tiff.ts';
import { convertYcbcr } from './tiff/ycbcr-colours.ts';
import { isTransparency, maxBands, premultipliedAlpha } from './tiff/tiff-layout.ts';

export interface DecodedPicture {
  path: string;
  shape: RasterShape;
  notes: string[];
  /** Whether the numbers were converted to sRGB, so that the source's profile no longer applies. */
  converted: boolean;
  /** Encoding of HDR or linear light that the result keeps, which views must map. */
  light?: LightEncoding | undefined;
}

/**
 * Time limit of decoding; processor time of foreign decoders. The host's watchdog ends native code that does
 * not stop.
 */
export const decodeLimitSeconds = (megapixels: number) => Math.ceil(20 + megapixels / 2);

/**
 * Writes `source.v` or `upright.v` into the folder, with HDR tone-mapped.
 *
 * @param result format and depth of the result, if any; PNG to PNG and AVIF of 10 bits keep HDR
 * @throws EnlargerError UNREADABLE_IMAGE, STORAGE_FULL
 */
export async function decode(
  sourcePath: string,
  inspected: InspectedPicture,
  scratchDir: string,
  result?: ResultEncoding,
): Promise<DecodedPicture> {
  const decoded = await withTruncation(sourcePath, inspected.format, () =>
    decodeNumbers(sourcePath, inspected, scratchDir),
  );
  return applyDeclaredColours(decoded, inspected, result);
}

/**
 * Decodes what is there of a JPEG or PNG that `decode` refused; the rest of its rows is left grey or black. For
 * display only.
 *
 * @throws EnlargerError UNREADABLE_IMAGE also for other formats
 */
export async function decodePart(
  sourcePath: string,
  inspected: InspectedPicture,
  scratchDir: string,
): Promise<DecodedPicture> {
  const { format, info } = inspected;
  if (format !== 'jpeg' && format !== 'png')
    throw truncated('No part of it can be shown', inspected);
  const path = join(scratchDir, 'source.v');
  rmSync(path, { force: true });
  const isConverted = inspected.space === 'cmyk';
  await decoding(
    () =>
      openPicture(sourcePath, { ignoreIcc: !isConverted, failOn: 'none' })
        .toColourspace(spaceFor(inspected))
        .timeout({ seconds: decodeLimitSeconds((info.width * info.height) / 1e6) })
        .toFile(path),
    inspected,
    scratchDir,
  );
  const upright = await turnUpright(path, inspected, scratchDir);
  return { path: upright, shape: shapeOf(upright), notes: [], converted: isConverted };
}

/** Tone-maps HDR and linear light that the file declares, in place, unless the result declares the same. */
export async function applyDeclaredColours(
  decoded: DecodedPicture,
  inspected: InspectedPicture,
  result?: ResultEncoding,
): Promise<DecodedPicture> {
  const { declared } = inspected.metadata;
  if (!declared || decoded.converted) return decoded;
  if (result && keepsColours(inspected, result)) {
    const kept = note(result.format === 'png' ? 'COLOURS_KEPT' : 'HDR_KEPT');
    return { ...decoded, light: declared.light, notes: [...decoded.notes, kept] };
  }
  if (declared.light) await toneMapRaster(decoded.path, declared.light);
  return { ...decoded, notes: [...decoded.notes, declared.note] };
}

/** Whether the result declares its colours as the source does, by the same numbers. */
const keepsColours = ({ format, metadata }: InspectedPicture, result: ResultEncoding): boolean =>
  (result.format === 'png' && format === 'png' && metadata.pngColour.length > 0) ||
  keepsHdr(metadata.declared, result.format, result.bits) !== undefined;

/** Encoding of HDR or linear light that a result keeps; undefined if its source was mapped, or has none. */
export const keptLight = (
  inspected: InspectedPicture,
  result: ResultEncoding,
): LightEncoding | undefined =>
  keepsColours(inspected, result) ? inspected.metadata.declared?.light : undefined;

/** What is known of the result while its source is decoded. */
type ResultEncoding = Pick<OutputPlan, 'format' | 'bits'>;

async function decodeNumbers(
  sourcePath: string,
  inspected: InspectedPicture,
  scratchDir: string,
): Promise<DecodedPicture> {
  const { info } = inspected;
  const converted =
    inspected.isFloat === true || inspected.space === 'cmyk' || inspected.space.startsWith('lab');
  const path = join(scratchDir, 'source.v');
  const seconds = decodeLimitSeconds((info.width * info.height) / 1e6);
  if (isForeign(inspected.format)) {
    return decodeForeign(sourcePath, inspected.format, inspected, path, seconds);
  }
  if (inspected.format === 'gif') await assertCompleteGif(sourcePath, inspected, 1);
  const notes = await decodeByLibvips(sourcePath, inspected, scratchDir, seconds);
  if (inspected.format === 'gif') await clearUncovered(path, sourcePath, info, 1);
  if (isDivided(inspected)) await unpremultiplyRaster(path);
  notes.push(...notesOn(inspected, converted));
  const upright = await turnUpright(path, inspected, scratchDir);
  return { path: upright, shape: shapeOf(upright), notes, converted };
}

/** Turns a raster upright as EXIF says. @returns the path of the turned one, or of the raster itself */
export async function turnUpright(
  path: string,
  inspected: InspectedPicture,
  scratchDir: string,
): Promise<string> {
  const { orientation } = inspected;
  if (orientation === 1) return path;
  const upright = join(scratchDir, 'upright.v');
  await decoding(() => openUpright(path, orientation).toFile(upright), inspected, scratchDir);
  rmSync(path);
  return upright;
}

/** Writes `source.v`. @returns notes on what was repaired or left out */
async function decodeByLibvips(
  sourcePath: string,
  inspected: InspectedPicture,
  scratchDir: string,
  seconds: number,
): Promise<string[]> {
  const { unusual } = inspected;
  const toPath = join(scratchDir, 'source.v');
  const isConverted = inspected.space === 'cmyk' || inspected.space.startsWith('lab');
  const notes: string[] = [];
  const decodeTo = (from: string, page: number, space: string, to: string) =>
    openPicture(from, { ignoreIcc: !isConverted, page })
      .toColourspace(space)
      .timeout({ seconds })
      .toFile(to);
  const toRaster = async (from: string, page: number) => {
    if (!inspected.isFloat) return decodeTo(from, page, spaceFor(inspected), toPath);
    const floatPath = join(scratchDir, floatName);
    const colours = isGrey(inspected) ? 1 : 3;
    if (inspected.isHalfFloat) {
      const integersPath = join(scratchDir, integersName);
      copyAsIntegers(from, integersPath);
      await decodeTo(integersPath, page, vipsSpaceOf({ bands: colours, bits: 16 }), floatPath);
      rmSync(integersPath);
    } else await decodeTo(from, page, inspected.space, floatPath);
    const alphaBand = colours + (inspected.channels?.extras.indexOf(premultipliedAlpha) ?? -1);
    const { white } = await writeFromFloats(
      floatPath,
      toPath,
      colours,
      inspected.isPremultiplied ? alphaBand : undefined,
    );
    rmSync(floatPath);
    notes.push(floatNote(white));
    return undefined;
  };
  await decoding(
    async () => {
      const readable = unusual
        ? await writePlainTiff(sourcePath, unusual, scratchDir, seconds)
        : (writeStill(sourcePath, inspected, scratchDir) ?? sourcePath);
      try {
        await toRaster(readable, unusual ? 0 : pageOf(inspected));
      } catch (error) {
        const repair = await repairOf(sourcePath, inspected, scratchDir);
        if (!repair) throw error;
        rmSync(toPath, { force: true });
        await toRaster(repair.path, 0);
        rmSync(repair.path);
        notes.push(repair.note);
      }
      if (readable !== sourcePath) rmSync(readable);
    },
    inspected,
    scratchDir,
  );
  const { ycbcr } = inspected.channels ?? {};
  if (ycbcr && !inspected.isFloat) await convertYcbcr(toPath, ycbcr);
  return [...notes, ...(await dropExtraBands(toPath, inspected, scratchDir))];
}

/** Writes the primary picture of an AVIF sequence as a file of its own; undefined for others. */
function writeStill(
  sourcePath: string,
  { sequenceLength, format }: InspectedPicture,
  scratchDir: string,
): string | undefined {
  if (sequenceLength === undefined || format !== 'avif') return undefined;
  const still = stillOfSequence(sourcePath);
  if (!still) return undefined;
  const path = join(scratchDir, 'still.avif');
  writeFileSync(path, still);
  return path;
}

const floatName = 'float.v';
const integersName = 'integers.tif';

const floatNote = (white: number) =>
  white === 1
    ? note('FLOATS_ENCODED')
    : note('FLOATS_ENCODED_TO', { white: Number(white.toPrecision(4)) });

/** Repairs a file that libvips refused. @throws EnlargerError UNREADABLE_IMAGE for a truncated file */
async function repairOf(
  sourcePath: string,
  { format, info, unusual }: InspectedPicture,
  scratchDir: string,
) {
  const repair = unusual ? undefined : await repairPicture(sourcePath, format, scratchDir);
  if (repair?.kind !== 'cut') return repair;
  throw truncated(rowsThere(repair.rows, repair.height), { format, info });
}

/** Drops a TIFF's bands other than colours and transparency. */
async function dropExtraBands(
  path: string,
  { channels, space }: InspectedPicture,
  scratchDir: string,
): Promise<string[]> {
  if (!channels) return [];
  const { extras } = channels;
  const transparency = extras.findIndex(isTransparency);
  const dropped = extras.length - (transparency < 0 ? 0 : 1);
  if (dropped === 0) return [];
  const colours = isGrey({ space }) ? 1 : 3;
  const bands = Array.from({ length: colours }, (_, band) => band);
  if (transparency >= 0) bands.push(colours + transparency);
  const keptPath = join(scratchDir, 'kept.v');
  await keepBands(path, keptPath, bands, maxBands);
  renameSync(keptPath, path);
  return [dropped === 1 ? note('CHANNEL_DROPPED') : note('CHANNELS_DROPPED', { count: dropped })];
}

/** Decodes in the thread of foreign formats, whose decoders return the picture upright. */
async function decodeForeign(
  sourcePath: string,
  format: ForeignFormat,
  inspected: InspectedPicture,
  path: string,
  seconds: number,
): Promise<DecodedPicture> {
  const { info } = inspected;
  const maxPixels = info.width * info.height;
  const isDeep = info.bitDepth > 8;
  const request = { format, path: sourcePath, isDeep, rasterPath: path, maxPixels };
  await requestForeign(request, seconds * 1000);
  if (isDivided(inspected)) await unpremultiplyRaster(path);
  const shape = shapeOf(path);
  if (shape.width !== info.width || shape.height !== info.height) {
    throw new EnlargerError(
      'UNREADABLE_IMAGE',
      `The picture was to have ${info.width} x ${info.height} pixels but has ${shape.width} x ${shape.height}.`,
    );
  }
  const notes = format === 'raw' ? [note('RAW_DEVELOPED')] : notesOn(inspected, false);
  return { path, shape, notes, converted: false };
}

/** Floats are divided before they are encoded. */
const isDivided = ({ isPremultiplied, isFloat }: InspectedPicture): boolean =>
  isPremultiplied === true && isFloat !== true;

/** Runs libvips on a user's picture. @throws EnlargerError UNREADABLE_IMAGE; STORAGE_FULL on a full disk */
export async function decoding(
  run: () => Promise<unknown>,
  { info, format }: InspectedPicture,
  scratchDir: string,
): Promise<void> {
  try {
    await run();
  } catch (error) {
    await assertDisk(scratchDir, 4 * 1024 * 1024);
    const message = firstLineOf(error);
    const size = `${labelOf(format)} of ${info.width} x ${info.height} pixels`;
    const why = /not (supported|configured)|unsupported/i.test(message)
      ? 'is of a kind that is not read; convert it'
      : damagedWords;
    if (error instanceof EnlargerError) throw error;
    process.stderr.write(`A ${size} could not be decoded: ${message}\n`);
    throw new EnlargerError('UNREADABLE_IMAGE', `The ${size} ${why}.`, { cause: error });
  }
}

const isGrey = ({ space }: Pick<InspectedPicture, 'space'>) =>
  space === 'b-w' || space === 'grey16';

/** Place of the picture among those of its file, from 0. */
const pageOf = ({ channels, primaryPage = 0 }: InspectedPicture) => channels?.page ?? primaryPage;

/** The libvips interpretation that keeps grey, and more than 8 bits as 16. */
export function spaceFor({ space, info }: InspectedPicture): string {
  return vipsSpaceOf({ bands: isGrey({ space }) ? 1 : 3, bits: info.bitDepth > 8 ? 16 : 8 });
}

/** Clockwise rotation in degrees of each EXIF orientation, before mirroring. */
const rotations = [0, 0, 0, 180, 180, 270, 90, 90, 270];
const mirroredOrientations = new Set([2, 4, 5, 7]);

/** Opens a raster turned upright. Its file is memory-mapped, so random access takes no memory. */
function openUpright(path: string, orientation: number) {
  const quarter = rotations[orientation] ?? 0;
  const picture = openOwnRaster(path);
  const upright = quarter === 0 ? picture : picture.rotate(quarter);
  return (mirroredOrientations.has(orientation) ? upright.flop() : upright).toColourspace(
    vipsSpaceOf(shapeOf(path)),
  );
}

/** Formats whose further pictures are the frames of an animation. */
const isAnimatable = (format: ReadableFormat): boolean =>
  format === 'gif' || format === 'png' || format === 'webp';

function notesOn(inspected: InspectedPicture, converted: boolean): string[] {
  const { info, format, space, channels, primaryPage, sequenceLength } = inspected;
  const notes: string[] = [];
  const page = channels?.page ?? 0;
  if (page > 0) notes.push(note('PAGE_TAKEN', { page: page + 1, pages: info.pages }));
  else if (primaryPage !== undefined)
    notes.push(note('PICTURE_TAKEN', { page: primaryPage + 1, pages: info.pages }));
  else if (sequenceLength !== undefined && sequenceLength > 1)
    notes.push(note('FIRST_TAKEN', { pages: sequenceLength }), note('FRAMES_STILL'));
  else if (info.pages > 1) {
    notes.push(note('FIRST_TAKEN', { pages: info.pages }));
    if (isAnimatable(format)) notes.push(note('FRAMES_STILL'));
    if (inspected.isLongAnimation) notes.push(frameLimitNote);
  }
  if (inspected.isPremultiplied) notes.push(note('ALPHA_DIVIDED'));
  if (converted && !inspected.isFloat)
    notes.push(note('COLOURS_CONVERTED', { space: space.toUpperCase() }));
  return notes;
}

/** Bytes that decoding has written so far, as its heartbeat. */
export function bytesDecoded(scratchDir: string): number {
  return ['source.v', 'upright.v', 'kept.v', floatName, repairedName, ...plainTiffFiles].reduce(
    (sum, name) => sum + bytesWritten(join(scratchDir, name)),
    0,
  );
}
