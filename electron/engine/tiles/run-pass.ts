/**
 * Runs one pass of a raster through a network: tiles are planned, and each group of neighbouring tiles is
 * read, run, checked and written. A pass takes the memory of a few groups, whatever the picture's size.
 */
import { EnlargerError } from '../../contract/errors.ts';
import type { NetworkDescriptor } from '../../contract/models/model.ts';
import { hasAlpha, type Raster, type RasterShape } from '../raster/raster-file.ts';
import { alphaMarginPx, enlargeAlpha } from './alpha.ts';
import { layOver } from './blend.ts';
import { assertTile } from './checks.ts';
import { answerSize, samplesToTensor, tensorToSamples, type SampleView } from './tensor-pixels.ts';
import {
  at,
  createBuffers,
  firstOf,
  groupOutput,
  readGroup,
  writeGroup,
  type GroupWork,
} from './tile-group.ts';
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
export function planPass(shape: RasterShape, network: PassNetwork, tilePx: number): TilePlan {
  const marginPx = hasAlpha(shape) ? network.marginPx + alphaMarginPx : network.marginPx;
  return planTiles(shape, { ...network, marginPx }, tilePx);
}

/** Runs a pass. It throws INVALID_OUTPUT, and whatever `runTile` and `assertWanted` throw. */
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

interface Work extends Pass, GroupWork {
  network: PassNetwork;
  isWanted: IsWanted;
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
