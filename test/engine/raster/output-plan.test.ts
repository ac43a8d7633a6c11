import { describe, expect, it } from 'vitest';
import type { SourceInspection } from '../../../electron/engine/protocol.ts';
import { planOutput } from '../../../electron/engine/raster/output-plan.ts';

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

  it('says when a format holds fewer bits than there were', () => {
    const plan = planOutput({ ...source, format: 'png', bitDepth: 16 }, 2, {
      ...wish,
      format: 'jpeg',
      formatChosen: true,
    });
    expect(plan.bits).toBe(8);
    expect(plan.notes).toHaveLength(1);
  });
});
