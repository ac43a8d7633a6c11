import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Mark } from '../../../../electron/contract/task.ts';
import type { Photo } from '../../../../renderer/state/photo/photo.svelte.ts';
import { Review } from '../../../../renderer/state/review/review.svelte.ts';

type Queue = ConstructorParameters<typeof Review>[0];

// Svelte compiles its runes away, and no component looks at this state.
beforeEach(() => void vi.stubGlobal('$state', { raw: (value: unknown) => value }));
afterEach(() => void vi.unstubAllGlobals());

it('undoes the latest hundred marks, and keeps no more', async () => {
  const photo = { phase: 'FINISHED', taskId: 'task', record: {} } as { record: { mark?: Mark } };
  const queue = {
    ...{ selected: photo, selection: [photo], shown: [photo], chosen: {}, judgements: [] },
    ...{ select: () => undefined, keepListed: () => undefined },
    versionsOf: () => [photo],
    takeRecord: (_: Photo, record: { mark?: Mark }) => (photo.record = record),
  } as unknown as Queue;
  const client = {
    mark: (_: string, { mark }: { mark: Mark | null }) => Promise.resolve(mark ? { mark } : {}),
  };
  const review = new Review(queue, client as never, () => undefined);
  for (let turn = 0; turn < 120; turn += 1) await review.judge('rejected');
  expect(queue.judgements).toHaveLength(100);
  expect(queue.judgements.at(-1)?.isTaken).toBe(true);
  queue.judgements.at(-1)?.undo();
  await vi.waitFor(() => expect(photo.record.mark).toBe('rejected'));
  expect(queue.judgements).toHaveLength(99);
});
