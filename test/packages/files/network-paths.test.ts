import { win32 } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mayBeAsked } from '../../../packages/files/src/granted.ts';

const granted = ['C:\\Users\\ada\\Pictures', '\\\\nas\\photos'];
const may = (wanted: string) => mayBeAsked(wanted, granted, win32);

describe('a network path of Windows', () => {
  it('is asked for inside what was granted', () => {
    for (const wanted of [
      '\\\\nas\\photos\\a.jpg',
      '//nas/photos/2026/a.jpg',
      '\\\\NAS\\Photos\\a.jpg',
    ])
      expect(may(wanted), wanted).toBe(true);
    expect(may('C:\\Users\\ada\\Pictures\\a.jpg')).toBe(true);
  });

  it('is not asked for elsewhere, because the system would log in there', () => {
    const refused = [
      '\\\\evil\\share\\a.jpg',
      '//evil/share/a.jpg',
      '\\\\nas\\private\\a.jpg',
      '//nas/other/../photos-too/a.jpg',
      '\\\\nas\\photos-of-others\\a.jpg',
      '\\\\?\\C:\\Users\\ada\\Pictures\\a.jpg',
      '\\\\.\\pipe\\a',
      '\\\\?\\UNC\\evil\\share\\a.jpg',
    ];
    for (const wanted of refused) expect(may(wanted), wanted).toBe(false);
  });
});
