/**
 * Runs one pass of a raster through a network: tiles are planned, and each group of neighbouring tiles is
 * read, run, checked and written. A pass takes the memory of a few groups, whatever the picture's size.
 */
import { EnlargerError } from '../../../../contract/errors.ts';
import type { NetworkDescriptor } from '../../../../contract/model.ts';
import { createSamples, hasAlpha, type Raster, type Samples } from '../../../raster/raster-file.ts';
import { readWindow } from '../../../raster/raster-window.ts';
import { alphaMarginPx, enlargeAlpha, spreadColours } from './alpha.ts';
import { layOver } from './blend.ts';
import { assertTile } from './checks.ts';
import { answerSize, samplesToTensor, tensorToSamples, type SampleView } from './tensor-pixels.ts';
import { planTiles, type Span, type TilePlan } from './tile-plan.ts';
import {
  countTiles,
  repeatPixels,
  wantedTiles,
  type IsWanted,
  type WantedPart,
} from './wanted-part.ts';

type PassNetwork = Omit<NetworkDescriptor, 'variants' | 'input' | 'output'>;

/**
 * Runs the network on a batch of one or more pictures of `width` x `height`, which follow one another in the
 * tensor. Input and output are in the network's own layout.
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
  /** Tiles whose core has nothing of this part are not run; when it is absent, all tiles are. */
  wanted?: WantedPart | undefined;
  /** One call takes this many neighbouring tiles; when it is absent, one. */
  batch?: number;
  runTile: RunTile;
  onTile: (done: number, total: number) => void;
  /** The pass calls this function before each call of the network; it throws to stop the pass. */
  assertWanted: () => void;
}

export interface PassReport {
  tiles: number;
  sizePx: number;
  computedPerCore: number;
}

/** The output of one group takes about this many bytes. */
const groupBytes = 8 * 1024 * 1024;

/** Plans a pass. Transparency needs a wider margin than some networks. */
export function planPass(
  shape: { width: number; height: number; bands: number; bits: 8 | 16 },
  network: PassNetwork,
  tilePx: number,
): TilePlan {
  const marginPx = hasAlpha(shape) ? network.marginPx + alphaMarginPx : network.marginPx;
  return planTiles(shape, { ...network, marginPx }, tilePx);
}

export async function runPass(pass: Pass): Promise<PassReport> {
  const plan = planPass(pass.input.shape, pass.network, pass.tilePx);
  const isWanted = wantedTiles(pass.input.shape, pass.wanted);
  const total = countTiles(plan, isWanted);
  let done = 0;
  const work = { ...pass, plan, isWanted, buffers: createBuffers(), carry: undefined };
  for (const row of plan.rows) {
    for (const group of groupsOf(plan, pass)) {
      await runGroup(work, row, group, () => {
        done += 1;
        pass.onTile(done, total);
      });
    }
  }
  const sizePx = Math.max(plan.windowWidth, plan.windowHeight);
  return { tiles: total, sizePx, computedPerCore: plan.computedPerCore };
}

interface Work extends Pass {
  plan: TilePlan;
  isWanted: IsWanted;
  buffers: Buffers;
  /** For a network that needs blending, these are the shared columns at the end of the group before. */
  carry: SampleView | undefined;
}

/** Groups neighbouring columns so that a group's output fits `groupBytes`, in whole batches. */
function groupsOf(plan: TilePlan, { network, output, batch = 1 }: Pass): Span[][] {
  const tile = plan.windowWidth * plan.windowHeight * network.scale ** 2;
  const bytes = tile * output.shape.bands * (output.shape.bits / 8);
  const size = Math.max(1, Math.floor(groupBytes / bytes / batch)) * batch;
  return inRowsOf(size, plan.columns);
}

const inRowsOf = <T>(size: number, all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) =>
    all.slice(i * size, (i + 1) * size),
  );

async function runGroup(work: Work, row: Span, group: Span[], onTile: () => void): Promise<void> {
  const input = readGroup(work, row, group);
  const output = groupOutput(work, row, group);
  for (const columns of inRowsOf(work.batch ?? 1, group)) {
    work.assertWanted();
    const first = firstOf(group);
    const toRun = columns.filter((column) => work.isWanted(row, column));
    const windows = toRun.map((column) => at(input, column.windowStart - first.windowStart, 0));
    const answers = await runWindows(work, windows);
    for (const column of columns) {
      const i = toRun.indexOf(column);
      if (i === -1) {
        fillTile(work, input, output, row, column, group);
        continue;
      }
      const place = at(output, (column.start - first.start) * work.network.scale, 0);
      keepTile(work, answers[i] as Answer, windows[i] as SampleView, place, row, column);
      onTile();
    }
  }
  writeGroup(work, output, row, group);
}

