import { describe, expect, it } from 'vitest';
import { cutoutScratchBytes, planCutout } from '../../../electron/engine/plan/plan-cutout.ts';
import type { SourceInspection } from '../../../electron/engine/protocol/messages.ts';

const source = (given: Partial<SourceInspection> = {}): SourceInspection => ({
  format: 'jpeg',
  width: 4000,
  height: 3000,
  bitDepth: 8,
  channels: 3,
  sizeBytes: 1e6,
  pages: 1,
  ...given,
});
const wish = {
  format: 'same',
  formatChosen: true,
  bitDepth: 'same',
  background: 'transparent',
  maskOnly: false,
  limits: { sourcePixels: 400e6, resultPixels: 16e9 },
} as const;

describe('the plan of a cut-out', () => {
  it.each([
    ['jpeg', 'transparent', 'png'],
    ['jpeg', '#ffffff', 'jpeg'],
    ['jpeg', 'blur', 'jpeg'],
    ['webp', 'transparent', 'webp'],
    ['avif', 'transparent', 'avif'],
    ['tiff', 'blur', 'tiff'],
    ['gif', '#ffffff', 'png'],
    ['heic', 'transparent', 'png'],
    ['raw', 'transparent', 'tiff'],
  ])('of %s on %s means %s as the same format', (format, background, planned) => {
    expect(planCutout(source({ format }), { ...wish, background }).format).toBe(planned);
  });

  it('keeps size and depth, and gives a mask 16 bits where nothing else was said', () => {
    const plan = planCutout(source(), wish);
    expect(plan).toMatchObject({ width: 4000, height: 3000, bits: 8 });
    expect(planCutout(source(), { ...wish, maskOnly: true }).bits).toBe(16);
    expect(planCutout(source(), { ...wish, maskOnly: true, bitDepth: 8 }).bits).toBe(8);
  });

  it('says of an animation that the cut-out does not move', () => {
    const { notes, frames } = planCutout(source({ format: 'gif', frames: 12, pages: 12 }), wish);
    expect(frames).toBe(1);
    expect(notes.join()).toContain('the first of the 12 frames');
    expect(planCutout(source(), wish).notes.join()).not.toContain('frames');
  });

  it('refuses what the format cannot hold', () => {
    const wide = source({ format: 'webp', width: 20_000 });
    expect(() => planCutout(wide, wish)).toThrow(/WebP holds at most 16383 pixels a side/);
  });

  it('takes disk for the photo, its subject and what is encoded', () => {
    const bytes = cutoutScratchBytes(source(), planCutout(source(), wish));
    expect(bytes / 12e6).toBeGreaterThan(3 + 4 + 4);
    expect(bytes / 12e6).toBeLessThan(16);
  });
});
