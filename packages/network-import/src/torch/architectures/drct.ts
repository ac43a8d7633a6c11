/** DRCT (Hsu 2024): layers of five shifted-window blocks with dense connections. */
import { type Architecture, add, conv, leaky, times, type NetworkBuild } from './state.ts';
import { windowOf } from './reconstruct.ts';
import { aroundLayers, swinBlock } from './swin-ir.ts';
import { toMap, toPicture } from './tokens.ts';
import type { Windows } from './windows.ts';

const first = 'layers.0.swin1';

export const drct: Architecture = {
  name: 'DRCT',
  recognises: (state) =>
    state.has('conv_first.weight', `${first}.attn.qkv.weight`, 'layers.0.adjust5.weight'),
  build(build, input) {
    const window = windowOf(build.state.side(`${first}.attn.relative_position_bias_table`, 0));
    return aroundLayers(build, input, {
      window,
      layer: (map, name, windows) => dense(build, map, { name, windows, window }),
      addsLayer: false,
    });
  },
};

function dense(
  build: NetworkBuild,
  from: string,
  { name, windows, window }: { name: string; windows: Windows; window: number },
): string {
  const features = [from];
  for (let i = 1; i <= 5; i += 1) {
    const all = features.length === 1 ? from : build.graph.node('Concat', features, { axis: 3 });
    const shift = i % 2 === 1 ? 0 : Math.floor(window / 2);
    const attention = swinBlock(build, all, { name: `${name}.swin${i}`, windows, shift });
    const narrow = conv(build, toPicture(build, attention), `${name}.adjust${i}`);
    features.push(toMap(build, i < 5 ? leaky(build, narrow) : narrow));
  }
  return add(build, times(build, features.at(-1) as string, 0.2), from);
}
