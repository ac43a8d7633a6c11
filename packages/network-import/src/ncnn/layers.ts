/**
 * Conversions to ONNX nodes of the 14 ncnn layer types that 65 published .param files of upscalers use.
 * Parameter ids: https://github.com/Tencent/ncnn/blob/master/docs/developer-guide/operators.md
 */
import { unsupportedLayer, firstInput, numberOf, type LayerConversion } from './conversion.ts';
import { crop, interpolation, pixelShuffle, pooling } from './sampling-layers.ts';
import { convolution, innerProduct, prelu, scale } from './weighted-layers.ts';

const relu: LayerConversion = (layer, work) => {
  const { name, channels } = firstInput(work);
  const slope = numberOf(layer, 0, 0);
  const made =
    slope === 0
      ? work.graph.node('Relu', [name])
      : work.graph.node('LeakyRelu', [name], { alpha: { float: slope } });
  return [{ name: made, channels }];
};

const concat: LayerConversion = (layer, { graph, inputs, channels }) => {
  if (numberOf(layer, 0, 0) !== 0)
    throw unsupportedLayer(layer, 'joins along the width or the height');
  const name = graph.node('Concat', inputs, { axis: 1 });
  return [{ name, channels: channels.reduce((sum, one) => sum + one, 0) }];
};

/** Elementwise operation. op_type: 0 product, 1 sum (weighted by coeffs where they are given), 2 maximum. */
const eltwise: LayerConversion = (layer, { graph, inputs, channels }) => {
  const kind = numberOf(layer, 0, 0);
  const operation = ['Mul', 'Add', 'Max'][kind];
  if (operation === undefined) throw unsupportedLayer(layer, `has the operation ${kind}`);
  const weights = layer.lists.get(1) ?? [];
  const weighted = inputs.map((input, i) => {
    const weight = kind === 1 ? (weights[i] ?? 1) : 1;
    return weight === 1 ? input : graph.node('Mul', [input, graph.number(weight)]);
  });
  const name = weighted.reduce((sum, one) => graph.node(operation, [sum, one]));
  return [{ name, channels: channels[0] ?? 0 }];
};

/** By op_type, for two inputs or an input and a number. 7 and 8 (RSUB, RDIV) swap the operands. */
const binaryOperations = ['Add', 'Sub', 'Mul', 'Div', 'Max', 'Min', 'Pow', 'Sub', 'Div'];

const binary: LayerConversion = (layer, { graph, inputs, channels }) => {
  const kind = numberOf(layer, 0, 0);
  const operation = binaryOperations[kind];
  if (operation === undefined) throw unsupportedLayer(layer, `has the operation ${kind}`);
  const [first = ''] = inputs;
  const hasNumber = numberOf(layer, 1, 0) === 1;
  const second = hasNumber ? graph.number(numberOf(layer, 2, 0)) : (inputs[1] ?? '');
  const operands = kind >= 7 ? [second, first] : [first, second];
  return [{ name: graph.node(operation, operands), channels: Math.max(...channels) }];
};

const split: LayerConversion = (layer, work) => layer.outputs.map(() => firstInput(work));

export const layerConversions: Record<string, LayerConversion | undefined> = {
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
