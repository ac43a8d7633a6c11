/**
 * Reads and writes groups of neighbouring tiles. Where tiles overlap, a group is blended with the preceding
 * group and with the row above.
 */
import type { Rect } from '../../../packages/contract/src/geometry.ts';
import type { NetworkDescriptor } from '../../../packages/contract/src/models/model.ts';
import { createSamples, hasAlpha, type Raster, type Samples } from '../raster/raster-file.ts';
import { readWindow } from '../raster/raster-window.ts';
import { spreadColours } from './alpha.ts';
import { blendOver } from './blend.ts';
import type { SampleView } from './tensor-pixels.ts';
import type { TileSpan, TilePlan } from './tile-plan.ts';

/** State shared by the groups of a pass. */
export interface GroupState {
  input: Raster;
  output: Raster;
  network: Pick<NetworkDescriptor, 'scale' | 'padding'>;
  plan: TilePlan;
  buffers: Buffers;
  /** Blended networks only: the shared columns at the end of the preceding group. */
  carry: SampleView | undefined;
}

export const firstOf = (group: TileSpan[]) => group[0] as TileSpan;
const lastOf = (group: TileSpan[]) => group.at(-1) as TileSpan;
const endOf = (span: TileSpan) => span.start + span.length;

/** Reads the windows of a group as one view, with colours spread under its transparent pixels. */
export function readGroup(state: GroupState, row: TileSpan, group: TileSpan[]): SampleView {
  const { plan, input, buffers } = state;
  const x = firstOf(group).windowStart;
  const width = lastOf(group).windowStart + plan.windowWidth - x;
  const height = plan.windowHeight;
  const { bands, bits } = input.shape;
  const samples = buffers.samples('input', bits, width * height * bands);
  const window = { x, y: row.windowStart, width, height };
  readWindow(input, window, state.network.padding, samples, (length) =>
    buffers.samples('edge', bits, length),
  );
  const view = { samples, offset: 0, stride: width * bands, bands, bits };
  if (hasAlpha(input.shape)) spreadColours(view, width, height);
  return view;
}

/** Returns the buffer for a group's output. It begins with the columns shared with the preceding group. */
export function groupOutput(state: GroupState, row: TileSpan, group: TileSpan[]): SampleView {
  const { bands, bits } = state.output.shape;
  const { scale } = state.network;
  const width = (endOf(lastOf(group)) - firstOf(group).start) * scale;
  const height = row.length * scale;
  const samples = state.buffers.samples('output', bits, width * height * bands);
  const view = { samples, offset: 0, stride: width * bands, bands, bits };
  const shared = firstOf(group).shared * scale;
  if (state.carry && shared > 0) {
    blendOver(state.carry, view, shared, height, { columns: 0, rows: 0 });
  }
  return view;
}

/** Returns a view of the same samples whose first pixel is (x, y). */
export function viewAt(view: SampleView, x: number, y: number): SampleView {
  return { ...view, offset: view.offset + y * view.stride + x * view.bands };
}

/**
 * Writes the final columns of the group, blended with the row above where both overlap. Columns shared with
 * the next group are not final yet and are carried over.
 */
export function writeGroup(
  state: GroupState,
  view: SampleView,
  row: TileSpan,
  group: TileSpan[],
): void {
  const { plan, network, output } = state;
  const { scale } = network;
  const next = plan.columns[plan.columns.indexOf(lastOf(group)) + 1];
  const carried = next ? next.shared * scale : 0;
  const width = (endOf(lastOf(group)) - firstOf(group).start) * scale;
  const rect = {
    x: firstOf(group).start * scale,
    y: row.start * scale,
    width: width - carried,
    height: row.length * scale,
  };
  state.carry = carried > 0 ? copyOf(viewAt(view, rect.width, 0), carried, rect.height) : undefined;
  if (row.shared > 0) fadeFromAbove(state, view, rect, row.shared * scale);
  output.writeRect(rect, view.samples, 0, view.stride);
}

function copyOf(view: SampleView, width: number, height: number): SampleView {
  const samples = createSamples(view, width * height * view.bands);
  const copy = { ...view, samples, offset: 0, stride: width * view.bands };
  blendOver(view, copy, width, height, { columns: 0, rows: 0 });
  return copy;
}

/** Blends the first `rows` of the view with those that the row of tiles above has already written. */
function fadeFromAbove(state: GroupState, view: SampleView, rect: Rect, rows: number): void {
  const stride = rect.width * view.bands;
  const samples = state.buffers.samples('above', view.bits, stride * rows);
  const above = { ...view, samples, offset: 0, stride };
  state.output.readRect({ ...rect, height: rows }, samples, 0, stride);
  blendOver(view, above, rect.width, rows, { columns: 0, rows });
  blendOver(above, view, rect.width, rows, { columns: 0, rows: 0 });
}

export interface Buffers {
  /**
   * Returns a buffer of at least `length` samples, reused for the same name and depth unless it must grow.
   */
  samples(name: string, bits: 8 | 16, length: number): Samples;
  /** Returns exactly `length` floats, reused while the length is the same. */
  floats(length: number): Float32Array;
}

export function createBuffers(): Buffers {
  const buffers = new Map<string, Samples>();
  let tensor = new Float32Array(0);
  return {
    samples(name, bits, length) {
      const key = `${name} ${bits}`;
      const known = buffers.get(key);
      if (known && known.length >= length) return known;
      const made = createSamples({ bits }, length);
      buffers.set(key, made);
      return made;
    },
    floats(length) {
      if (tensor.length !== length) tensor = new Float32Array(length);
      return tensor;
    },
  };
}
