import { describe, expect, it } from 'vitest';
import { certainParts } from '../../../../../electron/engine/jobs/cutout/mask/certain-parts.ts';
import { shippedTuning } from '../../../../support/networks-masks.ts';

/** A mask of digits: 0 is 0, 9 is 1. */
function maskOf(...rows: string[]) {
  const data = Float32Array.from(rows.join(''), (digit) => Number(digit) / 9);
  return { width: rows[0]!.length, height: rows.length, data };
}

const rowsOf = ({ width, data }: { width: number; data: Float32Array }) =>
  Array.from({ length: data.length / width }, (_, row) =>
    Array.from(data.subarray(row * width, (row + 1) * width), (v) => Math.round(v * 9)).join(''),
  );

describe('the parts of a mask', () => {
  it('go when they are less than a fiftieth of the largest', () => {
    const main = '99999999999';
    const mask = maskOf(`${main}090`, `${main}020`, `${main}000`, `${main}009`, `${main}009`);
    const kept = [`${main}000`, `${main}000`, `${main}000`, `${main}009`, `${main}009`];
    expect(rowsOf(certainParts(mask, shippedTuning))).toEqual(kept);
  });

  it('stay when they are certain and not that small', () => {
    const mask = maskOf('0999000', '1999000', '0000009');
    expect(certainParts(mask, shippedTuning)).toBe(mask);
    const strict = certainParts(mask, { ...shippedTuning, smallPart: 0.2 });
    expect(rowsOf(strict)).toEqual(['0999000', '1999000', '0000000']);
  });

  it('go when they are not, with what falls away around them', () => {
    const mask = maskOf('99901210', '99902650', '99901211');
    expect(rowsOf(certainParts(mask, shippedTuning))).toEqual(['99900000', '99900000', '99900000']);
  });

  it('leave the edge of the subject beside them, down to the lowest between', () => {
    const mask = maskOf('99921165', '99922126');
    expect(rowsOf(certainParts(mask, shippedTuning))).toEqual(['99920000', '99922000']);
  });

  it('are one when they touch at a corner', () => {
    const mask = maskOf('9900', '9900', '0060');
    expect(certainParts(mask, shippedTuning)).toBe(mask);
  });

  it('keep the largest, whatever it is', () => {
    const mask = maskOf('666600', '666600', '000006');
    expect(rowsOf(certainParts(mask, shippedTuning))).toEqual(['666600', '666600', '000000']);
  });

  it('are found in a mask without any', () => {
    const mask = maskOf('0000', '0110');
    expect(certainParts(mask, shippedTuning)).toBe(mask);
  });
});
