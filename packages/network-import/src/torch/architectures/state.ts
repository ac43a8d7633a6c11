/** A network's weights by name, and the few nodes of which most architectures are made. */
import type { Attributes } from '../../../../../electron/engine/onnx/encode-onnx.ts';
import type { GraphBuilder } from '../../../../../electron/engine/onnx/write-onnx.ts';
import { refused } from '../../../../../electron/engine/onnx/refused.ts';
import type { NamedWeights } from '../read-checkpoint.ts';
import { createWeights, type WeightTensor } from '../../../../../electron/engine/onnx/tensor.ts';

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

  /** Answers weights by name. It throws MODEL_REFUSED with the name when they are not there. */
  get(name: string): WeightTensor {
    const found = this.#weights.get(name);
    if (found) return found;
    throw refused(
      `The network lacks the weights ${name.slice(0, 80)}; it is damaged, or a variant that is not known.`,
    );
  }

  /** Answers one side of the weights' shape. It throws MODEL_REFUSED, too. */
  side(name: string, index: number): number {
    const side = this.get(name).shape[index];
    if (side !== undefined) return side;
    throw refused(`The weights ${name.slice(0, 80)} have the wrong number of sides.`);
  }

  /** Counts the names of the form `before` N `after`, with N from `first` on up to the first gap. */
  count(before: string, after: string, first = 0): number {
    let count = 0;
    while (this.has(`${before}${first + count}${after}`)) count += 1;
    return count;
  }

  /** Counts the numbered parts below a name by the highest number: layers.0 to layers.5 are 6. */
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

/** A network is built with its weights and a graph that takes its nodes. */
export interface Build {
  state: State;
  graph: GraphBuilder;
}

/** Each architecture's file gives one of these to the registry. */
export interface Architecture {
  name: string;
  /** Tells whether the names of the weights are those of this architecture. */
  recognises(state: State): boolean;
  /** Adds its nodes behind `input` and answers its output. It throws MODEL_REFUSED. */
  build(build: Build, input: string): BuiltNetwork;
}

interface BuiltNetwork {
  output: string;
  channels: { input: number; output: number };
}

/** Builds a convolution, with a bias where there is one; it keeps the size unless `attributes` differ. */
export function conv(
  { state, graph }: Build,
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

/** Builds PyTorch's pixel_unshuffle, which turns squares of pixels into channels, and a convolution. */
export function unshuffledConv(
  build: Build,
  from: string,
  name: string,
  factor: number,
  attributes: Attributes = {},
): string {
  const weights = build.state.get(`${name}.weight`);
  const colours = build.state.side(`${name}.weight`, 1) / factor ** 2;
  const ordered = { shape: weights.shape, floats: () => byPlace(weights, colours, factor ** 2) };
  const shrunk = build.graph.node('SpaceToDepth', [from], { blocksize: factor });
  return conv(build, shrunk, name, attributes, ordered);
}

/** Reorders weights: PyTorch counts the places within a colour, ONNX the colours within a place. */
function byPlace(weights: WeightTensor, colours: number, places: number): Float32Array {
  const values = weights.floats();
  const kernel = values.length / ((weights.shape[0] as number) * colours * places);
  const result = new Float32Array(values.length);
  for (let i = 0; i < values.length; i += 1) {
    const input = Math.floor(i / kernel) % (colours * places);
    const output = Math.floor(i / (kernel * colours * places));
    const to = (input % places) * colours + Math.floor(input / places);
    result[(output * colours * places + to) * kernel + (i % kernel)] = values[i] as number;
  }
  return result;
}

export const leaky = ({ graph }: Build, from: string, slope = 0.2) =>
  graph.node('LeakyRelu', [from], { alpha: { float: slope } });

export const add = ({ graph }: Build, a: string, b: string) => graph.node('Add', [a, b]);
export const multiply = ({ graph }: Build, a: string, b: string) => graph.node('Mul', [a, b]);
export const times = ({ graph }: Build, a: string, factor: number) =>
  graph.node('Mul', [a, graph.number(factor)]);
export const concat = ({ graph }: Build, parts: readonly string[]) =>
  graph.node('Concat', parts, { axis: 1 });
export const sigmoid = ({ graph }: Build, from: string) => graph.node('Sigmoid', [from]);
export const silu = (build: Build, from: string) => multiply(build, from, sigmoid(build, from));

/** Computes x tanh(log(1 + e^x)), for which opset 17 has no node. */
export const mish = (build: Build, from: string) =>
  multiply(build, from, build.graph.node('Tanh', [build.graph.node('Softplus', [from])]));

/** Adds weights of one value a channel, in a shape for pictures. */
export function perChannel({ state, graph }: Build, name: string): string {
  const weights = state.get(name);
  return graph.weights({ shape: [...weights.shape, 1, 1], floats: () => weights.floats() });
}

/** Shuffles as PyTorch does: the values of a channel's square stand next to each other. */
export const pixelShuffle = ({ graph }: Build, from: string, scale: number) =>
  scale === 1 ? from : graph.node('DepthToSpace', [from], { blocksize: scale, mode: 'CRD' });

/** Enlarges by making each pixel a square. */
export function nearest({ graph }: Build, from: string, scale: number): string {
  const factors = graph.weights(createWeights([4], [1, 1, scale, scale]));
  return graph.node('Resize', [from, '', factors], {
    mode: 'nearest',
    coordinate_transformation_mode: 'asymmetric',
    nearest_mode: 'floor',
  });
}

/** Computes the scale from the channels before a pixel shuffle. It throws MODEL_REFUSED. */
export function scaleOf(channels: number, outputs = 3): number {
  const scale = Math.sqrt(channels / outputs);
  if (Number.isInteger(scale) && scale >= 1 && scale <= 16) return scale;
  throw refused(
    `The network ends in ${channels} channels, which is no picture of ${outputs} colours.`,
  );
}
