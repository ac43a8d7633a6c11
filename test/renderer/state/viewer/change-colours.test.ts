import { describe, expect, it } from 'vitest';
import { changeColours } from '../../../../renderer/state/viewer/change-colours.ts';

const colourOf = (level: number) => [...changeColours(Uint8Array.of(level))];

describe('differences as colours', () => {
  it('leave what nobody sees as it is', () => {
    for (const level of [0, 1, 2]) expect(colourOf(level)[3]).toBe(0);
    expect(colourOf(3)[3]).toBeGreaterThan(80);
  });

  it('grow stronger and darker with the difference, up to an end', () => {
    const [few, more, many] = [colourOf(4), colourOf(16), colourOf(40)] as const;
    expect(more[3]).toBeGreaterThan(few[3] ?? 255);
    expect(many[3]).toBeGreaterThan(more[3] ?? 255);
    expect(many[1]).toBeLessThan(more[1] ?? 0);
    expect(colourOf(255)).toEqual(many);
  });

  it('are one for each pixel', () => {
    expect(changeColours(Uint8Array.of(0, 255, 0))).toHaveLength(12);
  });
});
