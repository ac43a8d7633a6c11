/**
 * Runs one pass of a raster through a network: plans tiles, then reads, runs, checks and writes one group of
 * neighbouring tiles after the other. Memory is bounded by a few groups, whatever the picture's size.
 */
import type { NetworkDescriptor } from '../../../packages/contract/src/models/model.ts';
import { hasAlpha, type Raster, type RasterShape } from '../raster/raster-file.ts';
import { alphaMarginPx, enlargeAlpha } from './alpha.ts';
import { blendOver } from './blend.ts';
import { createTileCheck } from './checks.ts';
import {
  createFlatWindows,
  fillColour,
  type FlatWindow,
  type FlatWindows,
} from './flat-windows.ts';
import {
  assertSize,
  outputSize,
  samplesToTensor,
  tensorToSamples,
  type SampleView,
} from './tensor-pixels.ts';
import {
  viewAt,
  createBuffers,
  firstOf,
  groupOutput,
  readGroup,
  writeGroup,
  type GroupState,
} from './tile-group.ts';
import { planTiles, type TileSpan, type TilePlan } from './tile-plan.ts';
import {
  countTiles,
  enlargeNearest,
  tilesInRegion,
  type TileFilter,
  type RegionMask,
} from './region-mask.ts';

export type PassNetwork = Omit<NetworkDescriptor, 'variants' | 'input' | 'output'>;

/**
 * Runs the network on a batch of one or more tiles of `width` x `height`, stored one after the other in the
 * tensor. Input and output have the network's own layout.
 */
export type RunTile = (
  tensor: Float32Array,
  width: number,
  height: number,
) => Promise<Float32Array>;

export interface Pass {
  input: Raster;
  output: Raster;
  network: PassNetwork;
  tilePx: number;
  /** Tiles whose core lies outside this region are not run; absent: all tiles run. */
  region?: RegionMask | undefined;
  /** Tiles per call of the network; absent: 1. */
  batch?: number;
  runTile: RunTile;
  onTile: (done: number, total: number) => void;
  /** Called before each call of the network; throws to stop the pass. */
  throwIfCancelled: () => void;
}

export interface PassReport {
  tiles: number;
  /** Of these, the tiles that the network did not run on, because their windows were one known colour. */
  reused: number;
  sizePx: number;
  computedPerCore: number;
}

/** Target size of a group's output. */
const groupBytes = 8 * 1024 * 1024;

/** Plans a pass. Transparency may need a wider margin than the network. */
export function planPass(shape: RasterShape, network: PassNetwork, tilePx: number): TilePlan {
  const marginPx = hasAlpha(shape) ? network.marginPx + alphaMarginPx : network.marginPx;
  return planTiles(shape, { ...network, marginPx }, tilePx);
}

/** Runs a pass. @throws EnlargerError INVALID_OUTPUT, and whatever `runTile` and `throwIfCancelled` throw */
export async function runPass(pass: Pass): Promise<PassReport> {
  const plan = planPass(pass.input.shape, pass.network, pass.tilePx);
  const isInRegion = tilesInRegion(pass.input.shape, pass.region);
  const total = countTiles(plan, isInRegion);
  let done = 0;
  const state: PassState = {
    ...pass,
    plan,
    isInRegion,
    buffers: createBuffers(),
    carry: undefined,
    flatWindows: createFlatWindows(plan),
    reused: 0,
  };
  for (const row of plan.rows) {
    for (const group of groupsOf(plan, pass)) {
      await runGroup(state, row, group, () => {
        done += 1;
        pass.onTile(done, total);
      });
    }
  }
  const sizePx = Math.max(plan.windowWidth, plan.windowHeight);
  const { reused } = state;
  return { tiles: total, reused, sizePx, computedPerCore: plan.computedPerCore };
}

interface PassState extends Pass, GroupState {
  network: PassNetwork;
  isInRegion: TileFilter;
  flatWindows: FlatWindows;
  reused: number;
}

/** Groups neighbouring columns, in whole batches, so that a group's output fits `groupBytes`. */
function groupsOf(plan: TilePlan, { network, output, batch = 1 }: Pass): TileSpan[][] {
  const tile = plan.windowWidth * plan.windowHeight * network.scale ** 2;
  const bytes = tile * output.shape.bands * (output.shape.bits / 8);
  const size = Math.max(1, Math.floor(groupBytes / bytes / batch)) * batch;
  return chunksOf(size, plan.columns);
}

const chunksOf = <T>(size: number, all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) =>
    all.slice(i * size, (i + 1) * size),
  );

