import { describe, expect, it } from 'vitest';
import { secondsLeft, type Paced } from '../../renderer/state/pace.ts';

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
