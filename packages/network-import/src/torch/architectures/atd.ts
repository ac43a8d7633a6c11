/**
 * ATD (Zhang 2024): shifted windows, attention to a dictionary of learnt tokens, and attention among pixels
 * of
 * the same category anywhere in the picture.
 */
import { type Architecture, add, multiply, type NetworkBuild } from './state.ts';
import { symmetricPad, windowOf } from './reconstruct.ts';
import { convolvedMlp } from './srformer.ts';
import { attend, splitQkv } from './attention.ts';
import {
  indices,
  layerNorm,
  linear,
  lengthMath,
  shaped,
  sideOf,
  sliced,
  softmax,
  transposed,
  l2Normalised,
  squeezed,
} from './tokens.ts';
import { attendInWindows, type Area, type Windows } from './windows.ts';
import { aroundLayers } from './swin-ir.ts';

const first = 'layers.0.residual_group.layers.0';

export const atd: Architecture = {
  name: 'ATD',
  recognises: (state) =>
    state.has('conv_first.weight', 'layers.0.residual_group.td', `${first}.attn_atd.wq.weight`),
  build(build, input) {
    const { state } = build;
    const table = `${first}.attn_win.relative_position_bias_table`;
    const window = windowOf(state.side(table, 0));
    const categorySize = categorySizeOf(build);
    return aroundLayers(build, input, {
      window,
      pad: symmetricPad,
      hasMean: !state.has('no_norm'),
      layer: (map, name, windows, area) =>
        group(build, map, `${name}.residual_group`, { windows, window, area, categorySize }),
    });
  },
};

/**
 * Number of pixels of a category that attend to each other. Not stored in the weights: 128 in the light
 * network,
 * 256 in all others.
 */
function categorySizeOf({ state }: NetworkBuild): number {
  const isLight = !state.has('conv_last.weight') && state.side('conv_first.weight', 0) === 48;
  return isLight ? 128 : 256;
}

interface AtdContext {
  windows: Windows;
  window: number;
  area: Area;
  categorySize: number;
}

function group(build: NetworkBuild, from: string, name: string, frame: AtdContext): string {
  const { state, graph } = build;
  let at = from;
  let tokens = graph.weights(state.get(`${name}.td`));
  for (let i = 0; state.has(`${name}.layers.${i}.norm1.weight`); i += 1) {
    const inner = `${name}.layers.${i}`;
    const shift = i % 2 === 0 ? 0 : Math.floor(frame.window / 2);
    const result = layer(build, at, inner, { ...frame, tokens, shift });
    at = result.map;
    if (state.has(`${inner}.sigma`)) tokens = updateDictionary(build, inner, { ...result, tokens });
  }
  return at;
}

interface AtdLayer {
  map: string;
  /** Similarity of each pixel to each token, as [pixels, tokens]. */
  similarity: string;
}

function layer(
  build: NetworkBuild,
  from: string,
  name: string,
  frame: AtdContext & { tokens: string; shift: number },
): AtdLayer {
  const { state, graph } = build;
  const { windows, shift, area, tokens } = frame;
  const channels = state.side(`${name}.wqkv.weight`, 1);
  const normed = layerNorm(build, from, `${name}.norm1`);
  const qkv = linear(build, normed, `${name}.wqkv`);
  const table = state.get(`${name}.attn_win.relative_position_bias_table`);
  const heads = table.shape[1] ?? 1;
  const near = attendInWindows(build, qkv, {
    windows,
    heads,
    channels,
    shift: [shift, shift],
    table: graph.weights(table),
  });
  const asMap = (rows: string) => shaped(build, rows, [1, area.height, area.width, channels]);
  const dictionary = dictionaryAttention(
    build,
    shaped(build, normed, [-1, channels]),
    tokens,
    name,
  );
  const categories = categoryAttention(
    build,
    shaped(build, qkv, [-1, 3 * channels]),
    dictionary.similarity,
    {
      name: `${name}.attn_aca`,
      channels,
      heads,
      categorySize: frame.categorySize,
    },
  );
  const sum = [
    linear(build, near, `${name}.attn_win.proj`),
    asMap(dictionary.rows),
    asMap(categories),
  ].reduce((all, one) => add(build, all, one), from);
  const mlp = convolvedMlp(build, layerNorm(build, sum, `${name}.norm2`), `${name}.convffn`);
  return { map: add(build, sum, mlp), similarity: dictionary.similarity };
}

