/** How a soft photo is told from a sharp one by the network that ships, and what the default makes of it. */
import { afterAll, describe, expect, it } from 'vitest';
import { sharedTestEngine } from '../../../support/engine.ts';
import { readPixels, type Pixels } from '../../../support/images.ts';
import { embeddedNetwork } from '../../../support/networks.ts';
import { decoded, encoded, scene } from '../../analysis/damaged-pictures.ts';

const engine = sharedTestEngine();
afterAll(() => engine.close());

const large = scene(1, 640);
const halved = () => encoded(large).resize(320, 320).png().toBuffer();
const softened = async (px: number) =>
  decoded(
    await encoded(await decoded(await halved()))
      .blur(px)
      .png()
      .toBuffer(),
  );

/** Decibels of one picture against another, left of the fine texture that no network brings back. */
function psnr(a: Pixels, b: Pixels): number {
  const { width, channels } = a;
  let [sum, count] = [0, 0];
  for (const [i, value] of a.data.entries())
    if (Math.floor(i / channels) % width < 0.7 * width) {
      sum += (value - (b.data[i] ?? 0)) ** 2;
      count += 1;
    }
  return 10 * Math.log10(255 ** 2 / (sum / count));
}

const passes = [embeddedNetwork(2)];
const run = async (picture: Pixels, restore: 'auto' | number = 'auto') =>
  engine.run({ sourcePath: await engine.saved(picture), passes, restore });

describe('blur', () => {
  it('is measured, removed, and told in the record', async () => {
    const soft = await softened(1.2);
    const { outputPath, report } = await run(soft);
    expect(report.measured?.blurPx).toBeGreaterThan(0.9);
    expect(report.measured?.blurPx).toBeLessThan(1.5);
    expect(report.measured?.restored?.blurPx).toBeGreaterThan(0.5);
    const plain = await run(soft, 0);
    expect(plain.report.measured?.restored?.blurPx).toBeUndefined();
    const gain =
      psnr(await readPixels(outputPath), large) - psnr(await readPixels(plain.outputPath), large);
    expect(gain).toBeGreaterThan(0.2);
  });

  it('of a sharp photo is none', async () => {
    const { report } = await run(await decoded(await halved()));
    expect(report.measured?.blurPx).toBeLessThan(0.3);
    expect(report.measured?.restored?.blurPx).toBeUndefined();
  });

  it('is not measured in a picture without room for a patch', async () => {
    const small = await decoded(await encoded(large).resize(60, 200).png().toBuffer());
    const { report } = await run(small);
    expect(report.measured?.blurPx).toBeUndefined();
  });
});
