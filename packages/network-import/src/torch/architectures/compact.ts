/** Compact (SRVGGNetCompact, Real-ESRGAN's small network) adds what its convolutions make to the picture. */
import {
  type Architecture,
  add,
  conv,
  nearest,
  pixelShuffle,
  scaleOf,
  type Build,
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
    for (let i = 0; i < last; i += 2) at = activated(build, conv(build, at, `body.${i}`), i + 1);
    at = conv(build, at, `body.${last}`);
    const channels = state.side('body.0.weight', 1);
    const scale = scaleOf(state.side(`body.${last}.weight`, 0), channels);
    const shuffled = pixelShuffle(build, at, scale);
    const base = scale === 1 ? input : nearest(build, input, scale);
    return { output: add(build, shuffled, base), channels: { input: channels, output: channels } };
  },
};

/** Adds PReLU, which has a slope for each channel. */
const activated = (build: Build, from: string, index: number) =>
  build.graph.node('PRelu', [from, perChannel(build, `body.${index}.weight`)]);
