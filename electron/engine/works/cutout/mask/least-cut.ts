/**
 * A picture parted in two at the least cost: of all labellings the one of least weighted total
 * variation (Bresson et al. 2007), found by the primal-dual steps of Chambolle and Pock (2011). Pure.
 */
import type { YieldTurn } from '../../../yield.ts';
import type { Colours, Plane } from '../../../raster/planes/plane.ts';

/** Where the photo changes much, a border costs this share of what it costs between two like pixels. */
const leastShareOfCost = 0.02;
/** How soon a change is much: over so many times the picture's mean squared change, halved. */
const changeFactor = 4;
const steps = 40;
/** Both step sizes, whose product may be at most one over the squared norm of the differences, 8. */
const stepSize = 1 / Math.sqrt(8);

interface BorderCosts {
  /** Between a pixel and the one to its right; 0 in the last column. */
  across: Float32Array;
  /** Between a pixel and the one below; 0 in the last row. */
  down: Float32Array;
}

/** Borders cost least where the colours (0..1) change; `most`, in units of the data term, between two like pixels. */
export function borderCosts(colours: Colours, most: number): BorderCosts {
  const { width, data } = colours[0];
  const across = changes(colours, 1);
  const down = changes(colours, width);
  for (let at = width - 1; at < data.length; at += width) across[at] = 0;
  const mean = (sumOf(across) + sumOf(down)) / (across.length + down.length);
  turnToCosts(across, mean, most);
  turnToCosts(down, mean, most);
  for (let at = width - 1; at < data.length; at += width) across[at] = 0;
  down.fill(0, data.length - width);
  return { across, down };
}

function sumOf(values: Float32Array): number {
  let total = 0;
  for (let at = 0; at < values.length; at += 1) total += values[at] as number;
  return total;
}

function turnToCosts(changed: Float32Array, mean: number, most: number): void {
  const factor = -changeFactor / (2 * mean + 1e-6);
  for (let at = 0; at < changed.length; at += 1) {
    const like = Math.exp(factor * (changed[at] as number));
    changed[at] = most * (leastShareOfCost + (1 - leastShareOfCost) * like);
  }
}

/** Squared change of colour from each pixel to the one so many places on; 0 behind the last one. */
function changes(colours: Colours, next: number): Float32Array {
  const found = new Float32Array(colours[0].data.length);
  for (const { data } of colours)
    for (let at = 0; at + next < data.length; at += 1) {
      const change = (data[at] as number) - (data[at + next] as number);
      found[at] = (found[at] as number) + change * change;
    }
  return found;
}

/** The labelling that costs least, 0 or 1 nearly everywhere, begun from a guess of it; rejects as `yieldTurn` does. */
export async function leastCut(
  { width, height, data }: Plane,
  dataTerm: Float32Array,
  costs: BorderCosts,
  yieldTurn: YieldTurn,
): Promise<Plane> {
  const side = Float32Array.from(data);
  const ahead = Float32Array.from(data);
  const overX = new Float32Array(data.length);
  const overY = new Float32Array(data.length);
  const flows = { overX, overY };
  for (let step = 0; step < steps; step += 1) {
    moveAll({ side, ahead, width }, dataTerm, flows, costs);
    await yieldTurn();
  }
  return { width, height, data: side };
}

interface Sides {
  side: Float32Array;
  /** Where each side will be if it moves on as it did. */
  ahead: Float32Array;
  width: number;
}

/**
 * One step: what flows over each border towards the next pixel grows with their difference, up to what the border
 * costs, and each side follows its data term and what flows in and out. The flows of a pixel are its own and
 * those of the ones before it, so one way through all pixels does both.
 */
function moveAll(
  { side, ahead, width }: Sides,
  dataTerm: Float32Array,
  { overX, overY }: { overX: Float32Array; overY: Float32Array },
  { across, down }: BorderCosts,
): void {
  const lastRow = side.length - width;
  for (let start = 0; start < side.length; start += width) {
    let inX = 0;
    for (let at = start; at < start + width; at += 1) {
      const own = ahead[at] as number;
      const isLast = at === start + width - 1;
      const stepX = isLast ? 0 : stepSize * ((ahead[at + 1] as number) - own);
      const outX = held((overX[at] as number) + stepX, across[at] as number);
      const stepY = start === lastRow ? 0 : stepSize * ((ahead[at + width] as number) - own);
      const outY = held((overY[at] as number) + stepY, down[at] as number);
      overX[at] = outX;
      overY[at] = outY;
      const inY = start === 0 ? 0 : (overY[at - width] as number);
      const before = side[at] as number;
      const moved = before + stepSize * (outX - inX + outY - inY + (dataTerm[at] as number));
      const now = moved < 0 ? 0 : moved > 1 ? 1 : moved;
      side[at] = now;
      ahead[at] = 2 * now - before;
      inX = outX;
    }
  }
}

const held = (flow: number, most: number) => (flow > most ? most : flow < -most ? -most : flow);
