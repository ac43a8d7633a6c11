/** DAT (Chen 2023): alternates spatial attention in rectangular windows with channel attention. */
import { type Architecture, add, conv, multiply, sigmoid, type NetworkBuild } from './state.ts';
import {
  attendInRectangles,
  convNormGelu,
  gatedMlp,
  type BlockContext,
  aroundGroups,
} from './spatial-gate.ts';
import {
  batchNorm,
  depthwise,
  gelu,
  layerNorm,
  linear,
  parts,
  channelMeans,
  shaped,
  sliced,
  softmax,
  toMap,
  toPicture,
  transposed,
  l2Normalised,
} from './tokens.ts';

const first = 'layers.0.blocks.0';

export const dat: Architecture = {
  name: 'DAT',
  recognises: (state) =>
    state.has(
      'conv_first.weight',
      'before_RG.1.weight',
      `${first}.attn.channel_interaction.1.weight`,
      `${first}.ffn.sg.conv.weight`,
    ),
  build: (build, input) => aroundGroups(build, input, datBlock),
};

function datBlock(build: NetworkBuild, from: string, name: string, place: BlockContext): string {
  const normed = layerNorm(build, from, `${name}.norm1`);
  const attention =
    place.block % 2 === 0
      ? spatialAttention(build, normed, `${name}.attn`, place)
      : channelAttention(build, normed, `${name}.attn`, place);
  const sum = add(build, from, attention);
  return add(build, sum, gatedMlp(build, layerNorm(build, sum, `${name}.norm2`), `${name}.ffn`));
}

function spatialAttention(
  build: NetworkBuild,
  normed: string,
  name: string,
  place: BlockContext,
): string {
  const channels = build.state.side(`${name}.proj.weight`, 1);
  const qkv = linear(build, normed, `${name}.qkv`);
  const map = attendInRectangles(build, qkv, name, place);
  const attention = toPicture(build, map);
  const near = localFeatures(build, toPicture(build, sliced(build, qkv, 3, 2 * channels)), name);
  const channelWeights = sigmoid(build, channelInteraction(build, near, name));
  const positionWeights = sigmoid(build, spatialInteraction(build, attention, name));
  const sum = add(
    build,
    multiply(build, attention, channelWeights),
    multiply(build, near, positionWeights),
  );
  return linear(build, toMap(build, sum), `${name}.proj`);
}

function channelAttention(
  build: NetworkBuild,
  normed: string,
  name: string,
  { original }: BlockContext,
): string {
  const { state, graph } = build;
  const temperature = state.get(`${name}.temperature`);
  const heads = temperature.shape[0] ?? 1;
  const channels = state.side(`${name}.proj.weight`, 1);
  const picture = toPicture(build, linear(build, normed, `${name}.qkv`));
  const [q = '', k = '', v = ''] = parts(build, picture, 3, 1);
  const byHead = (one: string) => shaped(build, one, [1, heads, channels / heads, -1]);
  const keys = transposed(build, l2Normalised(build, byHead(k)), [0, 1, 3, 2]);
  const similarity = graph.node('MatMul', [l2Normalised(build, byHead(q)), keys]);
  const map = softmax(build, multiply(build, similarity, graph.weights(temperature)));
  const weighted = graph.node('MatMul', [map, byHead(v)]);
  const attention = shaped(build, weighted, [1, channels, original.height, original.width]);
  const near = localFeatures(build, v, name);
  const channelWeights = sigmoid(build, channelInteraction(build, attention, name));
  const positionWeights = sigmoid(build, spatialInteraction(build, near, name));
  const sum = add(
    build,
    multiply(build, attention, positionWeights),
    multiply(build, near, channelWeights),
  );
  return linear(build, toMap(build, sum), `${name}.proj`);
}

const localFeatures = (build: NetworkBuild, values: string, name: string) =>
  gelu(build, batchNorm(build, depthwise(build, values, `${name}.dwconv.0`), `${name}.dwconv.1`));

const channelInteraction = (build: NetworkBuild, from: string, name: string) =>
  conv(
    build,
    convNormGelu(build, channelMeans(build, from), `${name}.channel_interaction`, 1),
    `${name}.channel_interaction.4`,
  );

const spatialInteraction = (build: NetworkBuild, from: string, name: string) =>
  conv(
    build,
    convNormGelu(build, from, `${name}.spatial_interaction`),
    `${name}.spatial_interaction.3`,
  );
