/** NAFNet (Chen 2022) is a U-Net without activations, which removes noise or blur and keeps the size. */
import { type Architecture, add, conv, multiply, pixelShuffle, type Build } from './state.ts';
import { cropped, padded } from './reconstruct.ts';
import { depthwise, parts, channelMeans, pictureNorm } from './tokens.ts';

export const nafnet: Architecture = {
  name: 'NAFNet',
  recognises: (state) =>
    state.has('intro.weight', 'ending.weight', 'middle_blks.0.conv5.weight', 'middle_blks.0.beta'),
  build(build, input) {
    const { state } = build;
    const depth = state.count('downs.', '.weight');
    const { picture, own } = padded(build, input, 2 ** depth, 'constant');
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
      const seen = add(build, larger, skips[depth - 1 - level] as string);
      at = blocks(build, seen, `decoders.${level}`);
    }
    const colours = state.side('ending.weight', 0);
    const made = add(build, conv(build, at, 'ending'), picture);
    return {
      output: cropped(build, made, own, 1),
      channels: { input: colours, output: colours },
    };
  },
};

function blocks(build: Build, from: string, name: string): string {
  let at = from;
  for (let i = 0; i < build.state.countOf(name); i += 1) at = block(build, at, `${name}.${i}`);
  return at;
}

function block(build: Build, from: string, name: string): string {
  const wide = conv(build, pictureNorm(build, from, `${name}.norm1`), `${name}.conv1`);
  const gated = simpleGate(build, depthwise(build, wide, `${name}.conv2`));
  const weighted = multiply(build, gated, conv(build, channelMeans(build, gated), `${name}.sca.1`));
  const near = addWeighted(build, from, conv(build, weighted, `${name}.conv3`), `${name}.beta`);
  const again = conv(build, pictureNorm(build, near, `${name}.norm2`), `${name}.conv4`);
  const far = conv(build, simpleGate(build, again), `${name}.conv5`);
  return addWeighted(build, near, far, `${name}.gamma`);
}

/** Multiplies one half of the channels by the other. */
function simpleGate(build: Build, from: string): string {
  const [first = '', second = ''] = parts(build, from, 2, 1);
  return multiply(build, first, second);
}

/** Adds `more`, weighted for each channel as was learnt. */
const addWeighted = (build: Build, from: string, more: string, name: string) =>
  add(build, from, multiply(build, more, build.graph.weights(build.state.get(name))));
