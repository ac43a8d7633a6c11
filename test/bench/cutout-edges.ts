/**
 * What a closer look and refining are worth on a network's own masks: composites with true alpha,
 * the first mask plainly enlarged against what comes out.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { applyPlainMask } from '../../electron/engine/jobs/cutout/refine/plain-mask.ts';
import type { Plane } from '../../electron/engine/raster/planes/plane.ts';
import { refineCutout } from '../../electron/engine/jobs/cutout/refine/refine-cutout.ts';
import { createSamples, openRaster } from '../../electron/engine/raster/raster-file.ts';
import { alphaErrors } from './alpha-errors.ts';
import { composites, type Composite } from './composite-pictures.ts';
import type { FindMask, FoundMask } from './mask-session.ts';
import { shippedTuning } from '../support/networks-masks.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const hooks = { signal: new AbortController().signal, onProgress: () => undefined };

/** The sum of absolute differences of what comes out, over that of a plainly enlarged mask. */
interface Gain {
  /** Of the network's first mask, all composites together: whole subjects that it missed weigh most. */
  ofSums: number;
  /** The mean of each composite's own. */
  ofEach: number;
  /** Of the mask with closer looks, all together: what is found along the edge alone. */
  ofEdges: number;
}

/** Undefined when there are no composites. */
export async function gainOfRefining(
  shared: string,
  findMask: FindMask,
  skipped: (what: string) => void,
): Promise<Gain | undefined> {
  const folder = temporaryFolder();
  let [refined, first, looked, shares, count] = [0, 0, 0, 0, 0];
  try {
    for await (const composite of composites(shared, skipped)) {
      const path = join(folder, 'composite.png');
      const { width, height, picture } = composite;
      await sharp(picture, { raw: { width, height, channels: 3 } })
        .png()
        .toFile(path);
      const errors = await findMask(path, (found) => errorsOf(found, composite));
      refined += errors.refined;
      first += errors.first;
      looked += errors.looked;
      shares += errors.first === 0 ? 1 : errors.refined / errors.first;
      count += 1;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (count === 0) return undefined;
  return { ofSums: refined / first, ofEach: shares / count, ofEdges: refined / looked };
}

async function errorsOf(
  { mask, atFirst, source, scratchDir }: FoundMask,
  { alpha }: Composite,
): Promise<{ refined: number; first: number; looked: number }> {
  const path = join(scratchDir, 'alpha.v');
  const sad = () => {
    const { sad: sum } = alphaErrors(alphaOf(path), alpha);
    rmSync(path);
    return sum;
  };
  await refineCutout({ source, mask, output: path, tuning: shippedTuning }, hooks);
  const refined = sad();
  await applyPlainMask(source, atFirst, path, hooks);
  const first = sad();
  await applyPlainMask(source, mask, path, hooks);
  return { refined, first, looked: sad() };
}

function alphaOf(path: string): Plane {
  const raster = openRaster(path);
  const { width, height, bands, bits } = raster.shape;
  const samples = createSamples({ bits }, width * height * bands);
  raster.readRect({ x: 0, y: 0, width, height }, samples, 0, width * bands);
  raster.close();
  const top = 2 ** bits - 1;
  const data = Float32Array.from(
    { length: width * height },
    (_, i) => (samples[i * bands + bands - 1] as number) / top,
  );
  return { width, height, data };
}
