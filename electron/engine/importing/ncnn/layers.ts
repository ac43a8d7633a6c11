/**
 * Converts the 14 kinds of layers that every ncnn enlarger is made of (65 published .param files were read) to
 * ONNX nodes. The numbers of their settings stand in
 * https://github.com/Tencent/ncnn/blob/master/docs/developer-guide/operators.md.
 */
import type { Attributes } from '../onnx/encode-onnx.ts';
import type { GraphBuilder } from '../onnx/write-onnx.ts';
import { refused } from '../refused.ts';
import { madeWeights } from '../tensor.ts';
import type { Layer } from './read-param.ts';
import type { BinReader } from './read-bin.ts';

/** A layer is converted to nodes with these. */
export interface LayerWork {
  graph: GraphBuilder;
  bin: BinReader;
  /** The names, in the graph, of the values that the layer takes. */
  inputs: string[];
  /** The number of channels of each input. */
  channels: number[];
}

/** One output of a layer: its name in the graph, and how many channels it has. */
export interface LayerResult {
  name: string;
  channels: number;
}

type Conversion = (layer: Layer, work: LayerWork) => LayerResult[];

/** ncnn writes this for a number that is not set. */
const unset = -233;

const settingOf = (layer: Layer, key: number, usual: number) => layer.numbers.get(key) ?? usual;

function firstOf({ inputs, channels }: LayerWork): LayerResult {
  return { name: inputs[0] ?? '', channels: channels[0] ?? 0 };
}

/** Reads kernel, stride, dilation and padding, which are width first in ncnn and height first in ONNX. */
function windowOf(layer: Layer): Attributes & { kernel: number } {
  const pair = (wide: number, high: number, usual: number) => {
    const w = settingOf(layer, wide, usual);
    return [settingOf(layer, high, w), w];
  };
  const [kernelHigh = 1, kernelWide = 1] = pair(1, 11, 1);
  const left = settingOf(layer, 4, 0);
  const top = settingOf(layer, 14, left);
  return {
    kernel: kernelHigh * kernelWide,
    kernel_shape: [kernelHigh, kernelWide],
    strides: pair(3, 13, 1),
    dilations: pair(2, 12, 1),
    pads: [top, left, settingOf(layer, 16, top), settingOf(layer, 15, left)],
  };
}

function assertPadding(layer: Layer): void {
  const negative = [4, 14, 15, 16].some((key) => settingOf(layer, key, 0) < 0);
  if (negative || settingOf(layer, 18, 0) !== 0 || settingOf(layer, 8, 0) !== 0)
    throw cannot(layer, 'pads automatically or with a value, or is quantised');
}

const cannot = (layer: Layer, what: string) =>
  refused(`The layer ${layer.name.slice(0, 40)} (${layer.type}) ${what}, which cannot be turned.`);

function convolution(layer: Layer, work: LayerWork, isTransposed: boolean): LayerResult[] {
  const { graph, bin } = work;
  const input = firstOf(work);
  const outputs = settingOf(layer, 0, 0);
  const { kernel, ...window } = windowOf(layer);
  const weightCount = settingOf(layer, 6, 0);
  const inputs = weightCount / (outputs * kernel);
  if (!Number.isInteger(inputs) || inputs !== input.channels)
    throw cannot(layer, `says that it takes ${inputs} channels where ${input.channels} come`);
  assertPadding(layer);
  const [high = 1, wide = 1] = window.kernel_shape as number[];
  const stored = bin.flagged([outputs, inputs, high, wide]);
  const weights = isTransposed
    ? {
        shape: [inputs, outputs, high, wide],
        floats: () => swapped(stored.floats(), outputs, inputs, kernel),
      }
    : stored;
  const bias = settingOf(layer, 5, 0) === 1 ? [graph.weights(bin.plain([outputs]))] : [];
  const made = graph.node(
    isTransposed ? 'ConvTranspose' : 'Conv',
    [input.name, graph.weights(weights), ...bias],
    window,
  );
  return [{ name: activated(layer, graph, made), channels: outputs }];
}

