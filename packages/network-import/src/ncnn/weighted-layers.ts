/** Conversions of the ncnn layers that have weights. */
import type { Attributes, GraphBuilder } from '../../../onnx/src/index.ts';
import {
  unsupportedLayer,
  firstInput,
  numberOf,
  unset,
  type LayerConversion,
  type LayerOutput,
  type LayerContext,
} from './conversion.ts';
import type { NcnnLayer } from './read-param.ts';

/** Kernel, stride, dilation and padding. ncnn stores the width first, ONNX the height. */
function windowOf(layer: NcnnLayer): Attributes & { kernel: number } {
  const pair = (wide: number, high: number, usual: number) => {
    const w = numberOf(layer, wide, usual);
    return [numberOf(layer, high, w), w];
  };
  const [kernelHigh = 1, kernelWide = 1] = pair(1, 11, 1);
  const left = numberOf(layer, 4, 0);
  const top = numberOf(layer, 14, left);
  return {
    kernel: kernelHigh * kernelWide,
    kernel_shape: [kernelHigh, kernelWide],
    strides: pair(3, 13, 1),
    dilations: pair(2, 12, 1),
    pads: [top, left, numberOf(layer, 16, top), numberOf(layer, 15, left)],
  };
}

function assertPadding(layer: NcnnLayer): void {
  const negative = [4, 14, 15, 16].some((key) => numberOf(layer, key, 0) < 0);
  if (negative || numberOf(layer, 18, 0) !== 0 || numberOf(layer, 8, 0) !== 0)
    throw unsupportedLayer(layer, 'pads automatically or with a value, or is quantised');
}

export function convolution(
  layer: NcnnLayer,
  work: LayerContext,
  isTransposed: boolean,
): LayerOutput[] {
  const { graph, bin } = work;
  const input = firstInput(work);
  const outputs = numberOf(layer, 0, 0);
  const { kernel, ...window } = windowOf(layer);
  const weightCount = numberOf(layer, 6, 0);
  const inputs = weightCount / (outputs * kernel);
  if (!Number.isInteger(inputs) || inputs !== input.channels)
    throw unsupportedLayer(
      layer,
      `says that it takes ${inputs} channels where ${input.channels} come`,
    );
  assertPadding(layer);
  const [high = 1, wide = 1] = window.kernel_shape as number[];
  const stored = bin.flagged([outputs, inputs, high, wide]);
  const weights = isTransposed
    ? {
        shape: [inputs, outputs, high, wide],
        floats: () => transposeWeights(stored.floats(), outputs, inputs, kernel),
      }
    : stored;
  const bias = numberOf(layer, 5, 0) === 1 ? [graph.weights(bin.plain([outputs]))] : [];
  const made = graph.node(
    isTransposed ? 'ConvTranspose' : 'Conv',
    [input.name, graph.weights(weights), ...bias],
    window,
  );
  return [{ name: withActivation(layer, graph, made), channels: outputs }];
}

/** Transposes a deconvolution's weights from [out, in, kernel] (ncnn) to [in, out, kernel] (ONNX). */
function transposeWeights(values: Float32Array, outputs: number, inputs: number, kernel: number) {
  const result = new Float32Array(values.length);
  for (let o = 0; o < outputs; o += 1)
    for (let i = 0; i < inputs; i += 1)
      result.set(
        values.subarray((o * inputs + i) * kernel, (o * inputs + i + 1) * kernel),
        (i * outputs + o) * kernel,
      );
  return result;
}

/** Appends the layer's activation: 0 none, 1 ReLU, 2 LeakyReLU, 3 clip, 4 sigmoid. */
function withActivation(layer: NcnnLayer, graph: GraphBuilder, from: string): string {
  const kind = numberOf(layer, 9, 0);
  const [first = 0, second = 0] = layer.lists.get(10) ?? [];
  if (kind === 0) return from;
  if (kind === 1) return graph.node('Relu', [from]);
  if (kind === 2) return graph.node('LeakyRelu', [from], { alpha: { float: first } });
  if (kind === 3) return graph.node('Clip', [from, graph.number(first), graph.number(second)]);
  if (kind === 4) return graph.node('Sigmoid', [from]);
  throw unsupportedLayer(layer, `has the activation ${kind}`);
}

/** Fully connected layer over globally pooled input of one value per channel, as a 1x1 convolution. */
export const innerProduct: LayerConversion = (layer, work) => {
  const { graph, bin } = work;
  const { name, channels } = firstInput(work);
  const outputs = numberOf(layer, 0, 0);
  if (numberOf(layer, 2, 0) !== outputs * channels)
    throw unsupportedLayer(
      layer,
      `takes ${numberOf(layer, 2, 0) / outputs} values where ${channels} come`,
    );
  const weights = graph.weights(bin.flagged([outputs, channels, 1, 1]));
  const bias = numberOf(layer, 1, 0) === 1 ? [graph.weights(bin.plain([outputs]))] : [];
  const made = graph.node('Conv', [name, weights, ...bias], { kernel_shape: [1, 1] });
  return [{ name: withActivation(layer, graph, made), channels: outputs }];
};

/** Shape that broadcasts one value per channel over a picture. */
const perChannel = (count: number) => [count, 1, 1];

export const prelu: LayerConversion = (layer, work) => {
  const { name, channels } = firstInput(work);
  const slopes = work.graph.weights(work.bin.plain(perChannel(numberOf(layer, 0, 0))));
  return [{ name: work.graph.node('PRelu', [name, slopes]), channels }];
};

export const scale: LayerConversion = (layer, work) => {
  const { graph, bin } = work;
  const { name, channels } = firstInput(work);
  const count = numberOf(layer, 0, 0);
  // Without a count of its own, the factors are the second input, as in channel attention.
  if (count === unset) {
    const made = graph.node('Mul', [name, work.inputs[1] ?? '']);
    return [{ name: made, channels }];
  }
  const factors = graph.weights(bin.plain(perChannel(count)));
  const made = graph.node('Mul', [name, factors]);
  if (numberOf(layer, 1, 0) !== 1) return [{ name: made, channels }];
  const bias = graph.weights(bin.plain(perChannel(count)));
  return [{ name: graph.node('Add', [made, bias]), channels }];
};
