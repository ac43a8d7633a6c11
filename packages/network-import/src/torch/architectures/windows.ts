/** Windows of a map of tokens are cut, joined and shifted here, and masked by regions. */
import { floatTypes } from '../../../../../electron/engine/onnx/encode-onnx.ts';
import { add, type Build } from './state.ts';
import { attended, headsOf, mergedHeads, pairBias } from './attention.ts';
import { indices, reckon, rolled, shaped, transposed, whereNot0, unsqueezed } from './tokens.ts';

export interface Area {
  /** Both sides are lengths, and multiples of the window's sides where windows are cut. */
  height: string;
  width: string;
}

export type Pair = readonly [high: number, wide: number];

export interface Windows {
  /** Cuts a map into [windows, tokens, channels]. */
  cut(map: string, channels: number): string;
  /** Joins windows into a map again. */
  join(windows: string, channels: number): string;
  /**
   * Gives what keeps tokens of shifted windows to their region when it is added before the softmax, as
   * [windows, 1, tokens, tokens].
   */
  mask(shift: Pair): string;
  /** Gives the row of a table of (2 high - 1) (2 wide - 1) rows that belongs to each pair of tokens. */
  index(): string;
  readonly tokens: number;
}

/** Makes the windows of a network; a mask or an index that several blocks use is added once. */
export function createWindows(build: Build, area: Area, [high, wide]: Pair): Windows {
  const { graph } = build;
  const rows = reckon(build, 'Div', area.height, high);
  const columns = reckon(build, 'Div', area.width, wide);
  const tokens = high * wide;
  const masks = new Map<string, string>();
  let known: string | undefined;
  const cut = (map: string, channels: number) => {
    const split = shaped(build, map, [rows, high, columns, wide, channels]);
    return shaped(build, transposed(build, split, [0, 2, 1, 3, 4]), [-1, tokens, channels]);
  };
  return {
    tokens,
    cut,
    join(windows, channels) {
      const split = shaped(build, windows, [rows, columns, high, wide, channels]);
      const joined = transposed(build, split, [0, 2, 1, 3, 4]);
      return shaped(build, joined, [1, area.height, area.width, channels]);
    },
    mask(shift) {
      const key = shift.join();
      const made =
        masks.get(key) ?? maskOf(build, cut(regionsOf(build, area, [high, wide], shift), 1));
      masks.set(key, made);
      return made;
    },
    index: () => (known ??= graph.integers(relativeRows([high, wide]))),
  };
}

/** Numbers the regions of a shifted map: 3 x the row's region + the column's, as a map of one channel. */
export function regionsOf(build: Build, area: Area, window: Pair, shift: Pair): string {
  const rows = regionsAlong(build, area.height, window[0], shift[0]);
  const columns = regionsAlong(build, area.width, window[1], shift[1]);
  const three = build.graph.node('Mul', [unsqueezed(build, rows, 1), build.graph.number(3)]);
  const sum = add(build, three, unsqueezed(build, columns, 0));
  return shaped(build, sum, [1, area.height, area.width, 1]);
}

/** Numbers the regions along a side: 0 before the last window, 1 in it, 2 in what the shift brought there. */
function regionsAlong(build: Build, length: string, window: number, shift: number): string {
  const { graph } = build;
  const places = indices(build, length);
  const from = (distance: number) =>
    graph.node(
      'Cast',
      [graph.node('GreaterOrEqual', [places, reckon(build, 'Sub', length, distance)])],
      { to: floatTypes.single },
    );
  return add(build, from(window), from(shift));
}

/** Builds the mask that keeps tokens to their region, from the regions of queries and of keys (`others`). */
export function maskOf(build: Build, ids: string, others: string = ids): string {
  const difference = build.graph.node('Sub', [ids, transposed(build, others, [0, 2, 1])]);
  return unsqueezed(build, whereNot0(build, difference, -100), 1);
}

/** Lists the usual rows of a table of relative positions for each pair of tokens; x is the fastest. */
export function relativeRows([high, wide]: Pair): number[] {
  const rows: number[] = [];
  for (let y = 0; y < high; y += 1)
    for (let x = 0; x < wide; x += 1)
      for (let v = 0; v < high; v += 1)
        for (let u = 0; u < wide; u += 1)
          rows.push((y - v + high - 1) * (2 * wide - 1) + (x - u + wide - 1));
  return rows;
}

interface WindowAttention {
  windows: Windows;
  heads: number;
  channels: number;
  shift: Pair;
  /** The table of biases: a row for each relative position of two tokens, a column for each head. */
  table: string;
}

/** Attends within windows: turns a map of queries, keys and values (3 x channels) into one of channels. */
export function attendInWindows(
  build: Build,
  qkv: string,
  { windows, heads, channels, shift, table }: WindowAttention,
): string {
  const [down, right] = shift;
  const moved = rolled(build, rolled(build, qkv, 1, down), 2, right);
  const split = headsOf(build, windows.cut(moved, 3 * channels), heads, channels);
  const bias = pairBias(build, table, windows.index(), windows.tokens, windows.tokens);
  const isShifted = down > 0 || right > 0;
  const result = attended(build, {
    ...split,
    scale: (channels / heads) ** -0.5,
    added: isShifted ? [bias, windows.mask(shift)] : [bias],
  });
  const joined = windows.join(mergedHeads(build, result, channels), channels);
  return rolled(build, rolled(build, joined, 2, -right), 1, -down);
}
