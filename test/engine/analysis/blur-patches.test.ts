import { describe, expect, it } from 'vitest';
import { patchPx, readBlurPatches } from '../../../electron/engine/analysis/blur-patches.ts';
import { deep, grey, photo, withAlpha, type Pixels } from '../../support/images.ts';
import { inMemory } from './damaged-pictures.ts';

const read = (picture: Pixels) => readBlurPatches(inMemory(picture), () => Promise.resolve());
const area = patchPx * patchPx;
const countOf = (patches: Float32Array | undefined) => (patches?.length ?? 0) / (3 * area);

/** Squares of 8 pixels, light and dark in turn. */
function chequered(width: number, height: number): Pixels {
  const plain = photo(width, height);
  const data = plain.data.map((value, i) => {
    const [x, y] = [Math.floor(i / 3) % width, Math.floor(i / 3 / width)];
    return (Math.floor(x / 8) + Math.floor(y / 8)) % 2 === 0 ? value : 255 - value;
  });
  return { ...plain, data };
}

describe('the patches that blur is measured on', () => {
  it('are planes of red, green and blue, 0..1, of squares at a multiple of 16', async () => {
    const picture = chequered(64, 96);
    const patches = await read(picture);
    expect(countOf(patches)).toBe(3);
    const start = [0, 1, 2].map((row) => 16 * row * 64 * 3);
    const firstOf = (from: number) => (picture.data[from] ?? 0) / 255;
    const found = [0, 1, 2].map((i) => patches?.[3 * area * i] ?? NaN);
    expect(found.toSorted()).toEqual(
      start
        .map(firstOf)
        .toSorted()
        .map((value) => expect.closeTo(value) as number),
    );
  });

  it('are the 16 with most detail of places spread over the picture', async () => {
    expect(countOf(await read(chequered(640, 480)))).toBe(16);
    expect(countOf(await read(chequered(2000, 64)))).toBe(16);
  });

  it('are none of a picture that is narrower, or has hardly any detail', async () => {
    expect(await read(chequered(63, 900))).toBeUndefined();
    expect(
      await read({ ...photo(640, 480), data: new Uint8Array(640 * 480 * 3).fill(90) }),
    ).toBeUndefined();
  });

  it('are the same of 16 bits, and grey three times of grey', async () => {
    const picture = chequered(80, 96);
    const plain = await read(picture);
    const fine = await read(deep(picture));
    expect(fine?.length).toBe(plain?.length);
    expect(fine?.every((value, i) => Math.abs(value - (plain?.[i] ?? 0)) < 0.005)).toBe(true);
    const shades = await read(grey(picture));
    expect(shades?.[5]).toBe(shades?.[area + 5]);
    expect(shades?.[5]).toBe(shades?.[2 * area + 5]);
  });

  it('have no transparent pixel', async () => {
    const whole = chequered(128, 64);
    expect(countOf(await read(whole))).toBe(5);
    expect(await read(withAlpha(whole, 48))).toBeUndefined();
    expect(countOf(await read(withAlpha(chequered(192, 64), 48)))).toBe(6);
  });
});
