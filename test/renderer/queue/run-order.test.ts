import { describe, expect, it } from 'vitest';
import { byRunOrder, placesOf } from '../../../renderer/state/queue/list-order.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();

describe('the order of the list', () => {
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
});
