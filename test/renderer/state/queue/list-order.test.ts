import { describe, expect, it } from 'vitest';
import {
  addInOrder,
  restoreRows,
  byRunOrder,
  inOrder,
  movedBefore,
  placesOf,
  stepTarget,
  unlisted,
  withoutTasks,
  type ListEntry,
} from '../../../../renderer/state/queue/list-order.ts';
import type { Phase } from '../../../../renderer/state/photo/photo.svelte.ts';

const entry = (name: string, phase: Phase, addedAtMs: number, finishedAt?: string): ListEntry => ({
  name,
  phase,
  addedAtMs,
  isActive: ['PENDING', 'uploading', 'PROCESSING'].includes(phase),
  isEnded: ['FINISHED', 'FAILED'].includes(phase),
  ...(finishedAt !== undefined && { record: { finishedAt } }),
});
const names = (photos: readonly ListEntry[]) => photos.map(({ name }) => name);

describe('the order of the list', () => {
  const first = entry('img_10.jpg', 'FINISHED', 1, '2026-01-01T00:00:02Z');
  const second = entry('img_2.jpg', 'PROCESSING', 2);
  const third = entry('B.jpg', 'PENDING', 3);
  const fourth = entry('a.jpg', 'PENDING', 4);
  const fifth = entry('c.jpg', 'FAILED', 5, '2026-01-01T00:00:01Z');
  const sixth = entry('d.jpg', 'ready', 6);
  /** As the queue has them: the fourth was moved before the third. */
  const photos = [fifth, first, second, fourth, third, sixth];

  it('goes by the clock of the camera, and has what does not tell it last', () => {
    const at = (name: string, capturedAt?: string) => ({ ...entry(name, 'ready', 1), capturedAt });
    const early = at('z.jpg', '2024-05-03T12:11:10.05');
    const late = at('a.jpg', '2024-05-03T12:11:10.5');
    const untold = at('b.jpg');
    expect(names(inOrder([untold, late, early], 'captured'))).toEqual(['z.jpg', 'a.jpg', 'b.jpg']);
  });

  it('leaves rows where they were dropped, whatever the queue does', () => {
    const listed = names([first, second, third, fourth, fifth, sixth]);
    expect(names(inOrder(photos, 'added'))).toEqual(listed);
    // Tried again, it is the queue's last.
    const again = { ...first, phase: 'PENDING' as const, isActive: true, isEnded: false };
    expect(names(inOrder([fifth, second, fourth, third, again, sixth], 'added'))).toEqual(listed);
  });

  it('leaves a row that was moved where it was put, while it runs and once it is done', () => {
    const waiting = [1, 2, 3].map((at) => entry(`${at}.jpg`, 'PENDING', at));
    const moved = { ...entry('moved.jpg', 'PENDING', 5) };
    addInOrder([moved, ...waiting]);
    const ended = [entry('0.jpg', 'FINISHED', 0), entry('4.jpg', 'FAILED', 4)];
    for (const phase of ['PENDING', 'PROCESSING', 'FINISHED'] as const) {
      const listed = names(inOrder([...ended, ...waiting, { ...moved, phase }], 'added'));
      expect(listed).toEqual(['0.jpg', 'moved.jpg', '1.jpg', '2.jpg', '4.jpg', '3.jpg']);
    }
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

  it('lists the latest that ended first, whichever began first, and what is awaited before what waits', () => {
    const slow = entry('slow.jpg', 'FINISHED', 1, '2026-01-01T00:00:09Z');
    const quick = entry('quick.jpg', 'FINISHED', 2, '2026-01-01T00:00:03Z');
    const awaited = { ...entry('awaited.jpg', 'PENDING', 3), record: { priority: 10 } };
    expect(names(inOrder([slow, quick, third, awaited], 'queue'))).toEqual(
      names([awaited, third, slow, quick]),
    );
  });

  it('loses none', () => {
    for (const order of ['added', 'name', 'done', 'queue'] as const)
      expect(new Set(inOrder(photos, order))).toEqual(new Set(photos));
  });
});

const row = (id: string, phase = 'PENDING') => ({ id, phase });
const running = row('running', 'PROCESSING');
const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id) => row(id)) as [Row, Row, Row, Row];
type Row = ReturnType<typeof row>;
const rows = [running, a, b, c, d, row('later', 'ready')];
const idsOf = (list: readonly Row[]) => list.map(({ id }) => id).join(' ');

