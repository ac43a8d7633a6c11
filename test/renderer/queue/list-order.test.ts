import { describe, expect, it } from 'vitest';
import { inOrder, type ListEntry } from '../../../renderer/state/queue/list-order.ts';
import type { Phase } from '../../../renderer/state/photo/photo.svelte.ts';

const photo = (name: string, phase: Phase, addedAtMs: number, finishedAt?: string): ListEntry => ({
  name,
  phase,
  addedAtMs,
  isActive: ['PENDING', 'uploading', 'PROCESSING'].includes(phase),
  isEnded: ['FINISHED', 'FAILED'].includes(phase),
  ...(finishedAt !== undefined && { record: { finishedAt } }),
});
const names = (photos: readonly ListEntry[]) => photos.map(({ name }) => name);

describe('the order of the list', () => {
  const first = photo('img_10.jpg', 'FINISHED', 1, '2026-01-01T00:00:02Z');
  const second = photo('img_2.jpg', 'PROCESSING', 2);
  const third = photo('B.jpg', 'PENDING', 3);
  const fourth = photo('a.jpg', 'PENDING', 4);
  const fifth = photo('c.jpg', 'FAILED', 5, '2026-01-01T00:00:01Z');
  const sixth = photo('d.jpg', 'ready', 6);
  /** As the queue has them: the fourth was moved before the third. */
  const photos = [fifth, first, second, fourth, third, sixth];

  it('goes by the clock of the camera, and has what does not tell it last', () => {
    const at = (name: string, capturedAt?: string) => ({ ...photo(name, 'ready', 1), capturedAt });
    const early = at('z.jpg', '2024-05-03T12:11:10.05');
    const late = at('a.jpg', '2024-05-03T12:11:10.5');
    const untold = at('b.jpg');
    expect(names(inOrder([untold, late, early], 'captured'))).toEqual(['z.jpg', 'a.jpg', 'b.jpg']);
  });

  it('leaves rows where they were dropped, but for those that were moved in the queue', () => {
    expect(names(inOrder(photos, 'added'))).toEqual(
      names([first, second, fourth, third, fifth, sixth]),
    );
  });

  it('goes by names as people count', () => {
    expect(names(inOrder(photos, 'name'))).toEqual(
      names([fourth, third, fifth, sixth, second, first]),
    );
  });

  it('has what is done first, or what runs', () => {
    expect(names(inOrder(photos, 'done')).slice(0, 2)).toEqual(names([fifth, first]));
    expect(names(inOrder(photos, 'queue'))).toEqual(
      names([second, fourth, third, sixth, first, fifth]),
    );
  });

  it('loses none', () => {
    for (const order of ['added', 'name', 'done', 'queue'] as const)
      expect(new Set(inOrder(photos, order))).toEqual(new Set(photos));
  });
});
