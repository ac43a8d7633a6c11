/** Real-CUGAN (bilibili 2022): a cascade of two U-Nets, for the scales 2, 3 and 4. */
import {
  type Architecture,
  add,
  conv,
  leaky,
  multiply,
  nearest,
  pixelShuffle,
  sigmoid,
  times,
  type NetworkBuild,
  unshuffledConv,
} from './state.ts';
import { channelMeans, lengthMath, relu, sideOf, sliced } from './tokens.ts';
import { missingTo } from './reconstruct.ts';

const slope = 0.1;
const unpadded = { pads: [0, 0, 0, 0] };

export const realCugan: Architecture = {
  name: 'Real-CUGAN',
  recognises: (state) =>
    state.has('unet1.conv1.conv.0.weight', 'unet1.conv_bottom.weight', 'unet2.conv4_up.weight'),
  build(build, input) {
    const kind = variantOf(build);
    // "pro" networks take values in 0.15..0.85.
    const isPro = build.state.has('pro');
    const scaled = isPro ? addNumber(build, times(build, input, 0.7), 0.15) : input;
    const made = kind.isResidual
      ? residualCugan(build, scaled, kind)
      : directCugan(build, scaled, kind);
    const output = isPro ? times(build, addNumber(build, made, -0.15), 1 / 0.7) : made;
    return { output, channels: { input: 3, output: 3 } };
  },
};

interface CuganVariant {
  scale: number;
  /** Border that the two valid-padding U-Nets consume, in pixels on each side. */
  aroundPx: number;
  multiple: number;
  /** Whether a last convolution predicts a residual to the nearest-neighbour enlargement. */
  isResidual: boolean;
  isFast: boolean;
}

function variantOf({ state }: NetworkBuild): CuganVariant {
  const isResidual = state.has('conv_final.weight');
  const isFast = isResidual && state.side('unet1.conv1.conv.0.weight', 1) === 12;
  if (isFast) return { scale: 2, aroundPx: 38, multiple: 4, isResidual, isFast };
  if (isResidual) return { scale: 4, aroundPx: 19, multiple: 2, isResidual, isFast };
  return state.side('unet1.conv_bottom.weight', 2) === 5
    ? { scale: 3, aroundPx: 14, multiple: 4, isResidual, isFast }
    : { scale: 2, aroundPx: 18, multiple: 2, isResidual, isFast };
}

const addNumber = ({ graph }: NetworkBuild, from: string, value: number) =>
  graph.node('Add', [from, graph.number(value)]);

function directCugan(
  build: NetworkBuild,
  input: string,
  { scale, aroundPx, multiple }: CuganVariant,
): string {
  const first = firstUNet(build, padAround(build, input, aroundPx, multiple), 'unet1', scale);
  const sum = add(build, secondUNet(build, first, 'unet2'), trim(build, first, 20));
  return cropToScale(build, sum, input, scale);
}

function residualCugan(
  build: NetworkBuild,
  input: string,
  { scale, aroundPx, multiple, isFast }: CuganVariant,
): string {
  const wide = padAround(build, input, aroundPx, multiple);
  const first = firstUNet(build, wide, 'unet1', 2, isFast);
  const sum = add(build, secondUNet(build, first, 'unet2'), trim(build, first, 20));
  const features = trim(build, conv(build, sum, 'conv_final', unpadded), 1);
  const shuffled = cropToScale(build, pixelShuffle(build, features, 2), input, scale);
  return add(build, shuffled, nearest(build, input, scale));
}

/** Reflects `px` pixels around the picture, and pads to a multiple at the bottom and right. */
function padAround(build: NetworkBuild, input: string, px: number, multiple: number): string {
  const { graph } = build;
  const after = (axis: number) =>
    lengthMath(build, 'Add', missingTo(build, sideOf(build, input, axis), multiple), px);
  const pads = [graph.integers([0, 0, px, px, 0, 0]), after(2), after(3)];
  return graph.node('Pad', [input, graph.node('Concat', pads, { axis: 0 })], { mode: 'reflect' });
}

const trim = (build: NetworkBuild, from: string, px: number) =>
  sliced(build, sliced(build, from, 2, px, -px), 3, px, -px);

function cropToScale(build: NetworkBuild, from: string, input: string, scale: number): string {
  const to = (axis: number) => lengthMath(build, 'Mul', sideOf(build, input, axis), scale);
  return sliced(build, sliced(build, from, 2, 0, to(2)), 3, 0, to(3));
}

/** Two convolutions without padding, and squeeze-and-excitation where its weights are present. */
function doubleConv(build: NetworkBuild, from: string, name: string, isUnshuffled = false): string {
  const one = isUnshuffled
    ? unshuffledConv(build, from, `${name}.conv.0`, 2, unpadded)
    : conv(build, from, `${name}.conv.0`, unpadded);
  const two = leaky(
    build,
    conv(build, leaky(build, one, slope), `${name}.conv.2`, unpadded),
    slope,
  );
  if (!build.state.has(`${name}.seblock.conv1.weight`)) return two;
  const means = relu(build, conv(build, channelMeans(build, two), `${name}.seblock.conv1`));
  return multiply(build, two, sigmoid(build, conv(build, means, `${name}.seblock.conv2`)));
}

const downsampled = (build: NetworkBuild, from: string, name: string) =>
  leaky(build, conv(build, from, name, { ...unpadded, strides: [2, 2] }), slope);

function upsampled(build: NetworkBuild, from: string, name: string, stride = 2, cut = 0): string {
  const { state, graph } = build;
  const weights = state.get(`${name}.weight`);
  const names = [graph.weights(weights), graph.weights(state.get(`${name}.bias`))];
  return graph.node('ConvTranspose', [from, ...names], {
    kernel_shape: weights.shape.slice(2),
    strides: [stride, stride],
    pads: [cut, cut, cut, cut],
  });
}

function firstUNet(
  build: NetworkBuild,
  from: string,
  name: string,
  scale: number,
  isUnshuffled = false,
): string {
  const one = doubleConv(build, from, `${name}.conv1`, isUnshuffled);
  const inner = doubleConv(build, downsampled(build, one, `${name}.conv1_down`), `${name}.conv2`);
  const up = leaky(build, upsampled(build, inner, `${name}.conv2_up`), slope);
  const sum = add(build, trim(build, one, 4), up);
  const last = leaky(build, conv(build, sum, `${name}.conv3`, unpadded), slope);
  return scale === 3
    ? upsampled(build, last, `${name}.conv_bottom`, 3, 2)
    : upsampled(build, last, `${name}.conv_bottom`, 2, 3);
}

function secondUNet(build: NetworkBuild, from: string, name: string): string {
  const one = doubleConv(build, from, `${name}.conv1`);
  const two = doubleConv(build, downsampled(build, one, `${name}.conv1_down`), `${name}.conv2`);
  const three = doubleConv(build, downsampled(build, two, `${name}.conv2_down`), `${name}.conv3`);
  const up = leaky(build, upsampled(build, three, `${name}.conv3_up`), slope);
  const four = doubleConv(build, add(build, trim(build, two, 4), up), `${name}.conv4`);
  const upper = leaky(build, upsampled(build, four, `${name}.conv4_up`), slope);
  const sum = add(build, trim(build, one, 16), upper);
  const five = leaky(build, conv(build, sum, `${name}.conv5`, unpadded), slope);
  return conv(build, five, `${name}.conv_bottom`, unpadded);
}
