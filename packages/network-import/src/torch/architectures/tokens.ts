/**
 * Nodes of attention networks. Maps of tokens are [1, height, width, channels], pictures [1, channels,
 * height,
 * width]. A length that is known only at run time is an integer tensor of shape [1].
 */
import {
  floatTypes,
  integerType,
  truthType,
  refused,
  type WeightTensor,
} from '../../../../onnx/src/index.ts';
import { add, conv, multiply, type NetworkBuild } from './state.ts';

/** Slice end that stands for the end of an axis of any length. */
const end = 2 ** 31 - 1;

type Length = string | number;

const lengthOf = ({ graph }: NetworkBuild, length: Length) =>
  typeof length === 'number' ? graph.integers([length]) : length;

/** One side of a value's shape, as a length. */
export const sideOf = ({ graph }: NetworkBuild, from: string, index: number) =>
  graph.node('Gather', [graph.node('Shape', [from]), graph.integers([index])]);

/** Integer arithmetic on lengths. Div truncates. */
export const lengthMath = (
  build: NetworkBuild,
  operation: 'Add' | 'Sub' | 'Mul' | 'Div' | 'Mod' | 'Min',
  a: Length,
  b: Length,
) => build.graph.node(operation, [lengthOf(build, a), lengthOf(build, b)]);

/** Reshape to sides that are numbers or lengths; neighbouring numbers become one constant. */
export function shaped(build: NetworkBuild, from: string, sides: readonly Length[]): string {
  const { graph } = build;
  const parts: Length[][] = [];
  for (const side of sides) {
    const last = parts.at(-1);
    if (typeof side === 'number' && typeof last?.[0] === 'number') last.push(side);
    else parts.push([side]);
  }
  const names = parts.map((part) =>
    typeof part[0] === 'number' ? graph.integers(part as number[]) : (part[0] as string),
  );
  const shape =
    names.length === 1 ? (names[0] as string) : graph.node('Concat', names, { axis: 0 });
  return graph.node('Reshape', [from, shape]);
}

export const transposed = ({ graph }: NetworkBuild, from: string, perm: number[]) =>
  graph.node('Transpose', [from], { perm });
export const toMap = (build: NetworkBuild, picture: string) =>
  transposed(build, picture, [0, 2, 3, 1]);
export const toPicture = (build: NetworkBuild, map: string) => transposed(build, map, [0, 3, 1, 2]);

/** Slice of an axis from `first` up to, not including, `last`. Negative positions count from the end. */
export const sliced = (
  build: NetworkBuild,
  from: string,
  axis: number,
  first: Length,
  last: Length = end,
) =>
  build.graph.node('Slice', [
    from,
    lengthOf(build, first),
    lengthOf(build, last),
    build.graph.integers([axis]),
  ]);

export const squeezed = ({ graph }: NetworkBuild, from: string, axis: number) =>
  graph.node('Squeeze', [from, graph.integers([axis])]);
export const unsqueezed = ({ graph }: NetworkBuild, from: string, axis: number) =>
  graph.node('Unsqueeze', [from, graph.integers([axis])]);

/** Splits an axis into `count` equal parts. */
export const parts = ({ graph }: NetworkBuild, from: string, count: number, axis: number) =>
  graph.nodes('Split', [from], count, { axis });

/** torch.roll by -`by`. */
export function rolled(build: NetworkBuild, from: string, axis: number, by: number): string {
  if (by === 0) return from;
  const rest = sliced(build, from, axis, by);
  return build.graph.node('Concat', [rest, sliced(build, from, axis, 0, by)], { axis });
}

/** Integers from 0 up to, not including, `length`. */
export function indices(build: NetworkBuild, length: string): string {
  const { graph } = build;
  const floats = graph.node('Range', [
    graph.number(0),
    squeezed(build, graph.node('Cast', [length], { to: floatTypes.single }), 0),
    graph.number(1),
  ]);
  return graph.node('Cast', [floats], { to: integerType });
}

const transposedWeights = (weights: WeightTensor): WeightTensor => {
  const [rows = 1, columns = 1] = weights.shape;
  return {
    shape: [columns, rows],
    floats() {
      const values = weights.floats();
      return Float32Array.from(
        values,
        (_, i) => values[(i % rows) * columns + Math.floor(i / rows)] as number,
      );
    },
  };
};

/** Linear of PyTorch over the last axis, with a bias where there is one. */
export function linear(build: NetworkBuild, from: string, name: string): string {
  const { state, graph } = build;
  const weights = state.get(`${name}.weight`);
  if (weights.shape.length !== 2)
    throw refused(`The weights ${name.slice(0, 80)} have the wrong number of sides.`);
  const product = graph.node('MatMul', [from, graph.weights(transposedWeights(weights))]);
  if (!state.has(`${name}.bias`)) return product;
  return add(build, product, graph.weights(state.get(`${name}.bias`)));
}

/** Layer normalisation over the last axis. */
export const layerNorm = (
  { state, graph }: NetworkBuild,
  from: string,
  name: string,
  epsilon = 1e-5,
) =>
  graph.node(
    'LayerNormalization',
    [from, ...['weight', 'bias'].map((part) => graph.weights(state.get(`${name}.${part}`)))],
    { axis: -1, epsilon: { float: epsilon } },
  );

/** Layer normalisation over the channels of each pixel of a picture. */
export const pictureNorm = (build: NetworkBuild, from: string, name: string) =>
  toPicture(build, layerNorm(build, toMap(build, from), name, 1e-6));

/** Batch normalisation with the learnt mean and variance. */
export const batchNorm = ({ state, graph }: NetworkBuild, from: string, name: string) =>
  graph.node('BatchNormalization', [
    from,
    ...['weight', 'bias', 'running_mean', 'running_var'].map((part) =>
      graph.weights(state.get(`${name}.${part}`)),
    ),
  ]);

export function gelu(build: NetworkBuild, from: string): string {
  const { graph } = build;
  const erf = graph.node('Erf', [graph.node('Div', [from, graph.number(Math.SQRT2)])]);
  const half = graph.node('Mul', [from, graph.number(0.5)]);
  return multiply(build, half, add(build, erf, graph.number(1)));
}

export const relu = ({ graph }: NetworkBuild, from: string) => graph.node('Relu', [from]);

export const softmax = ({ graph }: NetworkBuild, from: string) =>
  graph.node('Softmax', [from], { axis: -1 });

/** Scales vectors along the last axis to length 1. */
export function l2Normalised({ graph }: NetworkBuild, from: string): string {
  const length = graph.node('ReduceL2', [from], { axes: [-1], keepdims: 1 });
  return graph.node('Div', [from, graph.node('Max', [length, graph.number(1e-12)])]);
}

/** Mean of each channel of a picture: global average pooling. */
export const channelMeans = ({ graph }: NetworkBuild, from: string) =>
  graph.node('ReduceMean', [from], { axes: [2, 3], keepdims: 1 });

/** Depthwise convolution. */
export const depthwise = (build: NetworkBuild, from: string, name: string) =>
  conv(build, from, name, { group: build.state.side(`${name}.weight`, 0) });

/** `value` where `from` is not 0, otherwise 0. */
export const valueWhereNonzero = (build: NetworkBuild, from: string, value: number) => {
  const { graph } = build;
  const nonzero = graph.node('Cast', [graph.node('Cast', [from], { to: truthType })], {
    to: floatTypes.single,
  });
  return graph.node('Mul', [nonzero, graph.number(value)]);
};
