/** RCAN (Zhang 2018): residual groups of blocks with channel attention. */
import { refused } from '../../../../onnx/src/index.ts';
import {
  type Architecture,
  add,
  conv,
  multiply,
  sigmoid,
  times,
  type NetworkBuild,
  unshuffledConv,
} from './state.ts';
import { cropPadding, reflectPad, shuffleUp } from './reconstruct.ts';
import { channelMeans, relu } from './tokens.ts';

export const rcan: Architecture = {
  name: 'RCAN',
  recognises: (state) =>
    state.has('tail.1.weight', 'body.0.body.0.body.0.weight') &&
    state.has('body.0.body.0.body.3.conv_du.0.weight'),
  build(build, input) {
    const { state } = build;
    const colours = state.side('tail.1.weight', 0);
    const head = state.has('head.0.weight') ? 'head.0' : 'head.1';
    const unshuffle = Math.sqrt(state.side(`${head}.weight`, 1) / colours);
    if (![1, 2, 4].includes(unshuffle))
      throw refused(
        `The network's first weights are not of ${colours} colours; it cannot be used.`,
      );
    const { picture, original } = reflectPad(build, input, unshuffle);
    // Networks with a mean shift work on 0..255.
    const hasMean = state.has('sub_mean.weight');
    const shifted = hasMean ? conv(build, times(build, picture, 255), 'sub_mean') : picture;
    const first =
      unshuffle === 1
        ? conv(build, shifted, head)
        : unshuffledConv(build, shifted, head, unshuffle);
    const features = add(build, chain(build, first, 'body', group), first);
    const { picture: large, scale } = shuffleUp(build, features, 'tail.0');
    const made = conv(build, large, 'tail.1');
    const back = hasMean ? times(build, conv(build, made, 'add_mean'), 1 / 255) : made;
    return {
      output: cropPadding(build, back, original, scale / unshuffle),
      channels: { input: colours, output: colours },
    };
  },
};

/** Chains the numbered parts; the last is a convolution. */
function chain(
  build: NetworkBuild,
  from: string,
  name: string,
  part: (build: NetworkBuild, from: string, name: string) => string,
): string {
  const last = build.state.countOf(name) - 1;
  let at = from;
  for (let i = 0; i < last; i += 1) at = part(build, at, `${name}.${i}`);
  return conv(build, at, `${name}.${last}`);
}

const group = (build: NetworkBuild, from: string, name: string) =>
  add(build, chain(build, from, `${name}.body`, block), from);

function block(build: NetworkBuild, from: string, name: string): string {
  const first = relu(build, conv(build, from, `${name}.body.0`));
  const second = conv(build, first, `${name}.body.2`);
  const means = relu(build, conv(build, channelMeans(build, second), `${name}.body.3.conv_du.0`));
  const weights = sigmoid(build, conv(build, means, `${name}.body.3.conv_du.2`));
  return add(build, multiply(build, second, weights), from);
}
