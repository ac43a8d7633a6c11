/**
 * ESRGAN (RRDBNet; Wang 2018) and ESRGAN+ (Rakotonirina 2020): residual-in-residual dense blocks, then
 * doublings.
 * The network is published under four naming schemes; the names here are Real-ESRGAN's.
 */
import { refused } from '../../../../onnx/src/index.ts';
import {
  type Architecture,
  add,
  concat,
  conv,
  leaky,
  nearest,
  State,
  times,
  type NetworkBuild,
  unshuffledConv,
} from './state.ts';

const firstWeights = ['model.0.weight', 'conv_first.weight'];
const blocks = [
  'model.1.sub.0.RDB1.conv1.0.weight',
  'body.0.rdb1.conv1.weight',
  'RRDB_trunk.0.RDB1.conv1.weight',
];

export const esrgan: Architecture = {
  name: 'ESRGAN',
  recognises: (state) =>
    firstWeights.some((name) => state.has(name)) && blocks.some((name) => state.has(name)),
  build({ state: stored, graph }, input) {
    const state = withCurrentNames(stored);
    const build = { state, graph };
    const output = state.side('conv_last.weight', 0);
    const taken = state.side('conv_first.weight', 1);
    const unshuffle = Math.sqrt(taken / output);
    if (![1, 2, 4].includes(unshuffle))
      throw refused(`The network takes ${taken} channels and gives ${output}; it cannot be used.`);
    const first =
      unshuffle === 1
        ? conv(build, input, 'conv_first')
        : unshuffledConv(build, input, 'conv_first', unshuffle);
    let at = first;
    const count = state.count('body.', '.rdb1.conv1.weight');
    for (let i = 0; i < count; i += 1) at = denseBlocks(build, at, `body.${i}`);
    at = add(build, first, conv(build, at, 'conv_body'));
    for (let i = 1; state.has(`conv_up${i}.weight`); i += 1)
      at = leaky(build, conv(build, nearest(build, at, 2), `conv_up${i}`));
    at = conv(build, leaky(build, conv(build, at, 'conv_hr')), 'conv_last');
    return { output: at, channels: { input: output, output } };
  },
};

/** Residual-in-residual dense block: three dense blocks, scaled by 0.2 and added to the input. */
export function denseBlocks(build: NetworkBuild, from: string, name: string): string {
  const dense = [1, 2, 3].reduce((at, i) => denseBlock(build, at, `${name}.rdb${i}`), from);
  return add(build, times(build, dense, 0.2), from);
}

/** Dense block of five convolutions. ESRGAN+ has extra residuals at the second and fourth. */
function denseBlock(build: NetworkBuild, from: string, name: string): string {
  const isPlus = build.state.has(`${name}.conv1x1.weight`);
  const features = [from];
  for (let i = 1; i <= 4; i += 1) {
    let made = leaky(build, conv(build, joined(build, features), `${name}.conv${i}`));
    if (isPlus && i === 2) made = add(build, made, conv(build, from, `${name}.conv1x1`));
    if (isPlus && i === 4) made = add(build, made, features[2] as string);
    features.push(made);
  }
  const last = conv(build, joined(build, features), `${name}.conv5`);
  return add(build, times(build, last, 0.2), from);
}

const joined = (build: NetworkBuild, parts: string[]) =>
  parts.length === 1 ? (parts[0] as string) : concat(build, parts);

/** Normalises the naming schemes to Real-ESRGAN's. */
function withCurrentNames(state: State): State {
  if (state.has('conv_first.weight', 'body.0.rdb1.conv1.weight')) return state;
  const names = state.has('model.0.weight') ? numberedNames(state) : bsrganNames;
  return new State(new Map(state.names().map((name) => [names(name), state.get(name)])));
}

const bsrganNames = (name: string) =>
  name
    .replace(/^RRDB_trunk\./, 'body.')
    .replace(/\.RDB(\d)\./, '.rdb$1.')
    .replace(/^trunk_conv\./, 'conv_body.')
    .replace(/^upconv(\d)\./, 'conv_up$1.')
    .replace(/^HRconv\./, 'conv_hr.');

/**
 * Maps the numbered layers of the original scheme: first convolution, blocks, doublings, two last
 * convolutions.
 */
function numberedNames(state: State): (name: string) => string {
  const numbers = state
    .names()
    .flatMap((name) => /^model\.(\d+)\.weight$/.exec(name)?.slice(1).map(Number) ?? [])
    .sort((a, b) => a - b);
  const [, ...later] = numbers;
  const names = later.map((_, i) =>
    i === later.length - 1 ? 'conv_last' : i === later.length - 2 ? 'conv_hr' : `conv_up${i + 1}`,
  );
  return (name) => {
    const inner = /^model\.1\.sub\.(\d+)\.(?:RDB(\d)\.(conv\d(?:x1)?)\.(?:\d\.)?)?(\w+)$/.exec(
      name,
    );
    if (inner) {
      const [, index, dense, layer, kind] = inner;
      return dense === undefined
        ? `conv_body.${kind}`
        : `body.${index}.rdb${dense}.${layer}.${kind}`;
    }
    const outer = /^model\.(\d+)\.(\w+)$/.exec(name);
    if (!outer) return name;
    const number = Number(outer[1]);
    return number === 0 ? `conv_first.${outer[2]}` : `${names[later.indexOf(number)]}.${outer[2]}`;
  };
}