/** Reorders a deconvolution's weights, which ncnn keeps by output and ONNX by input. */
function swapped(values: Float32Array, outputs: number, inputs: number, kernel: number) {
  const result = new Float32Array(values.length);
  for (let o = 0; o < outputs; o += 1)
    for (let i = 0; i < inputs; i += 1)
      result.set(
        values.subarray((o * inputs + i) * kernel, (o * inputs + i + 1) * kernel),
        (i * outputs + o) * kernel,
      );
  return result;
}

/** Adds the activation after a layer: 0 is none, 1 ReLU, 2 LeakyReLU, 3 clip, 4 sigmoid. */
function activated(layer: Layer, graph: GraphBuilder, from: string): string {
  const kind = settingOf(layer, 9, 0);
  const [first = 0, second = 0] = layer.lists.get(10) ?? [];
  if (kind === 0) return from;
  if (kind === 1) return graph.node('Relu', [from]);
  if (kind === 2) return graph.node('LeakyRelu', [from], { alpha: { float: first } });
  if (kind === 3) return graph.node('Clip', [from, graph.number(first), graph.number(second)]);
  if (kind === 4) return graph.node('Sigmoid', [from]);
  throw cannot(layer, `has the activation ${kind}`);
}

/** The shape of one value for each channel of a picture. */
const perChannel = (count: number) => [count, 1, 1];

const relu: Conversion = (layer, work) => {
  const { name, channels } = firstOf(work);
  const slope = settingOf(layer, 0, 0);
  const made =
    slope === 0
      ? work.graph.node('Relu', [name])
      : work.graph.node('LeakyRelu', [name], { alpha: { float: slope } });
  return [{ name: made, channels }];
};

const prelu: Conversion = (layer, work) => {
  const { name, channels } = firstOf(work);
  const slopes = work.graph.weights(work.bin.plain(perChannel(settingOf(layer, 0, 0))));
  return [{ name: work.graph.node('PRelu', [name, slopes]), channels }];
};

const concat: Conversion = (layer, { graph, inputs, channels }) => {
  if (settingOf(layer, 0, 0) !== 0) throw cannot(layer, 'joins along the width or the height');
  const name = graph.node('Concat', inputs, { axis: 1 });
  return [{ name, channels: channels.reduce((sum, one) => sum + one, 0) }];
};

/** Combines pictures: 0 is the product, 1 the sum (with weights, if any are given), 2 the maximum. */
const eltwise: Conversion = (layer, { graph, inputs, channels }) => {
  const kind = settingOf(layer, 0, 0);
  const operation = ['Mul', 'Add', 'Max'][kind];
  if (operation === undefined) throw cannot(layer, `has the operation ${kind}`);
  const weights = layer.lists.get(1) ?? [];
  const weighed = inputs.map((input, i) => {
    const weight = kind === 1 ? (weights[i] ?? 1) : 1;
    return weight === 1 ? input : graph.node('Mul', [input, graph.number(weight)]);
  });
  const name = weighed.reduce((sum, one) => graph.node(operation, [sum, one]));
  return [{ name, channels: channels[0] ?? 0 }];
};

/** The operations on two pictures, or on a picture and a number; 7 and 8 take them in the other order. */
const binaryOperations = ['Add', 'Sub', 'Mul', 'Div', 'Max', 'Min', 'Pow', 'Sub', 'Div'];

const binary: Conversion = (layer, { graph, inputs, channels }) => {
  const kind = settingOf(layer, 0, 0);
  const operation = binaryOperations[kind];
  if (operation === undefined) throw cannot(layer, `has the operation ${kind}`);
  const [first = ''] = inputs;
  const hasNumber = settingOf(layer, 1, 0) === 1;
  const second = hasNumber ? graph.number(settingOf(layer, 2, 0)) : (inputs[1] ?? '');
  const operands = kind >= 7 ? [second, first] : [first, second];
  return [{ name: graph.node(operation, operands), channels: Math.max(...channels) }];
};

