import { describe, expect, it } from 'vitest';
import { doubtOf, gradeOf } from '../../../../../electron/engine/jobs/cutout/mask/find-subject.ts';
import { shippedTuning } from '../../../../support/networks-masks.ts';

const mask = (values: number[]) => ({
  width: values.length,
  height: 1,
  data: Float32Array.from(values),
});

describe('the grade of a cut-out', () => {
  it('is good where the network was sure of subject and surroundings', () => {
    expect(gradeOf(mask([0, 0, 0.01, 0.99, 1, 1, 1, 1]), shippedTuning)).toBe('good');
  });

  it('asks to look where a part is open', () => {
    expect(gradeOf(mask([0, 0, 0, 0.8, 1, 1, 1, 1]), shippedTuning)).toBe('look');
  });

  it('asks to look where nearly all of the picture was taken for the subject', () => {
    expect(gradeOf(mask([0, ...Array.from({ length: 19 }, () => 1)]), shippedTuning)).toBe('look');
    expect(gradeOf(mask([0, 0, 0, ...Array.from({ length: 17 }, () => 1)]), shippedTuning)).toBe(
      'good',
    );
  });

  it('is poor where little is sure, and where nothing is found', () => {
    expect(gradeOf(mask([0.1, 0.2, 0.5, 0.5, 0.6, 0.9]), shippedTuning)).toBe('poor');
    expect(gradeOf(mask([0, 0, 0]), shippedTuning)).toBe('poor');
    expect(doubtOf(mask([0, 0, 0]))).toBe(1);
  });
});
