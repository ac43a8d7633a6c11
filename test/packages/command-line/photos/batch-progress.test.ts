/** How far a batch is and how long it takes, by the work of its pictures. */
import { describe, expect, it } from 'vitest';
import { createBatchProgress } from '../../../../packages/command-line/src/photos/batch-progress.ts';
import type { Picture } from '../../../../packages/command-line/src/photos/inputs.ts';
import { sentenceOf } from '../../../../packages/command-line/src/photos/report.ts';
import type { Estimate, TaskRecord } from '../../../../packages/contract/src/task.ts';

const picture = (file: string, sizeBytes: number): Picture => ({
  ...{ file, shown: file, folder: '', sizeBytes },
});
const estimate = (seconds: number): Estimate => ({
  ...{ width: 100 * seconds, height: 100, format: 'jpeg', fileSizeBytes: 1, scratchBytes: 1 },
  seconds,
});
const finished = (seconds: number, from = 0) => ({
  status: 'finished' as const,
  taskId: 'a',
  output: '/a',
  record: {
    estimate: estimate(seconds),
    startedAt: new Date(1e12 + 1000 * from).toISOString(),
    finishedAt: new Date(1e12 + 1000 * (from + seconds)).toISOString(),
    timings: { networkMs: 1000 * seconds, totalMs: 1000 * seconds },
    notes: [] as string[],
  } as TaskRecord,
});

describe('the progress of a batch', () => {
  it('weighs a RAW file by its estimate, not by its bytes or as one of three', () => {
    const [raw, a, b] = [picture('r.nef', 10), picture('a.jpg', 10), picture('b.jpg', 10)];
    const progress = createBatchProgress([raw, a, b]);
    progress.estimated(raw, estimate(90));
    for (const one of [a, b]) progress.estimated(one, estimate(5));
    progress.ended(a, finished(5));
    progress.ended(b, finished(5, 5));
    expect(progress.share()).toBeCloseTo(0.1);
    expect(progress.secondsLeft()).toBeCloseTo(90);
    progress.changed(raw, { status: 'PROCESSING', progress: 50 });
    expect(progress.share()).toBeCloseTo(0.55);
  });

  it('leads the time left from one prediction to the next, where both are of the same pictures', () => {
    const [a, b, c] = [picture('a.jpg', 10), picture('b.jpg', 10), picture('c.jpg', 10)];
    const progress = createBatchProgress([a, b, c]);
    for (const one of [a, b, c]) progress.estimated(one, estimate(100));
    expect(progress.secondsLeft(0)).toBeCloseTo(300);
    progress.ended(a, finished(100));
    progress.ended(b, finished(100, 100));
    expect(progress.secondsLeft(0)).toBeCloseTo(300);
    expect(progress.secondsLeft(50_000)).toBeCloseTo(50, -1);
    progress.ended(c, { status: 'skipped', output: '/c' });
    expect(progress.secondsLeft(121_000)).toBeUndefined();
  });

  it('weighs a picture that was not looked at yet as others of its ending, by bytes', () => {
    const [a, raw, later] = [picture('a.jpg', 10), picture('r.nef', 10), picture('s.nef', 20)];
    const progress = createBatchProgress([a, raw, later]);
    progress.estimated(a, estimate(10));
    progress.estimated(raw, estimate(30));
    progress.ended(a, finished(10));
    expect(progress.share()).toBeCloseTo(0.1);
  });

  it('counts skipped and failed pictures on neither side', () => {
    const [a, b, c] = [picture('a', 1), picture('b', 1), picture('c', 1)];
    const progress = createBatchProgress([a, b, c]);
    progress.ended(a, { status: 'skipped', output: '/a' });
    progress.ended(b, { status: 'failed', code: 'FAILED', message: 'no' });
    expect(progress.share()).toBe(0);
    progress.ended(c, finished(3));
    expect(progress.share()).toBe(1);
  });
});

it("a picture's seconds are its own, without the wait for the one before it", () => {
  const outcome = finished(5);
  outcome.record.timings = { totalMs: 65_000, waitMs: 60_000 };
  expect(sentenceOf({ shown: 'a' }, outcome)).toContain('5 s');
});
