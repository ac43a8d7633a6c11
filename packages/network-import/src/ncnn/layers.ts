/**
 * Converts the 14 kinds of layers that every ncnn enlarger is made of to ONNX nodes; 65 published .param files
 * were read to find them. The numbers of their settings stand in
 * https://github.com/Tencent/ncnn/blob/master/docs/developer-guide/operators.md.
 */
import { cannot, firstOf, settingOf, type Conversion } from './conversion.ts';
import { crop, interpolation, pixelShuffle, pooling } from './sampling-layers.ts';
import { convolution, innerProduct, prelu, scale } from './weighted-layers.ts';

const relu: Conversion = (layer, work) => {
  const { name, channels } = firstOf(work);
  const slope = settingOf(layer, 0, 0);
  const made =
    slope === 0
      ? work.graph.node('Relu', [name])
      : work.graph.node('LeakyRelu', [name], { alpha: { float: slope } });
  return [{ name: made, channels }];
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
