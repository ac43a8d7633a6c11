/** OmniSR (Wang 2023): spatial and channel attention in windows, then in a grid. */
import {
  type Architecture,
  add,
  conv,
  multiply,
  pixelShuffle,
  scaleOf,
  sigmoid,
  silu,
  type NetworkBuild,
} from './state.ts';
import { cropPadding, reflectPad, windowOf } from './reconstruct.ts';
import { attend, splitHeads, mergedHeads, pairBias } from './attention.ts';
import {
  depthwise,
  gelu,
  layerNorm,
  linear,
  parts,
  channelMeans,
  lengthMath,
  shaped,
  softmax,
  toMap,
  toPicture,
  transposed,
  l2Normalised,
  pictureNorm,
} from './tokens.ts';
import { createWindows, relativeRows, type Area } from './windows.ts';

const block = 'residual_layer.0.residual_layer.0.layer';
/** Window side of networks without a table of relative positions, in pixels. */
const defaultWindow = 8;
const heads = 4;

export const omniSr: Architecture = {
  name: 'OmniSR',
  recognises: (state) => state.has(`${block}.0.fn.0.weight`, 'input.weight', 'up.0.weight'),
  build(build, input) {
    const { state } = build;
    const table = `${block}.2.fn.rel_pos_bias.weight`;
    const window = state.has(table) ? windowOf(state.side(table, 0)) : defaultWindow;
    const { picture, area, original } = reflectPad(build, input, window, 'constant');
    const first = conv(build, picture, 'input');
    const partitions: Partitions = {
      windows: windowPartition(build, area, window),
      grid: gridPartition(build, area, window),
      window,
    };
    let at = first;
    for (let i = 0; state.has(`residual_layer.${i}.esa.conv1.weight`); i += 1)
      at = group(build, at, `residual_layer.${i}`, { partitions, area });
    const body = add(build, conv(build, at, 'output'), first);
    const colours = state.side('input.weight', 1);
    const scale = scaleOf(state.side('up.0.weight', 0), colours);
    const whole = pixelShuffle(build, conv(build, body, 'up.0'), scale);
    return {
      output: cropPadding(build, whole, original, scale),
      channels: { input: colours, output: colours },
    };
  },
};

/** Partition of a picture into sets of tokens, [sets, tokens, channels], and its inverse. */
interface Partition {
  cut: (picture: string, channels: number) => string;
  join: (sets: string, channels: number) => string;
}

interface Partitions {
  /** Sets of neighbouring tokens: one window each. */
  windows: Partition;
  /** Sets of tokens spread evenly over the whole picture. */
  grid: Partition;
  window: number;
}

function windowPartition(build: NetworkBuild, area: Area, window: number): Partition {
  const windows = createWindows(build, area, [window, window]);
  return {
    cut: (picture, channels) => windows.cut(toMap(build, picture), channels),
    join: (sets, channels) => toPicture(build, windows.join(sets, channels)),
  };
}

function gridPartition(build: NetworkBuild, area: Area, window: number): Partition {
  const rows = lengthMath(build, 'Div', area.height, window);
  const columns = lengthMath(build, 'Div', area.width, window);
  return {
    cut(picture, channels) {
      const split = shaped(build, toMap(build, picture), [window, rows, window, columns, channels]);
      const sets = transposed(build, split, [1, 3, 0, 2, 4]);
      return shaped(build, sets, [-1, window ** 2, channels]);
    },
    join(sets, channels) {
      const split = shaped(build, sets, [rows, columns, window, window, channels]);
      const map = transposed(build, split, [2, 0, 3, 1, 4]);
      return toPicture(build, shaped(build, map, [1, area.height, area.width, channels]));
    },
  };
}

interface OmniContext {
  partitions: Partitions;
  area: Area;
}

function group(
  build: NetworkBuild,
  from: string,
  name: string,
  { partitions, area }: OmniContext,
): string {
  let at = from;
  let i = 0;
  for (; build.state.has(`${name}.residual_layer.${i}.layer.0.fn.0.weight`); i += 1)
    at = omniBlock(build, at, `${name}.residual_layer.${i}.layer`, partitions);
  const sum = add(build, conv(build, at, `${name}.residual_layer.${i}`), from);
  return spatialGate(build, sum, `${name}.esa`, area);
}

function omniBlock(
  build: NetworkBuild,
  from: string,
  name: string,
  { windows, grid, window }: Partitions,
): string {
  let at = mbConv(build, from, `${name}.0.fn`);
  at = spatialAttention(build, at, `${name}.2`, windows, window);
  at = gatedFeedForward(build, at, `${name}.4`);
  at = channelAttention(build, at, `${name}.5`, (sets) => sets, windows);
  at = gatedFeedForward(build, at, `${name}.6`);
  at = spatialAttention(build, at, `${name}.8`, grid, window);
  at = gatedFeedForward(build, at, `${name}.10`);
  // Swaps sets and tokens.
  const across = (sets: string) => transposed(build, sets, [1, 0, 2]);
  at = channelAttention(build, at, `${name}.11`, across, windows);
  return gatedFeedForward(build, at, `${name}.12`);
}

