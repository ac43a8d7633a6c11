import { describe, expect, it } from 'vitest';
import {
  asBatch,
  extendTo,
  focusListed,
  focusOn,
  nothing,
  passOver,
  selectAll,
  selectOnly,
  toggle,
  without,
} from '../../../../renderer/state/queue/selection.ts';

const shown = ['a', 'b', 'c', 'd', 'e'];
const idsOf = ({ ids }: { ids: ReadonlySet<string> }) => [...ids];

describe('choosing rows', () => {
  it('extends from where it began, to both sides', () => {
    const from = selectOnly('c');
    expect(idsOf(extendTo(from, shown, 'e'))).toEqual(['c', 'd', 'e']);
    expect(idsOf(extendTo(extendTo(from, shown, 'e'), shown, 'a'))).toEqual(['a', 'b', 'c']);
  });

  it('takes rows in and out one by one', () => {
    const both = toggle(selectOnly('a'), 'd');
    expect(idsOf(both)).toEqual(['a', 'd']);
    expect(idsOf(toggle(both, 'a'))).toEqual(['d']);
    expect(both.focusId).toBe('d');
  });

  it('begins anew where the anchor is not in the list', () => {
    expect(idsOf(extendTo(selectOnly('gone'), shown, 'b'))).toEqual(['b']);
    expect(idsOf(extendTo(nothing, shown, 'b'))).toEqual(['b']);
  });

  it('goes to the neighbour of a row that is removed', () => {
    expect(without(selectOnly('c'), shown, ['c']).focusId).toBe('d');
    expect(without(selectOnly('e'), shown, ['e']).focusId).toBe('d');
    expect(without(selectAll(shown), shown, shown)).toEqual(nothing);
  });

  it('goes to what a search lists: a chosen row, else the first one', () => {
    const all = focusListed(selectAll(shown), ['d']);
    expect(all.focusId).toBe('d');
    expect(idsOf(all)).toEqual(shown);
    expect(idsOf(focusListed(selectOnly('a'), ['d', 'e']))).toEqual(['d']);
    expect(focusListed(selectOnly('a'), []).focusId).toBe('a');
    expect(focusListed(nothing, shown)).toEqual(nothing);
  });

  it('keeps several that a search does not list, adds to them, and chooses them again', () => {
    const several = toggle(selectOnly('a'), 'b');
    const found = focusListed(focusListed(several, ['c', 'd']), ['d']);
    expect([found.focusId, idsOf(found)]).toEqual(['d', ['d']]);
    expect(idsOf(toggle(found, 'd'))).toEqual(['a', 'b', 'd']);
    expect(focusListed(found, shown)).toEqual(several);
    expect(focusListed(selectOnly('d'), shown)).toEqual(selectOnly('d'));
  });

  it('stays with what a search found where a batch was chosen before', () => {
    const found = focusListed(asBatch(selectAll(['a', 'b'])), ['d']);
    expect(idsOf(focusListed(found, shown))).toEqual(['d']);
  });

  it('is a batch until other rows are chosen', () => {
    const batch = asBatch(selectAll(['a', 'b', 'c']));
    const kept = [
      focusListed(batch, ['b']),
      without(batch, shown, ['c']),
      without(batch, shown, ['a']),
    ];
    expect(kept.map(({ isBatch }) => isBatch)).toEqual([true, true, true]);
    const others = [toggle(batch, 'a'), extendTo(batch, shown, 'd'), selectAll(shown)];
    expect(others.map(({ isBatch }) => isBatch)).toEqual([undefined, undefined, undefined]);
  });

  it('shows the first photo of a batch that has a picture, until a person chose one', () => {
    const batch = asBatch(selectAll(['a', 'b', 'c']));
    const passed = passOver(batch, ['a', 'b']);
    expect([passed.focusId, idsOf(passed)]).toEqual(['c', ['a', 'b', 'c']]);
    expect(passOver(passOver(batch, ['a']), ['a', 'b']).focusId).toBe('c');
    expect(passOver(batch, ['b']).focusId).toBe('a');
    expect(passOver(batch, ['a', 'b', 'c']).focusId).toBe('a');
    const chosen = [focusOn(batch, 'b'), selectOnly('b'), selectAll(['b', 'c'])];
    expect(chosen.map((selection) => passOver(selection, ['b']).focusId)).toEqual(['b', 'b', 'b']);
  });

  it('keeps the others chosen when one of them is removed', () => {
    const left = without(selectAll(['a', 'b', 'c']), shown, ['a']);
    expect(idsOf(left)).toEqual(['b', 'c']);
    expect(left.focusId).toBe('b');
  });
});
