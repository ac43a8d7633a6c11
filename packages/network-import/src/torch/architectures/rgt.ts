/** RGT (Chen 2024) alternates attention in rectangular windows with attention to a small copy of all. */
import { refused } from '../../../../../electron/engine/onnx/refused.ts';
import { type Architecture, add, conv, multiply, type Build } from './state.ts';
import { aroundGroups, attendInRectangles, gatedMlp, type Place } from './spatial-gate.ts';
import { attended } from './attention.ts';
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

function rgtBlock(build: Build, from: string, name: string, place: Place): string {
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

function windowAttention(build: Build, normed: string, name: string, place: Place): string {
  const channels = build.state.side(`${name}.proj.weight`, 1);
  const qkv = linear(build, normed, `${name}.qkv`);
  const map = attendInRectangles(build, qkv, name, place);
  const values = toPicture(build, sliced(build, qkv, 3, 2 * channels));
  const near = toMap(build, depthwise(build, values, `${name}.get_v`));
  return linear(build, add(build, map, near), `${name}.proj`);
}

/**
 * The sides are quartered this often. The published network does it more often from 1,024 pixels a side on,
 * which no tile has.
 */
const reductions = 2;

function globalAttention(build: Build, normed: string, block: string, { own }: Place): string {
  const { state } = build;
  const name = `${block}.attn`;
  const channels = state.side(`${name}.proj.weight`, 1);
  const narrow = state.side(`${name}.q.weight`, 0);
  const heads = headsOfGroup(build, block, channels);
  let small = toPicture(build, normed);
  for (let i = 0; i < reductions; i += 1)
    small = conv(build, small, `${name}.reduction1`, {
      group: channels,
      strides: [4, 4],
      pads: [0, 0, 0, 0],
    });
  const seen = toMap(build, conv(build, depthwise(build, small, `${name}.dwconv`), `${name}.conv`));
  const even = gelu(build, layerNorm(build, seen, `${name}.norm_act.0`));
  const values = linear(build, even, `${name}.v`);
  const placed = toMap(build, depthwise(build, toPicture(build, values), `${name}.cpe`));
  const apart = (map: string, width: number) =>
    transposed(build, shaped(build, map, [1, -1, heads, width / heads]), [0, 2, 1, 3]);
  const result = attended(build, {
    q: apart(linear(build, normed, `${name}.q`), narrow),
    k: apart(linear(build, even, `${name}.k`), narrow),
    v: apart(add(build, values, placed), channels),
    scale: (narrow / heads) ** -0.5,
  });
  const together = transposed(build, result, [0, 2, 1, 3]);
  const map = shaped(build, together, [1, own.height, own.width, channels]);
  return linear(build, map, `${name}.proj`);
}

/**
 * Finds the number of heads: twice that of one half in the group's first block, or one more where only that
 * number divides the channels.
 */
function headsOfGroup(build: Build, block: string, channels: number): number {
  const group = block.slice(0, block.indexOf('.blocks.'));
  const half = build.state.side(`${group}.blocks.0.attn.attns.0.pos.pos3.2.weight`, 0);
  const heads = [2 * half, 2 * half + 1].find((count) => channels % count === 0);
  if (heads !== undefined) return heads;
  throw refused(`The network has ${channels} channels, which ${2 * half} heads do not divide.`);
}
