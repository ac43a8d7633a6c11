/**
 * Parts shared by DAT and RGT: the frame around the blocks, the MLP with a spatial gate, attention in
 * rectangular windows, and dynamic relative positions.
 */
import { conv, multiply, type NetworkBuild, add } from './state.ts';
import {
  batchNorm,
  depthwise,
  gelu,
  layerNorm,
  linear,
  parts,
  lengthMath,
  relu,
  sliced,
  toMap,
  toPicture,
} from './tokens.ts';
import {
  attendInWindows,
  createWindows,
  type Area,
  type WindowSides,
  type Windows,
} from './windows.ts';
import {
  areaOf,
  subtractMean,
  residualConv,
  addMean,
  missingTo,
  reconstruct,
} from './reconstruct.ts';

/** Position of a block in the network, and the context shared by all blocks. */
export interface BlockContext {
  /** Sides of the picture without padding. */
  original: Area;
  rectangles: RectangularWindows;
  group: number;
  block: number;
}

type BlockBuilder = (
  build: NetworkBuild,
  from: string,
  name: string,
  place: BlockContext,
) => string;

/** Convolution, norm, residual groups, norm, convolution and reconstruction. */
export function aroundGroups(build: NetworkBuild, input: string, block: BlockBuilder) {
  const { state } = build;
  const colours = state.side('conv_first.weight', 1);
  const original = areaOf(build, input);
  const plain = subtractMean(build, input, colours);
  const features = conv(build, plain, 'conv_first');
  const before = layerNorm(build, toMap(build, features), 'before_RG.1');
  const rectangles = createRectangles(build, input, 'layers.0.blocks.0.attn.attns.0');
  const map = groups(build, before, (from, name, place) =>
    block(build, from, name, { original, rectangles, ...place }),
  );
  const deep = toPicture(build, layerNorm(build, map, 'norm'));
  const all = add(build, residualConv(build, deep, 'conv_after_body'), features);
  const output = addMean(build, reconstruct(build, all, plain, colours).picture, colours);
  return { output, channels: { input: colours, output: colours } };
}

/** Residual groups: blocks and a convolution, added to the group's input. */
function groups(
  build: NetworkBuild,
  map: string,
  block: (from: string, name: string, place: Pick<BlockContext, 'group' | 'block'>) => string,
): string {
  const { state } = build;
  let at = map;
  for (let i = 0; state.has(`layers.${i}.blocks.0.norm1.weight`); i += 1) {
    let inner = at;
    for (let j = 0; state.has(`layers.${i}.blocks.${j}.norm1.weight`); j += 1)
      inner = block(inner, `layers.${i}.blocks.${j}`, { group: i, block: j });
    const picture = residualConv(build, toPicture(build, inner), `layers.${i}.conv`);
    at = add(build, at, toMap(build, picture));
  }
  return at;
}

/** Spatial-gate feed-forward network: one half of the hidden channels gates the other. */
export function gatedMlp(build: NetworkBuild, from: string, name: string): string {
  const [value = '', gate = ''] = parts(
    build,
    gelu(build, linear(build, from, `${name}.fc1`)),
    2,
    3,
  );
  const normed = toPicture(build, layerNorm(build, gate, `${name}.sg.norm`));
  const gated = toMap(build, depthwise(build, normed, `${name}.sg.conv`));
  return linear(build, multiply(build, value, gated), `${name}.fc2`);
}

/**
 * Table of relative position biases, computed by an MLP over the positions (dynamic relative position bias).
 */
function positionBiases(build: NetworkBuild, name: string): string {
  const { state, graph } = build;
  let at = linear(build, graph.weights(state.get(`${name}.rpe_biases`)), `${name}.pos.pos_proj`);
  for (const part of ['pos1', 'pos2', 'pos3'])
    at = linear(
      build,
      relu(build, layerNorm(build, at, `${name}.pos.${part}.0`)),
      `${name}.pos.${part}.2`,
    );
  return at;
}

interface RectangularWindows {
  /** Sides of the map, padded to multiples of the longer window side. */
  area: Area;
  /** Padding that leads to `area`, at the bottom and right. */
  pads: string;
  /** Windows of the first and of the second half of the channels; those of the second are transposed. */
  windows: readonly [Windows, Windows];
  sides: WindowSides;
}

/** Window sides of the first half of the channels: the largest relative position plus 1. */
function createRectangles(build: NetworkBuild, picture: string, name: string): RectangularWindows {
  const { state, graph } = build;
  const [high = 7, wide = 7] = state
    .get(`${name}.rpe_biases`)
    .floats()
    .slice(-2)
    .map((one) => one + 1);
  const longer = Math.max(high, wide);
  const { height, width } = areaOf(build, picture);
  const [below, right] = [missingTo(build, height, longer), missingTo(build, width, longer)];
  const area = {
    height: lengthMath(build, 'Add', height, below),
    width: lengthMath(build, 'Add', width, right),
  };
  const pads = graph.node(
    'Concat',
    [graph.integers([0, 0, 0, 0, 0]), below, right, graph.integers([0])],
    { axis: 0 },
  );
  return {
    area,
    pads,
    windows: [createWindows(build, area, [high, wide]), createWindows(build, area, [wide, high])],
    sides: [high, wide],
  };
}

/**
 * Attention in rectangular windows: turns a map of [1, height, width, 3 x channels] into [1, height, width,
 * channels].
 */
export function attendInRectangles(
  build: NetworkBuild,
  qkv: string,
  name: string,
  { original, rectangles, group, block }: BlockContext,
): string {
  const { graph, state } = build;
  const { pads, windows, sides } = rectangles;
  const [high, wide] = sides;
  const isShifted = isShiftedBlock(group, block);
  const channels = state.side(`${name}.proj.weight`, 1);
  const whole = graph.node('Pad', [qkv, pads], { mode: 'constant' });
  const half = channels / 2;
  const halves = windows.map((one, i) => {
    const qkvOfHalf = [0, 1, 2].map((part) => {
      const first = part * channels + i * half;
      return sliced(build, whole, 3, first, first + half);
    });
    const shift: WindowSides = i === 0 ? [high >> 1, wide >> 1] : [wide >> 1, high >> 1];
    return attendInWindows(build, graph.node('Concat', qkvOfHalf, { axis: 3 }), {
      windows: one,
      heads: state.side(`${name}.attns.${i}.pos.pos3.2.weight`, 0),
      channels: half,
      shift: isShifted ? shift : [0, 0],
      table: positionBiases(build, `${name}.attns.${i}`),
    });
  });
  const both = graph.node('Concat', halves, { axis: 3 });
  return sliced(build, sliced(build, both, 1, 0, original.height), 2, 0, original.width);
}

/**
 * Every fourth block of a group is shifted: from the third on in even groups, from the first on in odd ones.
 */
const isShiftedBlock = (group: number, block: number) =>
  group % 2 === 0 ? block > 0 && (block - 2) % 4 === 0 : block % 4 === 0;

/** Convolution, batch normalisation, GELU. */
export const convNormGelu = (build: NetworkBuild, from: string, name: string, index = 0) =>
  gelu(build, batchNorm(build, conv(build, from, `${name}.${index}`), `${name}.${index + 1}`));
