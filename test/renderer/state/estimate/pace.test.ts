import { describe, expect, it } from 'vitest';
import { defaultChoices, type Choices } from '../../../../packages/contract/src/settings/page.ts';
import type { Estimate } from '../../../../packages/contract/src/task.ts';
import { correctTimes } from '../../../../renderer/state/estimate/pace.ts';

const estimate = (seconds?: number): Estimate => ({
  ...{ width: 200, height: 100, format: 'jpeg', fileSizeBytes: 1000, scratchBytes: 10 },
  ...(seconds !== undefined && { seconds }),
});

const photo = (seconds: number | undefined, choices: Partial<Choices> = {}) => ({
  choices: { ...defaultChoices, ...choices },
  estimate: estimate(seconds) as Estimate | undefined,
});
type Estimated = ReturnType<typeof photo>;

/** Estimates by other speeds than before, and counts how often. */
function service(secondsOf: (photo: Estimated) => number | undefined) {
  const asked: Estimated[] = [];
  const ask = (one: Estimated) => {
    asked.push(one);
    return Promise.resolve(estimate(secondsOf(one)));
  };
  return { asked, ask };
}
const secondsOf = (photos: readonly Estimated[]) => photos.map((one) => one.estimate?.seconds);

describe('times that were estimated before the speeds were known', () => {
  it('follow them, by one request for two thousand photos', async () => {
    const photos = Array.from({ length: 2000 }, (_one, at) => photo(at === 7 ? 100 : 50));
    const { asked, ask } = service(() => 10);
    await correctTimes(photos, ask);
    expect(asked).toEqual([photos[7]]);
    expect(secondsOf(photos.slice(6, 9))).toEqual([5, 10, 5]);
  });

  it('are corrected for each model and scale alone', async () => {
    const photos = [
      photo(40, { scale: 2 }),
      photo(80, { scale: 4 }),
      photo(60, { operation: 'remove-bg' }),
    ];
    const { asked, ask } = service(({ choices: { scale, operation } }) =>
      operation === 'remove-bg' ? 3 : scale === 4 ? 80 : 10,
    );
    await correctTimes(photos, ask);
    expect(asked).toHaveLength(3);
    expect(secondsOf(photos)).toEqual([10, 80, 3]);
  });

  it('stay where the pace hardly changed, is not known, or the settings changed meanwhile', async () => {
    const steady = [photo(100), photo(50)];
    const before = [...steady.map((one) => one.estimate)];
    await correctTimes(steady, service(() => 95).ask);
    await correctTimes(steady, service(() => undefined).ask);
    await correctTimes(steady, () => Promise.resolve(undefined));
    expect(steady.map((one) => one.estimate)).toEqual(before);

    const [longest, other] = [photo(100), photo(50)];
    const fresh = estimate(7);
    await correctTimes([longest, other], (one) => {
      one.estimate = fresh;
      return Promise.resolve(estimate(10));
    });
    expect(longest.estimate).toBe(fresh);
    expect(other.estimate?.seconds).toBe(50);
  });

  it('of photos without a time are left to be asked for one by one', async () => {
    const { asked, ask } = service(() => 10);
    await correctTimes([photo(undefined)], ask);
    expect(asked).toEqual([]);
  });
});
