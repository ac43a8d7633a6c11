/** Multi-head attention over sets of tokens, such as the tokens of a window. */
import { add, type NetworkBuild } from './state.ts';
import { parts, shaped, softmax, squeezed, transposed } from './tokens.ts';

interface Heads {
  q: string;
  k: string;
  v: string;
}

/** Splits [windows, tokens, 3 x channels] into q, k and v of [windows, heads, tokens, channels per head]. */
export function splitHeads(
  build: NetworkBuild,
  qkv: string,
  heads: number,
  channels: number,
): Heads {
  const split = shaped(build, qkv, [0, 0, 3, heads, channels / heads]);
  return splitQkv(build, split);
}

/**
 * Splits [sets, tokens, 3, heads, channels per head] into q, k and v of [sets, heads, tokens, channels per
 * head].
 */
export function splitQkv(build: NetworkBuild, split: string): Heads {
  const byKind = parts(build, transposed(build, split, [2, 0, 3, 1, 4]), 3, 0);
  const [q = '', k = '', v = ''] = byKind.map((one) => squeezed(build, one, 0));
  return { q, k, v };
}

interface AttentionInput extends Heads {
  scale: number;
  /** Added to the products of queries and keys before the softmax: position biases and masks. */
  biases?: readonly string[];
}

/** softmax(q kT x scale + biases) v for each head, as [sets, heads, tokens, channels per head]. */
export function attend(
  build: NetworkBuild,
  { q, k, v, scale, biases = [] }: AttentionInput,
): string {
  const { graph } = build;
  const scaled = graph.node('Mul', [q, graph.number(scale)]);
  let map = graph.node('MatMul', [scaled, transposed(build, k, [0, 1, 3, 2])]);
  for (const one of biases) map = add(build, map, one);
  return graph.node('MatMul', [softmax(build, map), v]);
}

/** Concatenates the heads: [windows, tokens, channels]. */
export const mergedHeads = (build: NetworkBuild, from: string, channels: number) =>
  shaped(build, transposed(build, from, [0, 2, 1, 3]), [0, -1, channels]);

/** Gathers a table's row for each pair of tokens, as [heads, queries, keys]. */
export function pairBias(
  build: NetworkBuild,
  table: string,
  index: string,
  queries: number,
  keys: number,
): string {
  const rows = build.graph.node('Gather', [table, index]);
  return transposed(build, shaped(build, rows, [queries, keys, -1]), [2, 0, 1]);
}
