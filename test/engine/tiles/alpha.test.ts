import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { enlargeAlpha, spreadColours } from '../../../electron/engine/tiles/alpha.ts';
import type { SampleView } from '../../../electron/engine/tiles/tensor-pixels.ts';

const greyAlpha = (samples: Uint8Array, width: number): SampleView => ({
  samples,
  offset: 0,
  stride: width * 2,
  bands: 2,
  bits: 8,
});

/** Alpha of `values` in a row, replicated to five rows and two more columns on each side. */
function enlarged(values: number[], scale: number): number[] {
  const wide = [values[0]!, values[0]!, ...values, values.at(-1)!, values.at(-1)!];
  const rows = Array.from({ length: 5 }, () => wide.flatMap((alpha) => [0, alpha])).flat();
  const from = greyAlpha(Uint8Array.from(rows), wide.length);
  const inner = { ...from, offset: 2 * from.stride + 4 };
  const to = greyAlpha(new Uint8Array(values.length * scale * scale * 2), values.length * scale);
  enlargeAlpha(inner, to, values.length, 1, scale);
  return Array.from({ length: values.length * scale }, (_, x) => to.samples[x * 2 + 1]!);
}

describe('enlargeAlpha', () => {
  it('keeps a flat alpha flat, whatever its value', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 255 }), fc.constantFrom(2, 3, 4), (value, scale) => {
        expect(new Set(enlarged(Array<number>(6).fill(value), scale))).toEqual(new Set([value]));
      }),
    );
  });

  it('is symmetric: no shift by half a pixel', () => {
    const step = enlarged([0, 0, 0, 0, 255, 255, 255, 255], 2);
    expect(step.map((value, i) => value + step[step.length - 1 - i]!)).toEqual(
      Array<number>(16).fill(255),
    );
  });
});

describe('spreadColours', () => {
  it('brings the neighbours’ colour under clear pixels and leaves visible ones alone', () => {
    const view = greyAlpha(Uint8Array.from([0, 0, 0, 0, 200, 255, 100, 255]), 4);
    spreadColours(view, 4, 1);
    expect([...view.samples]).toEqual([200, 0, 200, 0, 200, 255, 100, 255]);
  });

  it('does nothing to a picture that is clear everywhere', () => {
    const view = greyAlpha(Uint8Array.from([7, 0, 9, 0]), 2);
    spreadColours(view, 2, 1);
    expect([...view.samples]).toEqual([7, 0, 9, 0]);
  });
});
