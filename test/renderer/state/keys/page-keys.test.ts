import { describe, expect, it } from 'vitest';
import { viewerShortcuts, touchUpShortcuts } from '../../../../renderer/state/keys/stage-keys.ts';
import {
  brushShortcuts,
  pageShortcuts,
  pictureShortcuts,
  queueShortcuts,
} from '../../../../renderer/state/keys/page-keys.ts';
import { keyNames } from '../../../../renderer/text/keys.ts';

const all = [...pageShortcuts, ...queueShortcuts, ...viewerShortcuts];
const brushKeys = touchUpShortcuts.flatMap(({ keys }) => [...keys]);

describe('the shortcuts', () => {
  it('are each one combination for one thing', () => {
    const combinations = all.flatMap(({ keys }) => [...keys]);
    expect(new Set(combinations).size).toBe(combinations.length);
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  });

  it('are listed once in each group of the dialog', () => {
    for (const group of [pageShortcuts, queueShortcuts, pictureShortcuts, brushShortcuts]) {
      const combinations = group.flatMap(({ keys }) => keys.join(' '));
      expect(new Set(combinations).size).toBe(combinations.length);
    }
  });

  it('have keys for the brush that mean nothing else on the picture or the page', () => {
    const others: string[] = [...pageShortcuts, ...viewerShortcuts].flatMap(({ keys }) => [
      ...keys,
    ]);
    expect(brushKeys.filter((key) => others.includes(key))).toEqual([]);
  });

  it('are shown key by key', () => {
    expect(keyNames('Ctrl+Enter')).toEqual(['Ctrl', 'Enter']);
    expect(keyNames('+')).toEqual(['+']);
    expect(keyNames('b')).toEqual(['B']);
  });
});
