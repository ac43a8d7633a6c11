import { describe, expect, it } from 'vitest';
import {
  batchPercent,
  picturesPerMinute,
  secondsLeft,
  type Paced,
} from '../../renderer/state/pace.ts';

const running = (etaSeconds?: number): Paced => ({ phase: 'PROCESSING', etaSeconds });
const waiting: Paced = { phase: 'PENDING' };
const finished = (networkMs: number): Paced => ({
  phase: 'FINISHED',
  record: { timings: { networkMs } },
});

describe('the time that is left', () => {
  it('is not guessed before anything was measured', () => {
    expect(secondsLeft([running(), waiting], [])).toBeUndefined();
    expect(secondsLeft([running(5), waiting], [])).toBeUndefined();
  });

  it("is the slowest running one's while none waits", () => {
    expect(secondsLeft([running(5), running(9)], [])).toBe(9);
  });

  it('counts a typical photo for each that waits', () => {
    const ended = [finished(1000), finished(2000), finished(60_000)];
    expect(secondsLeft([running(4), waiting, waiting], ended)).toBe(8);
  });
});

describe('the time of photos that were estimated', () => {
  it("counts each one's own, the record's before the page's", () => {
    const small: Paced = { phase: 'PENDING', estimate: { seconds: 2 } };
    const changed: Paced = {
      phase: 'PENDING',
      estimate: { seconds: 2 },
      record: { timings: {}, estimate: { seconds: 30 } },
    };
    expect(secondsLeft([running(4), small, changed], [])).toBe(36);
    expect(secondsLeft([running(4), small, waiting], [])).toBeUndefined();
  });
});

describe('the speed and the share of a batch', () => {
  const endedAt = (second: number): Paced => ({
    phase: 'FINISHED',
    record: { timings: {}, finishedAt: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString() },
  });

  it('counts pictures between the first and the last end', () => {
    expect(picturesPerMinute([endedAt(0), endedAt(10), endedAt(20)])).toBe(6);
    expect(picturesPerMinute([endedAt(0)])).toBeUndefined();
  });

  it('leaves out what ended in a batch long before', () => {
    expect(picturesPerMinute([endedAt(0), endedAt(3600), endedAt(3630)])).toBe(2);
  });

  it('counts running photos by their progress', () => {
    expect(batchPercent(2, [{ phase: 'PROCESSING', progress: 50 }, waiting])).toBe(62);
    expect(batchPercent(0, [])).toBe(0);
  });
});
