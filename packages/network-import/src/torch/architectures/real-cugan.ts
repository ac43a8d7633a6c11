/** Real-CUGAN (bilibili 2022) has two U-Nets one after the other, and enlarges 2, 3 or 4 times. */
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
  type Build,
  unshuffledConv,
} from './state.ts';
import { channelMeans, reckon, relu, sideOf, sliced } from './tokens.ts';
import { paddingTo } from './reconstruct.ts';

const slope = 0.1;
const unpadded = { pads: [0, 0, 0, 0] };

export const realCugan: Architecture = {
  name: 'Real-CUGAN',
  recognises: (state) =>
    state.has('unet1.conv1.conv.0.weight', 'unet1.conv_bottom.weight', 'unet2.conv4_up.weight'),
  build(build, input) {
    const kind = kindOf(build);
    // The networks that are called pro take values of another range.
    const isPro = build.state.has('pro');
    const given = isPro ? plus(build, times(build, input, 0.7), 0.15) : input;
    const made = kind.isFinal ? final(build, given, kind) : direct(build, given, kind);
    const output = isPro ? times(build, plus(build, made, -0.15), 1 / 0.7) : made;
    return { output, channels: { input: 3, output: 3 } };
  },
};

interface Kind {
  scale: number;
  /** The two networks use up this many pixels around the picture. */
  aroundPx: number;
  multiple: number;
  /** Tells whether a last convolution of the features is added to the picture. */
  isFinal: boolean;
  isFast: boolean;
}

function kindOf({ state }: Build): Kind {
  const isFinal = state.has('conv_final.weight');
  const isFast = isFinal && state.side('unet1.conv1.conv.0.weight', 1) === 12;
  if (isFast) return { scale: 2, aroundPx: 38, multiple: 4, isFinal, isFast };
  if (isFinal) return { scale: 4, aroundPx: 19, multiple: 2, isFinal, isFast };
  return state.side('unet1.conv_bottom.weight', 2) === 5
    ? { scale: 3, aroundPx: 14, multiple: 4, isFinal, isFast }
    : { scale: 2, aroundPx: 18, multiple: 2, isFinal, isFast };
}

const plus = ({ graph }: Build, from: string, value: number) =>
  graph.node('Add', [from, graph.number(value)]);

function direct(build: Build, input: string, { scale, aroundPx, multiple }: Kind): string {
  const first = firstNet(build, surrounded(build, input, aroundPx, multiple), 'unet1', scale);
  const sum = add(build, secondNet(build, first, 'unet2'), trimmed(build, first, 20));
  return asLargeAs(build, sum, input, scale);
}

function final(build: Build, input: string, { scale, aroundPx, multiple, isFast }: Kind): string {
  const wide = surrounded(build, input, aroundPx, multiple);
  const first = firstNet(build, wide, 'unet1', 2, isFast);
  const sum = add(build, secondNet(build, first, 'unet2'), trimmed(build, first, 20));
  const features = trimmed(build, conv(build, sum, 'conv_final', unpadded), 1);
  const shuffled = asLargeAs(build, pixelShuffle(build, features, 2), input, scale);
  return add(build, shuffled, nearest(build, input, scale));
}

/** Pads the picture by mirroring: by `px` around it, and to a multiple at the right and below. */
function surrounded(build: Build, input: string, px: number, multiple: number): string {
  const { graph } = build;
  const after = (axis: number) =>
    reckon(build, 'Add', paddingTo(build, sideOf(build, input, axis), multiple), px);
  const pads = [graph.integers([0, 0, px, px, 0, 0]), after(2), after(3)];
  return graph.node('Pad', [input, graph.node('Concat', pads, { axis: 0 })], { mode: 'reflect' });
}

const trimmed = (build: Build, from: string, px: number) =>
  sliced(build, sliced(build, from, 2, px, -px), 3, px, -px);

function asLargeAs(build: Build, from: string, input: string, scale: number): string {
  const to = (axis: number) => reckon(build, 'Mul', sideOf(build, input, axis), scale);
  return sliced(build, sliced(build, from, 2, 0, to(2)), 3, 0, to(3));
}

/** Builds two convolutions without padding, and squeeze-and-excitation where there are weights for it. */
function doubleConv(build: Build, from: string, name: string, isUnshuffled = false): string {
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

const downsampled = (build: Build, from: string, name: string) =>
  leaky(build, conv(build, from, name, { ...unpadded, strides: [2, 2] }), slope);

function upsampled(build: Build, from: string, name: string, stride = 2, cut = 0): string {
  const { state, graph } = build;
  const weights = state.get(`${name}.weight`);
  const names = [graph.weights(weights), graph.weights(state.get(`${name}.bias`))];
  return graph.node('ConvTranspose', [from, ...names], {
    kernel_shape: weights.shape.slice(2),
    strides: [stride, stride],
    pads: [cut, cut, cut, cut],
  });
}

function firstNet(
  build: Build,
  from: string,
  name: string,
  scale: number,
  isUnshuffled = false,
): string {
  const one = doubleConv(build, from, `${name}.conv1`, isUnshuffled);
  const inner = doubleConv(build, downsampled(build, one, `${name}.conv1_down`), `${name}.conv2`);
  const up = leaky(build, upsampled(build, inner, `${name}.conv2_up`), slope);
  const sum = add(build, trimmed(build, one, 4), up);
  const last = leaky(build, conv(build, sum, `${name}.conv3`, unpadded), slope);
  return scale === 3
    ? upsampled(build, last, `${name}.conv_bottom`, 3, 2)
    : upsampled(build, last, `${name}.conv_bottom`, 2, 3);
}

function secondNet(build: Build, from: string, name: string): string {
  const one = doubleConv(build, from, `${name}.conv1`);
  const two = doubleConv(build, downsampled(build, one, `${name}.conv1_down`), `${name}.conv2`);
  const three = doubleConv(build, downsampled(build, two, `${name}.conv2_down`), `${name}.conv3`);
  const up = leaky(build, upsampled(build, three, `${name}.conv3_up`), slope);
  const four = doubleConv(build, add(build, trimmed(build, two, 4), up), `${name}.conv4`);
  const upper = leaky(build, upsampled(build, four, `${name}.conv4_up`), slope);
  const sum = add(build, trimmed(build, one, 16), upper);
  const five = leaky(build, conv(build, sum, `${name}.conv5`, unpadded), slope);
  return conv(build, five, `${name}.conv_bottom`, unpadded);
}
