import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tuningOf } from '../../../../electron/engine/jobs/cutout/tuning.ts';
import { openCutouts } from '../../../support/cutouts.ts';
import type { Pixels } from '../../../support/images.ts';
import {
  brightNetwork,
  shippedMaskNetworks,
  shippedTuning,
} from '../../../support/networks-masks.ts';

describe('how far the words of a mask network count', () => {
  it('is all said by the network that ships', () => {
    const [network] = shippedMaskNetworks();
    expect(network?.tuning).toEqual(shippedTuning);
  });

  it('is what was found for that one, where another says nothing', () => {
    expect(tuningOf({})).toEqual(shippedTuning);
    const tuned = { ...shippedTuning, goodDoubt: 0.01 };
    expect(tuningOf({ tuning: { goodDoubt: 0.01 } })).toEqual(tuned);
  });

  it('leaves what a large network decides as it is, unless it was tuned', () => {
    const size = { kind: 'fixed', width: 1024, height: 768 } as const;
    expect(tuningOf({ size })).toMatchObject({ partCertainty: 0, goodDoubt: 0.017 });
    expect(tuningOf({ size: { kind: 'free', shortSidePx: 512, multiple: 32 } })).toMatchObject({
      smallPart: 0,
    });
    expect(tuningOf({ size, tuning: shippedTuning })).toEqual(shippedTuning);
    expect(tuningOf({ size: { ...size, height: 320 } })).toEqual(shippedTuning);
  });
});

describe('a subject of which a network is not sure', () => {
  const { engine, cutOut } = openCutouts();
  /** Of the two only the left one is found with certainty. */
  const picture = (): Pixels => {
    const [width, height] = [200, 150];
    const data = new Uint8Array(width * height * 3);
    for (let y = 40; y < 100; y += 1) {
      data.fill(255, (y * width + 20) * 3, (y * width + 80) * 3);
      data.fill(133, (y * width + 120) * 3, (y * width + 180) * 3);
    }
    return { width, height, channels: 3, data };
  };
  const networkOf = (sidePx: number) => {
    const network = brightNetwork(join(engine.dir, `of-${sidePx}`), {
      size: { kind: 'fixed', width: sidePx, height: sidePx },
    });
    delete network.tuning;
    return network;
  };
  const rightAlpha = async (sidePx: number) => {
    const { result } = await cutOut(picture(), { network: networkOf(sidePx) });
    return result.data[(70 * result.width + 150) * 4 + 3] ?? 0;
  };

  it('goes with a small network, and stays with a large one', async () => {
    expect(await rightAlpha(128)).toBe(0);
    expect(await rightAlpha(512)).toBeGreaterThan(100);
  });
});
