/**
 * SPSR (Ma 2020): ESRGAN's trunk beside a branch over gradient magnitudes that receives the trunk's features
 * four
 * times; a block fuses both after the upsampling.
 */
import { refused } from '../../../../onnx/src/index.ts';
import {
  type Architecture,
  add,
  concat,
  conv,
  leaky,
  multiply,
  nearest,
  State,
  type NetworkBuild,
} from './state.ts';
import { denseBlocks } from './esrgan.ts';

/**
 * Number of times that the gradient branch receives the trunk's features, once every `blocksBetween` blocks.
 */
const fusionCount = 4;
const blocksBetween = 5;

export const spsr: Architecture = {
  name: 'SPSR',
  recognises: (state) => state.has('model.0.weight', 'f_HR_conv1.0.weight'),
  build({ state: stored, graph }, input) {
    const build = { state: withTrunkNames(stored), graph };
    const { state } = build;
    const colours = state.side('model.0.weight', 1);
    const { trunk, edges } = branches(build, input, colours);
    const [, ...trunkLayers] = numbersIn(state, 'model');
    const picture = conv(build, upsample(build, trunk, trunkLayers), 'HR_conv1_new.0');
    const gradientLayers = numbersIn(state, 'b_module');
    const last = gradientLayers.pop() ?? 'b_module.0';
    const gradientPicture = conv(build, upsample(build, edges, gradientLayers), last);
    if (gradientLayers.length !== trunkLayers.length)
      throw refused('The two branches of the network enlarge differently; it is damaged.');
    const both = denseBlocks(build, concat(build, [gradientPicture, picture]), 'f_block');
    const joined = leaky(build, conv(build, conv(build, both, 'f_concat.0'), 'f_HR_conv0.0'));
    return {
      output: conv(build, joined, 'f_HR_conv1.0'),
      channels: { input: colours, output: state.side('f_HR_conv1.0.weight', 0) },
    };
  },
};

/** Both branches up to their features at the input's resolution. */
function branches(
  build: NetworkBuild,
  input: string,
  colours: number,
): { trunk: string; edges: string } {
  const gradientFeatures = conv(build, gradients(build, input, colours), 'b_fea_conv.0');
  const first = conv(build, input, 'model.0');
  const count = build.state.count('body.', '.rdb1.conv1.weight');
  let [at, edges] = [first, gradientFeatures];
  for (let i = 1; i <= count; i += 1) {
    at = denseBlocks(build, at, `body.${i - 1}`);
    const fusion = i / blocksBetween;
    if (!Number.isInteger(fusion) || fusion > fusionCount) continue;
    const both = denseBlocks(build, concat(build, [edges, at]), `b_block_${fusion}`);
    edges = conv(build, both, `b_concat_${fusion}.0`);
  }
  if (count < fusionCount * blocksBetween)
    throw refused(`The network has ${count} blocks; ${fusionCount * blocksBetween} were expected.`);
  return {
    trunk: add(build, first, conv(build, at, `body.${count}`)),
    edges: add(build, conv(build, edges, 'b_LR_conv.0'), gradientFeatures),
  };
}

/** Gradient magnitude of each colour: the root of the squared vertical and horizontal differences. */
function gradients(build: NetworkBuild, input: string, colours: number): string {
  const { state, graph } = build;
  const squares = ['weight_v', 'weight_h'].map((name) => {
    const one = state.get(`get_g_nopadding.${name}`);
    const floats = () =>
      Float32Array.from({ length: 9 * colours }, (_, i) => one.floats()[i % 9] ?? 0);
    const weights = graph.weights({ shape: [colours, 1, 3, 3], floats });
    const how = { kernel_shape: [3, 3], pads: [1, 1, 1, 1], group: colours };
    const difference = graph.node('Conv', [input, weights], how);
    return multiply(build, difference, difference);
  });
  const sum = graph.node('Sum', [...squares, graph.number(1e-6)]);
  return graph.node('Sqrt', [sum]);
}

/** Chain of convolutions; nearest-neighbour doubling before all but the last. */
function upsample(build: NetworkBuild, from: string, names: readonly string[]): string {
  return names.reduce((at, name, i) => {
    const larger = i < names.length - 1 ? nearest(build, at, 2) : at;
    return leaky(build, conv(build, larger, name));
  }, from);
}

/** Names of the numbered convolutions directly below `name`, in numeric order. */
const numbersIn = (state: State, name: string): string[] =>
  Array.from({ length: state.countOf(name) }, (_, i) => `${name}.${i}`).filter((one) =>
    state.has(`${one}.weight`),
  );

/** Maps the trunk's block names to those of ESRGAN. */
const withTrunkNames = (state: State) =>
  new State(
    new Map(
      state
        .names()
        .map((name) => [
          name
            .replace(/^model\.1\.sub\./, 'body.')
            .replace(/\.RDB(\d)\.conv(\d)\.0\./, '.rdb$1.conv$2.'),
          state.get(name),
        ]),
    ),
  );
