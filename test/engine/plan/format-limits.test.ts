import { describe, expect, it } from 'vitest';
import { formatObjection } from '../../../electron/engine/plan/output-plan.ts';

const gib = 1024 ** 3;

describe('what a format cannot hold', () => {
  it('is said by its sides', () => {
    const wide = { width: 70_000, height: 10, bits: 8 } as const;
    expect(formatObjection('jpeg', wide)).toContain('65500 pixels a side');
    expect(formatObjection('jxl', wide)).toContain('32768 pixels a side');
    expect(formatObjection('tiff', wide)).toBeUndefined();
    expect(formatObjection('png', wide)).toBeUndefined();
  });

  it('of JPEG XL is said by its pixels, more without loss', () => {
    const large = { width: 10_000, height: 8000, bits: 16 } as const;
    expect(formatObjection('jxl', large)).toBe(
      'JPEG XL can be written up to 24 megapixels, and the result has 10000 x 8000 pixels',
    );
    expect(formatObjection('jxl', { ...large, quality: 100 })).toBeUndefined();
    expect(formatObjection('jxl', { width: 8000, height: 6000, bits: 8 })).toBeUndefined();
  });

  it('of WebP and AVIF depends on the memory of the machine', () => {
    const most = { width: 16_000, height: 16_000, bits: 8 } as const;
    expect(formatObjection('webp', most, 32 * gib)).toBeUndefined();
    expect(formatObjection('webp', most, 2 * gib)).toContain("in this machine's memory");
    expect(formatObjection('avif', most, 8 * gib)).toContain("in this machine's memory");
    expect(formatObjection('jpeg', most, 2 * gib)).toBeUndefined();
  });
});
