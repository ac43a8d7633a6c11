import { describe, expect, it } from 'vitest';
import { createAwakeClock } from '../../../electron/engine/host/awake-clock.ts';
import { checkHealth, type EngineSnapshot } from '../../../electron/engine/host/watchdog.ts';

const limits = { startMs: 1000, heartbeatMs: 500, cancelMs: 200, memoryBytes: 1e9 };
const well: EngineSnapshot = {
  ready: true,
  startedAtMs: 0,
  lastMessageAtMs: 5000,
  jobs: [],
  deadlinesMs: [],
  memoryBytes: 1e6,
};
const job = { jobId: 'a', lastMessageAtMs: 5000, stallLimitMs: 300, cancelledAtMs: undefined };

describe('judge', () => {
  it('lets an engine live that says what it should', () => {
    expect(checkHealth({ ...well, jobs: [job] }, 5300, limits)).toBeUndefined();
  });

  it('blames only the job that was silent for too long', () => {
    const jobs = [job, { ...job, jobId: 'b', stallLimitMs: Infinity }];
    const verdict = checkHealth({ ...well, jobs }, 5301, limits);
    expect(verdict?.reason).toBe('hang');
    expect(['a', 'b'].map((id) => verdict?.blames(id))).toEqual([true, false]);
  });

  it('blames all when the whole engine is silent, and waits for its start', () => {
    expect(checkHealth(well, 5501, limits)?.blames('a')).toBe(true);
    expect(checkHealth({ ...well, ready: false }, 999, limits)).toBeUndefined();
    expect(checkHealth({ ...well, ready: false }, 1001, limits)?.reason).toBe('hang');
  });

  it('blames nobody for a cancelled job or a question without answer', () => {
    const cancelled = [{ ...job, stallLimitMs: Infinity, cancelledAtMs: 5000 }];
    expect(checkHealth({ ...well, jobs: cancelled }, 5201, limits)?.blames('a')).toBe(false);
    expect(checkHealth({ ...well, deadlinesMs: [5100] }, 5101, limits)?.blames('a')).toBe(false);
  });

  it('ends an engine over its memory', () => {
    expect(checkHealth({ ...well, memoryBytes: 2e9 }, 5000, limits)?.reason).toBe('memory');
    expect(checkHealth({ ...well, memoryBytes: undefined }, 5000, limits)).toBeUndefined();
  });
});

describe('the awake clock', () => {
  it('does not count the time in which the host itself slept', () => {
    let now = 0;
    const clock = createAwakeClock(250, () => now);
    now = 250;
    clock.tick();
    now += 3_600_000;
    clock.tick();
    expect(clock.nowMs()).toBe(750);
  });
});
