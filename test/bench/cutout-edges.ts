/** What refining is worth on a network's own masks: composites with true alpha, plain against refined. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { applyPlainMask } from '../../electron/engine/cutout/refine/plain-mask.ts';
import type { Plane } from '../../electron/engine/cutout/refine/plane.ts';
import { refineCutout } from '../../electron/engine/cutout/refine/refine-cutout.ts';
import { createSamples, openRaster } from '../../electron/engine/raster/raster-file.ts';
import { alphaErrors } from './alpha-errors.ts';
import { composites, type Composite } from './composite-pictures.ts';
import type { FindMask, FoundMask } from './mask-session.ts';

const hooks = { signal: new AbortController().signal, onProgress: () => undefined };

/** The sum of absolute differences, refined over plain. */
export interface Gain {
  /** Of all composites together: whole subjects that the network missed weigh most. */
  ofSums: number;
  /** The mean of each composite's own. */
  ofEach: number;
}

/** Undefined when there are no composites. */
export async function gainOfRefining(
  shared: string,
  findMask: FindMask,
  skipped: (what: string) => void,
): Promise<Gain | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'enlarger-composites-'));
  let [refined, plain, shares, count] = [0, 0, 0, 0];
  try {
    for await (const composite of composites(shared, skipped)) {
      const path = join(folder, 'composite.png');
      const { width, height, picture } = composite;
      await sharp(picture, { raw: { width, height, channels: 3 } })
        .png()
        .toFile(path);
      const [one, other] = await findMask(path, (found) => errorsOf(found, composite));
      refined += one;
      plain += other;
      shares += other === 0 ? 1 : one / other;
      count += 1;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return count === 0 ? undefined : { ofSums: refined / plain, ofEach: shares / count };
}

async function errorsOf(
  { mask, source, scratchDir }: FoundMask,
  { alpha }: Composite,
): Promise<[refined: number, plain: number]> {
  const refinedPath = join(scratchDir, 'refined.v');
  await refineCutout({ source, mask, output: refinedPath, scratchDir }, hooks);
  const plainPath = join(scratchDir, 'plain.v');
  await applyPlainMask(source, mask, plainPath, hooks);
  const sad = (path: string) => alphaErrors(alphaOf(path), alpha).sad;
  return [sad(refinedPath), sad(plainPath)];
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
