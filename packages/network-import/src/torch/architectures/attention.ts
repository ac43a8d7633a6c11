/** Attention by heads over sets of tokens, such as the tokens of a window. */
import { add, type Build } from './state.ts';
import { parts, shaped, softmax, squeezed, transposed } from './tokens.ts';

interface Heads {
  q: string;
  k: string;
  v: string;
}

/** Splits [windows, tokens, 3 x channels] into three of [windows, heads, tokens, a head's channels]. */
export function headsOf(build: Build, qkv: string, heads: number, channels: number): Heads {
  const split = shaped(build, qkv, [0, 0, 3, heads, channels / heads]);
  return threeOf(build, split);
}

/** Splits [sets, tokens, 3, heads, a head's channels] into three without that axis, heads before tokens. */
export function threeOf(build: Build, split: string): Heads {
  const byKind = parts(build, transposed(build, split, [2, 0, 3, 1, 4]), 3, 0);
  const [q = '', k = '', v = ''] = byKind.map((one) => squeezed(build, one, 0));
  return { q, k, v };
}

interface Attended extends Heads {
  scale: number;
  /** These are added to the products of queries and keys before the softmax. */
  added?: readonly string[];
}

/** Computes softmax(q kT scale + …) v for each head; the heads stay apart. */
export function attended(build: Build, { q, k, v, scale, added = [] }: Attended): string {
  const { graph } = build;
  const scaled = graph.node('Mul', [q, graph.number(scale)]);
  let map = graph.node('MatMul', [scaled, transposed(build, k, [0, 1, 3, 2])]);
  for (const one of added) map = add(build, map, one);
  return graph.node('MatMul', [softmax(build, map), v]);
}

/** Puts the heads back beside each other: [windows, tokens, channels]. */
export const mergedHeads = (build: Build, from: string, channels: number) =>
  shaped(build, transposed(build, from, [0, 2, 1, 3]), [0, -1, channels]);

/** Looks up a table's row for each pair of tokens: [heads, queries, keys]. */
export function pairBias(
  build: Build,
  table: string,
  index: string,
  queries: number,
  keys: number,
): string {
  const rows = build.graph.node('Gather', [table, index]);
  return transposed(build, shaped(build, rows, [queries, keys, -1]), [2, 0, 1]);
}
