import { describe, expect, it } from 'vitest';
import { grey, photo, withAlpha, type Pixels } from '../../support/images.ts';
import { blurNetwork } from '../../support/networks-made.ts';
import { embeddedNetworks } from '../../support/networks.ts';
import { passOver, withSession } from '../../support/passes.ts';
import { differenceOf } from '../../support/pixels.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A photo in the left quarter, one colour in the rest. */
function mostlyFlat(width: number, height: number): Pixels {
  const picture = photo(width, height);
  const data = picture.data.map((value, at) =>
    Math.floor(at / 3) % width < width / 4 ? value : ([231, 228, 225][at % 3] as number),
  );
  return { ...picture, data };
}

const in16Bits = (picture: Pixels): Pixels => ({
  ...picture,
  data: Uint16Array.from(picture.data, (value) => value * 257),
});

const tilePx = 72;
const pictures: [string, Pixels][] = [
  ['8 bits', mostlyFlat(240, 104)],
  ['16 bits', in16Bits(mostlyFlat(240, 104))],
  ['grey', grey(mostlyFlat(240, 104))],
  ['an alpha of many values over it', withAlpha(mostlyFlat(240, 104), 40)],
];

describe('windows of one colour', () => {
  const [network] = embeddedNetworks();
  if (!network) throw new Error('No network is embedded.');

  it.each(pictures)('are run once, and equal the whole: %s', async (name, picture) => {
    // What becomes of grey, 16 bits and alpha is the same around any network.
    const its = name === '8 bits' ? network : blurNetwork(temporaryFolder());
    await withSession(its, its.variants[0]!.precision, async (session) => {
      const whole = await passOver(picture, its, session, 1024);
      const tiled = await passOver(picture, its, session, tilePx);
      expect(whole.reused).toBe(0);
      expect(tiled.reused).toBeGreaterThan(tiled.tiles / 4);
      expect(differenceOf(tiled.picture, whole.picture).most).toBeLessThanOrEqual(1);
    });
  });

  it('are run each where the network draws something on them', async () => {
    const drawing = blurNetwork(temporaryFolder());
    await withSession(drawing, drawing.variants[0]!.precision, async (session) => {
      let runs = 0;
      const run: typeof session.run = async (tensor, width, height) => {
        runs += 1;
        const output = Float32Array.from(await session.run(tensor, width, height));
        return output.map((value, at) => (at % 16 === 0 ? value * 0.9 : value));
      };
      const done = await passOver(mostlyFlat(300, 200), drawing, { ...session, run }, tilePx);
      expect(done.reused).toBe(0);
      expect(runs).toBe(done.tiles);
    });
  });

  it('are run where nothing repeats', async () => {
    await withSession(network, network.variants[0]!.precision, async (session) => {
      expect((await passOver(photo(160, 100), network, session, tilePx)).reused).toBe(0);
    });
  });
});
