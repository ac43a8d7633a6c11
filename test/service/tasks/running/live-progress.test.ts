import { describe, expect, it } from 'vitest';
import { createLiveProgress } from '../../../../electron/service/tasks/running/live-progress.ts';

describe('live progress', () => {
  it('is an integer that never goes back, not with a second attempt either', () => {
    const live = createLiveProgress();
    const shown = [5, 40.9, 30, 101].map((percent) => {
      const isNew = live.update('a', { step: 'network', percent });
      return [isNew, live.of('a').progress];
    });
    expect(shown).toEqual([
      [true, 5],
      [true, 40],
      [false, 40],
      [true, 100],
    ]);
    live.pause('a');
    live.update('a', { step: 'decode', percent: 1 });
    expect(live.of('a').progress).toBe(100);
    live.forget('a');
    expect(live.of('a')).toEqual({ progress: 0 });
  });

  it('tells the newest estimate, and none between attempts', () => {
    const live = createLiveProgress();
    live.update('a', { step: 'network', percent: 5, etaSeconds: 9 });
    live.update('a', { step: 'network', percent: 5, etaSeconds: 8 });
    expect(live.of('a')).toEqual({ progress: 5, etaSeconds: 8 });
    live.pause('a');
    expect(live.of('a')).toEqual({ progress: 5 });
  });
});
