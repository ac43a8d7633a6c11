import { describe, expect, it } from 'vitest';
import {
  broughtBack,
  movedBefore,
  stepTarget,
  withoutTasks,
} from '../../../renderer/state/queue/list-order.ts';

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

describe('bringing removed rows back', () => {
  it('puts each where it was, also when others came and went', () => {
    const removal = { photos: [b, d], order: [a, b, c, d] };
    const later = row('new');
    expect(idsOf(broughtBack([a, c, later], removal))).toBe('a b c new d');
    expect(idsOf(broughtBack([later], removal, [b]))).toBe('new b');
  });

  it('takes away rows that stand for the same tasks', () => {
    const own = { taskId: '1' };
    const local = { taskId: undefined };
    expect(withoutTasks([{ taskId: '1' }, local], [own])).toEqual([local]);
  });
});
