/**
 * Reads and writes groups of neighbouring tiles. Where the tiles of a network overlap, a group is blended
 * with the group before it and with the row above.
 */
import type { Rect } from '../../contract/geometry.ts';
import type { NetworkDescriptor } from '../../contract/models/model.ts';
import { createSamples, hasAlpha, type Raster, type Samples } from '../raster/raster-file.ts';
import { readWindow } from '../raster/raster-window.ts';
import { spreadColours } from './alpha.ts';
import { layOver } from './blend.ts';
import type { SampleView } from './tensor-pixels.ts';
import type { Span, TilePlan } from './tile-plan.ts';

/** The groups of a pass share this state. */
export interface GroupWork {
  input: Raster;
  output: Raster;
  network: Pick<NetworkDescriptor, 'scale' | 'padding'>;
  plan: TilePlan;
  buffers: Buffers;
  /** For a network that needs blending, these are the shared columns at the end of the group before. */
  carry: SampleView | undefined;
}

export const firstOf = (group: Span[]) => group[0] as Span;
const lastOf = (group: Span[]) => group.at(-1) as Span;
const endOf = (span: Span) => span.start + span.length;

/** Reads the windows of a group as one view; colours are spread under its transparent pixels. */
export function readGroup(work: GroupWork, row: Span, group: Span[]): SampleView {
  const { plan, input, buffers } = work;
  const x = firstOf(group).windowStart;
  const width = lastOf(group).windowStart + plan.windowWidth - x;
  const height = plan.windowHeight;
  const { bands, bits } = input.shape;
  const samples = buffers.samples('input', bits, width * height * bands);
  const window = { x, y: row.windowStart, width, height };
  readWindow(input, window, work.network.padding, samples, (length) =>
    buffers.samples('edge', bits, length),
  );
  const view = { samples, offset: 0, stride: width * bands, bands, bits };
  if (hasAlpha(input.shape)) spreadColours(view, width, height);
  return view;
}

/** Answers the buffer for a group's output. It begins with the columns shared with the group before. */
export function groupOutput(work: GroupWork, row: Span, group: Span[]): SampleView {
  const { bands, bits } = work.output.shape;
  const { scale } = work.network;
  const width = (endOf(lastOf(group)) - firstOf(group).start) * scale;
  const height = row.length * scale;
  const samples = work.buffers.samples('output', bits, width * height * bands);
  const view = { samples, offset: 0, stride: width * bands, bands, bits };
  const shared = firstOf(group).shared * scale;
  if (work.carry && shared > 0) {
    layOver(work.carry, view, shared, height, { columns: 0, rows: 0 });
  }
  return view;
}

/** Answers a view of the same samples whose first pixel is (x, y). */
export function at(view: SampleView, x: number, y: number): SampleView {
  return { ...view, offset: view.offset + y * view.stride + x * view.bands };
}

/**
 * Writes the final columns of the group, blended with the row above where both cover the picture. The columns
 * that it shares with the next group are not final yet, and are carried over.
 */
export function writeGroup(work: GroupWork, view: SampleView, row: Span, group: Span[]): void {
  const { plan, network, output } = work;
  const { scale } = network;
  const next = plan.columns[plan.columns.indexOf(lastOf(group)) + 1];
  const left = next ? next.shared * scale : 0;
  const whole = (endOf(lastOf(group)) - firstOf(group).start) * scale;
  const rect = {
    x: firstOf(group).start * scale,
    y: row.start * scale,
    width: whole - left,
    height: row.length * scale,
  };
  work.carry = left > 0 ? copyOf(at(view, rect.width, 0), left, rect.height) : undefined;
  if (row.shared > 0) fadeFromAbove(work, view, rect, row.shared * scale);
  output.writeRect(rect, view.samples, 0, view.stride);
}

function copyOf(view: SampleView, width: number, height: number): SampleView {
  const samples = createSamples(view, width * height * view.bands);
  const copy = { ...view, samples, offset: 0, stride: width * view.bands };
  layOver(view, copy, width, height, { columns: 0, rows: 0 });
  return copy;
}

/** Blends the first `rows` of the view with those that the row of tiles above has written there. */
function fadeFromAbove(work: GroupWork, view: SampleView, rect: Rect, rows: number): void {
  const stride = rect.width * view.bands;
  const samples = work.buffers.samples('above', view.bits, stride * rows);
  const above = { ...view, samples, offset: 0, stride };
  work.output.readRect({ ...rect, height: rows }, samples, 0, stride);
  layOver(view, above, rect.width, rows, { columns: 0, rows });
  layOver(above, view, rect.width, rows, { columns: 0, rows: 0 });
}

interface Buffers {
  /** Answers at least `length` samples. The same name gets the same memory each time, unless it must grow. */
  samples(name: string, bits: 8 | 16, length: number): Samples;
  /** Answers exactly `length` floats, in the same memory while the length stays. */
  floats(length: number): Float32Array;
}

export function createBuffers(): Buffers {
  const kept = new Map<string, Samples>();
  let tensor = new Float32Array(0);
  return {
    samples(name, bits, length) {
      const key = `${name} ${bits}`;
      const known = kept.get(key);
      if (known && known.length >= length) return known;
      const made = createSamples({ bits }, length);
      kept.set(key, made);
      return made;
    },
    floats(length) {
      if (tensor.length !== length) tensor = new Float32Array(length);
      return tensor;
    },
  };
}