async function runGroup(
  state: PassState,
  row: TileSpan,
  group: TileSpan[],
  onTile: () => void,
): Promise<void> {
  const input = readGroup(state, row, group);
  const output = groupOutput(state, row, group);
  for (const columns of chunksOf(state.batch ?? 1, group)) {
    state.throwIfCancelled();
    const first = firstOf(group);
    const tiles = columns
      .filter((column) => state.isInRegion(row, column))
      .map((column) => tileOf(state, input, first, row, column));
    const toRun = tiles.filter(({ flat }) => flat?.colour === undefined);
    const outputs = await runWindows(
      state,
      toRun.map(({ window }) => window),
    );
    for (const column of columns) {
      const tile = tiles.find((one) => one.column === column);
      if (!tile) {
        fillTile(state, input, output, row, column, group);
        continue;
      }
      const target = viewAt(output, (column.start - first.start) * state.network.scale, 0);
      placeTile(state, outputs[toRun.indexOf(tile)], tile, target);
      onTile();
    }
  }
  writeGroup(state, output, row, group);
}

/** A tile of the region: its window, and whether that is one colour. */
interface Tile {
  row: TileSpan;
  column: TileSpan;
  window: SampleView;
  flat: FlatWindow | undefined;
}

function tileOf(
  { flatWindows }: PassState,
  input: SampleView,
  first: TileSpan,
  row: TileSpan,
  column: TileSpan,
): Tile {
  const window = viewAt(input, column.windowStart - first.windowStart, 0);
  return { row, column, window, flat: flatWindows.lookUp(window, row, column) };
}

/** Fills a tile outside the region by nearest-neighbour enlargement of its core. */
function fillTile(
  { network }: PassState,
  input: SampleView,
  output: SampleView,
  row: TileSpan,
  column: TileSpan,
  group: TileSpan[],
): void {
  const first = firstOf(group);
  const core = viewAt(input, column.start - first.windowStart, row.start - row.windowStart);
  const target = viewAt(output, (column.start - first.start) * network.scale, 0);
  enlargeNearest(core, target, { width: column.length, height: row.length }, network.scale);
}

/** Runs the network on several windows of a group in one call, and splits its output. */
async function runWindows(
  state: PassState,
  windows: readonly SampleView[],
): Promise<NetworkOutput[]> {
  const { plan, network, buffers } = state;
  const { windowWidth: width, windowHeight: height } = plan;
  if (windows.length === 0) return [];
  const length = 3 * width * height;
  const tensor = buffers.floats(length * windows.length);
  for (const [i, window] of windows.entries())
    samplesToTensor(window, width, height, network, tensor.subarray(i * length, (i + 1) * length));
  const all = await state.runTile(tensor, width, height);
  const tileLength = all.length / windows.length;
  return windows.map((_, i) =>
    outputOf(all.subarray(i * tileLength, (i + 1) * tileLength), plan, network),
  );
}

/**
 * Writes the core of a tile to `target`, blended with the preceding tile where both overlap.
 *
 * @param tileOutput undefined where the colour of a flat window's output is known
 */
function placeTile(
  state: PassState,
  tileOutput: NetworkOutput | undefined,
  tile: Tile,
  target: SampleView,
): void {
  const { network, buffers } = state;
  const { row, column } = tile;
  if (column.shared === 0) {
    placeCore(state, tileOutput, tile, target);
    return;
  }
  const size = row.length * column.length * network.scale ** 2 * target.bands;
  const fresh = {
    ...target,
    samples: buffers.samples('tile', target.bits, size),
    offset: 0,
    stride: column.length * network.scale * target.bands,
  };
  placeCore(state, tileOutput, tile, fresh);
  const shared = { columns: column.shared * network.scale, rows: 0 };
  blendOver(fresh, target, column.length * network.scale, row.length * network.scale, shared);
}

/** The network's output for one window. */
interface NetworkOutput {
  tensor: Float32Array;
  width: number;
  height: number;
  /** Output pixels that the network crops from each side. */
  trim: number;
}

function outputOf(tensor: Float32Array, plan: TilePlan, network: PassNetwork): NetworkOutput {
  const { windowWidth, windowHeight } = plan;
  const size = outputSize(network, { width: windowWidth, height: windowHeight });
  assertSize(tensor, size);
  return { tensor, ...size, trim: network.trimPx ?? 0 };
}

/** Writes the tile's core and its alpha to `target`, and validates what the network computed. */
function placeCore(
  state: PassState,
  tileOutput: NetworkOutput | undefined,
  { row, column, window, flat }: Tile,
  target: SampleView,
): void {
  const { scale } = state.network;
  const width = column.length * scale;
  const height = row.length * scale;
  const core = viewAt(window, column.start - column.windowStart, row.start - row.windowStart);
  if (tileOutput) {
    const x = (column.start - column.windowStart) * scale - tileOutput.trim;
    const y = (row.start - row.windowStart) * scale - tileOutput.trim;
    const finite = tensorToSamples({ ...tileOutput, x, y }, state.network, target, width, height);
    const check = createTileCheck();
    check.addOutput(target, width, height, finite);
    check.addInput(core, column.length, row.length);
    check.end();
    flat?.learn(target, width, height);
  } else if (flat?.colour) {
    fillColour(target, flat.colour, width, height);
    state.reused += 1;
  }
  if (target.bands % 2 === 0) enlargeAlpha(core, target, column.length, row.length, scale);
}
