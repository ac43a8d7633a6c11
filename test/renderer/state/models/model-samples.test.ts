import { describe, expect, it } from 'vitest';
import { sortFiles } from '../../../../packages/contract/src/models/model-files.ts';
import { scaleFor } from '../../../../renderer/state/models/model-samples.svelte.ts';

const sorted = (...names: string[]) => {
  const { photos, models } = sortFiles(names.map((name) => ({ name })));
  const named = (files: { name: string }[]) => files.map(({ name }) => name);
  return { photos: named(photos), models: models.map(named) };
};

describe('files that came', () => {
  it('are photos, unless they are a network by their names', () => {
    expect(sorted('a.jpg', 'Net.PTH', 'b.raw', 'noending')).toEqual({
      photos: ['a.jpg', 'b.raw', 'noending'],
      models: [['Net.PTH']],
    });
  });

  it('give each network what is called as it is', () => {
    const { models } = sorted('x4.param', 'x4.bin', 'x2.bin', 'x2.param', 'y.onnx', 'y.onnx.data');
    expect(models).toEqual([
      ['x4.param', 'x4.bin'],
      ['x2.param', 'x2.bin'],
      ['y.onnx', 'y.onnx.data'],
    ]);
  });

  it('give a single network all that belongs to networks, and leave weights alone without one', () => {
    expect(sorted('net.onnx', 'weights.bin').models).toEqual([['net.onnx', 'weights.bin']]);
    expect(sorted('weights.bin').models).toEqual([['weights.bin']]);
  });
});

it('a model is shown at the least scale that it makes, or is reduced to', () => {
  expect([scaleFor([2, 4, 8]), scaleFor([4, 16]), scaleFor([3, 9]), scaleFor([1])]).toEqual([
    2, 4, 2, 1,
  ]);
});
