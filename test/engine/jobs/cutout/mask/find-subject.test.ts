import { describe, expect, it } from 'vitest';
import {
  assertLargeEnough,
  assertSubject,
  doubtOf,
  gradeOf,
} from '../../../../../electron/engine/jobs/cutout/mask/find-subject.ts';
import { shippedTuning } from '../../../../support/networks-masks.ts';

/** 100 x 100: the first `count` pixels have the value, the others another. */
function mask(count: number, value: number, others = 0) {
  const data = new Float32Array(10_000).fill(others).fill(value, 0, count);
  return { width: 100, height: 100, data };
}

describe('a subject', () => {
  it.each([
    ['a thousandth of the picture', mask(10, 1)],
    ['most of it', mask(9900, 0.95)],
    ['a soft one', mask(3000, 0.75, 0.3)],
  ])('is there: %s', (_, found) => {
    expect(() => assertSubject(found, shippedTuning)).not.toThrow();
  });

  it('is in no picture of a few pixels', () => {
    for (const [width, height] of [
      [1, 1],
      [1, 4000],
      [300, 7],
    ] as const)
      expect(() => assertLargeEnough({ width, height })).toThrow('too small to show a subject');
    expect(() => assertLargeEnough({ width: 8, height: 8 })).not.toThrow();
  });

  it.each([
    ['nothing at all', mask(0, 0), 'Nothing in this picture'],
    ['a few pixels', mask(9, 1), 'Nothing in this picture'],
    ['faint everywhere', mask(10_000, 0.45), 'Nothing in this picture'],
    ['all of the picture', mask(9960, 1), 'fills this picture'],
    ['uncertain', mask(4000, 0.6, 0.4), 'cannot be told'],
  ])('is not: %s', (_, found, sentence) => {
    expect(() => assertSubject(found, shippedTuning)).toThrow(sentence);
    expect(() => assertSubject(found, shippedTuning)).toThrow(
      expect.objectContaining({ code: 'NO_SUBJECT' }),
    );
  });
});

const row = (values: number[]) => ({
  width: values.length,
  height: 1,
  data: Float32Array.from(values),
});

/** The row with surroundings on all sides. */
const framed = (values: number[]) => {
  const width = values.length + 2;
  return {
    width,
    height: 3,
    data: Float32Array.from([...empty(width), 0, ...values, 0, ...empty(width)]),
  };
};

const empty = (count: number): number[] => new Array<number>(count).fill(0);

describe('the grade of a cut-out', () => {
  it('is good where the network was sure of subject and surroundings', () => {
    expect(gradeOf(framed([0, 0, 0.01, 0.99, 1, 1, 1, 1]), shippedTuning)).toBe('good');
  });

  it('asks to look where a part is open', () => {
    expect(gradeOf(framed([0, 0, 0, 0.8, 1, 1, 1, 1]), shippedTuning)).toBe('look');
  });

  it('asks to look where nearly all of the picture was taken for the subject', () => {
    const tuning = { ...shippedTuning, goodBorder: 1 };
    expect(gradeOf(row([0, ...Array.from({ length: 19 }, () => 1)]), tuning)).toBe('look');
    expect(gradeOf(row([0, 0, 0, ...Array.from({ length: 17 }, () => 1)]), tuning)).toBe('good');
  });

  it('asks to look where the frame may cut off a part of the subject', () => {
    /** 20 x 20 with a block of 10 x 10; of the 76 pixels at the border the lower edge takes some. */
    const block = (width: number, bottom: number) => ({
      width: 20,
      height: 20,
      data: Float32Array.from({ length: 400 }, (_, at) => {
        const [x, y] = [at % 20, Math.floor(at / 20)];
        return x >= 5 && x < 5 + width && y > bottom - 10 && y <= bottom ? 1 : 0;
      }),
    });
    expect(gradeOf(block(10, 18), shippedTuning)).toBe('good');
    expect(gradeOf(block(7, 19), shippedTuning)).toBe('good');
    expect(gradeOf(block(10, 19), shippedTuning)).toBe('look');
  });

  it('is poor where little is sure, and where nothing is found', () => {
    expect(gradeOf(row([0.1, 0.2, 0.5, 0.5, 0.6, 0.9]), shippedTuning)).toBe('poor');
    expect(gradeOf(row([0, 0, 0]), shippedTuning)).toBe('poor');
    expect(doubtOf(row([0, 0, 0]))).toBe(1);
  });
});
