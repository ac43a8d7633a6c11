/** Compares a result that another machine made with its source, to reject one that cannot belong to it. */
import { join } from 'node:path';
import type { Likeness, PictureSource } from '../protocol/messages.ts';
import { openPicture } from '../raster/libvips.ts';
import { writeSourceThumbnail } from './view-source.ts';

const thumbPx = 64;
const comparedPx = 32;
const pixels = comparedPx ** 2;

/**
 * Compares both pictures, each reduced to 32 x 32 pixels.
 *
 * @throws EnlargerError UNREADABLE_IMAGE or IMAGE_TOO_LARGE for either
 */
export async function compareLikeness(
  source: PictureSource,
  resultPath: string,
  resultPixels: number,
): Promise<Likeness> {
  const { scratchDir, limits } = source;
  const result = {
    sourcePath: resultPath,
    scratchDir,
    limits: { ...limits, sourcePixels: resultPixels },
  };
  const [one, other] = [await reduce(source, 'source'), await reduce(result, 'result')];
  let weight = 0;
  let difference = 0;
  let opaque = 0;
  for (let pixel = 0; pixel < pixels; pixel += 1) {
    const alpha = (other[4 * pixel + 3] as number) / 255;
    const sourceAlpha = (one[4 * pixel + 3] as number) / 255;
    opaque += alpha;
    for (let band = 4 * pixel; band < 4 * pixel + 3; band += 1)
      difference += alpha * sourceAlpha * Math.abs((one[band] as number) - (other[band] as number));
    weight += 3 * alpha * sourceAlpha;
  }
  return {
    difference: weight === 0 ? 0 : difference / weight,
    sourceDeviation: deviationOf(one),
    resultDeviation: deviationOf(other),
    opaque: opaque / pixels,
  };
}

/** Reduces a picture to 32 x 32 pixels regardless of its aspect ratio: RGBA, interleaved. */
async function reduce(source: PictureSource, name: string): Promise<Uint8Array> {
  const thumbPath = join(source.scratchDir, `likeness-${name}.webp`);
  await writeSourceThumbnail(source, thumbPath, thumbPx);
  return openPicture(thumbPath, { ignoreIcc: false })
    .resize(comparedPx, comparedPx, { fit: 'fill' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer();
}

/** Returns the standard deviation of the channel that varies most, in levels of 255. */
function deviationOf(samples: Uint8Array): number {
  const deviations = [0, 1, 2, 3].map((band) => {
    let sum = 0;
    let squares = 0;
    for (let at = band; at < samples.length; at += 4) {
      const value = samples[at] as number;
      sum += value;
      squares += value * value;
    }
    return Math.sqrt(Math.max(0, squares / pixels - (sum / pixels) ** 2));
  });
  return Math.max(...deviations);
}
