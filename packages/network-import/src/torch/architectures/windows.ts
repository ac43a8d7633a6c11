/** Partition of token maps into windows, their masks by regions, and attention within them. */
import { floatTypes } from '../../../../onnx/src/index.ts';
import { add, type NetworkBuild } from './state.ts';
import { attend, splitHeads, mergedHeads, pairBias } from './attention.ts';
import {
  indices,
  lengthMath,
  rolled,
  shaped,
  transposed,
  valueWhereNonzero,
  unsqueezed,
} from './tokens.ts';

export interface Area {
  /** Both are lengths, and multiples of the window's sides where windows are cut. */
  height: string;
  width: string;
}

export type WindowSides = readonly [high: number, wide: number];

export interface Windows {
  /** Partitions a map into [windows, tokens, channels]. */
  cut(map: string, channels: number): string;
  /** Inverse of `cut`. */
  join(windows: string, channels: number): string;
  /**
   * Attention mask that separates the regions of shifted windows, to be added before the softmax, as
   * [windows, 1,
   * tokens, tokens].
   */
  mask(shift: WindowSides): string;
  /** Table row, of (2 high - 1)(2 wide - 1), for each pair of tokens. */
  index(): string;
  readonly tokens: number;
}

/** Windows of a network. Masks and indices are added to the graph once and shared by the blocks. */
export function createWindows(build: NetworkBuild, area: Area, [high, wide]: WindowSides): Windows {
  const { graph } = build;
  const rows = lengthMath(build, 'Div', area.height, high);
  const columns = lengthMath(build, 'Div', area.width, wide);
  const tokens = high * wide;
  const masks = new Map<string, string>();
  let indexName: string | undefined;
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
    index: () => (indexName ??= graph.integers(relativeRows([high, wide]))),
  };
}

/** Region numbers of a shifted map, 3 x row region + column region, as a map of one channel. */
export function regionsOf(
  build: NetworkBuild,
  area: Area,
  window: WindowSides,
  shift: WindowSides,
): string {
  const rows = regionsAlong(build, area.height, window[0], shift[0]);
  const columns = regionsAlong(build, area.width, window[1], shift[1]);
  const three = build.graph.node('Mul', [unsqueezed(build, rows, 1), build.graph.number(3)]);
  const sum = add(build, three, unsqueezed(build, columns, 0));
  return shaped(build, sum, [1, area.height, area.width, 1]);
}

/**
 * Region numbers along one side: 0 before the last window, 1 within it, 2 in the part that the shift wrapped
 * there.
 */
function regionsAlong(build: NetworkBuild, length: string, window: number, shift: number): string {
  const { graph } = build;
  const positions = indices(build, length);
  const from = (distance: number) =>
    graph.node(
      'Cast',
      [graph.node('GreaterOrEqual', [positions, lengthMath(build, 'Sub', length, distance)])],
      { to: floatTypes.single },
    );
  return add(build, from(window), from(shift));
}

/** Mask of -100 between tokens of different regions, 0 within one. */
export function maskOf(
  build: NetworkBuild,
  queryRegions: string,
  keyRegions: string = queryRegions,
): string {
  const difference = build.graph.node('Sub', [
    queryRegions,
    transposed(build, keyRegions, [0, 2, 1]),
  ]);
  return unsqueezed(build, valueWhereNonzero(build, difference, -100), 1);
}

/** Table rows of the relative positions for each pair of tokens, in row-major order. */
export function relativeRows([high, wide]: WindowSides): number[] {
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
  shift: WindowSides;
  /** Relative position biases: one row per relative position of two tokens, one column per head. */
  table: string;
}

/** Attention within windows: turns a map of [.., 3 x channels] into one of [.., channels]. */
export function attendInWindows(
  build: NetworkBuild,
  qkv: string,
  { windows, heads, channels, shift, table }: WindowAttention,
): string {
  const [down, right] = shift;
  const moved = rolled(build, rolled(build, qkv, 1, down), 2, right);
  const split = splitHeads(build, windows.cut(moved, 3 * channels), heads, channels);
  const bias = pairBias(build, table, windows.index(), windows.tokens, windows.tokens);
  const isShifted = down > 0 || right > 0;
  const result = attend(build, {
    ...split,
    scale: (channels / heads) ** -0.5,
    biases: isShifted ? [bias, windows.mask(shift)] : [bias],
  });
  const joined = windows.join(mergedHeads(build, result, channels), channels);
  return rolled(build, rolled(build, joined, 2, -right), 1, -down);
}
