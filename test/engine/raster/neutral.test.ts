import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sharedTestEngine } from '../../support/engine.ts';
import {
  deep,
  largestChroma,
  photo,
  readPixels,
  withAlpha,
  type Pixels,
} from '../../support/images.ts';
import { tintNetwork } from '../../support/networks-made.ts';

const engine = sharedTestEngine();
afterAll(() => engine.close());

/** RGB with the same value three times. */
function neutral(source: Pixels): Pixels {
  const { channels } = source;
  const data = source.data.map((value, i, all) =>
    i % channels < 3 ? all[i - (i % channels)]! : value,
  );
  return { ...source, data };
}

describe('a photo stored as RGB without colour', () => {
  it.each([
    ['of 8 bits', neutral(photo(61, 40))],
    ['of 16 bits', neutral(deep(photo(61, 40)))],
    ['with transparency', neutral(withAlpha(photo(61, 40), 20))],
  ])('%s gets none from a network, and stays RGB', async (_, source) => {
    const sourcePath = await engine.saved(source);
    const passes = [tintNetwork(join(engine.dir, 'networks'))];
    const { outputPath, report } = await engine.run({ sourcePath, passes, format: 'png' });
    const result = await readPixels(outputPath);
    expect([result.channels, report.output.channels]).toEqual([source.channels, source.channels]);
    expect(largestChroma(result)).toBe(0);
  });

  it('gets colour from that network as soon as one pixel has some', async () => {
    const source = neutral(photo(61, 40));
    source.data[source.data.length - 1] = source.data.at(-1)! ^ 8;
    const sourcePath = await engine.saved(source);
    const passes = [tintNetwork(join(engine.dir, 'networks'))];
    const { outputPath } = await engine.run({ sourcePath, passes, format: 'png' });
    expect(largestChroma(await readPixels(outputPath))).toBeGreaterThan(8);
  });
});