/** Converts a fully connected layer over a pooled picture, which has one value a channel. */
const innerProduct: Conversion = (layer, work) => {
  const { graph, bin } = work;
  const { name, channels } = firstOf(work);
  const outputs = settingOf(layer, 0, 0);
  if (settingOf(layer, 2, 0) !== outputs * channels)
    throw cannot(layer, `takes ${settingOf(layer, 2, 0) / outputs} values where ${channels} come`);
  const weights = graph.weights(bin.flagged([outputs, channels, 1, 1]));
  const bias = settingOf(layer, 1, 0) === 1 ? [graph.weights(bin.plain([outputs]))] : [];
  const made = graph.node('Conv', [name, weights, ...bias], { kernel_shape: [1, 1] });
  return [{ name: activated(layer, graph, made), channels: outputs }];
};

/** Crops by offsets from the left and top and from the right and bottom, or to the size of a second input. */
const crop: Conversion = (layer, work) => {
  const { graph } = work;
  const { name, channels } = firstOf(work);
  const lists = {
    starts: layer.lists.get(9),
    ends: layer.lists.get(10),
    axes: layer.lists.get(11),
  };
  if (lists.starts && lists.ends) {
    // ncnn's axes count channels, height and width; ONNX has the batch before them.
    const axes = (lists.axes ?? lists.starts.map((_, i) => i)).map((axis) =>
      axis < 0 ? axis + 4 : axis + 1,
    );
    if (axes.includes(1)) throw cannot(layer, 'cuts channels');
    return [{ name: slice(graph, name, lists.starts, lists.ends, axes), channels }];
  }
  const [left, top] = [settingOf(layer, 0, 0), settingOf(layer, 1, 0)];
  const isOpen = [3, 4, 5].every((key) => [0, unset].includes(settingOf(layer, key, 0)));
  if (!isOpen || ![0, unset].includes(settingOf(layer, 2, 0)))
    throw cannot(layer, 'cuts to a size of its own');
  const reference = work.inputs[1];
  if (reference !== undefined)
    return [{ name: sliceLike(graph, name, reference, [top, left]), channels }];
  const [right, bottom] = [settingOf(layer, 6, 0), settingOf(layer, 7, 0)];
  const end = (rest: number) => (rest === 0 ? farthest : -rest);
  return [{ name: slice(graph, name, [top, left], [end(bottom), end(right)], [2, 3]), channels }];
};

const farthest = 2 ** 31 - 1;

/** Cuts out, from the offsets (top, left) on, as much as the reference is high and wide. */
function sliceLike(
  graph: GraphBuilder,
  from: string,
  reference: string,
  offsets: readonly number[],
): string {
  const shape = graph.node('Shape', [reference]);
  const sides = graph.node('Gather', [shape, graph.integers([2, 3])]);
  const starts = graph.integers(offsets);
  const ends = graph.node('Add', [sides, starts]);
  return graph.node('Slice', [from, starts, ends, graph.integers([2, 3])]);
}

function slice(
  graph: GraphBuilder,
  from: string,
  starts: readonly number[],
  ends: readonly number[],
  axes: readonly number[],
): string {
  return graph.node('Slice', [from, ...[starts, ends, axes].map((list) => graph.integers(list))]);
}

