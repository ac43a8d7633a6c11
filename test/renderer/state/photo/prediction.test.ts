import { describe, expect, it } from 'vitest';
import {
  nextVersionsOf,
  obstacleOf,
  predict,
} from '../../../../renderer/state/photo/prediction.ts';

const estimate = (seconds: number | undefined, problemCode?: string) => ({
  width: 200,
  height: 100,
  format: 'jpeg',
  fileSizeBytes: 1000,
  scratchBytes: 500,
  ...(seconds !== undefined && { seconds }),
  ...(problemCode !== undefined && { problem: { code: problemCode, message: 'Why.' } }),
});

describe('what a batch will make and take', () => {
  it('sums what is known, with the disk of the two that run at a time', () => {
    const photos = [
      { name: 'a', estimate: estimate(2) },
      { name: 'b', estimate: estimate(3) },
      { name: 'c', estimate: estimate(4) },
      { name: 'unseen' },
    ];
    expect(predict(photos)).toEqual({
      known: 3,
      resultBytes: 3000,
      seconds: 9,
      scratchBytes: 1000,
      impossible: [],
    });
  });

  it('does not guess the time of what was never measured', () => {
    const photos = [
      { name: 'a', estimate: estimate(2) },
      { name: 'b', estimate: estimate(undefined) },
    ];
    expect(predict(photos).seconds).toBeUndefined();
  });

  it('names what cannot work and leaves it out of the sums', () => {
    const photos = [
      { name: 'a', estimate: estimate(2) },
      { name: 'notes', estimate: estimate(undefined, 'UNREADABLE_IMAGE') },
    ];
    const { impossible, seconds, resultBytes } = predict(photos);
    expect([impossible.map(({ name }) => name), seconds, resultBytes]).toEqual([
      ['notes'],
      2,
      1000,
    ]);
  });

  it('lets a photo be started for which only the disk is too full now', () => {
    expect(obstacleOf({ name: 'a', estimate: estimate(1, 'STORAGE_FULL') })).toBeUndefined();
    expect(obstacleOf({ name: 'a', estimate: estimate(1, 'IMAGE_TOO_LARGE') })).toBeDefined();
  });
});

describe('the next versions of photos', () => {
  const begun = (versions: Parameters<typeof nextVersionsOf>[0][number]['versions']) => ({
    name: 'a',
    versions,
  });

  it('are predicted once it is known of each what it becomes', () => {
    const known = begun({ draft: {}, estimate: estimate(2) });
    expect(predict(nextVersionsOf([known, known])).seconds).toBe(4);
    expect(nextVersionsOf([known, begun({ draft: {} })])).toEqual([]);
    // The estimate is of settings that were undone.
    expect(nextVersionsOf([begun({ estimate: estimate(2) })])).toEqual([]);
  });
});
