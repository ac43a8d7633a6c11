import { describe, expect, it } from 'vitest';
import { histogramOf, outlineOf, topOf } from '../../../../renderer/state/details/histogram.ts';

const pixels = (...colours: number[][]) => new Uint8ClampedArray(colours.flat());

describe('the histogram', () => {
  it('counts levels of each channel and of luma as shares', () => {
    const { levels } = histogramOf(pixels([255, 0, 0, 255], [0, 0, 0, 255]));
    expect([levels.red[255], levels.red[0], levels.green[0]]).toEqual([0.5, 0.5, 1]);
    expect([levels.luma[54], levels.luma[0]]).toEqual([0.5, 0.5]);
  });

  it('leaves out what is fully transparent, and says what is black and white', () => {
    const clear = [9, 9, 9, 0];
    const { black, white } = histogramOf(
      pixels(
        clear,
        clear,
        [0, 0, 0, 255],
        [255, 255, 255, 255],
        [254, 254, 254, 9],
        [80, 80, 80, 255],
      ),
    );
    expect([black, white]).toEqual([0.25, 0.5]);
  });

  it('is empty for a picture without anything in it', () => {
    const histogram = histogramOf(pixels([1, 2, 3, 0]));
    expect([histogram.black, topOf(histogram)]).toEqual([0, 0]);
    expect(outlineOf(histogram.levels.red, 0, 10)).toMatch(/^M0 10L0 10\.0.*L255 10Z$/);
  });

  it('cuts spikes at its top', () => {
    const flat = histogramOf(pixels([80, 80, 80, 255]));
    expect(topOf(flat)).toBe(8 / 256);
    expect(outlineOf(flat.levels.red, topOf(flat), 10)).toContain('L80 0.0L81 10.0');
  });
});
