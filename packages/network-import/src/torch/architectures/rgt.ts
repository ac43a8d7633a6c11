/**
 * RGT (Chen 2024): alternates attention in rectangular windows with attention to a downsampled copy of the
 * whole picture.
 */
import { refused } from '../../../../onnx/src/index.ts';
import { type Architecture, add, conv, multiply, type NetworkBuild } from './state.ts';
import { aroundGroups, attendInRectangles, gatedMlp, type BlockContext } from './spatial-gate.ts';
import { attend } from './attention.ts';
import {
  depthwise,
  gelu,
  layerNorm,
  linear,
  shaped,
  sliced,
  toMap,
  toPicture,
  transposed,
} from './tokens.ts';

const first = 'layers.0.blocks.0';

export const rgt: Architecture = {
  name: 'RGT',
  recognises: (state) =>
    state.has(
      'conv_first.weight',
      'before_RG.1.weight',
      `${first}.gamma`,
      `${first}.mlp.sg.conv.weight`,
    ),
  build: (build, input) => aroundGroups(build, input, rgtBlock),
};

function rgtBlock(build: NetworkBuild, from: string, name: string, place: BlockContext): string {
  const { state, graph } = build;
  const normed = layerNorm(build, from, `${name}.norm1`);
  const attention =
    place.block % 2 === 0
      ? windowAttention(build, normed, `${name}.attn`, place)
      : globalAttention(build, normed, name, place);
  const sum = add(build, from, attention);
  const all = add(
    build,
    sum,
    gatedMlp(build, layerNorm(build, sum, `${name}.norm2`), `${name}.mlp`),
  );
  return add(build, all, multiply(build, from, graph.weights(state.get(`${name}.gamma`))));
}

function windowAttention(
  build: NetworkBuild,
  normed: string,
  name: string,
  place: BlockContext,
): string {
  const channels = build.state.side(`${name}.proj.weight`, 1);
  const qkv = linear(build, normed, `${name}.qkv`);
  const map = attendInRectangles(build, qkv, name, place);
  const values = toPicture(build, sliced(build, qkv, 3, 2 * channels));
  const near = toMap(build, depthwise(build, values, `${name}.get_v`));
  return linear(build, add(build, map, near), `${name}.proj`);
}

/**
 * Number of 4x reductions. The published network has more from 1,024 pixels a side on, which no tile reaches.
 */
const reductions = 2;

function globalAttention(
  build: NetworkBuild,
  normed: string,
  block: string,
  { original }: BlockContext,
): string {
  const { state } = build;
  const name = `${block}.attn`;
  const channels = state.side(`${name}.proj.weight`, 1);
  const keyChannels = state.side(`${name}.q.weight`, 0);
  const heads = headsOfGroup(build, block, channels);
  let reducedPicture = toPicture(build, normed);
  for (let i = 0; i < reductions; i += 1)
    reducedPicture = conv(build, reducedPicture, `${name}.reduction1`, {
      group: channels,
      strides: [4, 4],
      pads: [0, 0, 0, 0],
    });
  const reduced = toMap(
    build,
    conv(build, depthwise(build, reducedPicture, `${name}.dwconv`), `${name}.conv`),
  );
  const normedReduced = gelu(build, layerNorm(build, reduced, `${name}.norm_act.0`));
  const values = linear(build, normedReduced, `${name}.v`);
  const placed = toMap(build, depthwise(build, toPicture(build, values), `${name}.cpe`));
  const byHead = (map: string, width: number) =>
    transposed(build, shaped(build, map, [1, -1, heads, width / heads]), [0, 2, 1, 3]);
  const result = attend(build, {
    q: byHead(linear(build, normed, `${name}.q`), keyChannels),
    k: byHead(linear(build, normedReduced, `${name}.k`), keyChannels),
    v: byHead(add(build, values, placed), channels),
    scale: (keyChannels / heads) ** -0.5,
  });
  const together = transposed(build, result, [0, 2, 1, 3]);
  const map = shaped(build, together, [1, original.height, original.width, channels]);
  return linear(build, map, `${name}.proj`);
}

/**
 * Number of heads: twice that of a half in the group's first block, or one more if only that divides the
 * channels.
 */
function headsOfGroup(build: NetworkBuild, block: string, channels: number): number {
  const group = block.slice(0, block.indexOf('.blocks.'));
  const half = build.state.side(`${group}.blocks.0.attn.attns.0.pos.pos3.2.weight`, 0);
  const heads = [2 * half, 2 * half + 1].find((count) => channels % count === 0);
  if (heads !== undefined) return heads;
  throw refused(`The network has ${channels} channels, which ${2 * half} heads do not divide.`);
}
