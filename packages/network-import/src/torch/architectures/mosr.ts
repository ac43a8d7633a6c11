/** MoSR (2024, neosr): gated convolutions over values centred on 0.5. */
import {
  type Architecture,
  add,
  concat,
  conv,
  mish,
  multiply,
  pixelShuffle,
  scaleOf,
  type NetworkBuild,
} from './state.ts';
import { dySample } from './dysample.ts';
import { depthwise, shaped, sideOf, sliced, pictureNorm } from './tokens.ts';

export const mosr: Architecture = {
  name: 'MoSR',
  recognises: (state) =>
    state.has('gblocks.0.weight', 'gblocks.1.fc1.weight', 'gblocks.1.conv.weight'),
  build(build, input) {
    const { state } = build;
    let at = conv(build, input, 'gblocks.0');
    const count = state.count('gblocks.', '.fc1.weight', 1);
    for (let i = 1; i <= count; i += 1) at = gatedBlock(build, at, `gblocks.${i}`);
    at = mish(build, conv(build, at, `gblocks.${count + 1}`));
    at = mish(build, conv(build, at, `gblocks.${count + 3}`));
    at = conv(build, at, `gblocks.${count + 5}`);
    const all = add(build, at, centred(build, shortcut(build, input)));
    const colours = state.side('gblocks.0.weight', 1);
    return {
      output: upsample(build, all, colours),
      channels: { input: colours, output: colours },
    };
  },
};

const centred = ({ graph }: NetworkBuild, from: string) =>
  graph.node('Sub', [from, graph.number(0.5)]);

function shortcut(build: NetworkBuild, input: string): string {
  const first = mish(build, conv(build, input, 'shortcut.block.0'));
  const second = mish(build, conv(build, first, 'shortcut.block.2'));
  return add(build, second, conv(build, input, 'shortcut.conv11'));
}

function gatedBlock(build: NetworkBuild, from: string, name: string): string {
  const { state } = build;
  const normed = pictureNorm(build, from, `${name}.norm`);
  const wide = conv(build, normed, `${name}.fc1`);
  const hidden = state.side(`${name}.fc2.weight`, 1);
  const convolved = state.side(`${name}.conv.weight`, 0);
  const gate = sliced(build, wide, 1, 0, hidden);
  const plain = sliced(build, wide, 1, hidden, 2 * hidden - convolved);
  const near = depthwise(build, sliced(build, wide, 1, 2 * hidden - convolved), `${name}.conv`);
  const gated = multiply(build, mish(build, gate), concat(build, [plain, near]));
  return add(build, mish(build, conv(build, gated, `${name}.fc2`)), centred(build, from));
}

/** Upsamples by DySample, by a pixel shuffle, or by the mean of eight predictions and a pixel shuffle. */
function upsample(build: NetworkBuild, from: string, colours: number): string {
  const { state, graph } = build;
  if (state.has('upsampler.init_pos')) {
    const offsets = state.side('upsampler.offset.weight', 0);
    return dySample(build, from, 'upsampler', Math.round(Math.sqrt(offsets / 8)));
  }
  if (!state.has('upsampler.in_to_k.weight')) {
    const scale = scaleOf(state.side('upsampler.0.weight', 0), colours);
    return pixelShuffle(build, conv(build, from, 'upsampler.0'), scale);
  }
  const made = conv(build, from, 'upsampler.in_to_k');
  const channels = state.side('upsampler.in_to_k.weight', 0) / 8;
  const predictions = shaped(build, made, [
    8,
    channels,
    sideOf(build, from, 2),
    sideOf(build, from, 3),
  ]);
  const mean = graph.node('ReduceMean', [predictions], { axes: [0], keepdims: 1 });
  return pixelShuffle(build, mean, scaleOf(channels, colours));
}
