import { describe, expect, it } from 'vitest';
import { whyNotHeld } from '../../../electron/engine/plan/output-plan.ts';

const gib = 1024 ** 3;

describe('what a format cannot hold', () => {
  it('is said by its sides', () => {
    const wide = { width: 70_000, height: 10, bits: 8 } as const;
    expect(whyNotHeld('jpeg', wide)).toContain('65500 pixels a side');
    expect(whyNotHeld('jxl', wide)).toContain('32768 pixels a side');
    expect(whyNotHeld('tiff', wide)).toBeUndefined();
    expect(whyNotHeld('png', wide)).toBeUndefined();
  });

  it('of JPEG XL is said by its pixels, more without loss', () => {
    const large = { width: 10_000, height: 8000, bits: 16 } as const;
    expect(whyNotHeld('jxl', large)).toBe(
      'JPEG XL can be written up to 24 megapixels, and the result has 10000 x 8000 pixels',
    );
    expect(whyNotHeld('jxl', { ...large, quality: 100 })).toBeUndefined();
    expect(whyNotHeld('jxl', { width: 8000, height: 6000, bits: 8 })).toBeUndefined();
  });

  it('of WebP and AVIF depends on the memory of the machine', () => {
    const most = { width: 16_000, height: 16_000, bits: 8 } as const;
    expect(whyNotHeld('webp', most, 32 * gib)).toBeUndefined();
    expect(whyNotHeld('webp', most, 2 * gib)).toContain("in this machine's memory");
    expect(whyNotHeld('avif', most, 8 * gib)).toContain("in this machine's memory");
    expect(whyNotHeld('jpeg', most, 2 * gib)).toBeUndefined();
  });
});
