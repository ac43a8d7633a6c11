/**
 * Runs a pass in columns as tall as the picture, from top to bottom in strips, each of which goes on from the rows of
 * the one before: only the columns' sides are margin. Memory is bounded by a strip, whatever the picture's size.
 */
import { hasAlpha, type Raster, type RasterShape } from '../raster/raster-file.ts';
import { readWindow } from '../raster/raster-window.ts';
import { createTileCheck, type TileCheck } from './checks.ts';
import type { PassNetwork, PassReport } from './run-pass.ts';
import { assertSize, samplesToTensor, tensorToSamples, type SampleView } from './tensor-pixels.ts';
import { createBuffers, type Buffers } from './tile-group.ts';
import { planTiles, type TilePlan, type TileSpan } from './tile-plan.ts';

/** A network that takes a picture of one width from top to bottom. */
export interface RowStream {
  /** Rows by which the output lags behind the input, in pixels of the input. */
  lagPx: number;
  /**
   * Runs the next rows, [3, rows, width].
   *
   * @returns the output for as many rows, `lagPx` above them; valid until the next call
   */
  next(strip: Float32Array, rows: number): Promise<Float32Array>;
}

export interface ColumnPass {
  input: Raster;
  output: Raster;
  network: PassNetwork;
  openStream: (width: number) => Promise<RowStream>;
  /** Threads that share the pass's columns, each with a stream of its own; absent: 1. */
  lanes?: number;
  /** Returns the index of the next column of this thread, or one beyond the last; absent: it runs all of them. */
  takeColumn?: () => number;
  /** Called before each strip with the columns done by this thread, and a fraction; throws to stop the pass. */
  beforeStrip: (done: number, total: number) => Promise<void>;
}

/** Wider columns have less margin, narrower ones taller strips that pass on less. */
const columnPx = 1024;

/** Plans the columns of a pass: as many for each of the threads that share it. */
export function planColumns(shape: RasterShape, network: PassNetwork, lanes = 1): TilePlan {
  const plan = planTiles(shape, network, columnPx, Infinity);
  const count = Math.ceil(plan.columns.length / lanes) * lanes;
  if (count === plan.columns.length) return plan;
  const narrower = Math.ceil(shape.width / count) + 2 * network.marginPx;
  return planTiles(shape, network, narrower, Infinity);
}

/** Share of a column's pixels that are no margin, 0..1. */
export const columnCoreShare = ({ marginPx }: Pick<PassNetwork, 'marginPx'>): number =>
  1 - (2 * marginPx) / columnPx;

/** Whether a picture can be run in columns: transparency needs what surrounds a strip. */
export const fitsColumns = (shape: RasterShape, { multiple, trimPx = 0 }: PassNetwork): boolean =>
  !hasAlpha(shape) && multiple === 1 && trimPx === 0;

/** Pixels of a strip: as many as a tile may have for its layers to stay in the processor's cache. */
const stripPixels = 64 * 1024;
const minStripRows = 32;

/** Most rows of a strip. Threads that run strips of their own share cache and memory. */
export const maxStripRows = (width: number, lanes = 1): number =>
  Math.max(minStripRows, Math.floor(stripPixels / lanes / width));

/** Rows of equal strips. */
export const stripRowsOf = (width: number, height: number, lanes = 1): number =>
  Math.ceil(height / Math.ceil(height / maxStripRows(width, lanes)));

/** Runs a pass. @throws EnlargerError INVALID_OUTPUT, and whatever the stream and `beforeStrip` throw */
export async function runColumns(pass: ColumnPass): Promise<PassReport> {
  const plan = planColumns(pass.input.shape, pass.network, pass.lanes);
  const { columns, windowWidth: sizePx, computedPerCore } = plan;
  const buffers = createBuffers();
  let done = 0;
  const { takeColumn = () => done } = pass;
  for (let column = columns[takeColumn()]; column; column = columns[takeColumn()]) {
    const beforeStrip = (share: number) => pass.beforeStrip(done + share, columns.length);
    await runColumn({ ...pass, beforeStrip, plan, buffers, column, check: createTileCheck() });
    done += 1;
  }
  return { tiles: columns.length, reused: 0, sizePx, computedPerCore };
}

interface ColumnState extends Omit<ColumnPass, 'beforeStrip'> {
  beforeStrip: (share: number) => Promise<void>;
  plan: TilePlan;
  buffers: Buffers;
  column: TileSpan;
  check: TileCheck;
}

async function runColumn(state: ColumnState): Promise<void> {
  const { plan, network, buffers, check } = state;
  const { windowWidth: width, windowHeight: height } = plan;
  const top = plan.rows[0]?.windowStart ?? 0;
  const stream = await state.openStream(width);
  const stripRows = stripRowsOf(width, height, state.lanes);
  for (let y = 0; y < height; y += stripRows) {
    await state.beforeStrip(y / height);
    const rows = Math.min(stripRows, height - y);
    const input = readStrip(state, top + y, rows);
    const tensor = buffers.floats(3 * width * rows);
    samplesToTensor(input, width, rows, network, tensor);
    writeStrip(state, await stream.next(tensor, rows), top + y - stream.lagPx, rows);
    check.addInput(input, width, rows);
  }
  check.end();
}

/** Reads the column's window from row `y` of the picture on. */
function readStrip(
  { plan, input, network, buffers, column }: ColumnState,
  y: number,
  rows: number,
): SampleView {
  const { bands, bits } = input.shape;
  const width = plan.windowWidth;
  const samples = buffers.samples('input', bits, width * rows * bands);
  const window = { x: column.windowStart, y, width, height: rows };
  readWindow(input, window, network.padding, samples, (length) =>
    buffers.samples('edge', bits, length),
  );
  return { samples, offset: 0, stride: width * bands, bands, bits };
}

/** Writes the rows of a strip's output that the picture has; the first of all is that of its row `y`. */
function writeStrip(
  { plan, output, network, buffers, column, check }: ColumnState,
  tensor: Float32Array,
  y: number,
  rows: number,
): void {
  const { scale } = network;
  const strip = { width: plan.windowWidth * scale, height: rows * scale };
  assertSize(tensor, strip);
  const first = Math.max(0, y * scale);
  const width = column.length * scale;
  const height = Math.min(y * scale + strip.height, output.shape.height) - first;
  if (height <= 0) return;
  const { bands, bits } = output.shape;
  const stride = width * bands;
  const samples = buffers.samples('output', bits, stride * height);
  const view = { samples, offset: 0, stride, bands, bits };
  const window = {
    tensor,
    ...strip,
    x: (column.start - column.windowStart) * scale,
    y: first - y * scale,
  };
  const finite = tensorToSamples(window, network, view, width, height);
  check.addOutput(view, width, height, finite);
  output.writeRect({ x: column.start * scale, y: first, width, height }, samples, 0, stride);
}
