/**
 * ESRGAN (RRDBNet; Wang 2018) and ESRGAN+ (Rakotonirina 2020) have dense blocks in blocks, then doublings.
 * The same network is stored under four sets of names; the names here are Real-ESRGAN's.
 */
import { refused } from '../../../../../electron/engine/onnx/refused.ts';
import {
  type Architecture,
  add,
  concat,
  conv,
  leaky,
  nearest,
  State,
  times,
  type Build,
  unshuffledConv,
} from './state.ts';

const firsts = ['model.0.weight', 'conv_first.weight'];
const blocks = [
  'model.1.sub.0.RDB1.conv1.0.weight',
  'body.0.rdb1.conv1.weight',
  'RRDB_trunk.0.RDB1.conv1.weight',
];

export const esrgan: Architecture = {
  name: 'ESRGAN',
  recognises: (state) =>
    firsts.some((name) => state.has(name)) && blocks.some((name) => state.has(name)),
  build({ state: stored, graph }, input) {
    const state = renamed(stored);
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

/** Builds three dense blocks, and adds a fifth of their result to their input. */
export function denseBlocks(build: Build, from: string, name: string): string {
  const dense = [1, 2, 3].reduce((at, i) => denseBlock(build, at, `${name}.rdb${i}`), from);
  return add(build, times(build, dense, 0.2), from);
}

/** Builds five convolutions, each of all results before it. ESRGAN+ adds to the second and the fourth. */
function denseBlock(build: Build, from: string, name: string): string {
  const isPlus = build.state.has(`${name}.conv1x1.weight`);
  const known = [from];
  for (let i = 1; i <= 4; i += 1) {
    let made = leaky(build, conv(build, joined(build, known), `${name}.conv${i}`));
    if (isPlus && i === 2) made = add(build, made, conv(build, from, `${name}.conv1x1`));
    if (isPlus && i === 4) made = add(build, made, known[2] as string);
    known.push(made);
  }
  const last = conv(build, joined(build, known), `${name}.conv5`);
  return add(build, times(build, last, 0.2), from);
}

const joined = (build: Build, parts: string[]) =>
  parts.length === 1 ? (parts[0] as string) : concat(build, parts);

/** Turns any of the four sets of names into Real-ESRGAN's. */
function renamed(state: State): State {
  if (state.has('conv_first.weight', 'body.0.rdb1.conv1.weight')) return state;
  const names = state.has('model.0.weight') ? oldNames(state) : bsrganNames;
  return new State(new Map(state.names().map((name) => [names(name), state.get(name)])));
}

const bsrganNames = (name: string) =>
  name
    .replace(/^RRDB_trunk\./, 'body.')
    .replace(/\.RDB(\d)\./, '.rdb$1.')
    .replace(/^trunk_conv\./, 'conv_body.')
    .replace(/^upconv(\d)\./, 'conv_up$1.')
    .replace(/^HRconv\./, 'conv_hr.');

/** Renames the numbered layers of old: the first, the blocks, the doublings, and the two at the end. */
function oldNames(state: State): (name: string) => string {
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
