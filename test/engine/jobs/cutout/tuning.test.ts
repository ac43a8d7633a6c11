import { describe, expect, it } from 'vitest';
import { tuningOf } from '../../../../electron/engine/jobs/cutout/tuning.ts';
import { shippedMaskNetworks, shippedTuning } from '../../../support/networks-masks.ts';

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
});
