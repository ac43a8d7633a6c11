/** Parts that SwinIR and its successors have around their bodies: padding, mean shift and reconstruction. */
import { refused, createWeights } from '../../../../onnx/src/index.ts';
import { add, conv, leaky, nearest, pixelShuffle, scaleOf, type NetworkBuild } from './state.ts';
import { lengthMath, sideOf, sliced } from './tokens.ts';
import type { Area } from './windows.ts';

interface PaddedPicture {
  picture: string;
  /** Sides of the padded picture. */
  area: Area;
  /** Sides before the padding. */
  original: Area;
}

export const areaOf = (build: NetworkBuild, picture: string): Area => ({
  height: sideOf(build, picture, 2),
  width: sideOf(build, picture, 3),
});

/** Length that is missing to the next multiple. */
export const missingTo = (build: NetworkBuild, length: string, multiple: number) =>
  lengthMath(
    build,
    'Mod',
    lengthMath(build, 'Sub', multiple, lengthMath(build, 'Mod', length, multiple)),
    multiple,
  );

/** Pads to multiples of `multiple` pixels at the bottom and right. */
export function reflectPad(
  build: NetworkBuild,
  input: string,
  multiple: number,
  mode: 'reflect' | 'constant' = 'reflect',
): PaddedPicture {
  const { graph } = build;
  const original = areaOf(build, input);
  const amounts = graph.node(
    'Concat',
    [
      graph.integers([0, 0, 0, 0, 0, 0]),
      missingTo(build, original.height, multiple),
      missingTo(build, original.width, multiple),
    ],
    { axis: 0 },
  );
  const picture = graph.node('Pad', [input, amounts], { mode });
  return { picture, original, area: areaOf(build, picture) };
}

/** Like `reflectPad`, but repeats the border pixels: symmetric instead of reflecting padding. */
export function symmetricPad(build: NetworkBuild, input: string, multiple: number): PaddedPicture {
  const { graph } = build;
  const original = areaOf(build, input);
  let picture = input;
  for (const [axis, length] of [
    [2, original.height],
    [3, original.width],
  ] as const) {
    const back = graph.node('Slice', [
      picture,
      ...[[-1], [-(2 ** 31)], [axis], [-1]].map((one) => graph.integers(one)),
    ]);
    const both = graph.node('Concat', [picture, back], { axis });
    const paddedLength = lengthMath(build, 'Add', length, missingTo(build, length, multiple));
    picture = sliced(build, both, axis, 0, paddedLength);
  }
  return { picture, original, area: areaOf(build, picture) };
}

/** RGB mean of the DIV2K dataset, in 0..1. */
export const rgbMean = [0.4488, 0.4371, 0.404];

/** Constant of shape [1, colours, 1, 1]; zero unless there are three colours. */
function meanOf({ graph }: NetworkBuild, colours: number): string {
  const mean = colours === 3 ? rgbMean : Array.from({ length: colours }, () => 0);
  return graph.weights(createWeights([1, colours, 1, 1], mean));
}

/** Subtracts the mean of a picture in 0..1 and scales by `range`. */
export function subtractMean(
  build: NetworkBuild,
  from: string,
  colours: number,
  range = 1,
): string {
  const less = build.graph.node('Sub', [from, meanOf(build, colours)]);
  return range === 1 ? less : build.graph.node('Mul', [less, build.graph.number(range)]);
}

/** Inverse of `subtractMean`, for the network's output. */
export function addMean(build: NetworkBuild, from: string, colours: number, range = 1): string {
  const whole = range === 1 ? from : build.graph.node('Div', [from, build.graph.number(range)]);
  return add(build, whole, meanOf(build, colours));
}

/** Convolution, three-convolution bottleneck or identity, depending on which weights are present. */
export function residualConv(build: NetworkBuild, from: string, name: string): string {
  const { state } = build;
  if (state.has(`${name}.weight`)) return conv(build, from, name);
  if (!state.has(`${name}.0.weight`)) return from;
  const narrow = leaky(build, conv(build, from, `${name}.0`));
  const middle = leaky(build, conv(build, narrow, `${name}.2`));
  return conv(build, middle, `${name}.4`);
}

/** Default slope of PyTorch's LeakyReLU. */
const defaultSlope = 0.01;

interface UpsampledPicture {
  picture: string;
  scale: number;
}

/** Reconstructs a picture from features. Without upsampling, the features are a residual to `input`. */
export function reconstruct(
  build: NetworkBuild,
  features: string,
  input: string,
  colours: number,
): UpsampledPicture {
  const { state } = build;
  if (state.has('conv_before_upsample.0.weight')) {
    const first = leaky(build, conv(build, features, 'conv_before_upsample.0'), defaultSlope);
    return state.has('conv_up1.weight') ? byDoubling(build, first) : byShuffling(build, first);
  }
  if (state.has('upsample.0.weight')) {
    const scale = scaleOf(state.side('upsample.0.weight', 0), colours);
    return { picture: pixelShuffle(build, conv(build, features, 'upsample.0'), scale), scale };
  }
  return { picture: add(build, input, conv(build, features, 'conv_last')), scale: 1 };
}

function byDoubling(build: NetworkBuild, from: string): UpsampledPicture {
  let at = from;
  let scale = 1;
  for (let i = 1; build.state.has(`conv_up${i}.weight`); i += 1) {
    at = leaky(build, conv(build, nearest(build, at, 2), `conv_up${i}`));
    scale *= 2;
  }
  const last = conv(build, leaky(build, conv(build, at, 'conv_hr')), 'conv_last');
  return { picture: last, scale };
}

function byShuffling(build: NetworkBuild, from: string): UpsampledPicture {
  const { picture, scale } = shuffleUp(build, from, 'upsample');
  return { picture: conv(build, picture, 'conv_last'), scale };
}

/** Upsamples features by alternating convolutions and pixel shuffles. */
export function shuffleUp(build: NetworkBuild, from: string, parts: string): UpsampledPicture {
  const { state } = build;
  let picture = from;
  let scale = 1;
  for (let i = 0; state.has(`${parts}.${i}.weight`); i += 2) {
    const name = `${parts}.${i}`;
    const step = scaleOf(state.side(`${name}.weight`, 0), state.side(`${name}.weight`, 1));
    picture = pixelShuffle(build, conv(build, picture, name), step);
    scale *= step;
  }
  return { picture, scale };
}

/** Crops the padding from the upsampled picture. */
export function cropPadding(
  build: NetworkBuild,
  from: string,
  original: Area,
  scale: number,
): string {
  const to = (length: string) => (scale === 1 ? length : lengthMath(build, 'Mul', length, scale));
  return sliced(build, sliced(build, from, 2, 0, to(original.height)), 3, 0, to(original.width));
}

/** @throws MODEL_REFUSED for absolute position embeddings, which fix the size of the picture. */
export function assertNoFixedPositions({ state }: NetworkBuild): void {
  if (!state.has('absolute_pos_embed')) return;
  throw refused(
    'The network has positions that were learnt for one size of picture; it cannot be used for others. Bring it as ONNX.',
  );
}

/**
 * Side of a square window, in pixels, whose table of relative positions has `rows` rows.
 *
 * @throws MODEL_REFUSED if there is none.
 */
export function windowOf(rows: number): number {
  const side = (Math.sqrt(rows) + 1) / 2;
  if (Number.isInteger(side) && side >= 2 && side <= 64) return side;
  throw refused(`A table of ${rows} relative places belongs to no square window.`);
}
