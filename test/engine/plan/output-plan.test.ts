import { describe, expect, it } from 'vitest';
import { estimateJob } from '../../../electron/engine/plan/estimate.ts';
import type { NetworkFile, SourceInspection } from '../../../electron/engine/protocol/messages.ts';
import {
  planOutput,
  scaleFor,
  scratchBytes,
  sizeOfTarget,
} from '../../../electron/engine/plan/output-plan.ts';

const source: SourceInspection = {
  format: 'jpeg',
  width: 6000,
  height: 4000,
  bitDepth: 8,
  channels: 3,
  sizeBytes: 9e6,
  pages: 1,
};
const wish = {
  format: 'same',
  formatChosen: false,
  bitDepth: 'same',
  limits: { sourcePixels: 400e6, resultPixels: 16e9 },
} as const;

const refusal = (words: string) =>
  expect.objectContaining({
    code: 'IMAGE_TOO_LARGE',
    message: expect.stringContaining(words) as string,
  }) as Error;

describe('planOutput', () => {
  it("keeps the source's format and depth", () => {
    expect(planOutput(source, 4, wish)).toMatchObject({
      format: 'jpeg',
      bits: 8,
      width: 24000,
      height: 16000,
      notes: [],
    });
    const deep = { ...source, format: 'tiff', bitDepth: 16 };
    expect(planOutput(deep, 2, wish)).toMatchObject({ format: 'tiff', bits: 16 });
  });

  it('makes PNG of what is only read', () => {
    expect(planOutput({ ...source, format: 'gif' }, 2, wish).format).toBe('png');
  });

  it('falls to TIFF, with a note, when nobody chose the format', () => {
    const plan = planOutput(source, 16, wish);
    expect(plan.format).toBe('tiff');
    expect(plan.notes[0]).toContain('65500 pixels a side');
  });

  it('refuses a chosen format that cannot hold the result, naming tiff', () => {
    const chosen = { ...wish, format: 'webp', formatChosen: true } as const;
    expect(() => planOutput(source, 4, chosen)).toThrow(refusal('tiff'));
  });

  it('refuses what is over the limit of the result', () => {
    const limits = { ...wish.limits, resultPixels: 1e6 };
    expect(() => planOutput(source, 2, { ...wish, limits })).toThrow(refusal('12000 x 8000'));
  });

  it('refuses a result over the limit that its passes do not exceed', () => {
    const limits = { ...wish.limits, resultPixels: 100e6 };
    const size = { width: 15000, height: 10000 };
    expect(() => planOutput(source, 2, { ...wish, size, limits })).toThrow(
      refusal('15000 x 10000'),
    );
  });

  it('says when a format holds fewer bits than there were', () => {
    const plan = planOutput({ ...source, format: 'png', bitDepth: 16 }, 2, {
      ...wish,
      format: 'jpeg',
      formatChosen: true,
    });
    expect(plan.bits).toBe(8);
    expect(plan.notes).toEqual(['JPEG holds 8 bits for each colour; 16 were there.']);
  });

  it('says what 16 bits are of a photo that has 8, and where they cannot be had', () => {
    const asked = { ...wish, bitDepth: 16 } as const;
    const png = planOutput({ ...source, format: 'png' }, 2, asked);
    expect(png.bits).toBe(16);
    expect(png.notes.join()).toContain('computed, not photographed');
    expect(planOutput(source, 2, asked).notes).toEqual([
      'JPEG holds 8 bits for each colour; 16 were asked for.',
    ]);
    const deep = { ...source, format: 'png', bitDepth: 16 };
    expect(planOutput(deep, 2, asked).notes).toEqual([]);
  });
});

describe('a size to reach', () => {
  it.each([
    ['width', 3000, [3000, 2000]],
    ['height', 3000, [4500, 3000]],
    ['longEdge', 9000, [9000, 6000]],
    ['shortEdge', 9000, [13500, 9000]],
    ['megapixels', 96, [12000, 8000]],
  ] as const)('by %s keeps the proportions', (kind, value, [width, height]) => {
    expect(sizeOfTarget({ kind, value }, source)).toEqual({ width, height });
  });

  it.each([
    [2, 2],
    [2.5, 2],
    [2.82, 2],
    [2.83, 4],
    [3, 4],
    [5.6, 4],
    [6, 8],
    [11, 8],
    [12, 16],
    [1.01, 2],
    [1, 1],
  ])('is made by the nearest scale: %s times by %s', (factor, scale) => {
    const size = { width: source.width * factor, height: source.height * factor };
    expect(scaleFor(size, source, [1, 2, 4, 8, 16])).toBe(scale);
  });

  it('is made by the smallest scale of a model that has none as small', () => {
    expect(scaleFor({ width: 6001, height: 4001 }, source, [3, 9])).toBe(3);
    expect(scaleFor({ width: 10, height: 7 }, source, [2, 4])).toBe(2);
  });

  it('is refused when no scale reaches it, naming the most', () => {
    const size = { width: 24001, height: 16001 };
    expect(() => scaleFor(size, source, [2, 4])).toThrow(refusal('24000 x 16000'));
  });
});

describe('what a plan takes', () => {
  it('names the scale that fits the limit', () => {
    const limits = { ...wish.limits, resultPixels: 100e6 };
    expect(() => planOutput(source, 4, { ...wish, limits })).toThrow(refusal('at most 2'));
  });

  it('counts the disk for both rasters of the largest pass', () => {
    const plan = planOutput(source, 16, { ...wish, format: 'tiff' });
    const [before, after] = [24e6 * 16 * 6, 24e6 * 256 * 3];
    const scratch = scratchBytes(source, [4, 4], plan);
    expect(scratch).toBeGreaterThanOrEqual(before + after);
    expect(scratch).toBeLessThan(1.5 * (before + after));
    const between = planOutput(source, 2, { ...wish, size: { width: 15000, height: 10000 } });
    expect(scratchBytes(source, [2], between)).toBeGreaterThanOrEqual(
      24e6 * 3 + 96e6 * 3 + 150e6 * 3,
    );
    const passes = [4, 4].map((scale) => ({ modelId: 'm', scale }) as NetworkFile);
    const job = { operation: 'upscale', passes, ...wish, format: 'tiff' } as const;
    expect(estimateJob(job, source, () => 2)).toMatchObject({
      width: 96_000,
      height: 64_000,
      format: 'tiff',
      scratchBytes: scratch,
      // The passes, the encoder, and what every photo takes.
      seconds: (24 + 24 * 16) / 2 + (24 * 256) / 2 + 0.35,
    });
  });
});
