/** Converts the ncnn layers that have weights. */
import type { Attributes } from '../../../../electron/engine/onnx/encode-onnx.ts';
import type { GraphBuilder } from '../../../../electron/engine/onnx/write-onnx.ts';
import {
  cannot,
  firstOf,
  settingOf,
  unset,
  type Conversion,
  type LayerResult,
  type LayerWork,
} from './conversion.ts';
import type { Layer } from './read-param.ts';

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

export function convolution(layer: Layer, work: LayerWork, isTransposed: boolean): LayerResult[] {
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

/** Converts a fully connected layer over a pooled picture, which has one value a channel. */
export const innerProduct: Conversion = (layer, work) => {
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

/** The shape of one value for each channel of a picture. */
const perChannel = (count: number) => [count, 1, 1];

export const prelu: Conversion = (layer, work) => {
  const { name, channels } = firstOf(work);
  const slopes = work.graph.weights(work.bin.plain(perChannel(settingOf(layer, 0, 0))));
  return [{ name: work.graph.node('PRelu', [name, slopes]), channels }];
};

export const scale: Conversion = (layer, work) => {
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
