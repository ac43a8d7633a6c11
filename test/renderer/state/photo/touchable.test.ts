import { describe, expect, it } from 'vitest';
import {
  sourceAgain,
  touchUpObstacle,
  type Touchable,
} from '../../../../renderer/state/photo/touchable.ts';

const file = new File(['…'], 'box.png');
const upload = { imageUrl: 'http://upload', uploadedAtMs: 1 };
const onDisk = { imageUrl: 'file:///photos/box.png' };
const done: Touchable = {
  name: 'box.png',
  phase: 'FINISHED',
  file,
  source: upload,
  choices: { operation: 'remove-bg' },
};

describe('touching up', () => {
  it('is for cut-outs and enlargements that are done', () => {
    expect(touchUpObstacle(done)).toBeUndefined();
    expect(touchUpObstacle(undefined)).toBe('nothing-done');
    const enlarged = { ...done, choices: { operation: 'upscale' } as const };
    expect(touchUpObstacle(enlarged)).toBeUndefined();
    expect(touchUpObstacle({ ...enlarged, phase: 'PROCESSING' })).toBe('nothing-done');
    expect(touchUpObstacle({ ...done, record: { operation: 'convert' } })).toBe('nothing-done');
    for (const phase of ['ready', 'uploading', 'PENDING', 'PROCESSING'] as const)
      expect(touchUpObstacle({ ...done, phase })).toBe('nothing-done');
  });

  it('is for cut-outs too that found no subject, and for no other failure', () => {
    const failed = { ...done, phase: 'FAILED' } as const;
    expect(touchUpObstacle({ ...failed, problem: { code: 'NO_SUBJECT' } })).toBeUndefined();
    expect(touchUpObstacle({ ...failed, problem: { code: 'STORAGE_FULL' } })).toBe('nothing-done');
    expect(
      touchUpObstacle({
        ...failed,
        problem: { code: 'NO_SUBJECT' },
        choices: { operation: 'upscale' },
      }),
    ).toBe('nothing-done');
  });

  it("needs a source that is kept, the page's own file or one on the disk", () => {
    expect(touchUpObstacle({ ...done, file: undefined })).toBe('touchUpNoFile');
    expect(touchUpObstacle({ ...done, file: undefined, source: onDisk })).toBeUndefined();
    const record = (kept: boolean) => ({ operation: 'remove-bg' as const, source: { kept } });
    expect(touchUpObstacle({ ...done, file: undefined, record: record(true) })).toBeUndefined();
    expect(touchUpObstacle({ ...done, file: undefined, record: record(false) })).toBe(
      'touchUpNoFile',
    );
    expect(sourceAgain(done)).toEqual({ name: 'box.png', file });
    expect(sourceAgain({ ...done, source: onDisk })).toEqual({
      name: 'box.png',
      file,
      ...onDisk,
    });
  });
});
