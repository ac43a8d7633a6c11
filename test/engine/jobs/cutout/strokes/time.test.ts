/** However strokes are made, as far as a submit may hold them, painting them shows life, and ends when told to. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Stroke } from '../../../../../packages/contract/src/options/strokes.ts';
import { painted } from '../../../../../electron/engine/jobs/cutout/strokes/paint-strokes.ts';
import type { Colours, Plane } from '../../../../../electron/engine/raster/planes/plane.ts';
import { distancesTo, pathOf } from '../../../../../packages/painting/src/brush-path.ts';

const px = 1024;
const square = { width: px, height: px };
const plain = (): Plane => ({ ...square, data: new Float32Array(px * px).fill(0.5) });
const colours: Colours = [plain(), plain(), plain()];
const maxMs = 1000;

/** The processor's time of this thread: other programs do not count. */
function spentMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The longest time between two signs of life. */
async function longestSilence(strokes: readonly Stroke[], most = Infinity): Promise<number> {
  let [longest, last] = [0, spentMs()];
  let turns = 0;
  const turn = () => {
    longest = Math.max(longest, spentMs() - last);
    last = spentMs();
    turns += 1;
    return turns > most ? Promise.reject(new Error('enough')) : Promise.resolve();
  };
  await painted(plain(), strokes, colours, square, turn).catch((thrown: unknown) => {
    if (!(thrown instanceof Error && thrown.message === 'enough')) throw thrown;
  });
  return longest;
}

const thousand = <T>(of: (i: number) => T) => Array.from({ length: 1000 }, (_, i) => of(i));

describe('a stroke of a thousand points', () => {
  it.each([
    ['there and back over all of it', 0.25, (i: number) => (i % 2 ? [-1, -1] : [2, 2])],
    ['on one place', 0.25, () => [0.5, 0.5]],
    ['as a star', 0.1, (i: number) => (i % 2 ? [0.5, 0.5] : [Math.cos(i), Math.sin(i)])],
  ] as const)('%s shows life every second', async (_, radius, point) => {
    const points = thousand((i) => [...point(i)] as [number, number]);
    expect(await longestSilence([{ kind: 'keep', radius, points }], 30)).toBeLessThan(maxMs);
  });

  it('of a fine brush costs what it covers, not what lies around', () => {
    const points = thousand((i): [number, number] => (i % 2 ? [-1, -1] : [2, 2]));
    const begun = spentMs();
    const path = pathOf({ kind: 'keep', radius: 0.001, points }, square, square);
    distancesTo(path, { x: 0, y: 0, ...square });
    expect(spentMs() - begun).toBeLessThan(maxMs);
  });
});

describe('strokes of any shape', () => {
  it('show life every second', async () => {
    const share = fc.double({ min: -1, max: 2, noNaN: true });
    const stroke = fc.record({
      kind: fc.constantFrom('keep' as const, 'remove' as const),
      radius: fc.double({ min: 0, minExcluded: true, max: 0.25, noNaN: true }),
      points: fc.array(fc.tuple(share, share), { minLength: 1, maxLength: 300, size: 'max' }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(stroke, { maxLength: 2 }), async (strokes) => {
        expect(await longestSilence(strokes, 20)).toBeLessThan(maxMs);
      }),
      { numRuns: 5 },
    );
  }, 60_000);
});
