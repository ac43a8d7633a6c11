/**
 * DAT and RGT share what is around their blocks, an MLP with a spatial gate, rectangular windows, and
 * relative positions that are computed.
 */
import { conv, multiply, type Build, add } from './state.ts';
import {
  batchNorm,
  depthwise,
  gelu,
  layerNorm,
  linear,
  parts,
  reckon,
  relu,
  sliced,
  toMap,
  toPicture,
} from './tokens.ts';
import { attendInWindows, createWindows, type Area, type Pair, type Windows } from './windows.ts';
import { areaOf, normalised, residualConv, restored, paddingTo, enlarged } from './reconstruct.ts';

/** A block's place in the network, and what all blocks share. */
export interface Place {
  /** The sides of the picture, without padding. */
  own: Area;
  rectangles: Rectangles;
  group: number;
  block: number;
}

type Block = (build: Build, from: string, name: string, place: Place) => string;

/** Builds a convolution, a norm, the groups, a norm, a convolution, and the way to a picture. */
export function aroundGroups(build: Build, input: string, block: Block) {
  const { state } = build;
  const colours = state.side('conv_first.weight', 1);
  const own = areaOf(build, input);
  const plain = normalised(build, input, colours);
  const features = conv(build, plain, 'conv_first');
  const before = layerNorm(build, toMap(build, features), 'before_RG.1');
  const rectangles = rectanglesOf(build, input, 'layers.0.blocks.0.attn.attns.0');
  const map = groups(build, before, (from, name, place) =>
    block(build, from, name, { own, rectangles, ...place }),
  );
  const deep = toPicture(build, layerNorm(build, map, 'norm'));
  const all = add(build, residualConv(build, deep, 'conv_after_body'), features);
  const output = restored(build, enlarged(build, all, plain, colours).picture, colours);
  return { output, channels: { input: colours, output: colours } };
}

/** Builds the groups: each has its blocks and a convolution, and adds their result to its input. */
function groups(
  build: Build,
  map: string,
  block: (from: string, name: string, place: Pick<Place, 'group' | 'block'>) => string,
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

/** Builds two layers over each token; between them one half of the channels gates the other. */
export function gatedMlp(build: Build, from: string, name: string): string {
  const [own = '', gate = ''] = parts(build, gelu(build, linear(build, from, `${name}.fc1`)), 2, 3);
  const even = toPicture(build, layerNorm(build, gate, `${name}.sg.norm`));
  const seen = toMap(build, depthwise(build, even, `${name}.sg.conv`));
  return linear(build, multiply(build, own, seen), `${name}.fc2`);
}

/** Computes the table of relative positions by a small network over these positions. */
function positionBiases(build: Build, name: string): string {
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

interface Rectangles {
  /** The sides of the map once it is padded to multiples of the windows' longer side. */
  area: Area;
  /** The padding of a map that leads to `area`, at the right and below. */
  pads: string;
  /** The second half of the channels has the windows of the first with their sides exchanged. */
  windows: readonly [Windows, Windows];
  sides: Pair;
}

/** Reads the rectangles: a side of the first half's windows is the farthest relative position plus 1. */
function rectanglesOf(build: Build, picture: string, name: string): Rectangles {
  const { state, graph } = build;
  const [high = 7, wide = 7] = state
    .get(`${name}.rpe_biases`)
    .floats()
    .slice(-2)
    .map((one) => one + 1);
  const longer = Math.max(high, wide);
  const { height, width } = areaOf(build, picture);
  const [below, right] = [paddingTo(build, height, longer), paddingTo(build, width, longer)];
  const area = {
    height: reckon(build, 'Add', height, below),
    width: reckon(build, 'Add', width, right),
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
 * Attends in the rectangles: turns a map of queries, keys and values, 3 x channels, into one of the channels
 * that is as large as the picture.
 */
export function attendInRectangles(
  build: Build,
  qkv: string,
  name: string,
  { own, rectangles, group, block }: Place,
): string {
  const { graph, state } = build;
  const { pads, windows, sides } = rectangles;
  const [high, wide] = sides;
  const isShifted = isShiftedBlock(group, block);
  const channels = state.side(`${name}.proj.weight`, 1);
  const whole = graph.node('Pad', [qkv, pads], { mode: 'constant' });
  const half = channels / 2;
  const made = windows.map((one, i) => {
    const mine = [0, 1, 2].map((part) => {
      const first = part * channels + i * half;
      return sliced(build, whole, 3, first, first + half);
    });
    const shift: Pair = i === 0 ? [high >> 1, wide >> 1] : [wide >> 1, high >> 1];
    return attendInWindows(build, graph.node('Concat', mine, { axis: 3 }), {
      windows: one,
      heads: state.side(`${name}.attns.${i}.pos.pos3.2.weight`, 0),
      channels: half,
      shift: isShifted ? shift : [0, 0],
      table: positionBiases(build, `${name}.attns.${i}`),
    });
  });
  const both = graph.node('Concat', made, { axis: 3 });
  return sliced(build, sliced(build, both, 1, 0, own.height), 2, 0, own.width);
}

/**
 * Tells whether a block is shifted: every fourth of a group is, from the third on in even groups, from the
 * first on in odd ones.
 */
const isShiftedBlock = (group: number, block: number) =>
  group % 2 === 0 ? block > 0 && (block - 2) % 4 === 0 : block % 4 === 0;

/** Builds a convolution, its batch norm, and GELU. */
export const convNormGelu = (build: Build, from: string, name: string, index = 0) =>
  gelu(build, batchNorm(build, conv(build, from, `${name}.${index}`), `${name}.${index + 1}`));
