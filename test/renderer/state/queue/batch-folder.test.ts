import { describe, expect, it } from 'vitest';
import { batchFolder } from '../../../../renderer/state/queue/batch-folder.ts';

const kept = { record: {} };
const saved = { record: { savedTo: '/prints/sea.jpg' } };
const own = <Photo>(photo: Photo) => [photo];

describe('where the results of a batch lie', () => {
  it('is the folder where all have a version', () => {
    expect(batchFolder([saved, saved], own)).toEqual({ landed: 2, folder: '/prints' });
    expect(batchFolder([saved, kept], () => [kept, saved])).toEqual({
      landed: 2,
      folder: '/prints',
    });
  });

  it('is no folder where some are only kept, as beside those of a watched folder', () => {
    expect(batchFolder([kept, saved, kept], own)).toEqual({ landed: 1, folder: undefined });
    expect(batchFolder([kept], own)).toEqual({ landed: 0, folder: undefined });
    expect(batchFolder([], own)).toEqual({ landed: 0, folder: undefined });
  });
});
