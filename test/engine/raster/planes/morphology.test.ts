import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  closing,
  dilation,
  erosion,
  opening,
} from '../../../../electron/engine/raster/planes/morphology.ts';

const planes = fc
  .record({ width: fc.integer({ min: 1, max: 9 }), height: fc.integer({ min: 1, max: 9 }) })
  .chain(({ width, height }) =>
    fc
      .array(fc.float({ min: 0, max: 1, noNaN: true }), {
        minLength: width * height,
        maxLength: width * height,
      })
      .map((values) => ({ width, height, data: Float32Array.from(values) })),
  );

it('erosion and dilation are the least and the greatest of what is within reach', () => {
  fc.assert(
    fc.property(planes, fc.integer({ min: 0, max: 3 }), (plane, radius) => {
      const { width, height, data } = plane;
      const [least, most] = [erosion(plane, radius), dilation(plane, radius)];
      for (let at = 0; at < data.length; at += 1) {
        const near = [...data].filter((_, i) => {
          const [across, down] = [
            (i % width) - (at % width),
            Math.floor(i / width) - Math.floor(at / width),
          ];
          return Math.max(Math.abs(across), Math.abs(down)) <= radius;
        });
        expect(least.data[at]).toBe(Math.min(...near));
        expect(most.data[at]).toBe(Math.max(...near));
      }
      expect(least.height).toBe(height);
    }),
    { numRuns: 40 },
  );
});

it('an opening takes thin lines away and keeps what is broad; a closing fills thin gaps', () => {
  const columns = [0, 1, 0, 0, 1, 1, 1, 0, 1, 1, 1];
  const plane = {
    width: 11,
    height: 5,
    data: Float32Array.from({ length: 55 }, (_, at) => columns[at % 11]!),
  };
  expect([...opening(plane, 1).data.subarray(0, 11)]).toEqual([0, 0, 0, 0, 1, 1, 1, 0, 1, 1, 1]);
  expect([...closing(plane, 1).data.subarray(0, 11)]).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
});
