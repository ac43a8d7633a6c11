/** Weights by name (a PyTorch state dict), and the graph nodes that most architectures use. */
import {
  type Attributes,
  type GraphBuilder,
  refused,
  createWeights,
  type WeightTensor,
} from '../../../../onnx/src/index.ts';
import type { NamedWeights } from '../read-checkpoint.ts';

export class State {
  readonly #weights: NamedWeights;

  constructor(weights: NamedWeights) {
    this.#weights = weights;
  }

  has(...names: string[]): boolean {
    return names.every((name) => this.#weights.has(name));
  }

  names(): string[] {
    return [...this.#weights.keys()];
  }

  /** @throws MODEL_REFUSED if the weights are missing. */
  get(name: string): WeightTensor {
    const found = this.#weights.get(name);
    if (found) return found;
    throw refused(
      `The network lacks the weights ${name.slice(0, 80)}; it is damaged, or a variant that is not known.`,
    );
  }

  /** One side of the weights' shape. @throws MODEL_REFUSED if the weights or the side are missing. */
  side(name: string, index: number): number {
    const side = this.get(name).shape[index];
    if (side !== undefined) return side;
    throw refused(`The weights ${name.slice(0, 80)} have the wrong number of sides.`);
  }

  /** Number of names `before` N `after`, for N from `first` up to the first gap. */
  count(before: string, after: string, first = 0): number {
    let count = 0;
    while (this.has(`${before}${first + count}${after}`)) count += 1;
    return count;
  }

  /** Highest number of the parts below `name` plus 1: layers.0 to layers.5 are 6. */
  countOf(name: string): number {
    let count = 0;
    for (const one of this.#weights.keys()) {
      if (!one.startsWith(`${name}.`)) continue;
      const number = Number(one.slice(name.length + 1).split('.')[0]);
      if (Number.isInteger(number)) count = Math.max(count, number + 1);
    }
    return count;
  }
}

/** Weights of a network and the graph under construction. */
export interface NetworkBuild {
  state: State;
  graph: GraphBuilder;
}

/** One architecture of the registry. */
export interface Architecture {
  name: string;
  /** Whether the names of the weights are those of this architecture. */
  recognises(state: State): boolean;
  /** Appends the network's nodes after the value `input`. @throws MODEL_REFUSED for unsupported variants. */
  build(build: NetworkBuild, input: string): NetworkResult;
}

interface NetworkResult {
  output: string;
  channels: { input: number; output: number };
}

/** Convolution with "same" padding, with a bias where there is one. `attributes` override. */
export function conv(
  { state, graph }: NetworkBuild,
  from: string,
  name: string,
  attributes: Attributes = {},
  weights: WeightTensor = state.get(`${name}.weight`),
): string {
  const [, , high = 1, wide = 1] = weights.shape;
  const bias = state.has(`${name}.bias`) ? [graph.weights(state.get(`${name}.bias`))] : [];
  const [top, left] = [Math.floor(high / 2), Math.floor(wide / 2)];
  return graph.node('Conv', [from, graph.weights(weights), ...bias], {
    kernel_shape: [high, wide],
    pads: [top, left, top, left],
    ...attributes,
  });
}

/** pixel_unshuffle of PyTorch and a convolution. */
export function unshuffledConv(
  build: NetworkBuild,
  from: string,
  name: string,
  factor: number,
  attributes: Attributes = {},
): string {
  const weights = build.state.get(`${name}.weight`);
  const colours = build.state.side(`${name}.weight`, 1) / factor ** 2;
  const ordered = {
    shape: weights.shape,
    floats: () => toPositionMajor(weights, colours, factor ** 2),
  };
  const shrunk = build.graph.node('SpaceToDepth', [from], { blocksize: factor });
  return conv(build, shrunk, name, attributes, ordered);
}

/** Reorders input channels from colour-major (PyTorch) to position-major (SpaceToDepth). */
function toPositionMajor(weights: WeightTensor, colours: number, positions: number): Float32Array {
  const values = weights.floats();
  const kernel = values.length / ((weights.shape[0] as number) * colours * positions);
  const result = new Float32Array(values.length);
  for (let i = 0; i < values.length; i += 1) {
    const input = Math.floor(i / kernel) % (colours * positions);
    const output = Math.floor(i / (kernel * colours * positions));
    const to = (input % positions) * colours + Math.floor(input / positions);
    result[(output * colours * positions + to) * kernel + (i % kernel)] = values[i] as number;
  }
  return result;
}

export const leaky = ({ graph }: NetworkBuild, from: string, slope = 0.2) =>
  graph.node('LeakyRelu', [from], { alpha: { float: slope } });

export const add = ({ graph }: NetworkBuild, a: string, b: string) => graph.node('Add', [a, b]);
export const multiply = ({ graph }: NetworkBuild, a: string, b: string) =>
  graph.node('Mul', [a, b]);
export const times = ({ graph }: NetworkBuild, a: string, factor: number) =>
  graph.node('Mul', [a, graph.number(factor)]);
export const concat = ({ graph }: NetworkBuild, parts: readonly string[]) =>
  graph.node('Concat', parts, { axis: 1 });
export const sigmoid = ({ graph }: NetworkBuild, from: string) => graph.node('Sigmoid', [from]);
export const silu = (build: NetworkBuild, from: string) =>
  multiply(build, from, sigmoid(build, from));

/** x tanh(softplus(x)). Opset 17 has no Mish. */
export const mish = (build: NetworkBuild, from: string) =>
  multiply(build, from, build.graph.node('Tanh', [build.graph.node('Softplus', [from])]));

/** Weights of one value per channel, in a shape that broadcasts over pictures. */
export function perChannel({ state, graph }: NetworkBuild, name: string): string {
  const weights = state.get(name);
  return graph.weights({ shape: [...weights.shape, 1, 1], floats: () => weights.floats() });
}

/** pixel_shuffle of PyTorch. */
export const pixelShuffle = ({ graph }: NetworkBuild, from: string, scale: number) =>
  scale === 1 ? from : graph.node('DepthToSpace', [from], { blocksize: scale, mode: 'CRD' });

/** Nearest-neighbour enlargement by an integer factor. */
export function nearest({ graph }: NetworkBuild, from: string, scale: number): string {
  const factors = graph.weights(createWeights([4], [1, 1, scale, scale]));
  return graph.node('Resize', [from, '', factors], {
    mode: 'nearest',
    coordinate_transformation_mode: 'asymmetric',
    nearest_mode: 'floor',
  });
}

/** Scale of a pixel shuffle from its input channels, 1..16. @throws MODEL_REFUSED if there is none. */
export function scaleOf(channels: number, outputs = 3): number {
  const scale = Math.sqrt(channels / outputs);
  if (Number.isInteger(scale) && scale >= 1 && scale <= 16) return scale;
  throw refused(
    `The network ends in ${channels} channels, which is no picture of ${outputs} colours.`,
  );
}
