import { describe, expect, it } from 'vitest';
import { bytesInMemory } from '../../../packages/onnx/src/byte-source.ts';
import { blendOnnx } from '../../../packages/onnx/src/blend-onnx.ts';
import { onnxModel, type OnnxConstant } from '../../support/networks-onnx.ts';

const ends = { input: [1, 3, 'h', 'w'], output: [1, 3, 'H', 'W'] };
const nodes = [{ kind: 'Conv', inputs: ['input', 'weights'], output: 'output' }];
const values = (start: number) => Array.from({ length: 900 }, (_, i) => start + i);
const network = (...constants: OnnxConstant[]) =>
  bytesInMemory(onnxModel({ nodes, constants, ...ends }));
const weights = (start: number, shape = [3, 3, 10, 10]) => ({
  name: 'weights',
  shape,
  values: values(start),
});

const bytesOf = (...asked: Parameters<typeof blendOnnx>) =>
  Buffer.concat(blendOnnx(...asked).map((piece) => ('read' in piece ? piece.read() : piece)));

describe('two networks of one structure', () => {
  it('become one between them, and each of the two at the ends', () => {
    const [one, other] = [network(weights(0)), network(weights(100))];
    const file = (start: number) => Buffer.from(network(weights(start)).read(0, one.size));
    expect(bytesOf(one, other, 0.25).equals(file(25))).toBe(true);
    expect(bytesOf(one, other, 0).equals(file(0))).toBe(true);
    expect(bytesOf(one, other, 1).equals(file(100))).toBe(true);
  });

  it('are refused where they are no twins', () => {
    const one = network(weights(0));
    expect(() => blendOnnx(one, network(weights(0, [9, 1, 10, 10])), 0.5)).toThrow(/differently/);
    expect(() => blendOnnx(one, network({ ...weights(0), name: 'w' }), 0.5)).toThrow(/differently/);
    const more = network(weights(0), { name: 'more', shape: [1], values: [1] });
    expect(() => blendOnnx(one, more, 0.5)).toThrow(/more/);
  });
});
