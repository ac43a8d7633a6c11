import { describe, expect, it } from 'vitest';
import {
  isSamePart,
  isViewComing,
  placeAlike,
  placeOfOther,
  placeOfPart,
  placeOfWhole,
  plannedScale,
  resultPicture,
  showsOwnFile,
  sourcePicture,
  type PictureFacts,
} from '../../../../renderer/state/viewer/pictures.ts';

const picture = (format: string, width = 300, height = 200) => ({ format, width, height });

function finished(record: Partial<NonNullable<PictureFacts['record']>> = {}): PictureFacts {
  return {
    taskId: 'task',
    phase: 'FINISHED',
    sourceSize: undefined,
    isFileBroken: false,
    view: undefined,
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

describe('the scale of a coming result', () => {
  const choices = { operation: 'upscale', sizing: 'scale', scale: 4 } as const;
  const sourceSize = { width: 300, height: 200 };

  it('is the same before and after the start', () => {
    expect(plannedScale({ choices })).toBe(4);
    const record = { operation: 'upscale', options: { scale: 4 } } as const;
    expect(plannedScale({ choices, record })).toBe(4);
  });

  it('is that of the estimated size where a size was asked for', () => {
    const print = { ...choices, sizing: 'print' } as const;
    const estimate = { width: 1050 };
    expect(plannedScale({ choices: print, sourceSize, estimate })).toBe(3.5);
    const record = { operation: 'upscale', options: {}, estimate } as const;
    expect(plannedScale({ choices: print, sourceSize, record })).toBe(3.5);
    expect(plannedScale({ choices: print })).toBe(1);
  });

  it('is 1 for a cut-out', () => {
    expect(plannedScale({ choices: { ...choices, operation: 'remove-bg' } })).toBe(1);
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

  it('is the view from before the start until the first tiles are there', () => {
    const begun = { ...finished(), isFileBroken: true, view: 'blob:2' };
    expect(sourcePicture(begun, 'blob:1')).toEqual({ ...tiles, preview: 'blob:2' });
  });

  it('is the view of the service for a file that is too large for the browser, before it is submitted', () => {
    const ready = { phase: 'ready', taskId: undefined, isFileBroken: false } as const;
    const sized = (width: number) => ({ ...ready, sourceSize: { width, height: 10_000 } });
    const file = new File([], 'panorama.jpg');
    expect(showsOwnFile({ ...sized(10_000), file })).toBe(true);
    expect(showsOwnFile({ ...sized(10_001), file })).toBe(false);
    expect(showsOwnFile({ ...ready, sourceSize: undefined, file })).toBe(true);
    expect(showsOwnFile({ ...sized(10), file: undefined })).toBe(false);
    const view = { kind: 'whole', link: 'blob:2' };
    expect(sourcePicture({ ...sized(10_001), view: 'blob:2' }, 'blob:1')).toEqual(view);
  });

  it('is the view of the service for a file that only it can read, before it is submitted', () => {
    const sizes = { sourceSize: undefined, taskId: undefined };
    const ready = { ...sizes, phase: 'ready', isFileBroken: true, view: undefined } as const;
    expect(sourcePicture(ready, 'blob:1')).toBeUndefined();
    const view = { kind: 'whole', link: 'blob:2' };
    expect(sourcePicture({ ...ready, view: 'blob:2' }, 'blob:1')).toEqual(view);
    expect(sourcePicture({ ...ready, view: 'blob:2' }, undefined)).toEqual(view);
  });
});

describe('a view of the service', () => {
  const unknown = { taskId: undefined, file: undefined, sourceSize: undefined };
  const ready = { ...unknown, isFileBroken: false, isViewless: false };

  it('is still to come of a photo that this page cannot show, until none was made', () => {
    const file = new File(['photo'], 'a.jpg');
    expect(isViewComing(ready)).toBe(true);
    expect(isViewComing({ ...ready, file, isFileBroken: true })).toBe(true);
    expect(isViewComing({ ...ready, isViewless: true })).toBe(false);
    expect(isViewComing({ ...ready, file })).toBe(false);
    // A file that is too large to be shown whole.
    const sourceSize = { width: 20_000, height: 10_000 };
    expect(isViewComing({ ...ready, file, sourceSize })).toBe(true);
    expect(isViewComing({ ...ready, taskId: 'task' })).toBe(false);
  });
});

describe('source and result on each other', () => {
  const crop = { x: 100, y: 50, width: 100, height: 80 };

  it('are, unless it is not known where the result was cut', () => {
    expect(isSamePart(finished())).toBe(true);
    expect(isSamePart(finished({ options: { crop: 5 }, crop }))).toBe(true);
    expect(isSamePart(finished({ options: { crop: 5 } }))).toBe(false);
  });

  it('have the source stand where its part takes the place of the result', () => {
    const frame = { width: 800, height: 600 };
    const place = { frame, width: 200, height: 160, offset: { x: 10, y: -5 } };
    expect(placeOfWhole(place, crop, { width: 300, height: 200 })).toEqual({
      frame,
      width: 600,
      height: 400,
      offset: { x: 10, y: 15 },
    });
  });

  it('have the result stand where it was cut from the whole source', () => {
    const whole = { width: 300, height: 200 };
    const frame = { width: 800, height: 600 };
    const place = { frame, width: 600, height: 400, offset: { x: 10, y: 15 } };
    const part = placeOfPart(place, crop, whole);
    expect(part).toEqual({ frame, width: 200, height: 160, offset: { x: 10, y: -5 } });
    expect(placeOfWhole(part, crop, whole)).toEqual(place);
  });

  it('puts a version with another part of the photo where that part lies', () => {
    const whole = { x: 0, y: 0, width: 300, height: 200 };
    const frame = { width: 800, height: 600 };
    const place = { frame, width: 300, height: 200, offset: { x: 10, y: 15 } };
    const canvas = { x: -100, y: -150, width: 600, height: 600 };
    const beside = placeOfOther(place, whole, canvas);
    expect(beside).toEqual({ frame, width: 600, height: 600, offset: { x: 60, y: 65 } });
    expect(placeOfOther(beside, canvas, whole)).toEqual(place);
  });

  it('has beside another of its size the same spot in the middle, and its size on the screen', () => {
    const first = { x: 100, y: 50, width: 200, height: 200 };
    const touchedUp = { x: 130, y: 50, width: 220, height: 220 };
    const frame = { width: 300, height: 300 };
    const zoomed = { frame, width: 400, height: 400, offset: { x: 80, y: -40 } };
    const beside = placeAlike(zoomed, first, touchedUp, first);
    expect(beside).toMatchObject({ width: 400, height: 400 });
    const middle = ({ offset: { x, y } }: typeof zoomed, part: typeof first, side: number) => [
      part.x + side / 2 - (x * side) / 400,
      part.y + side / 2 - (y * side) / 400,
    ];
    expect(middle(zoomed, first, 200)).toEqual([160, 170]);
    expect(middle(beside, touchedUp, 220)).toEqual([160, 170]);
    expect(placeAlike(zoomed, first, first, first)).toEqual(zoomed);
  });
});
