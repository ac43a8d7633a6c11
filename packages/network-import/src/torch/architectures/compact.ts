/**
 * Compact (SRVGGNetCompact, Real-ESRGAN's small network): a plain stack of convolutions whose output is added
 * to
 * the nearest-neighbour enlargement of the input.
 */
import {
  type Architecture,
  add,
  conv,
  nearest,
  pixelShuffle,
  scaleOf,
  type NetworkBuild,
  perChannel,
} from './state.ts';

export const compact: Architecture = {
  name: 'Compact',
  recognises: (state) =>
    state.has('body.0.weight', 'body.1.weight') && state.get('body.1.weight').shape.length === 1,
  build(build, input) {
    const { state } = build;
    const last = Math.max(
      ...state
        .names()
        .flatMap((name) => /^body\.(\d+)\.weight$/.exec(name)?.slice(1).map(Number) ?? []),
    );
    let at = input;
    for (let i = 0; i < last; i += 2) at = withPrelu(build, conv(build, at, `body.${i}`), i + 1);
    at = conv(build, at, `body.${last}`);
    const channels = state.side('body.0.weight', 1);
    const scale = scaleOf(state.side(`body.${last}.weight`, 0), channels);
    const shuffled = pixelShuffle(build, at, scale);
    const base = scale === 1 ? input : nearest(build, input, scale);
    return { output: add(build, shuffled, base), channels: { input: channels, output: channels } };
  },
};

/** PReLU with a slope per channel. */
const withPrelu = (build: NetworkBuild, from: string, index: number) =>
  build.graph.node('PRelu', [from, perChannel(build, `body.${index}.weight`)]);
