/**
 * Parts a picture in two at the least cost: of all labellings it finds the one of least weighted total
 * variation (Bresson et al. 2007), by the primal-dual steps of Chambolle and Pock (2011). It is pure.
 */
import type { YieldTurn } from '../../../cancellation/yield.ts';
import type { Colours, Plane } from '../../../raster/planes/plane.ts';

/** Where the photo changes much, a border costs this share of its cost between two like pixels. */
const leastShareOfCost = 0.02;
/** The cost falls exponentially with this factor times the squared change over twice its mean. */
const changeFactor = 4;
/** The solver makes this many steps. */
const steps = 40;
/**
 * The primal and the dual step have this size. Their product may be at most one over the squared norm of the
 * difference operator, which is 8.
 */
const stepSize = 1 / Math.sqrt(8);

interface BorderCosts {
  /** These are the costs between a pixel and the one to its right; they are 0 in the last column. */
  across: Float32Array;
  /** These are the costs between a pixel and the one below; they are 0 in the last row. */
  down: Float32Array;
}

/**
 * Answers the costs of borders: they are least where the colours (0..1) change. Between two like pixels a
 * border costs `most`, in units of the data term.
 */
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

/** Turns squared changes into costs, in place. */
function turnToCosts(changed: Float32Array, mean: number, most: number): void {
  const factor = -changeFactor / (2 * mean + 1e-6);
  for (let at = 0; at < changed.length; at += 1) {
    const like = Math.exp(factor * (changed[at] as number));
    changed[at] = most * (leastShareOfCost + (1 - leastShareOfCost) * like);
  }
}

/** Answers the squared change of colour from each pixel to that `next` places on; 0 where there is none. */
function changes(colours: Colours, next: number): Float32Array {
  const found = new Float32Array(colours[0].data.length);
  for (const { data } of colours)
    for (let at = 0; at + next < data.length; at += 1) {
      const change = (data[at] as number) - (data[at + next] as number);
      found[at] = (found[at] as number) + change * change;
    }
  return found;
}

/**
 * Finds the labelling of least cost, which is 0 or 1 nearly everywhere, beginning from a guess of it. It
 * rejects as `yieldTurn` does.
 */
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
  /** This is the labelling extrapolated: each side has moved on by its last step once more. */
  ahead: Float32Array;
  width: number;
}

/**
 * Makes one primal-dual step. The flow (dual variable) over each border towards the next pixel grows with
 * the difference of both pixels, up to the border's cost; then each side (primal variable) follows its data
 * term and the flows in and out. A pixel needs only its own flows and those of the pixels before it, so one
 * pass over all pixels does both.
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
      const outX = clamped((overX[at] as number) + stepX, across[at] as number);
      const stepY = start === lastRow ? 0 : stepSize * ((ahead[at + width] as number) - own);
      const outY = clamped((overY[at] as number) + stepY, down[at] as number);
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

const clamped = (flow: number, most: number) => (flow > most ? most : flow < -most ? -most : flow);
