/** Networks after SwinIR share this around their bodies: padding, the mean, and the way to a picture. */
import { refused } from '../../../../../electron/engine/onnx/refused.ts';
import { createWeights } from '../../../../../electron/engine/onnx/tensor.ts';
import { add, conv, leaky, nearest, pixelShuffle, scaleOf, type Build } from './state.ts';
import { reckon, sideOf, sliced } from './tokens.ts';
import type { Area } from './windows.ts';

interface Padded {
  picture: string;
  /** The sides of the padded picture. */
  area: Area;
  /** The sides of the picture before it was padded. */
  own: Area;
}

export const areaOf = (build: Build, picture: string): Area => ({
  height: sideOf(build, picture, 2),
  width: sideOf(build, picture, 3),
});

/** Computes what a length lacks to a multiple, such as a multiple of the window's side. */
export const paddingTo = (build: Build, length: string, multiple: number) =>
  reckon(
    build,
    'Mod',
    reckon(build, 'Sub', multiple, reckon(build, 'Mod', length, multiple)),
    multiple,
  );

/** Pads a picture to multiples at the right and lower border. */
export function padded(
  build: Build,
  input: string,
  multiple: number,
  mode: 'reflect' | 'constant' = 'reflect',
): Padded {
  const { graph } = build;
  const own = areaOf(build, input);
  const amounts = graph.node(
    'Concat',
    [
      graph.integers([0, 0, 0, 0, 0, 0]),
      paddingTo(build, own.height, multiple),
      paddingTo(build, own.width, multiple),
    ],
    { axis: 0 },
  );
  const picture = graph.node('Pad', [input, amounts], { mode });
  return { picture, own, area: areaOf(build, picture) };
}

/** Pads in the same way, but mirrors the pixels of the border itself too. */
export function mirrored(build: Build, input: string, multiple: number): Padded {
  const { graph } = build;
  const own = areaOf(build, input);
  let picture = input;
  for (const [axis, length] of [
    [2, own.height],
    [3, own.width],
  ] as const) {
    const back = graph.node('Slice', [
      picture,
      ...[[-1], [-(2 ** 31)], [axis], [-1]].map((one) => graph.integers(one)),
    ]);
    const both = graph.node('Concat', [picture, back], { axis });
    const wanted = reckon(build, 'Add', length, paddingTo(build, length, multiple));
    picture = sliced(build, both, axis, 0, wanted);
  }
  return { picture, own, area: areaOf(build, picture) };
}

/** Most networks take this mean off red, green and blue. */
export const usualMean = [0.4488, 0.4371, 0.404];

/** Gives the mean that is taken off a picture of so many colours, and put back at the end. */
function meanOf({ graph }: Build, colours: number): string {
  const mean = colours === 3 ? usualMean : Array.from({ length: colours }, () => 0);
  return graph.weights(createWeights([1, colours, 1, 1], mean));
}

/** Takes the mean off a picture in 0..1 and multiplies the rest by `range`. */
export function normalised(build: Build, from: string, colours: number, range = 1): string {
  const less = build.graph.node('Sub', [from, meanOf(build, colours)]);
  return range === 1 ? less : build.graph.node('Mul', [less, build.graph.number(range)]);
}

/** Undoes `normalised` on what the network made. */
export function restored(build: Build, from: string, colours: number, range = 1): string {
  const whole = range === 1 ? from : build.graph.node('Div', [from, build.graph.number(range)]);
  return add(build, whole, meanOf(build, colours));
}

/** Builds one convolution, three with a narrow one in the middle, or none, as there are weights. */
export function residualConv(build: Build, from: string, name: string): string {
  const { state } = build;
  if (state.has(`${name}.weight`)) return conv(build, from, name);
  if (!state.has(`${name}.0.weight`)) return from;
  const narrow = leaky(build, conv(build, from, `${name}.0`));
  const middle = leaky(build, conv(build, narrow, `${name}.2`));
  return conv(build, middle, `${name}.4`);
}

/** PyTorch's LeakyReLU has this slope unless another is given. */
const usualSlope = 0.01;

interface Enlarged {
  picture: string;
  scale: number;
}

/** Turns features into a picture. A network that enlarges nothing adds them to the normalised `input`. */
export function enlarged(build: Build, features: string, input: string, colours: number): Enlarged {
  const { state } = build;
  if (state.has('conv_before_upsample.0.weight')) {
    const first = leaky(build, conv(build, features, 'conv_before_upsample.0'), usualSlope);
    return state.has('conv_up1.weight') ? byDoubling(build, first) : byShuffling(build, first);
  }
  if (state.has('upsample.0.weight')) {
    const scale = scaleOf(state.side('upsample.0.weight', 0), colours);
    return { picture: pixelShuffle(build, conv(build, features, 'upsample.0'), scale), scale };
  }
  return { picture: add(build, input, conv(build, features, 'conv_last')), scale: 1 };
}

function byDoubling(build: Build, from: string): Enlarged {
  let at = from;
  let scale = 1;
  for (let i = 1; build.state.has(`conv_up${i}.weight`); i += 1) {
    at = leaky(build, conv(build, nearest(build, at, 2), `conv_up${i}`));
    scale *= 2;
  }
  const last = conv(build, leaky(build, conv(build, at, 'conv_hr')), 'conv_last');
  return { picture: last, scale };
}

function byShuffling(build: Build, from: string): Enlarged {
  const { picture, scale } = shuffled(build, from, 'upsample');
  return { picture: conv(build, picture, 'conv_last'), scale };
}

/** Enlarges features by convolutions and pixel shuffles in turn. */
export function shuffled(build: Build, from: string, parts: string): Enlarged {
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

/** Crops what was padded off the enlarged picture. */
export function cropped(build: Build, from: string, own: Area, scale: number): string {
  const to = (length: string) => (scale === 1 ? length : reckon(build, 'Mul', length, scale));
  return sliced(build, sliced(build, from, 2, 0, to(own.height)), 3, 0, to(own.width));
}

/** Refuses networks whose positions were learnt for one size. It throws MODEL_REFUSED. */
export function assertNoFixedPositions({ state }: Build): void {
  if (!state.has('absolute_pos_embed')) return;
  throw refused(
    'The network has positions that were learnt for one size of picture; it cannot be used for others. Bring it as ONNX.',
  );
}

/** Computes the side of square windows from the rows of a table of positions. It throws MODEL_REFUSED. */
export function windowOf(rows: number): number {
  const side = (Math.sqrt(rows) + 1) / 2;
  if (Number.isInteger(side) && side >= 2 && side <= 64) return side;
  throw refused(`A table of ${rows} relative places belongs to no square window.`);
}
