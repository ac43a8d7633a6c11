/** What the page shows of a stroke at once, beside what the engine makes of it. */
import { expect, it } from 'vitest';
import type { Stroke } from '../../../../../packages/contract/src/options/strokes.ts';
import { painted } from '../../../../../electron/engine/jobs/cutout/strokes/paint-strokes.ts';
import { LiveMask } from '../../../../../renderer/state/touch-up/live-mask.ts';

const [width, height] = [200, 160];
const photo = { width: 6000, height: 4800 };
/** Dark up to the middle, then bright. */
const greyAt = (at: number) => (at % width < width / 2 ? 60 : 200);
const strokes: Stroke[] = [
  {
    kind: 'keep',
    radius: 30 / width,
    points: [
      [85 / width, 40 / height],
      [85 / width, 110 / height],
    ],
  },
  { kind: 'remove', radius: 8 / width, points: [[60 / width, 80 / height]] },
];

it('a seeking stroke takes in the page what it takes in the engine', async () => {
  const pixels = Uint8ClampedArray.from({ length: width * height * 4 }, (_, i) =>
    i % 4 === 3 ? 255 : greyAt(Math.floor(i / 4)),
  );
  const live = new LiveMask({ width, height, pixels, mask: new Uint8Array(width * height) }, photo);
  live.show(strokes);
  const plane = (valueAt: (at: number) => number) => ({
    width,
    height,
    data: Float32Array.from({ length: width * height }, (_, at) => valueAt(at)),
  });
  const grey = () => plane((at) => greyAt(at) / 255);
  const none = plane(() => 0);
  const engine = await painted(none, strokes, [grey(), grey(), grey()], photo, async () => {});
  expect(engine.data.filter((value) => value === 1).length).toBeGreaterThan(2000);
  const differing = engine.data.filter((value, at) => value !== (live.alpha[at] ?? 0) / 255);
  // Unlike the live mask, the engine's mask has gaps of a few pixels closed.
  expect(differing.length).toBeLessThan(60);
});
