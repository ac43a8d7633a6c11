/** DAT (Chen 2023) alternates attention in horizontal and vertical windows with channel attention. */
import { type Architecture, add, conv, multiply, sigmoid, type Build } from './state.ts';
import {
  attendInRectangles,
  convNormGelu,
  gatedMlp,
  type Place,
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

function datBlock(build: Build, from: string, name: string, place: Place): string {
  const normed = layerNorm(build, from, `${name}.norm1`);
  const attention =
    place.block % 2 === 0
      ? spatialAttention(build, normed, `${name}.attn`, place)
      : channelAttention(build, normed, `${name}.attn`, place);
  const sum = add(build, from, attention);
  return add(build, sum, gatedMlp(build, layerNorm(build, sum, `${name}.norm2`), `${name}.ffn`));
}

function spatialAttention(build: Build, normed: string, name: string, place: Place): string {
  const channels = build.state.side(`${name}.proj.weight`, 1);
  const qkv = linear(build, normed, `${name}.qkv`);
  const map = attendInRectangles(build, qkv, name, place);
  const attention = toPicture(build, map);
  const near = localFeatures(build, toPicture(build, sliced(build, qkv, 3, 2 * channels)), name);
  const ofChannels = sigmoid(build, channelInteraction(build, near, name));
  const ofPositions = sigmoid(build, spatialInteraction(build, attention, name));
  const sum = add(
    build,
    multiply(build, attention, ofChannels),
    multiply(build, near, ofPositions),
  );
  return linear(build, toMap(build, sum), `${name}.proj`);
}

function channelAttention(build: Build, normed: string, name: string, { own }: Place): string {
  const { state, graph } = build;
  const temperature = state.get(`${name}.temperature`);
  const heads = temperature.shape[0] ?? 1;
  const channels = state.side(`${name}.proj.weight`, 1);
  const picture = toPicture(build, linear(build, normed, `${name}.qkv`));
  const [q = '', k = '', v = ''] = parts(build, picture, 3, 1);
  const apart = (one: string) => shaped(build, one, [1, heads, channels / heads, -1]);
  const keys = transposed(build, l2Normalised(build, apart(k)), [0, 1, 3, 2]);
  const similarity = graph.node('MatMul', [l2Normalised(build, apart(q)), keys]);
  const map = softmax(build, multiply(build, similarity, graph.weights(temperature)));
  const seen = graph.node('MatMul', [map, apart(v)]);
  const attention = shaped(build, seen, [1, channels, own.height, own.width]);
  const near = localFeatures(build, v, name);
  const ofChannels = sigmoid(build, channelInteraction(build, attention, name));
  const ofPositions = sigmoid(build, spatialInteraction(build, near, name));
  const sum = add(
    build,
    multiply(build, attention, ofPositions),
    multiply(build, near, ofChannels),
  );
  return linear(build, toMap(build, sum), `${name}.proj`);
}

const localFeatures = (build: Build, values: string, name: string) =>
  gelu(build, batchNorm(build, depthwise(build, values, `${name}.dwconv.0`), `${name}.dwconv.1`));

const channelInteraction = (build: Build, from: string, name: string) =>
  conv(
    build,
    convNormGelu(build, channelMeans(build, from), `${name}.channel_interaction`, 1),
    `${name}.channel_interaction.4`,
  );

const spatialInteraction = (build: Build, from: string, name: string) =>
  conv(
    build,
    convNormGelu(build, from, `${name}.spatial_interaction`),
    `${name}.spatial_interaction.3`,
  );
