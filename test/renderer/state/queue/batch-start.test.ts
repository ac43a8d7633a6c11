import { describe, expect, it } from 'vitest';
import { startOf } from '../../../../renderer/state/queue/batch-start.ts';

const at = (second: number) => `2026-11-26T20:00:${String(second).padStart(2, '0')}.000Z`;
const ended = (second: number, submitted = second - 1) => ({
  record: { createdAt: at(submitted), finishedAt: at(second) },
});
const active = (second?: number) => ({
  record: second === undefined ? undefined : { createdAt: at(second) },
});
const nowMs = Date.parse(at(40));

describe('the start of a batch', () => {
  it('was before the page was opened, and what has ended of it since counts', () => {
    const over = [ended(5), ended(20), ended(30)];
    const { before, agoMs } = startOf({ active: [active(12), active(11)], ended: over }, nowMs);
    expect(before).toEqual([over[0]]);
    expect(agoMs).toBe(29_000);
  });

  it('is that of what still ran when more was started', () => {
    const earlier = ended(9, 4);
    const first = ended(14, 10);
    const second = ended(16, 10);
    const last = ended(30, 10);
    const over = [last, first, earlier, second];
    const { before, agoMs } = startOf({ active: [active(20)], ended: over }, nowMs);
    expect(before).toEqual([earlier]);
    expect(agoMs).toBe(30_000);
  });

  it('is now while photos are being sent, and after an earlier batch', () => {
    const over = [ended(5), ended(20)];
    const now = { before: over, agoMs: 0 };
    expect(startOf({ active: [active(), active(11)], ended: over }, nowMs)).toEqual(now);
    expect(startOf({ active: [active(21)], ended: over }, nowMs)).toEqual(now);
  });
});
