import { describe, expect, it } from 'vitest';
import { isPictureName } from '../../../packages/contract/src/formats.ts';
import {
  assertNoLoop,
  isExcluded,
  pathInside,
} from '../../../electron/service/watches/watch-rules.ts';

const watch = (folder: string, saveTo: string, recursive = true) => ({ folder, saveTo, recursive });
const refused = expect.objectContaining({ code: 'INVALID_REQUEST' }) as Error;

describe('what a watch takes', () => {
  it('is pictures by their names, and no hidden files', () => {
    for (const name of ['a.jpg', 'B.JPEG', 'c.tif', 'd.CR3', 'e.heic', 'f.jxl'])
      expect([name, isPictureName(name)]).toEqual([name, true]);
    for (const name of ['a.txt', 'jpg', '._a.jpg', '.enlarger-1.part', 'a.xmp', 'b.jpg.part'])
      expect([name, isPictureName(name)]).toEqual([name, false]);
  });

  it('is not its own results', () => {
    const places = watch('/in', '/in/done');
    expect(isExcluded('/in/done/a.jpg', places)).toBe(true);
    expect(isExcluded('/in/done2/a.jpg', places)).toBe(false);
    expect(isExcluded('/in/a.jpg', watch('/in', '/out'))).toBe(false);
    expect(pathInside('/in', '/in/day/a.jpg')).toBe('day/a.jpg');
  });
});

describe('a loop', () => {
  it('of one watch is refused', () => {
    for (const one of [watch('/in', '/in'), watch('/in', '/in', false), watch('/a/b', '/a')])
      expect(() => assertNoLoop(one, [])).toThrow(refused);
    for (const one of [watch('/in', '/in/done'), watch('/in', '/out'), watch('/a/b', '/a', false)])
      expect(() => assertNoLoop(one, [])).not.toThrow();
  });

  it('by way of others is refused, and a chain is not', () => {
    const [first, second] = [watch('/a', '/b'), watch('/b', '/c')];
    expect(() => assertNoLoop(second, [first])).not.toThrow();
    expect(() => assertNoLoop(watch('/c', '/a'), [first, second])).toThrow(refused);
    expect(() => assertNoLoop(watch('/c', '/d'), [first, second])).not.toThrow();
    expect(() => assertNoLoop(watch('/c', '/a/deep', true), [first, second])).toThrow(refused);
  });
});