/** Cross-attention from the pixels to the dictionary's tokens. */
function dictionaryAttention(build: NetworkBuild, rows: string, tokens: string, layerName: string) {
  const { state, graph } = build;
  const name = `${layerName}.attn_atd`;
  const learnt = state.get(`${name}.scale`);
  const count = learnt.shape[0] ?? 1;
  const scale = graph.weights({
    shape: learnt.shape,
    floats: () => learnt.floats().map((one) => 1 + Math.min(Math.max(one, 0), 1) * Math.log(count)),
  });
  const q = l2Normalised(build, linear(build, rows, `${name}.wq`));
  const k = l2Normalised(build, linear(build, tokens, `${name}.wk`));
  const map = multiply(build, graph.node('MatMul', [q, transposed(build, k, [1, 0])]), scale);
  const similarity = softmax(build, map);
  return {
    similarity,
    rows: graph.node('MatMul', [similarity, linear(build, tokens, `${name}.wv`)]),
  };
}

interface CategoryAttention {
  name: string;
  channels: number;
  heads: number;
  categorySize: number;
}

/**
 * Sorts pixels by their most similar token and computes self-attention within groups of neighbours in that
 * order.
 */
function categoryAttention(
  build: NetworkBuild,
  qkv: string,
  similarity: string,
  { name, channels, heads, categorySize }: CategoryAttention,
): string {
  const { state, graph } = build;
  const count = sideOf(build, qkv, 0);
  const positions = indices(build, count);
  const categories = graph.node('ArgMax', [similarity], { axis: 1, keepdims: 0 });
  // Keys are unique, so the order of pixels within a category is stable.
  const keys = add(build, graph.node('Mul', [categories, count]), positions);
  const [, order = ''] = graph.nodes('TopK', [keys, count], 2, { axis: 0, largest: 0, sorted: 1 });
  const size = lengthMath(build, 'Min', count, categorySize);
  const groups = lengthMath(
    build,
    'Div',
    lengthMath(build, 'Sub', lengthMath(build, 'Add', count, size), 1),
    size,
  );
  const padded = mirroredOrder(build, order, count, lengthMath(build, 'Mul', groups, size));
  const sorted = graph.node('Gather', [qkv, padded], { axis: 0 });
  const split = shaped(build, sorted, [groups, size, 3, heads, channels / heads]);
  const { q, k, v } = splitQkv(build, split);
  const scale = Math.exp(
    Math.min(state.get(`${name}.logit_scale`).floats()[0] ?? 0, Math.log(100)),
  );
  const merged = transposed(build, attend(build, { q, k, v, scale }), [0, 2, 1, 3]);
  const rows = sliced(build, shaped(build, merged, [-1, channels]), 0, 0, count);
  const back = graph.node('ScatterElements', [positions, order, positions], { axis: 0 });
  return linear(build, graph.node('Gather', [rows, back], { axis: 0 }), `${name}.proj`);
}

/** Pads the order to `paddedCount` with its own last pixels in reverse, which fills the last group. */
function mirroredOrder(
  build: NetworkBuild,
  order: string,
  count: string,
  paddedCount: string,
): string {
  const { graph } = build;
  const all = indices(build, paddedCount);
  const twice = lengthMath(build, 'Sub', lengthMath(build, 'Mul', count, 2), 1);
  const mirrored = graph.node('Sub', [twice, all]);
  const isIn = graph.node('Less', [all, count]);
  return graph.node('Gather', [order, graph.node('Where', [isIn, all, mirrored])], { axis: 0 });
}

/**
 * Update of the dictionary after a layer: a learnt interpolation between each token and the mean of the
 * pixels
 * weighted by their similarity to it.
 */
function updateDictionary(
  build: NetworkBuild,
  name: string,
  { map, similarity, tokens }: AtdLayer & { tokens: string },
) {
  const { state, graph } = build;
  const sigma = state.get(`${name}.sigma`);
  const share = (of: (kept: number) => number) =>
    graph.weights({
      shape: sigma.shape,
      floats: () => sigma.floats().map((one) => of(1 / (1 + Math.exp(-one)))),
    });
  const rows = shaped(build, transposed(build, similarity, [1, 0]), [
    1,
    state.side(`${name}.sigma`, 0),
    -1,
  ]);
  const even = graph.node(
    'InstanceNormalization',
    [rows, ...['weight', 'bias'].map((part) => graph.weights(state.get(`${name}.norm3.${part}`)))],
    { epsilon: { float: 1e-5 } },
  );
  const channels = state.side(`${name}.wqkv.weight`, 1);
  const pixels = shaped(build, map, [1, -1, channels]);
  const weightedMean = squeezed(build, graph.node('MatMul', [softmax(build, even), pixels]), 0);
  const kept = multiply(
    build,
    tokens,
    share((one) => one),
  );
  return add(
    build,
    kept,
    multiply(
      build,
      weightedMean,
      share((one) => 1 - one),
    ),
  );
}
