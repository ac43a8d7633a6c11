/**
 * SPSR (Ma 2020) has ESRGAN's trunk beside a branch that takes the magnitudes of the picture's gradients and,
 * four times, the trunk's features; a block joins both once they are enlarged.
 */
import { refused } from '../../../../../electron/engine/onnx/refused.ts';
import {
  type Architecture,
  add,
  concat,
  conv,
  leaky,
  multiply,
  nearest,
  State,
  type Build,
} from './state.ts';
import { denseBlocks } from './esrgan.ts';

/** The branch of gradients takes the trunk's features this often, each time after so many blocks. */
const looks = 4;
const blocksBetween = 5;

export const spsr: Architecture = {
  name: 'SPSR',
  recognises: (state) => state.has('model.0.weight', 'f_HR_conv1.0.weight'),
  build({ state: stored, graph }, input) {
    const build = { state: renamed(stored), graph };
    const { state } = build;
    const colours = state.side('model.0.weight', 1);
    const { trunk, edges } = branches(build, input, colours);
    const [, ...own] = numbersIn(state, 'model');
    const picture = conv(build, enlarged(build, trunk, own), 'HR_conv1_new.0');
    const drawing = numbersIn(state, 'b_module');
    const last = drawing.pop() ?? 'b_module.0';
    const drawn = conv(build, enlarged(build, edges, drawing), last);
    if (drawing.length !== own.length)
      throw refused('The two branches of the network enlarge differently; it is damaged.');
    const both = denseBlocks(build, concat(build, [drawn, picture]), 'f_block');
    const joined = leaky(build, conv(build, conv(build, both, 'f_concat.0'), 'f_HR_conv0.0'));
    return {
      output: conv(build, joined, 'f_HR_conv1.0'),
      channels: { input: colours, output: state.side('f_HR_conv1.0.weight', 0) },
    };
  },
};

/** Builds both branches up to their features at the picture's own size. */
function branches(build: Build, input: string, colours: number): { trunk: string; edges: string } {
  const begun = conv(build, gradients(build, input, colours), 'b_fea_conv.0');
  const first = conv(build, input, 'model.0');
  const count = build.state.count('body.', '.rdb1.conv1.weight');
  let [at, edges] = [first, begun];
  for (let i = 1; i <= count; i += 1) {
    at = denseBlocks(build, at, `body.${i - 1}`);
    const look = i / blocksBetween;
    if (!Number.isInteger(look) || look > looks) continue;
    const both = denseBlocks(build, concat(build, [edges, at]), `b_block_${look}`);
    edges = conv(build, both, `b_concat_${look}.0`);
  }
  if (count < looks * blocksBetween)
    throw refused(`The network has ${count} blocks; ${looks * blocksBetween} were expected.`);
  return {
    trunk: add(build, first, conv(build, at, `body.${count}`)),
    edges: add(build, conv(build, edges, 'b_LR_conv.0'), begun),
  };
}

/** Computes the magnitude of each colour's gradient: the root of the squared differences down and across. */
function gradients(build: Build, input: string, colours: number): string {
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

/** Builds a convolution for each name; all but the last come after a doubling. */
function enlarged(build: Build, from: string, names: readonly string[]): string {
  return names.reduce((at, name, i) => {
    const larger = i < names.length - 1 ? nearest(build, at, 2) : at;
    return leaky(build, conv(build, larger, name));
  }, from);
}

/** Lists the numbered convolutions directly below a name, in the order of their numbers. */
const numbersIn = (state: State, name: string): string[] =>
  Array.from({ length: state.countOf(name) }, (_, i) => `${name}.${i}`).filter((one) =>
    state.has(`${one}.weight`),
  );

/** Gives the trunk's blocks the names that ESRGAN's have here. */
const renamed = (state: State) =>
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