describe('moving rows', () => {
  it('puts them before another one in their own order, or at the end', () => {
    expect(idsOf(movedBefore([a, b, c, d], [d, b], a))).toBe('b d a c');
    expect(idsOf(movedBefore([a, b, c, d], [a], undefined))).toBe('b c d a');
  });

  it('goes one step among those that wait too, and stops at their ends', () => {
    expect(stepTarget(rows, [b], -1)).toBe(a);
    expect(stepTarget(rows, [a], -1)).toBeUndefined();
    expect(stepTarget(rows, [b], 1)).toBe(d);
    expect(stepTarget(rows, [c], 1)).toBe('last');
    expect(stepTarget(rows, [c, d], 1)).toBeUndefined();
    expect(stepTarget(rows, [], 1)).toBeUndefined();
  });
});

describe('adding removed rows back', () => {
  it('puts each where it was, also when others came and went', () => {
    const removal = { photos: [b, d], order: [a, b, c, d] };
    const later = row('new');
    expect(idsOf(restoreRows([a, c, later], removal))).toBe('a b c new d');
    expect(idsOf(restoreRows([later], removal, [b]))).toBe('new b');
  });

  it('takes away rows that stand for the same tasks', () => {
    const own = { taskId: '1' };
    const local = { taskId: undefined };
    expect(withoutTasks([{ taskId: '1' }, local], [own])).toEqual([local]);
  });
});

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();

describe('the order of tasks', () => {
  it('puts what ended first by its end, then what runs, then what waits by its place', () => {
    const tasks = [
      { id: 'later', status: 'PENDING', place: 10, createdAt: at(1) },
      { id: 'next', status: 'PENDING', place: 2, createdAt: at(9) },
      { id: 'running', status: 'PROCESSING', createdAt: at(8) },
      { id: 'failed', status: 'FAILED', createdAt: at(0), finishedAt: at(7) },
      { id: 'done', status: 'FINISHED', createdAt: at(5), finishedAt: at(6) },
    ] as const;
    const ids = tasks.toSorted(byRunOrder).map(({ id }) => id);
    expect(ids).toEqual(['done', 'failed', 'running', 'next', 'later']);
  });

  it('counts places among those that wait', () => {
    const photos = [
      { id: 'a', phase: 'PROCESSING' },
      { id: 'b', phase: 'PENDING' },
      { id: 'c', phase: 'uploading' },
      { id: 'd', phase: 'PENDING' },
    ] as const;
    expect([...placesOf(photos)]).toEqual([
      ['b', 1],
      ['d', 2],
    ]);
  });

  it('counts first what a person waits for, though it came last', () => {
    const waiting = { phase: 'PENDING', record: { priority: 0 } } as const;
    const awaited = { phase: 'PENDING', record: { priority: 10 } } as const;
    const photos = [
      { id: 'a', ...waiting },
      { id: 'b', ...waiting },
      { id: 'touched', ...awaited },
    ];
    expect(Object.fromEntries(placesOf(photos))).toEqual({ touched: 1, a: 2, b: 3 });
  });
});

describe('a listing of all tasks', () => {
  it('leaves a row whose task came while it was listed, and no row of a task that was removed', () => {
    const rows = ['listed', 'removed', 'begun meanwhile', undefined].map((taskId) => ({ taskId }));
    const left = unlisted(rows, new Set(['listed']), new Set(['listed', 'removed']), new Set());
    expect(left.map(({ taskId }) => taskId)).toEqual(['begun meanwhile', undefined]);
  });

  it('leaves a row that was removed and taken back while it was listed', () => {
    const rows = [{ taskId: 'taken back' }];
    const [listed, before] = [new Set<string>(), new Set(['taken back'])];
    expect(unlisted(rows, listed, before, new Set(['taken back']))).toEqual(rows);
  });
});
