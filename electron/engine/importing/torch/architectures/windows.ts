/** Windows of a map of tokens: cut, put together, shifted, and which of their tokens may look at each other. */
import { add, type Build } from './state.ts';
import {
  attended,
  counted,
  headsOf,
  joinedHeads,
  pairBias,
  reckon,
  rolled,
  shaped,
  transposed,
  whereNot0,
  with1,
} from './tokens.ts';

export interface Area {
  /** Lengths, multiples of the window's. */
  height: string;
  width: string;
}

export type Pair = readonly [high: number, wide: number];

export interface Windows {
  /** A map to [windows, tokens, channels]. */
  cut(map: string, channels: number): string;
  /** And back. */
  join(windows: string, channels: number): string;
  /** What is added so that tokens of shifted windows look only at those of their own region: [windows, 1, tokens, tokens]. */
  mask(shift: Pair): string;
  /** Which row of a table of (2 high - 1) (2 wide - 1) belongs to each pair of tokens. */
  index(): string;
  readonly tokens: number;
}

/** What is the same for every block of a network is made once. */
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

/** 3 x the row's region + the column's, as a map of one channel. */
export function regionsOf(build: Build, area: Area, window: Pair, shift: Pair): string {
  const rows = regionsAlong(build, area.height, window[0], shift[0]);
  const columns = regionsAlong(build, area.width, window[1], shift[1]);
  const three = build.graph.node('Mul', [with1(build, rows, 1), build.graph.number(3)]);
  const sum = add(build, three, with1(build, columns, 0));
  return shaped(build, sum, [1, area.height, area.width, 1]);
}

/** 0 before the last window, in it 1, and 2 where the shift has brought what was at the beginning. */
function regionsAlong(build: Build, length: string, window: number, shift: number): string {
  const { graph } = build;
  const places = counted(build, length);
  const from = (distance: number) =>
    graph.node(
      'Cast',
      [graph.node('GreaterOrEqual', [places, reckon(build, 'Sub', length, distance)])],
      { to: 1 },
    );
  return add(build, from(window), from(shift));
}

/** Of the regions of windows' tokens, and of those that they look at: what keeps each to its own region. */
export function maskOf(build: Build, ids: string, others: string = ids): string {
  const difference = build.graph.node('Sub', [ids, transposed(build, others, [0, 2, 1])]);
  return with1(build, whereNot0(build, difference, -100), 1);
}

/** The usual rows of a table of relative places: y first, x fastest. */
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
  /** Rows of the relative places of its tokens, and their heads. */
  table: string;
}

/** What stands in a map of 3 x channels, attended within windows; a map of the channels. */
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
  const joined = windows.join(joinedHeads(build, result, channels), channels);
  return rolled(build, rolled(build, joined, 2, -right), 1, -down);
}
