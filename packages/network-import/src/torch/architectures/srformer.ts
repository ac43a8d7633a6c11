/**
 * SRFormer (Zhou 2023): permuted attention, whose keys and values have half as many tokens a side with the
 * channels of four tokens each, which allows large windows.
 */
import { type Architecture, add, type NetworkBuild } from './state.ts';
import { windowOf } from './reconstruct.ts';
import { aroundLayers, shiftedBlocks } from './swin-ir.ts';
import { attend, mergedHeads, pairBias } from './attention.ts';
import {
  depthwise,
  gelu,
  layerNorm,
  linear,
  parts,
  lengthMath,
  rolled,
  shaped,
  toMap,
  toPicture,
  transposed,
  squeezed,
} from './tokens.ts';
import { createWindows, regionsOf, type Area, type Windows, maskOf } from './windows.ts';

const block = 'layers.0.residual_group.blocks.0';

export const srformer: Architecture = {
  name: 'SRFormer',
  recognises: (state) =>
    state.has('conv_first.weight', `${block}.attn.kv.weight`, `${block}.attn.q.weight`),
  build(build, input) {
    const { state } = build;
    const half = windowOf(state.side(`${block}.attn.relative_position_bias_table`, 0));
    let mask: string | undefined;
    return aroundLayers(build, input, {
      window: 2 * half,
      layer: (map, layer, windows, area) =>
        shiftedBlocks(build, map, { name: layer, window: 2 * half }, (at, { name, shift }) => {
          if (shift === 0) return permutedBlock(build, at, name, { windows, half });
          mask ??= permutedMask(build, windows, area, half);
          return permutedBlock(build, at, name, { windows, half, mask });
        }),
    });
  },
};

interface PermutedBlock {
  windows: Windows;
  half: number;
  /** Mask of a shifted block; absent for others. */
  mask?: string;
}

function permutedBlock(
  build: NetworkBuild,
  from: string,
  name: string,
  made: PermutedBlock,
): string {
  const attention = permutedAttention(build, layerNorm(build, from, `${name}.norm1`), name, made);
  const sum = add(build, from, attention);
  return add(
    build,
    sum,
    convolvedMlp(build, layerNorm(build, sum, `${name}.norm2`), `${name}.mlp`),
  );
}

function permutedAttention(
  build: NetworkBuild,
  normed: string,
  name: string,
  { windows, half, mask }: PermutedBlock,
): string {
  const { state, graph } = build;
  const table = state.get(`${name}.attn.relative_position_bias_table`);
  const heads = table.shape[1] ?? 1;
  const channels = state.side(`${name}.attn.proj.weight`, 1);
  const shift = mask === undefined ? 0 : half;
  const moved = rolled(build, rolled(build, normed, 1, shift), 2, shift);
  const cut = windows.cut(moved, channels);
  const headShape = [-1, windows.tokens, heads, channels / heads];
  const q = transposed(
    build,
    shaped(build, linear(build, cut, `${name}.attn.q`), headShape),
    [0, 2, 1, 3],
  );
  const [k = '', v = ''] = keysAndValues(build, linear(build, cut, `${name}.attn.kv`), {
    half,
    heads,
    channels,
  });
  const index = graph.integers(alignedRows(half));
  const bias = pairBias(build, graph.weights(table), index, windows.tokens, half ** 2);
  const result = attend(build, {
    q,
    k,
    v,
    scale: (channels / heads) ** -0.5,
    biases: mask === undefined ? [bias] : [bias, mask],
  });
  const projected = linear(build, mergedHeads(build, result, channels), `${name}.attn.proj`);
  const joined = windows.join(projected, channels);
  return rolled(build, rolled(build, joined, 2, -shift), 1, -shift);
}

/** Merges 2x2 tokens into one with four times the channels. Keys come first, then values. */
function keysAndValues(
  build: NetworkBuild,
  from: string,
  { half, heads, channels }: { half: number; heads: number; channels: number },
): string[] {
  const squares = shaped(build, from, [-1, half, 2, half, 2, 2, channels / 4]);
  const gathered = transposed(build, squares, [0, 1, 3, 5, 2, 4, 6]);
  const split = shaped(build, gathered, [-1, half ** 2, 2, heads, channels / heads]);
  const both = transposed(build, split, [2, 0, 3, 1, 4]);
  return parts(build, both, 2, 0).map((one) => squeezed(build, one, 0));
}

/** Table rows for each pair of a token and a 2x2 square; a token has the position of its square. */
function alignedRows(half: number): number[] {
  const rows: number[] = [];
  const window = 2 * half;
  for (let y = 0; y < window; y += 1)
    for (let x = 0; x < window; x += 1)
      for (let v = 0; v < half; v += 1)
        for (let u = 0; u < half; u += 1)
          rows.push(((y >> 1) - v + half - 1) * (2 * half - 1) + ((x >> 1) - u + half - 1));
  return rows;
}

/** Mask as in the published network, where all squares of the last window count as shifted. */
function permutedMask(build: NetworkBuild, windows: Windows, area: Area, half: number): string {
  const window = 2 * half;
  const ofTokens = windows.cut(regionsOf(build, area, [window, window], [half, half]), 1);
  const small: Area = {
    height: lengthMath(build, 'Div', area.height, 2),
    width: lengthMath(build, 'Div', area.width, 2),
  };
  const regions = regionsOf(build, small, [half, half], [half, half]);
  const ofSquares = createWindows(build, small, [half, half]).cut(regions, 1);
  return maskOf(build, ofTokens, ofSquares);
}

/** MLP over each token with a depthwise convolution in between. Also used by ATD. */
export function convolvedMlp(build: NetworkBuild, from: string, name: string): string {
  const wide = gelu(build, linear(build, from, `${name}.fc1`));
  const near = depthwise(build, toPicture(build, wide), `${name}.dwconv.depthwise_conv.0`);
  return linear(build, add(build, wide, toMap(build, gelu(build, near))), `${name}.fc2`);
}
