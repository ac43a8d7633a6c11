/** Cut-outs by an engine of a test file's own, whose network takes what is bright for the subject. */
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { cutoutSize, sharedTestEngine, type CutoutOptions } from './engine.ts';
import { readPixels, type Pixels } from './images.ts';
import { brightNetwork } from './networks-masks.ts';
import { subjectPhoto } from './subjects.ts';

export const box = { x: 60, y: 40, width: 80, height: 60 };
export const small = subjectPhoto(200, 150, box);
/** Well inside the box, and well outside. */
export const inside = [100, 70] as const;
export const outside = [10, 10] as const;

export function openCutouts(engine = sharedTestEngine()) {
  afterAll(() => engine.close());
  const network = brightNetwork(join(engine.dir, 'networks'), { size: cutoutSize });
  async function cutOut(picture: Pixels, wish: Partial<CutoutOptions> = {}) {
    const ran = await engine.cutOut({ sourcePath: await engine.saved(picture), network, ...wish });
    return { ...ran, result: await readPixels(ran.outputPath) };
  }
  return { engine, network, cutOut };
}
