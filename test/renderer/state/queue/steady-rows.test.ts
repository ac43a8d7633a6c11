import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  inHeldPlaces,
  SteadyRows,
  type HeldRows,
} from '../../../../renderer/state/queue/steady-rows.ts';

interface Row {
  name: string;
  versions: object;
}

const rowOf = (name: string): Row => ({ name, versions: {} });
const [first, second, third] = [rowOf('first'), rowOf('second'), rowOf('third')];

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** A list that was held as first, second, third. */
function heldList(view = 'queue') {
  let held: HeldRows<Row> | undefined;
  const steady = new SteadyRows<Row>((rows) => (held = rows));
  const present = [first, second, third];
  const rowWith = (versions: object) => present.find((row) => row.versions === versions);
  const namesOf = (listed: Row[], of = view) =>
    inHeldPlaces(listed, of, held, rowWith).map(({ name }) => name);
  steady.hold(view, present);
  return { steady, present, namesOf };
}

describe('rows under the pointer', () => {
  it('keep their places when the order changes, and when the list leaves them out', () => {
    const { namesOf } = heldList();
    expect(namesOf([third, first, second])).toEqual(['first', 'second', 'third']);
    expect(namesOf([third])).toEqual(['first', 'second', 'third']);
  });

  it('have new ones after them, and go once the photo is gone', () => {
    const { present, namesOf } = heldList();
    present.splice(1, 1);
    expect(namesOf([rowOf('new'), third, first])).toEqual(['first', 'third', 'new']);
  });

  it('move at once for another list or order, when the pointer leaves, and for a key', () => {
    const { steady, present, namesOf } = heldList();
    const reversed = [third, second, first];
    expect(namesOf(reversed, 'name')).toEqual(['third', 'second', 'first']);
    steady.leave();
    expect(namesOf(reversed)).toEqual(['third', 'second', 'first']);
    steady.hold('queue', present);
    steady.release();
    expect(namesOf(reversed)).toEqual(['third', 'second', 'first']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('move once the pointer has rested', () => {
    const { steady, present, namesOf } = heldList();
    const reversed = [third, second, first];
    vi.advanceTimersByTime(2000);
    steady.hold('queue', present);
    vi.advanceTimersByTime(2900);
    expect(namesOf(reversed)).toEqual(['first', 'second', 'third']);
    vi.advanceTimersByTime(200);
    expect(namesOf(reversed)).toEqual(['third', 'second', 'first']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('come back for a press that follows a move under the resting pointer at once', () => {
    const { steady, present, namesOf } = heldList();
    const reversed = [third, second, first];
    const rest = () => {
      steady.hold('queue', present);
      steady.note('queue', present);
      vi.advanceTimersByTime(3100);
    };
    rest();
    steady.note('queue', reversed);
    vi.advanceTimersByTime(400);
    expect(steady.press('queue')).toBe(true);
    expect(namesOf(reversed)).toEqual(['first', 'second', 'third']);
    steady.note('queue', present);
    expect(steady.press('queue')).toBe(false);

    rest();
    steady.note('queue', reversed);
    vi.advanceTimersByTime(600);
    expect(steady.press('queue')).toBe(false);
  });

  it('do not come back where others came behind them, or a person moved them or chose a list', () => {
    const { steady, present } = heldList();
    const reversed = [third, second, first];
    vi.advanceTimersByTime(3100);
    steady.note('queue', present);
    steady.note('queue', [...present, rowOf('new')]);
    expect(steady.press('queue')).toBe(false);
    steady.release();
    steady.note('queue', reversed);
    expect(steady.press('queue')).toBe(false);
    steady.note('name', present);
    expect(steady.press('name')).toBe(false);
  });

  it('come back, too, where the pointer came and went before, and had rested', () => {
    const { steady, present, namesOf } = heldList();
    steady.note('queue', present);
    vi.advanceTimersByTime(3100);
    steady.leave();
    steady.note('queue', [third, second, first]);
    expect(steady.press('queue')).toBe(true);
    expect(namesOf([third, second, first])).toEqual(['first', 'second', 'third']);
  });

  it('stay for as long as their menu is open', () => {
    const { steady, namesOf } = heldList();
    const reversed = [third, second, first];
    steady.hasMenu = true;
    steady.leave();
    vi.advanceTimersByTime(60_000);
    expect(namesOf(reversed)).toEqual(['first', 'second', 'third']);
    steady.hasMenu = false;
    vi.advanceTimersByTime(3000);
    expect(namesOf(reversed)).toEqual(['third', 'second', 'first']);
  });
});
