/** Tensors of networks that take prompts. */
import { describe, expect, it } from 'vitest';
import {
  encoderTensor,
  objectMask,
  planeFor,
  promptTensors,
  sizeForEncoder,
  type DecoderContract,
} from '../../../electron/engine/tiles/prompt-tensors.ts';

const sidePx = 8;
const encoder = {
  input: 'input',
  layout: 'NCHW',
  sidePx,
  fit: 'longSide',
  range: [0, 255],
  mean: [0, 0, 0],
  deviation: [1, 1, 1],
  matting: false,
} as const;
const contract = (part: object = {}) =>
  structuredClone({ ...encoder, ...part }) as Parameters<typeof encoderTensor>[2];
const decoder: DecoderContract = {
  features: [{ output: 'features', input: 'features' }],
  points: 'point_coords',
  labels: 'point_labels',
  isPadded: true,
  output: 'low_res_masks',
  spansPadding: true,
};
const click = (x: number, y: number, label: 0 | 1 = 1) => ({ x, y, label });

describe('an encoder', () => {
  it('sees the longer side fill the square, with zeros below, or the picture stretched', () => {
    const size = sizeForEncoder(contract(), { width: 400, height: 200 });
    expect(size).toEqual({ width: 8, height: 4 });
    const { dims, data } = encoderTensor(new Float32Array(8 * 4 * 3).fill(1), size, contract());
    expect(dims).toEqual([1, 3, 8, 8]);
    const rows = Array.from({ length: 24 }, (_, row) => data[row * 8 + 7]);
    const plane = [255, 255, 255, 255, 0, 0, 0, 0];
    expect(rows).toEqual([...plane, ...plane, ...plane]);
    const stretched = contract({ fit: 'stretch' });
    expect(sizeForEncoder(stretched, { width: 400, height: 200 })).toEqual({ width: 8, height: 8 });
  });

  it('that pads by itself gets the picture alone, colour by colour', () => {
    const size = { width: 2, height: 1 };
    const colours = Float32Array.of(0, 0.2, 0.4, 0.6, 0.8, 1);
    const { dims, data } = encoderTensor(colours, size, contract({ layout: 'HWC' }));
    expect(dims).toEqual([1, 2, 3]);
    expect([...data].map(Math.round)).toEqual([0, 51, 102, 153, 204, 255]);
  });
});

describe('a decoder', () => {
  const picture = { width: 8, height: 4 };
  const tensorsOf = (
    part: Partial<DecoderContract>,
    ...prompts: Parameters<typeof promptTensors>[3]
  ) => promptTensors({ ...decoder, ...part }, sidePx, picture, prompts);

  it('gets points in pixels of the square, and one that is none where there is no box', () => {
    const { point_coords: points, point_labels: labels } = tensorsOf(
      {},
      click(0.5, 0.5),
      click(1, 0, 0),
    );
    expect([points?.dims, [...(points?.data ?? [])]]).toEqual([
      [1, 3, 2],
      [4, 2, 8, 0, 0, 0],
    ]);
    expect([...(labels?.data ?? [])]).toEqual([1, 0, -1]);
    const box = [
      { x: 0, y: 0, label: 2 },
      { x: 1, y: 1, label: 3 },
    ] as const;
    expect(tensorsOf({}, ...box)['point_labels']?.dims).toEqual([1, 2]);
    expect(tensorsOf({ isPadded: false }, click(0, 0))['point_labels']?.dims).toEqual([1, 1]);
  });

  it('gets no mask before, and the size of the picture as it is within the square', () => {
    const maskBefore = { mask: 'mask_input', isGiven: 'has_mask_input', width: 2, height: 2 };
    const given = tensorsOf({ maskBefore, pictureSize: 'orig_im_size' }, click(0, 0));
    expect(given['mask_input']).toEqual({ dims: [1, 1, 2, 2], data: new Float32Array(4) });
    expect([...(given['has_mask_input']?.data ?? [])]).toEqual([0]);
    expect([...(given['orig_im_size']?.data ?? [])]).toEqual([4, 8]);
  });

  it('attends to a box, or to what is near a point', () => {
    const attention = { input: 'attn_mask', sidePx: 4 };
    const plane = (...prompts: Parameters<typeof promptTensors>[3]) =>
      [...(tensorsOf({ attention }, ...prompts)['attn_mask']?.data ?? [])].slice(0, 4);
    expect(plane({ x: 0.3, y: 0, label: 2 }, { x: 0.7, y: 1, label: 3 })).toEqual([0, 1, 1, 0]);
    const [near = 0, beside = 0, far = 0] = plane(click(0, 0));
    expect(near).toBe(1);
    expect(beside).toBeLessThan(near);
    expect(far).toBeLessThan(beside);
  });

  it('answers one click with the best of three, and several with the plane for that', () => {
    const scores = Float32Array.of(1, 0.2, 0.9, 0.5);
    expect(planeFor(4, scores, [click(0, 0)])).toBe(2);
    expect(planeFor(4, scores, [click(0, 0), click(1, 1, 0)])).toBe(0);
    expect(planeFor(3, scores, [click(0, 0)])).toBe(0);
    expect(planeFor(4, undefined, [click(0, 0)])).toBe(0);
  });

  it('has the padding cut off its planes', () => {
    const data = new Float32Array(16).fill(-20);
    data.fill(20, 0, 8);
    const output = { dims: [1, 1, 4, 4], data };
    const mask = objectMask({ output }, decoder, sidePx, picture, [click(0, 0)]);
    expect([mask.width, mask.height]).toEqual([4, 2]);
    expect(mask.data.every((value) => value > 0.99)).toBe(true);
    data[0] = NaN;
    expect(() => objectMask({ output }, decoder, sidePx, picture, [])).toThrow(/not numbers/);
  });
});
