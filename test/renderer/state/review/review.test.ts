import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Mark } from '../../../../packages/contract/src/task.ts';
import type { Photo } from '../../../../renderer/state/photo/photo.svelte.ts';
import { Review } from '../../../../renderer/state/review/review.svelte.ts';

type Queue = ConstructorParameters<typeof Review>[0];

// Svelte compiles its runes away, and no component looks at this state.
beforeEach(() => void vi.stubGlobal('$state', { raw: (value: unknown) => value }));
afterEach(() => void vi.unstubAllGlobals());

function reviewOfOne() {
  const photo = { phase: 'FINISHED', taskId: 'task', record: {} } as { record: { mark?: Mark } };
  const queue = {
    ...{ selected: photo, selection: [photo], shown: [photo], chosen: {}, judgements: [] },
    ...{ select: () => undefined, keepListed: () => undefined },
    unacceptOthers: () => Promise.resolve(),
    versionsOf: () => [photo],
    takeRecord: (_: Photo, record: { mark?: Mark }) => (photo.record = record),
  } as unknown as Queue;
  const client = {
    mark: (_: string, { mark }: { mark: Mark | null }) => Promise.resolve(mark ? { mark } : {}),
  };
  return { photo, queue, review: new Review(queue, client as never, () => undefined) };
}

it('keeps a mark that is set once more, with nothing to undo, unless it is to be taken back', async () => {
  const { photo, queue, review } = reviewOfOne();
  await review.judge('accepted');
  await review.judge('accepted');
  expect(photo.record.mark).toBe('accepted');
  expect(queue.judgements).toHaveLength(1);
  await review.judge('rejected');
  expect(photo.record.mark).toBe('rejected');
  await review.judge('rejected', true);
  expect(photo.record.mark).toBeUndefined();
});

it('undoes the latest hundred marks, and keeps no more', async () => {
  const { photo, queue, review } = reviewOfOne();
  for (let turn = 0; turn < 120; turn += 1) await review.judge('rejected', true);
  expect(queue.judgements).toHaveLength(100);
  expect(queue.judgements.at(-1)?.isTaken).toBe(true);
  queue.judgements.at(-1)?.undo();
  await vi.waitFor(() => expect(photo.record.mark).toBe('rejected'));
  expect(queue.judgements).toHaveLength(99);
});
