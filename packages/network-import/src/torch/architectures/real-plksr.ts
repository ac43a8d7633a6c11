/**
 * RealPLKSR (Lee 2024, as changed by neosr): a large kernel over part of the channels; upsamples by a pixel
 * shuffle or DySample.
 */
import { createWeights } from '../../../../onnx/src/index.ts';
import {
  type Architecture,
  add,
  concat,
  conv,
  mish,
  multiply,
  pixelShuffle,
  scaleOf,
  sigmoid,
  type NetworkBuild,
  perChannel,
} from './state.ts';
import { dySample } from './dysample.ts';
import { sliced } from './tokens.ts';

export const realPlksr: Architecture = {
  name: 'RealPLKSR',
  recognises: (state) =>
    state.has('feats.0.weight', 'feats.1.lk.conv.weight', 'feats.1.channel_mixer.0.weight'),
  build(build, input) {
    const { state } = build;
    const count = state.count('feats.', '.lk.conv.weight', 1);
    let at = conv(build, input, 'feats.0');
    for (let i = 1; i <= count; i += 1) at = block(build, at, `feats.${i}`);
    const last = state.has(`feats.${count + 1}.weight`) ? count + 1 : count + 2;
    at = conv(build, at, `feats.${last}`);
    const colours = state.side('feats.0.weight', 1);
    const scale = scaleOf(state.side(`feats.${last}.weight`, 0), colours);
    at = add(build, at, repeatChannels(build, input, colours, scale ** 2));
    const output = state.has('to_img.init_pos')
      ? dySample(build, at, 'to_img', scale)
      : pixelShuffle(build, at, scale);
    return { output, channels: { input: colours, output: colours } };
  },
};

/** Repeats each channel `times` times, which a pixel shuffle turns into nearest-neighbour enlargement. */
function repeatChannels(
  { graph }: NetworkBuild,
  from: string,
  colours: number,
  times: number,
): string {
  if (times === 1) return from;
  const order = Array.from({ length: colours * times }, (_, i) => Math.floor(i / times));
  return graph.node('Gather', [from, graph.integers(order)], { axis: 1 });
}

function block(build: NetworkBuild, from: string, name: string): string {
  const { state } = build;
  const hasLayerNorm = state.has(`${name}.layer_norm.weight`);
  let at = hasLayerNorm ? layerNorm(build, from, `${name}.layer_norm`) : from;
  at = mish(build, conv(build, at, `${name}.channel_mixer.0`));
  at = conv(build, at, `${name}.channel_mixer.2`);
  at = partialConv(build, at, `${name}.lk.conv`);
  if (state.has(`${name}.attn.f.0.weight`))
    at = multiply(build, at, sigmoid(build, conv(build, at, `${name}.attn.f.0`)));
  at = conv(build, at, `${name}.refine`);
  if (state.has(`${name}.norm.weight`)) at = groupNorm(build, at, `${name}.norm`);
  return add(build, at, from);
}

/** Applies the large kernel to the first channels only. */
function partialConv(build: NetworkBuild, from: string, name: string): string {
  const convolvedChannels = build.state.side(`${name}.weight`, 0);
  const convolved = conv(build, sliced(build, from, 1, 0, convolvedChannels), name);
  return concat(build, [convolved, sliced(build, from, 1, convolvedChannels)]);
}

/** Number of groups in all published networks; not stored in the weights. */
const normGroups = 4;

/** Group normalisation by InstanceNormalization of [batch, groups, values]. */
function groupNorm(build: NetworkBuild, from: string, name: string): string {
  const { graph } = build;
  const rows = graph.node('Reshape', [from, graph.integers([0, normGroups, -1])]);
  const ones = Array.from({ length: normGroups }, () => 1);
  const constant = (values: number[]) => graph.weights(createWeights([normGroups], values));
  const normed = graph.node(
    'InstanceNormalization',
    [rows, constant(ones), constant(ones.map(() => 0))],
    { epsilon: { float: 1e-5 } },
  );
  const back = graph.node('Reshape', [normed, graph.node('Shape', [from])]);
  const scaled = multiply(build, back, perChannel(build, `${name}.weight`));
  return add(build, scaled, perChannel(build, `${name}.bias`));
}

/** Layer normalisation over the channels of each pixel. */
function layerNorm(build: NetworkBuild, from: string, name: string): string {
  const { graph } = build;
  const mean = graph.node('ReduceMean', [from], { axes: [1], keepdims: 1 });
  const centred = graph.node('Sub', [from, mean]);
  const squares = graph.node('ReduceMean', [multiply(build, centred, centred)], {
    axes: [1],
    keepdims: 1,
  });
  const deviation = graph.node('Sqrt', [add(build, squares, graph.number(1e-6))]);
  const normed = graph.node('Div', [centred, deviation]);
  const scaled = multiply(build, normed, perChannel(build, `${name}.weight`));
  return add(build, scaled, perChannel(build, `${name}.bias`));
}
