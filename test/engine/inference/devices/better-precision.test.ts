import { describe, expect, it } from 'vitest';
import {
  betterPrecision,
  precisionsOn,
} from '../../../../electron/engine/inference/devices/better-precision.ts';
import type { CheckOutcome } from '../../../../electron/engine/inference/checks/check.ts';
import { nearestNetwork } from '../../../support/networks-made.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const at = (megapixelsPerSecond: number): CheckOutcome => ({
  ok: true,
  tilePx: 512,
  megapixelsPerSecond,
});
const wrong: CheckOutcome = { ok: false, reason: 'Its numbers differ.' };
const single = (outcome: CheckOutcome) => ({ precision: 'fp32', outcome }) as const;
const half = (outcome: CheckOutcome) => ({ precision: 'fp16', outcome }) as const;

describe('the precision on a device', () => {
  it('is half where that gains', () => {
    expect(betterPrecision([half(at(3)), single(at(2))]).precision).toBe('fp16');
  });

  it('is single where half gains nothing that is worth its rounding', () => {
    expect(betterPrecision([half(at(2.1)), single(at(2))]).precision).toBe('fp32');
  });

  it('is single where half gives other numbers, and half where only that runs', () => {
    expect(betterPrecision([half(wrong), single(at(2))]).precision).toBe('fp32');
    expect(betterPrecision([half(at(2)), single(wrong)]).precision).toBe('fp16');
  });

  it('says why where neither will do', () => {
    expect(betterPrecision([half(wrong), single(wrong)]).outcome).toBe(wrong);
  });

  it('is tried of what the network has, and half never on the CPU', () => {
    const folder = temporaryFolder();
    const network = nearestNetwork(folder);
    expect(precisionsOn('cuda', network)).toEqual(['fp32']);
    const both = {
      ...network,
      variants: network.variants.flatMap((own) => [own, { ...own, precision: 'fp16' as const }]),
    };
    expect(precisionsOn('cuda', both)).toEqual(['fp16', 'fp32']);
    expect(precisionsOn('cpu', both)).toEqual(['fp32']);
  });
});