const firstOf = (group: Span[]) => group[0] as Span;
const lastOf = (group: Span[]) => group.at(-1) as Span;
const endOf = (span: Span) => span.start + span.length;

function readGroup(work: Work, row: Span, group: Span[]): SampleView {
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
function groupOutput(work: Work, row: Span, group: Span[]): SampleView {
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
function at(view: SampleView, x: number, y: number): SampleView {
  return { ...view, offset: view.offset + y * view.stride + x * view.bands };
}

/** Fills a tile that is not wanted: each input pixel of its core is repeated. */
function fillTile(
  { network }: Work,
  input: SampleView,
  output: SampleView,
  row: Span,
  column: Span,
  group: Span[],
): void {
  const first = firstOf(group);
  const core = at(input, column.start - first.windowStart, row.start - row.windowStart);
  const place = at(output, (column.start - first.start) * network.scale, 0);
  repeatPixels(core, place, { width: column.length, height: row.length }, network.scale);
}

/** Runs the network on windows of the group in one call, and splits its answer. */
async function runWindows(work: Work, windows: readonly SampleView[]): Promise<Answer[]> {
  const { plan, network, buffers } = work;
  const { windowWidth: width, windowHeight: height } = plan;
  if (windows.length === 0) return [];
  const length = 3 * width * height;
  const tensor = buffers.floats(length * windows.length);
  for (const [i, window] of windows.entries())
    samplesToTensor(window, width, height, network, tensor.subarray(i * length, (i + 1) * length));
  const all = await work.runTile(tensor, width, height);
  const own = all.length / windows.length;
  return windows.map((_, i) => answerOf(all.subarray(i * own, (i + 1) * own), plan, network));
}

/** Lays the core of a tile's answer at `place`, blended with the tile before where both cover the picture. */
function keepTile(
  work: Work,
  answer: Answer,
  window: SampleView,
  place: SampleView,
  row: Span,
  column: Span,
): void {
  const { network, buffers } = work;
  const core = at(window, column.start - column.windowStart, row.start - row.windowStart);
  if (column.shared === 0) {
    keepCore(work, answer, core, place, row, column);
    return;
  }
  const size = row.length * column.length * network.scale ** 2 * place.bands;
  const fresh = {
    ...place,
    samples: buffers.samples('tile', place.bits, size),
    offset: 0,
    stride: column.length * network.scale * place.bands,
  };
  keepCore(work, answer, core, fresh, row, column);
  const shared = { columns: column.shared * network.scale, rows: 0 };
  layOver(fresh, place, column.length * network.scale, row.length * network.scale, shared);
}

/** An answer is the network's output for one window. */
interface Answer {
  tensor: Float32Array;
  width: number;
  height: number;
  /** The network cuts this many output pixels off each side. */
  trim: number;
}

function answerOf(tensor: Float32Array, plan: TilePlan, network: PassNetwork): Answer {
  const { windowWidth, windowHeight } = plan;
  const { width, height } = answerSize(network, { width: windowWidth, height: windowHeight });
  if (tensor.length === 3 * width * height)
    return { tensor, width, height, trim: network.trimPx ?? 0 };
  throw new EnlargerError(
    'INVALID_OUTPUT',
    `The network was to give ${width} x ${height} pixels in three colours but gave ${tensor.length} values.`,
  );
}

/** Writes the tile's core and its alpha to `place`, and checks the core. */
function keepCore(
  work: Work,
  answer: Answer,
  core: SampleView,
  place: SampleView,
  row: Span,
  column: Span,
): void {
  const { scale } = work.network;
  const x = (column.start - column.windowStart) * scale - answer.trim;
  const y = (row.start - row.windowStart) * scale - answer.trim;
  const width = column.length * scale;
  const height = row.length * scale;
  const finite = tensorToSamples({ ...answer, x, y }, work.network, place, width, height);
  assertTile({
    input: core,
    output: place,
    width: column.length,
    height: row.length,
    scale,
    finite,
  });
  if (place.bands % 2 === 0) enlargeAlpha(core, place, column.length, row.length, scale);
}

/**
 * Writes the final columns of the group; those that it shares with the next group are carried over. They are
 * blended with the row above where both cover the picture.
 */
function writeGroup(work: Work, view: SampleView, row: Span, group: Span[]): void {
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
function fadeFromAbove(
  work: Work,
  view: SampleView,
  rect: { x: number; y: number; width: number; height: number },
  rows: number,
): void {
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

function createBuffers(): Buffers {
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
