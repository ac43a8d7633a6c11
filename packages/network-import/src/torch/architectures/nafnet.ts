/** NAFNet (Chen 2022): U-Net without activations for denoising and deblurring; keeps the picture's size. */
import {
  type Architecture,
  add,
  conv,
  multiply,
  pixelShuffle,
  type NetworkBuild,
} from './state.ts';
import { cropPadding, reflectPad } from './reconstruct.ts';
import { depthwise, parts, channelMeans, pictureNorm } from './tokens.ts';

export const nafnet: Architecture = {
  name: 'NAFNet',
  recognises: (state) =>
    state.has('intro.weight', 'ending.weight', 'middle_blks.0.conv5.weight', 'middle_blks.0.beta'),
  build(build, input) {
    const { state } = build;
    const depth = state.count('downs.', '.weight');
    const { picture, original } = reflectPad(build, input, 2 ** depth, 'constant');
    let at = conv(build, picture, 'intro');
    const skips: string[] = [];
    for (let level = 0; level < depth; level += 1) {
      at = blocks(build, at, `encoders.${level}`);
      skips.push(at);
      at = conv(build, at, `downs.${level}`, { strides: [2, 2], pads: [0, 0, 0, 0] });
    }
    at = blocks(build, at, 'middle_blks');
    for (let level = 0; level < depth; level += 1) {
      const larger = pixelShuffle(build, conv(build, at, `ups.${level}.0`), 2);
      const joined = add(build, larger, skips[depth - 1 - level] as string);
      at = blocks(build, joined, `decoders.${level}`);
    }
    const colours = state.side('ending.weight', 0);
    const made = add(build, conv(build, at, 'ending'), picture);
    return {
      output: cropPadding(build, made, original, 1),
      channels: { input: colours, output: colours },
    };
  },
};

function blocks(build: NetworkBuild, from: string, name: string): string {
  let at = from;
  for (let i = 0; i < build.state.countOf(name); i += 1) at = block(build, at, `${name}.${i}`);
  return at;
}

function block(build: NetworkBuild, from: string, name: string): string {
  const wide = conv(build, pictureNorm(build, from, `${name}.norm1`), `${name}.conv1`);
  const gated = simpleGate(build, depthwise(build, wide, `${name}.conv2`));
  const weighted = multiply(build, gated, conv(build, channelMeans(build, gated), `${name}.sca.1`));
  const near = addWeighted(build, from, conv(build, weighted, `${name}.conv3`), `${name}.beta`);
  const again = conv(build, pictureNorm(build, near, `${name}.norm2`), `${name}.conv4`);
  const far = conv(build, simpleGate(build, again), `${name}.conv5`);
  return addWeighted(build, near, far, `${name}.gamma`);
}

/** SimpleGate: the product of both halves of the channels. */
function simpleGate(build: NetworkBuild, from: string): string {
  const [first = '', second = ''] = parts(build, from, 2, 1);
  return multiply(build, first, second);
}

/** Residual connection with a learnt weight per channel. */
const addWeighted = (build: NetworkBuild, from: string, more: string, name: string) =>
  add(build, from, multiply(build, more, build.graph.weights(build.state.get(name))));
