/** SwinIR (Liang 2021): attention in shifted windows. Its blocks are shared by other architectures. */
import { type Architecture, add, conv, type NetworkBuild } from './state.ts';
import {
  assertNoFixedPositions,
  cropPadding,
  reconstruct,
  subtractMean,
  reflectPad,
  residualConv,
  addMean,
  windowOf,
  symmetricPad,
} from './reconstruct.ts';
import { gelu, layerNorm, linear, toMap, toPicture } from './tokens.ts';
import { attendInWindows, createWindows, type Area, type Windows } from './windows.ts';

const block = 'layers.0.residual_group.blocks.0';

export const swinIr: Architecture = {
  name: 'SwinIR',
  recognises: (state) =>
    state.has(
      'conv_first.weight',
      `${block}.attn.qkv.weight`,
      `${block}.attn.relative_position_bias_table`,
      `${block}.mlp.fc1.weight`,
    ) && !state.has(`${block}.conv_block.cab.0.weight`),
  build(build, input) {
    const { state } = build;
    const window = windowOf(state.side(`${block}.attn.relative_position_bias_table`, 0));
    // Only the networks for JPEG artifacts have windows of 7; they work on 0..255.
    const range = window === 7 ? 255 : 1;
    return aroundLayers(build, input, {
      window,
      range,
      layer: (map, name, windows) =>
        shiftedBlocks(build, map, { name, window }, (at, made) =>
          swinBlock(build, at, { ...made, windows }),
        ),
    });
  },
};

interface LayeredNetwork {
  window: number;
  range?: number;
  /** Pads the picture to a multiple of the window's side. */
  pad?: typeof symmetricPad;
  /** Whether the RGB mean is subtracted. */
  hasMean?: boolean;
  /** Builds one layer of the body over a map of tokens, without the layer's convolution. */
  layer: (map: string, name: string, windows: Windows, area: Area) => string;
  /** Whether a layer ends in a convolution whose output is added to the layer's input. */
  addsLayer?: boolean;
}

/** Padding, first convolution, layers, last convolution and reconstruction. */
export function aroundLayers(
  build: NetworkBuild,
  input: string,
  { window, range, pad = reflectPad, hasMean = true, layer, addsLayer = true }: LayeredNetwork,
) {
  const { state } = build;
  assertNoFixedPositions(build);
  const colours = state.side('conv_first.weight', 1);
  const { picture, area, original } = pad(build, input, window);
  const windows = createWindows(build, area, [window, window]);
  const plain = hasMean ? subtractMean(build, picture, colours, range) : picture;
  const first = conv(build, plain, 'conv_first');
  let at = toMap(build, first);
  if (state.has('patch_embed.norm.weight')) at = layerNorm(build, at, 'patch_embed.norm');
  const count = state.countOf('layers');
  for (let i = 0; i < count; i += 1) {
    const made = layer(at, `layers.${i}`, windows, area);
    at = addsLayer ? withConv(build, at, made, `layers.${i}.conv`) : made;
  }
  const body = toPicture(build, layerNorm(build, at, 'norm'));
  const features = add(build, residualConv(build, body, 'conv_after_body'), first);
  const result = reconstruct(build, features, plain, colours);
  const whole = hasMean ? addMean(build, result.picture, colours, range) : result.picture;
  return {
    output: cropPadding(build, whole, original, result.scale),
    channels: { input: colours, output: colours },
  };
}

function withConv(build: NetworkBuild, before: string, after: string, name: string): string {
  const picture = residualConv(build, toPicture(build, after), name);
  return add(build, toMap(build, picture), before);
}

/** Numbered blocks of a layer in sequence. Every second is shifted by half a window. */
export function shiftedBlocks(
  { state }: NetworkBuild,
  from: string,
  { name, window }: { name: string; window: number },
  block: (from: string, made: { name: string; shift: number }) => string,
): string {
  let at = from;
  for (let i = 0; state.has(`${name}.residual_group.blocks.${i}.norm1.weight`); i += 1) {
    const shift = i % 2 === 0 ? 0 : Math.floor(window / 2);
    at = block(at, { name: `${name}.residual_group.blocks.${i}`, shift });
  }
  return at;
}

export interface SwinBlock {
  name: string;
  windows: Windows;
  shift: number;
}

/** Attention in windows, from the normalised map to the projection. */
export function windowAttention(
  build: NetworkBuild,
  normed: string,
  { name, windows, shift }: SwinBlock,
): string {
  const { state, graph } = build;
  const table = state.get(`${name}.attn.relative_position_bias_table`);
  const attention = attendInWindows(build, linear(build, normed, `${name}.attn.qkv`), {
    windows,
    heads: table.shape[1] ?? 1,
    channels: state.side(`${name}.attn.proj.weight`, 1),
    shift: [shift, shift],
    table: graph.weights(table),
  });
  return linear(build, attention, `${name}.attn.proj`);
}

/** Two-layer MLP with its norm and residual. */
export function withMlp(build: NetworkBuild, sum: string, name: string): string {
  const wide = gelu(
    build,
    linear(build, layerNorm(build, sum, `${name}.norm2`), `${name}.mlp.fc1`),
  );
  return add(build, sum, linear(build, wide, `${name}.mlp.fc2`));
}

export function swinBlock(build: NetworkBuild, from: string, made: SwinBlock): string {
  const attention = windowAttention(build, layerNorm(build, from, `${made.name}.norm1`), made);
  return withMlp(build, add(build, from, attention), made.name);
}
