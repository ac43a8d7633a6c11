/** Decodes all frames of an animation, composed on its canvas, into one raster on disk. */
import { join } from 'node:path';
import { EnlargerError } from '../../../contract/src/errors.ts';
import {
  applyDeclaredColours,
  decodeLimitSeconds,
  decoding,
  spaceFor,
  turnUpright,
  type DecodedPicture,
} from '../decode.ts';
import type { OutputPlan } from '../../../../electron/engine/plan/output-plan.ts';
import type { InspectedPicture } from '../inspect.ts';
import { openPicture } from '../../../../electron/engine/raster/libvips.ts';
import {
  copyPart,
  shapeOf,
  withRaster,
  type RasterShape,
} from '../../../../electron/engine/raster/raster-file.ts';
import { assertCompleteApng, assertCompleteGif } from '../repair/truncation.ts';
import type { FrameTiming } from './frame-timing.ts';
import { clearUncovered } from './gif-coverage.ts';
import { composeApng } from './compose-apng.ts';

export interface DecodedFrames extends FrameTiming {
  /** Frames below one another. */
  path: string;
  /** Shape of one of them. */
  shape: RasterShape;
  frames: number;
  notes: string[];
}

export const framesName = 'frames.v';

/**
 * Writes `frames.v` into the folder.
 *
 * @returns undefined if a frame is missing or damaged; the first may be readable by itself
 * @throws EnlargerError UNREADABLE_IMAGE for a truncated file, STORAGE_FULL, the signal's reason
 */
export async function decodeFrames(
  sourcePath: string,
  inspected: InspectedPicture,
  scratchDir: string,
  result: Pick<OutputPlan, 'format' | 'bits'>,
  signal: AbortSignal,
): Promise<DecodedFrames | undefined> {
  const { width, height, frames = 1 } = inspected.info;
  const path = join(scratchDir, framesName);
  const seconds = decodeLimitSeconds((frames * width * height) / 1e6);
  const faults =
    inspected.format === 'gif' ? await assertCompleteGif(sourcePath, inspected, frames) : [];
  let timing: FrameTiming = { delaysMs: [], plays: 0 };
  const read = async () => {
    timing =
      inspected.format === 'png'
        ? await composePng({ sourcePath, inspected, scratchDir, path, frames, seconds }, signal)
        : await readAnimation({ sourcePath, inspected, path, frames, seconds });
  };
  try {
    await decoding(read, inspected, scratchDir);
  } catch (error) {
    signal.throwIfAborted();
    if (inspected.format === 'png') assertCompleteApng(sourcePath, inspected);
    if (error instanceof EnlargerError && error.code === 'UNREADABLE_IMAGE') return undefined;
    throw error;
  }
  const all = { path, shape: shapeOf(path), notes: [], converted: false };
  const { notes } = await applyDeclaredColours(all, inspected, result);
  const shape = { ...all.shape, height: all.shape.height / frames };
  return { path, shape, frames, notes: [...faults, ...notes], ...timing };
}

interface FramesOrder {
  sourcePath: string;
  inspected: InspectedPicture;
  path: string;
  frames: number;
  seconds: number;
}

/** libvips composes the frames of GIF and WebP. */
async function readAnimation({
  sourcePath,
  inspected,
  path,
  frames,
  seconds,
}: FramesOrder): Promise<FrameTiming> {
  const open = () => openPicture(sourcePath, { ignoreIcc: true, page: 0, pages: frames });
  await open().toColourspace(spaceFor(inspected)).timeout({ seconds }).toFile(path);
  if (inspected.format === 'gif') await clearUncovered(path, sourcePath, inspected.info, frames);
  const { delay = [], loop = 0 } = await open().metadata();
  return { delaysMs: Array.from({ length: frames }, (_, i) => delay[i] ?? 0), plays: loop };
}

function composePng(
  {
    sourcePath,
    inspected,
    scratchDir,
    path,
    frames,
    seconds,
  }: FramesOrder & { scratchDir: string },
  signal: AbortSignal,
): Promise<FrameTiming> {
  const isTurned = inspected.orientation > 4;
  const { width, height } = inspected.info;
  return composeApng(
    {
      ...{ sourcePath, scratchDir, frames, seconds, toPath: path },
      space: spaceFor(inspected),
      width: isTurned ? height : width,
      height: isTurned ? width : height,
    },
    signal,
  );
}

/** Writes one frame as an upright raster of its own, `source.v` or `upright.v`. */
export async function sliceFrame(
  { path, shape }: DecodedFrames,
  index: number,
  inspected: InspectedPicture,
  scratchDir: string,
): Promise<DecodedPicture> {
  const slicePath = join(scratchDir, 'source.v');
  const { width, height } = shape;
  const part = { x: 0, y: index * height, width, height };
  await withRaster(path, (all) => copyPart(all, part, slicePath));
  const upright = await turnUpright(slicePath, inspected, scratchDir);
  return { path: upright, shape: shapeOf(upright), notes: [], converted: false };
}