/** MBConv: inverted bottleneck with a depthwise convolution and squeeze-and-excitation. */
function mbConv(build: NetworkBuild, from: string, name: string): string {
  const wide = gelu(build, conv(build, from, `${name}.0`));
  const convolved = gelu(build, depthwise(build, wide, `${name}.2`));
  const means = toMap(build, channelMeans(build, convolved));
  const hidden = silu(build, linear(build, means, `${name}.4.gate.1`));
  const weights = toPicture(build, sigmoid(build, linear(build, hidden, `${name}.4.gate.3`)));
  return add(build, conv(build, multiply(build, convolved, weights), `${name}.5`), from);
}

function spatialAttention(
  build: NetworkBuild,
  from: string,
  name: string,
  { cut, join }: Partition,
  window: number,
): string {
  const { state, graph } = build;
  const channels = state.side(`${name}.norm.weight`, 0);
  const sets = cut(from, channels);
  const qkv = linear(build, layerNorm(build, sets, `${name}.norm`), `${name}.fn.to_qkv`);
  const table = `${name}.fn.rel_pos_bias.weight`;
  const tokens = window ** 2;
  const index = () => graph.integers(relativeRows([window, window]));
  const bias = state.has(table)
    ? [pairBias(build, graph.weights(state.get(table)), index(), tokens, tokens)]
    : [];
  const result = attend(build, {
    ...splitHeads(build, qkv, heads, channels),
    scale: (channels / heads) ** -0.5,
    biases: bias,
  });
  const together = linear(build, mergedHeads(build, result, channels), `${name}.fn.to_out.0`);
  return join(add(build, together, sets), channels);
}

function gatedFeedForward(build: NetworkBuild, from: string, name: string): string {
  const normed = pictureNorm(build, from, `${name}.norm`);
  const wide = depthwise(build, conv(build, normed, `${name}.fn.project_in`), `${name}.fn.dwconv`);
  const [gate = '', value = ''] = parts(build, wide, 2, 1);
  const made = conv(build, multiply(build, gelu(build, gate), value), `${name}.fn.project_out`);
  return add(build, made, from);
}

function channelAttention(
  build: NetworkBuild,
  from: string,
  name: string,
  arrange: (sets: string) => string,
  { cut, join }: Partition,
): string {
  const { state, graph } = build;
  const channels = state.side(`${name}.norm.weight`, 0);
  const normed = pictureNorm(build, from, `${name}.norm`);
  const qkv = depthwise(build, conv(build, normed, `${name}.fn.qkv`), `${name}.fn.qkv_dwconv`);
  const [q = '', k = '', v = ''] = parts(build, qkv, 3, 1).map((one) => {
    const sets = shaped(build, arrange(cut(one, channels)), [0, 0, heads, channels / heads]);
    return transposed(build, sets, [0, 2, 3, 1]);
  });
  const similarity = graph.node('MatMul', [
    l2Normalised(build, q),
    transposed(build, l2Normalised(build, k), [0, 1, 3, 2]),
  ]);
  const temperature = graph.weights(state.get(`${name}.fn.temperature`));
  const weighted = graph.node('MatMul', [
    softmax(build, multiply(build, similarity, temperature)),
    v,
  ]);
  const sets = shaped(build, transposed(build, weighted, [0, 3, 1, 2]), [0, 0, channels]);
  const picture = conv(build, join(arrange(sets), channels), `${name}.fn.project_out`);
  return add(build, picture, from);
}

/** Enhanced spatial attention: weights positions by a mask computed at a lower resolution. */
function spatialGate(
  build: NetworkBuild,
  from: string,
  name: string,
  { height, width }: Area,
): string {
  const { graph } = build;
  const narrow = conv(build, from, `${name}.conv1`);
  const half = conv(build, narrow, `${name}.conv2`, { strides: [2, 2], pads: [0, 0, 0, 0] });
  const small = graph.node('MaxPool', [half], { kernel_shape: [7, 7], strides: [3, 3] });
  const mask = conv(build, small, `${name}.conv3`);
  const sides = graph.node(
    'Concat',
    [graph.integers([1, build.state.side(`${name}.conv3.weight`, 0)]), height, width],
    { axis: 0 },
  );
  const large = graph.node('Resize', [mask, '', '', sides], {
    mode: 'linear',
    coordinate_transformation_mode: 'half_pixel',
  });
  const sum = add(build, large, conv(build, narrow, `${name}.conv_f`));
  return multiply(build, from, sigmoid(build, conv(build, sum, `${name}.conv4`)));
}
