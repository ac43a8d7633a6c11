import { describe, expect, it } from 'vitest';
import { commonDestination } from '../../../../renderer/state/options/destination.ts';

const upload = { source: { imageUrl: 'http://127.0.0.1/api/uploads/1' } };
const onDisk = { source: { imageUrl: 'file:///photos/a.jpg' } };
const sent = { record: { source: { kind: 'upload' } } };

describe('the destination of several photos', () => {
  it('is what they have in common', () => {
    const both = [upload, onDisk].map((photo) => ({ saveTo: '/out', photo }));
    expect(commonDestination(both)).toBe('/out');
    expect(commonDestination([])).toBeUndefined();
  });

  it('is one for those that were submitted and those that are still sent, of which none has a folder', () => {
    const all = [
      { saveTo: '', photo: sent },
      { saveTo: '.', photo: upload },
    ];
    expect(commonDestination(all)).toBe('');
    expect(commonDestination(all.toReversed())).toBe('');
  });

  it('is none where results go to several places', () => {
    expect(
      commonDestination([
        { saveTo: '', photo: sent },
        { saveTo: '.', photo: onDisk },
      ]),
    ).toBeUndefined();
  });
});
