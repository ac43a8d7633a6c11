import { describe, expect, it } from 'vitest';
import {
  isSamePart,
  resultPicture,
  sourcePicture,
  type Pictured,
} from '../../renderer/state/pictures.ts';

const picture = (format: string, width = 300, height = 200) => ({ format, width, height });

function finished(record: Partial<NonNullable<Pictured['record']>> = {}): Pictured {
  return {
    taskId: 'task',
    phase: 'FINISHED',
    sourceSize: undefined,
    isFileBroken: false,
    record: {
      options: {},
      imageUrl: '/result',
      thumbUrl: '/thumb',
      sourceThumbUrl: '/source-thumb',
      input: picture('jpeg'),
      output: picture('jpeg', 600, 400),
      ...record,
    },
  };
}

describe('how a result is shown', () => {
  it('is whole in a format and of a size that the browser shows', () => {
    expect(resultPicture(finished())).toEqual({ kind: 'whole', link: '/result' });
  });

  it('comes in tiles when it is too large to decode, or of another format', () => {
    const tiles = { kind: 'tiles', side: 'result', taskId: 'task', preview: '/thumb' };
    const large = finished({ output: picture('jpeg', 8000, 5001) });
    expect(resultPicture(large)).toEqual(tiles);
    expect(resultPicture(finished({ output: picture('tiff') }))).toEqual(tiles);
  });

  it('is not there before the task has ended', () => {
    const running = { ...finished(), record: { options: {}, input: picture('jpeg') } };
    expect(resultPicture(running)).toBeUndefined();
  });
});

describe('how a source is shown', () => {
  const tiles = { kind: 'tiles', side: 'source', taskId: 'task', preview: '/source-thumb' };

  it("is this page's own file, and after a reload what the service cuts", () => {
    expect(sourcePicture(finished(), 'blob:1')).toEqual({ kind: 'whole', link: 'blob:1' });
    expect(sourcePicture(finished(), undefined)).toEqual(tiles);
  });

  it('comes from the service when the browser cannot show the file, or not so large a one', () => {
    expect(sourcePicture({ ...finished(), isFileBroken: true }, 'blob:1')).toEqual(tiles);
    const large = finished({ input: picture('jpeg', 8000, 5001) });
    expect(sourcePicture(large, 'blob:1')).toEqual(tiles);
  });

  it('is not there for a file that only the service could read, before it is submitted', () => {
    const ready = { phase: 'ready', isFileBroken: true, sourceSize: undefined, taskId: undefined };
    expect(sourcePicture({ ...ready, phase: 'ready' }, 'blob:1')).toBeUndefined();
  });
});

it('lays source and result on each other unless the result was cut', () => {
  expect(isSamePart(finished())).toBe(true);
  expect(isSamePart(finished({ options: { crop: 5 } }))).toBe(false);
});
