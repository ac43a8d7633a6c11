import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { deltaE2000, labOf, spaces, type Lab } from '../../../../support/delta-e.ts';
import { sharedTestEngine } from '../../../../support/engine.ts';
import {
  asSharp,
  deep,
  photo,
  readPixels,
  withAlpha,
  type Pixels,
} from '../../../../support/images.ts';
import { tintNetwork } from '../../../../support/networks-made.ts';
import { repeated } from '../../../../support/pixels.ts';

const engine = sharedTestEngine();
afterAll(() => engine.close());

async function enlarged(picture: Pixels, keep?: 'colours'): Promise<Pixels> {
  const sourcePath = join(engine.dir, 'source');
  writeFileSync(sourcePath, await asSharp(picture).png().toBuffer());
  const { outputPath } = await engine.run({
    sourcePath,
    passes: [tintNetwork(join(engine.dir, 'networks'))],
    ...(keep && { keep }),
  });
  return readPixels(outputPath);
}

/** Mean of the differences of colour that are seen, as if both were in one space of usual size. */
function meanDeltaE(one: Pixels, other: Pixels): number {
  const top = one.data instanceof Uint16Array ? 65_535 : 255;
  const lab = ({ data }: Pixels, at: number) => {
    const rgb = [0, 1, 2].map((c) => (data[at + c] as number) / top);
    return labOf(spaces.DisplayP3, rgb as unknown as Lab);
  };
  let [sum, seen] = [0, 0];
  for (let at = 0; at < one.data.length; at += one.channels) {
    if (one.channels === 4 && one.data[at + 3] === 0) continue;
    sum += deltaE2000(lab(one, at), lab(other, at));
    seen += 1;
  }
  return sum / seen;
}

describe('colours that are held', () => {
  it.each([
    ['8 bits', photo(150, 100)],
    ['16 bits', deep(photo(90, 70))],
    ['transparency', withAlpha(photo(90, 70), 30)],
  ])('are the source again where a network shifted them (%s)', async (_, picture) => {
    const wanted = repeated(picture, 2);
    const shifted = meanDeltaE(await enlarged(picture), wanted);
    const held = meanDeltaE(await enlarged(picture, 'colours'), wanted);
    expect(shifted).toBeGreaterThan(4);
    // The remaining differences are in fine detail, where the network's own factor stays.
    expect(held).toBeLessThan(shifted / 3);
  });

  it('leave what is fine as the network drew it', async () => {
    const picture = photo(150, 100);
    const [drawn, held] = [await enlarged(picture), await enlarged(picture, 'colours')];
    const moved = (i: number) => (held.data[i] as number) - (drawn.data[i] as number);
    // Pixels that black or white clip are left out, for a correction ends there.
    const isInside = (i: number) => [drawn, held].every(({ data }) => (data[i] ?? 0) % 255 !== 0);
    let roughest = 0;
    for (let i = 3; i < drawn.data.length; i += 1)
      if (i % (3 * held.width) >= 3 && isInside(i) && isInside(i - 3))
        roughest = Math.max(roughest, Math.abs(moved(i) - moved(i - 3)));
    expect(roughest).toBeLessThanOrEqual(2);
  });
});