/** Pools over the whole picture or in windows: 0 is the maximum, 1 the mean. */
const pooling: Conversion = (layer, work) => {
  const { graph } = work;
  const { name, channels } = firstOf(work);
  const isMean = settingOf(layer, 0, 0) === 1;
  if (settingOf(layer, 4, 0) === 1) {
    const made = graph.node(isMean ? 'GlobalAveragePool' : 'GlobalMaxPool', [name]);
    return [{ name: made, channels }];
  }
  const wide = settingOf(layer, 1, 0);
  const high = settingOf(layer, 11, wide);
  const strideWide = settingOf(layer, 2, 1);
  const left = settingOf(layer, 3, 0);
  const top = settingOf(layer, 13, left);
  if (settingOf(layer, 7, 0) === 1) throw cannot(layer, 'pools to a size of its own');
  const made = graph.node(isMean ? 'AveragePool' : 'MaxPool', [name], {
    kernel_shape: [high, wide],
    strides: [settingOf(layer, 12, strideWide), strideWide],
    pads: [top, left, settingOf(layer, 15, top), settingOf(layer, 14, left)],
    ceil_mode: settingOf(layer, 5, 0) === 0 ? 1 : 0,
    ...(isMean && { count_include_pad: settingOf(layer, 6, 0) }),
  });
  return [{ name: made, channels }];
};

/** Resizes by factors: 1 is nearest, 2 bilinear, 3 bicubic. */
const interpolation: Conversion = (layer, work) => {
  const { graph } = work;
  const { name, channels } = firstOf(work);
  const kind = settingOf(layer, 0, 0);
  const mode = [undefined, 'nearest', 'linear', 'cubic'][kind];
  const high = settingOf(layer, 1, 1);
  const wide = settingOf(layer, 2, 1);
  if (mode === undefined || work.inputs.length !== 1 || settingOf(layer, 3, 0) !== 0)
    throw cannot(layer, 'scales to a size of its own');
  const corners = settingOf(layer, 6, 0) === 1;
  const factors = graph.weights(madeWeights([4], [1, 1, high, wide]));
  const made = graph.node('Resize', [name, '', factors], {
    mode,
    coordinate_transformation_mode:
      kind === 1 ? 'asymmetric' : corners ? 'align_corners' : 'half_pixel',
    ...(kind === 1 && { nearest_mode: 'floor' }),
    ...(kind === 3 && { cubic_coeff_a: { float: -0.75 } }),
  });
  return [{ name: made, channels }];
};

const scale: Conversion = (layer, work) => {
  const { graph, bin } = work;
  const { name, channels } = firstOf(work);
  const count = settingOf(layer, 0, 0);
  // The second input holds factors that another layer computed, as in channel attention.
  if (count === unset) {
    const made = graph.node('Mul', [name, work.inputs[1] ?? '']);
    return [{ name: made, channels }];
  }
  const factors = graph.weights(bin.plain(perChannel(count)));
  const made = graph.node('Mul', [name, factors]);
  if (settingOf(layer, 1, 0) !== 1) return [{ name: made, channels }];
  const bias = graph.weights(bin.plain(perChannel(count)));
  return [{ name: graph.node('Add', [made, bias]), channels }];
};

/** Shuffles pixels, whose values stand channel by channel in mode 0 (as in PyTorch), else place by place. */
const pixelShuffle: Conversion = (layer, work) => {
  const { name, channels } = firstOf(work);
  const blocksize = settingOf(layer, 0, 1);
  const mode = settingOf(layer, 1, 0) === 0 ? 'CRD' : 'DCR';
  const made = work.graph.node('DepthToSpace', [name], { blocksize, mode });
  return [{ name: made, channels: channels / blocksize ** 2 }];
};

const split: Conversion = (layer, work) => layer.outputs.map(() => firstOf(work));

export const layerKinds: Record<string, Conversion | undefined> = {
  Convolution: (layer, work) => convolution(layer, work, false),
  Deconvolution: (layer, work) => convolution(layer, work, true),
  ReLU: relu,
  PReLU: prelu,
  Split: split,
  Concat: concat,
  Eltwise: eltwise,
  BinaryOp: binary,
  InnerProduct: innerProduct,
  Crop: crop,
  Pooling: pooling,
  Interp: interpolation,
  Scale: scale,
  PixelShuffle: pixelShuffle,
};
