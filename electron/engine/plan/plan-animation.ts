/** Plans how many frames of an animation a result holds, and what they cost on disk. Pure. */
import { note } from '../../../packages/contract/src/notes/notes.ts';
import type { Size } from '../../../packages/contract/src/geometry.ts';
import { formats, labelOf, type OutputFormat } from '../../../packages/contract/src/formats.ts';
import type { Limits, SourceInspection } from '../protocol/messages.ts';

/** More frames are a film. */
export const maxFrames = 1000;
/** Largest frame that is read, because a frame of an APNG is composed in memory. */
const maxFramePixels = 16e6;
/** Rows of all frames, one below another, as libvips takes them. */
const maxRows = 10_000_000;

export interface FramePlan {
  /** Number of frames of the result; 1 for a still picture. */
  frames: number;
  /** Why an animation's first frame alone is enlarged. */
  notes: string[];
}

/** Whether all frames of an animation are read, not its first alone. */
export const readsAllFrames = (frames: number, { width, height }: Size, limits: Limits): boolean =>
  frames <= maxFrames &&
  width * height <= maxFramePixels &&
  frames * width * height <= limits.sourcePixels &&
  frames * height <= maxRows;

export const frameLimitNote = note('FRAMES_LIMIT', {
  frames: maxFrames,
  megapixels: maxFramePixels / 1e6,
});

/**
 * @param frames undefined for a still picture
 * @param result size of a frame of the result
 */
export function planFrames(
  frames: number | undefined,
  format: OutputFormat,
  result: Size,
  limits: Limits,
): FramePlan {
  if (frames === undefined) return { frames: 1, notes: [] };
  const still = (why: string) => ({ frames: 1, notes: [why] });
  if (!formats[format].animated) return still(note('FRAMES_NOT_HELD', { format: labelOf(format) }));
  const isTooLarge =
    frames * result.width * result.height > limits.resultPixels || frames * result.height > maxRows;
  return isTooLarge
    ? still(note('FRAMES_TOO_LARGE', { frames }))
    : { frames, notes: [note('FRAMES_ENLARGED', { frames })] };
}

/** Disk for all frames of the source and of the result; 0 for a still picture. */
export function bytesOfFrames(
  source: Pick<SourceInspection, 'width' | 'height' | 'bitDepth'>,
  { frames, width, height, bits }: Size & { frames: number; bits: 8 | 16 },
): number {
  if (frames === 1) return 0;
  const bytesOf = (size: Size, depth: number) =>
    size.width * size.height * 4 * Math.ceil(depth / 8);
  return frames * (bytesOf(source, source.bitDepth) + 1.33 * bytesOf({ width, height }, bits));
}
