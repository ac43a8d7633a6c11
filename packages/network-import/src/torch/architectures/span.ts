/** SPAN (Wan 2023): blocks, typically six, with parameter-free attention. */
import { type GraphBuilder, createWeights, type WeightTensor } from '../../../../onnx/src/index.ts';
import {
  type Architecture,
  add,
  concat,
  conv,
  multiply,
  pixelShuffle,
  scaleOf,
  sigmoid,
  silu,
  type NetworkBuild,
  type State,
} from './state.ts';
import { rgbMean } from './reconstruct.ts';

/** Scale after the mean is subtracted, unless the weights include `no_norm`. */
const range = 255;

export const span: Architecture = {
  name: 'SPAN',
  recognises: (state) =>
    state.has('conv_cat.weight', 'upsampler.0.weight', 'block_1.c1_r.sk.weight'),
  build(build, input) {
    const { state, graph } = build;
    const inputs = state.side('conv_1.sk.weight', 1);
    const isPlain = state.has('no_norm') || inputs !== rgbMean.length;
    const first = reparameterised(build, isPlain ? input : subtractMean(graph, input), 'conv_1');
    let at = first;
    let [afterFirst, lastMiddle] = [first, first];
    const count = state.count('block_', '.c1_r.sk.weight', 1);
    for (let i = 1; i <= count; i += 1) {
      const { output, middle } = block(build, at, `block_${i}`);
      at = output;
      lastMiddle = middle;
      if (i === 1) afterFirst = output;
    }
    at = reparameterised(build, at, 'conv_2');
    at = conv(build, concat(build, [first, at, afterFirst, lastMiddle]), 'conv_cat');
    at = conv(build, at, 'upsampler.0');
    const made = state.side('upsampler.0.weight', 0);
    return {
      output: pixelShuffle(build, at, scaleOf(made, inputs)),
      channels: { input: inputs, output: inputs },
    };
  },
};

function subtractMean(graph: GraphBuilder, input: string): string {
  const less = graph.node('Sub', [input, graph.weights(createWeights([3, 1, 1], rgbMean))]);
  return graph.node('Mul', [less, graph.number(range)]);
}

function block(build: NetworkBuild, from: string, name: string) {
  const middle = silu(build, reparameterised(build, from, `${name}.c1_r`));
  const second = silu(build, reparameterised(build, middle, `${name}.c2_r`));
  const third = reparameterised(build, second, `${name}.c3_r`);
  const { graph } = build;
  const attention = graph.node('Sub', [sigmoid(build, third), graph.number(0.5)]);
  return { output: multiply(build, add(build, third, from), attention), middle };
}

/**
 * Three convolutions and a skip connection, reparameterised to one convolution. The stored reparameterisation
 * (eval_conv) may be from an earlier training step, so it is used only if the trained ones are missing.
 */
function reparameterised(build: NetworkBuild, from: string, name: string): string {
  const { state, graph } = build;
  if (!state.has(`${name}.conv.0.weight`)) return conv(build, from, `${name}.eval_conv`);
  const [outputs, inputs] = [
    state.side(`${name}.sk.weight`, 0),
    state.side(`${name}.sk.weight`, 1),
  ];
  const sum = once(() => foldConvolutions(state, name));
  const weights: WeightTensor = { shape: [outputs, inputs, 3, 3], floats: () => sum().weights };
  const bias: WeightTensor = { shape: [outputs], floats: () => sum().bias };
  return graph.node('Conv', [from, graph.weights(weights), graph.weights(bias)], {
    kernel_shape: [3, 3],
    pads: [1, 1, 1, 1],
  });
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Product of row-major matrices: a is [rows, inner], b is [inner, columns]. */
function product(a: Float32Array, b: Float32Array, rows: number, inner: number, columns: number) {
  const result = new Float64Array(rows * columns);
  for (let r = 0; r < rows; r += 1)
    for (let i = 0; i < inner; i += 1) {
      const factor = a[r * inner + i] as number;
      for (let c = 0; c < columns; c += 1)
        result[r * columns + c] =
          (result[r * columns + c] as number) + factor * (b[i * columns + c] as number);
    }
  return Float32Array.from(result);
}

function foldConvolutions(state: State, name: string) {
  const values = (part: string) => state.get(`${name}.${part}`).floats();
  const [narrow, wide] = [
    state.side(`${name}.conv.0.weight`, 1),
    state.side(`${name}.conv.0.weight`, 0),
  ];
  const [middle, outputs] = [
    state.side(`${name}.conv.1.weight`, 0),
    state.side(`${name}.conv.2.weight`, 0),
  ];
  // Each position of the 3x3 kernel is a matrix over channels, so the three convolutions reduce to matrix
  // products.
  const kernels = Array.from({ length: 9 }, (_, k) => {
    const all = values('conv.1.weight');
    return Float32Array.from({ length: middle * wide }, (__, i) => all[i * 9 + k] as number);
  });
  const [before, after] = [values('conv.0.weight'), values('conv.2.weight')];
  const weights = new Float32Array(outputs * narrow * 9);
  for (const [k, kernel] of kernels.entries()) {
    const inner = product(kernel, before, middle, wide, narrow);
    const whole = product(after, inner, outputs, middle, narrow);
    for (const [i, value] of whole.entries()) weights[i * 9 + k] = value;
  }
  const skip = values('sk.weight');
  for (const [i, value] of skip.entries())
    weights[i * 9 + 4] = (weights[i * 9 + 4] as number) + value;
  const hiddenBias = values('conv.1.bias');
  for (const kernel of kernels)
    for (const [i, value] of product(kernel, values('conv.0.bias'), middle, wide, 1).entries())
      hiddenBias[i] = (hiddenBias[i] as number) + value;
  const bias = product(after, hiddenBias, outputs, middle, 1);
  const [own, ofSkip] = [values('conv.2.bias'), values('sk.bias')];
  return {
    weights,
    bias: bias.map((value, i) => value + (own[i] as number) + (ofSkip[i] as number)),
  };
}
