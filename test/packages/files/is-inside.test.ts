import { describe, expect, it } from 'vitest';
import { posix, win32 } from 'node:path';
import { isInside } from '../../../packages/files/src/is-inside.ts';

describe('a path inside a folder', () => {
  it('is told apart from one that only begins alike, on each system', () => {
    expect(isInside('/a/b', '/a', posix)).toBe(true);
    expect(isInside('/a', '/a', posix)).toBe(true);
    expect(isInside('/ab', '/a', posix)).toBe(false);
    expect(isInside('/a/..b', '/a', posix)).toBe(true);
    expect(isInside('C:\\Photos\\a.jpg', 'c:\\photos', win32)).toBe(true);
    expect(isInside('D:\\Photos\\a.jpg', 'C:\\Photos', win32)).toBe(false);
    expect(isInside('\\\\server\\share\\a.jpg', 'C:\\', win32)).toBe(false);
  });
});
