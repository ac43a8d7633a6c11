/** HAT (Chen 2023): shifted windows combined with channel attention, and overlapping cross-attention. */
import {
  type Architecture,
  add,
  conv,
  multiply,
  sigmoid,
  times,
  type NetworkBuild,
} from './state.ts';
import { windowOf } from './reconstruct.ts';
import {
  aroundLayers,
  shiftedBlocks,
  windowAttention,
  withMlp,
  type SwinBlock,
} from './swin-ir.ts';
import { attend, mergedHeads, pairBias } from './attention.ts';
import {
  indices,
  gelu,
  layerNorm,
  linear,
  parts,
  channelMeans,
  lengthMath,
  relu,
  shaped,
  sideOf,
  toMap,
  toPicture,
  transposed,
  unsqueezed,
} from './tokens.ts';
import type { Windows } from './windows.ts';

const group = 'layers.0.residual_group';

export const hat: Architecture = {
  name: 'HAT',
  recognises: (state) =>
    state.has(
      'conv_first.weight',
      `${group}.blocks.0.conv_block.cab.0.weight`,
      `${group}.overlap_attn.relative_position_bias_table`,
    ),
  build(build, input) {
    const { state } = build;
    const table = (name: string) => state.side(`${name}.relative_position_bias_table`, 0);
    const window = windowOf(table(`${group}.blocks.0.attn`));
    const overlapping = Math.round(Math.sqrt(table(`${group}.overlap_attn`))) - window + 1;
    return aroundLayers(build, input, {
      window,
      layer(map, name, windows) {
        const at = shiftedBlocks(build, map, { name, window }, (from, made) =>
          hybridBlock(build, from, { ...made, windows }),
        );
        const inner = `${name}.residual_group.overlap_attn`;
        return overlapBlock(build, at, inner, { windows, window, overlapping });
      },
    });
  },
};

/** Weight of the convolutional branch beside the attention, the same in every published HAT. */
const convolutionShare = 0.01;

function hybridBlock(build: NetworkBuild, from: string, made: SwinBlock): string {
  const normed = layerNorm(build, from, `${made.name}.norm1`);
  const channels = channelBlock(build, toPicture(build, normed), `${made.name}.conv_block.cab`);
  const sum = add(build, from, windowAttention(build, normed, made));
  const all = add(build, sum, times(build, toMap(build, channels), convolutionShare));
  return withMlp(build, all, made.name);
}

function channelBlock(build: NetworkBuild, from: string, name: string): string {
  const wide = conv(build, gelu(build, conv(build, from, `${name}.0`)), `${name}.2`);
  const narrow = relu(build, conv(build, channelMeans(build, wide), `${name}.3.attention.1`));
  return multiply(build, wide, sigmoid(build, conv(build, narrow, `${name}.3.attention.3`)));
}

interface OverlapBlock {
  windows: Windows;
  window: number;
  /** Side of the larger window to whose tokens a window attends, in pixels. */
  overlapping: number;
}

function overlapBlock(
  build: NetworkBuild,
  from: string,
  name: string,
  overlap: OverlapBlock,
): string {
  const { state, graph } = build;
  const { windows, window, overlapping } = overlap;
  const table = state.get(`${name}.relative_position_bias_table`);
  const channels = state.side(`${name}.proj.weight`, 1);
  const heads = table.shape[1] ?? 1;
  const qkv = linear(build, layerNorm(build, from, `${name}.norm1`), `${name}.qkv`);
  const [q = '', k = '', v = ''] = parts(build, qkv, 3, 3);
  const tokens = overlapping ** 2;
  const byHead = (values: string, count: number) =>
    transposed(build, shaped(build, values, [-1, count, heads, channels / heads]), [0, 2, 1, 3]);
  const index = graph.integers(overlapRows(window, overlapping));
  const result = attend(build, {
    q: byHead(windows.cut(q, channels), windows.tokens),
    k: byHead(overlappingWindows(build, k, channels, overlap), tokens),
    v: byHead(overlappingWindows(build, v, channels, overlap), tokens),
    scale: (channels / heads) ** -0.5,
    biases: [pairBias(build, graph.weights(table), index, windows.tokens, tokens)],
  });
  const joined = windows.join(mergedHeads(build, result, channels), channels);
  return withMlp(build, add(build, linear(build, joined, `${name}.proj`), from), name);
}

/** Overlapping windows with zero padding, as [windows, tokens, channels]. */
function overlappingWindows(
  build: NetworkBuild,
  map: string,
  channels: number,
  { window, overlapping }: OverlapBlock,
): string {
  const { graph } = build;
  const around = Math.floor((overlapping - window) / 2);
  const pads = [0, around, around, 0, 0, around, around, 0];
  const padded = graph.node('Pad', [map, graph.integers(pads)], { mode: 'constant' });
  const positions = (axis: number) => {
    const count = lengthMath(build, 'Div', sideOf(build, map, axis), window);
    const starts = lengthMath(build, 'Mul', indices(build, count), window);
    const offsets = graph.integers(Array.from({ length: overlapping }, (_, i) => i));
    return graph.node('Add', [unsqueezed(build, starts, 1), offsets]);
  };
  const rows = graph.node('Gather', [padded, positions(1)], { axis: 1 });
  const both = graph.node('Gather', [rows, positions(2)], { axis: 3 });
  const byWindow = transposed(build, both, [0, 1, 3, 2, 4, 5]);
  return shaped(build, byWindow, [-1, overlapping ** 2, channels]);
}

/** Table rows in the published network's indexing, where negative rows wrap around. */
function overlapRows(window: number, overlapping: number): number[] {
  const rows: number[] = [];
  const side = window + overlapping - 1;
  const shift = window - overlapping + 1;
  for (let y = 0; y < window; y += 1)
    for (let x = 0; x < window; x += 1)
      for (let v = 0; v < overlapping; v += 1)
        for (let u = 0; u < overlapping; u += 1) {
          const row = (v - y + shift) * side + (u - x + shift);
          rows.push(row < 0 ? row + side ** 2 : row);
        }
  return rows;
}
