import { describe, expect, it } from 'vitest';
import { arrive, latestOf, type ShownMessages } from '../../../renderer/state/messages.ts';

const removal = { about: 'removal', action: { isUndo: true } };
const preset = { about: 'preset', action: { isUndo: true } };
const leftOut = { about: 'left out' };
const none: ShownMessages = { arrived: [], gone: [] };

describe('the message that is shown', () => {
  it('is the latest', () => {
    const first = arrive(none, [leftOut]);
    expect(latestOf(first)).toBe('left out');
    expect(latestOf(arrive(first, [removal, leftOut]))).toBe('removal');
  });

  it('is no older one with an undo, once the one that replaced it has gone', () => {
    const both = arrive(arrive(none, [removal]), [removal, preset]);
    expect(latestOf(both)).toBe('preset');
    expect(latestOf(arrive(both, [removal]))).toBeUndefined();
    expect(latestOf({ ...both, gone: [...both.gone, 'preset'] })).toBeUndefined();
  });

  it('is an older one that nothing undoes, which was not read yet', () => {
    const both = arrive(arrive(none, [leftOut]), [removal, leftOut]);
    expect(latestOf(arrive(both, [leftOut]))).toBe('left out');
  });

  it('is each of those that came together', () => {
    const both = arrive(none, [removal, leftOut]);
    expect(latestOf(both)).toBe('removal');
    expect(latestOf(arrive(both, [leftOut]))).toBe('left out');
  });
});
