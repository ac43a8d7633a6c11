import { describe, expect, it } from 'vitest';
import {
  maskOf,
  sizeForNetwork,
  tensorOf,
  type InputContract,
} from '../../../electron/engine/tiles/mask-tensor.ts';

const plain: InputContract = {
  layout: 'NCHW',
  channels: 'RGB',
  range: [0, 1],
  mean: [0, 0, 0],
  deviation: [1, 1, 1],
};
const near = (values: number[]) => values.map((value) => expect.closeTo(value, 5) as number);

describe('the size at which a network sees a picture', () => {
  it('is fixed, whatever the picture', () => {
    const size = { kind: 'fixed', width: 320, height: 320 } as const;
    expect(sizeForNetwork(size, { width: 4000, height: 10 })).toEqual({ width: 320, height: 320 });
  });

  it.each([
    [
      { width: 4000, height: 3000 },
      { width: 672, height: 512 },
    ],
    [
      { width: 300, height: 400 },
      { width: 512, height: 672 },
    ],
    [
      { width: 9000, height: 1 },
      { width: 4_608_000, height: 512 },
    ],
  ])('or follows the shorter side in multiples: %j', (picture, size) => {
    const free = { kind: 'free', shortSidePx: 512, multiple: 32 } as const;
    expect(sizeForNetwork(free, picture)).toEqual(size);
  });
});

describe('the tensor', () => {
  const colours = Float32Array.of(0, 0.5, 1, 1, 0, 0.5);

  it('has planes of red, green and blue', () => {
    expect([...tensorOf(colours, plain)]).toEqual([0, 1, 0.5, 0, 1, 0.5]);
  });

  it('has pixels of blue, green and red where the network wants them', () => {
    const network: InputContract = { ...plain, layout: 'NHWC', channels: 'BGR' };
    expect([...tensorOf(colours, network)]).toEqual([1, 0.5, 0, 0.5, 0, 1]);
  });

  it('takes the mean off and divides, in the range of the network, colour by colour', () => {
    const network: InputContract = {
      ...plain,
      channels: 'BGR',
      range: [0, 255],
      mean: [10, 20, 30],
      deviation: [1, 2, 5],
    };
    const tensor = tensorOf(Float32Array.of(1, 0, 1), network);
    expect([...tensor]).toEqual(near([45, -10, 245]));
  });
});

describe('the mask', () => {
  const size = { width: 2, height: 1 };
  const plane = { outputPlane: 0, activation: 'none' } as const;

  it('is the plane that the descriptor names', () => {
    const output = Float32Array.of(0, 0, 0.25, 1);
    expect([...maskOf(output, { ...plane, outputPlane: 1 }, size).data]).toEqual([0.25, 1]);
  });

  it('is activated by us where the network is not', () => {
    const { data } = maskOf(
      Float32Array.of(0, Math.log(3)),
      { ...plane, activation: 'sigmoid' },
      size,
    );
    expect([...data]).toEqual(near([0.5, 0.75]));
  });

  it('is stretched only if the descriptor says so, and not where nothing was found', () => {
    const stretchedOf = (...values: number[]) => [
      ...maskOf(Float32Array.from(values), { ...plane, stretched: true }, size).data,
    ];
    expect([...maskOf(Float32Array.of(0.25, 0.375), plane, size).data]).toEqual([0.25, 0.375]);
    expect(stretchedOf(0.125, 0.375)).toEqual([0, 1]);
    expect(stretchedOf(0, 0.125)).toEqual([0, 0.125]);
  });

  it('is cut where rounding led out of 0 to 1', () => {
    expect([...maskOf(Float32Array.of(-0.001, 1.001), plane, size).data]).toEqual([0, 1]);
  });

  it.each([
    ['NaN', [NaN, 0], 'not numbers'],
    ['logits', [-4, 3], 'a mask of 0 to 1 but gave -4.000'],
    ['another size', [0, 0, 0], '1 planes or more of 2 x 1 but gave 3 values'],
    ['infinity', [Infinity, 0], 'a mask of 0 to 1'],
  ])('refuses %s with INVALID_OUTPUT', (_, values, sentence) => {
    const make = () => maskOf(Float32Array.from(values), plane, size);
    expect(make).toThrow(sentence);
    expect(make).toThrow(expect.objectContaining({ code: 'INVALID_OUTPUT' }));
  });
});
