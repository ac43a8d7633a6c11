/** RCAN (Zhang 2018) has residual blocks whose channels are weighted by their means. */
import { refused } from '../../../../../electron/engine/onnx/refused.ts';
import {
  type Architecture,
  add,
  conv,
  multiply,
  sigmoid,
  times,
  type Build,
  unshuffledConv,
} from './state.ts';
import { cropped, padded, shuffled } from './reconstruct.ts';
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
    const shrunk = Math.sqrt(state.side(`${head}.weight`, 1) / colours);
    if (![1, 2, 4].includes(shrunk))
      throw refused(
        `The network's first weights are not of ${colours} colours; it cannot be used.`,
      );
    const { picture, own } = padded(build, input, shrunk);
    // A network that takes a mean off has values of 0..255.
    const hasMean = state.has('sub_mean.weight');
    const shifted = hasMean ? conv(build, times(build, picture, 255), 'sub_mean') : picture;
    const first =
      shrunk === 1 ? conv(build, shifted, head) : unshuffledConv(build, shifted, head, shrunk);
    const features = add(build, body(build, first, 'body', group), first);
    const { picture: large, scale } = shuffled(build, features, 'tail.0');
    const made = conv(build, large, 'tail.1');
    const back = hasMean ? times(build, conv(build, made, 'add_mean'), 1 / 255) : made;
    return {
      output: cropped(build, back, own, scale / shrunk),
      channels: { input: colours, output: colours },
    };
  },
};

/** Builds the numbered parts one after the other, the last of which is a convolution. */
function body(
  build: Build,
  from: string,
  name: string,
  part: (build: Build, from: string, name: string) => string,
): string {
  const last = build.state.countOf(name) - 1;
  let at = from;
  for (let i = 0; i < last; i += 1) at = part(build, at, `${name}.${i}`);
  return conv(build, at, `${name}.${last}`);
}

const group = (build: Build, from: string, name: string) =>
  add(build, body(build, from, `${name}.body`, block), from);

function block(build: Build, from: string, name: string): string {
  const first = relu(build, conv(build, from, `${name}.body.0`));
  const second = conv(build, first, `${name}.body.2`);
  const means = relu(build, conv(build, channelMeans(build, second), `${name}.body.3.conv_du.0`));
  const weights = sigmoid(build, conv(build, means, `${name}.body.3.conv_du.2`));
  return add(build, multiply(build, second, weights), from);
}
