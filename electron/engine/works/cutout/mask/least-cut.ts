/**
 * A picture parted in two at the least cost: of all labellings the one of least weighted total
 * variation (Bresson et al. 2007), found by the primal-dual steps of Chambolle and Pock (2011). Pure.
 */
import type { YieldTurn } from '../../../yield.ts';
import type { Colours, Plane } from '../../../raster/planes/plane.ts';

/** Cost of a border between two like pixels, in units of the data term; and where the photo changes much, which share of it. */
const borderCost = 10;
const leastShareOfCost = 0.02;
/** How soon a change is much: over so many times the picture's mean squared change, halved. */
const changeFactor = 4;
const steps = 40;
/** Both step sizes, whose product may be at most one over the squared norm of the differences, 8. */
const stepSize = 1 / Math.sqrt(8);

export interface BorderCosts {
  /** Between a pixel and the one to its right; 0 in the last column. */
  across: Float32Array;
  /** Between a pixel and the one below; 0 in the last row. */
  down: Float32Array;
}

/** Borders cost least where the colours (0..1) change. */
export function borderCosts(colours: Colours): BorderCosts {
  const { width, data } = colours[0];
  const isAcross = (at: number) => (at + 1) % width !== 0;
  const isDown = (at: number) => at + width < data.length;
  const across = changes(colours, 1, isAcross);
  const down = changes(colours, width, isDown);
  const mean = (sumOf(across) + sumOf(down)) / (across.length + down.length);
  const costOf = (change: number) => {
    const like = Math.exp((-changeFactor * change) / (2 * mean + 1e-6));
    return borderCost * (leastShareOfCost + (1 - leastShareOfCost) * like);
  };
  return {
    across: across.map((change, at) => (isAcross(at) ? costOf(change) : 0)),
    down: down.map((change, at) => (isDown(at) ? costOf(change) : 0)),
  };
}

const sumOf = (values: Float32Array) => values.reduce((total, value) => total + value, 0);

/** Squared change of colour from each pixel to its next; 0 where there is none. */
function changes(colours: Colours, next: number, hasNext: (at: number) => boolean): Float32Array {
  return colours[0].data.map((_, at) => {
    if (!hasNext(at)) return 0;
    const change = ({ data }: Plane) => (data[at] as number) - (data[at + next] as number);
    return colours.reduce((total, colour) => total + change(colour) ** 2, 0);
  });
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
  for (let step = 0; step < steps; step += 1) {
    raiseFlow(overX, ahead, costs.across, 1);
    raiseFlow(overY, ahead, costs.down, width);
    for (let at = 0; at < data.length; at += 1) {
      const inX = at > 0 ? (overX[at - 1] as number) : 0;
      const inY = at >= width ? (overY[at - width] as number) : 0;
      const flow = (overX[at] as number) - inX + (overY[at] as number) - inY;
      const before = side[at] as number;
      const moved = before + stepSize * (flow + (dataTerm[at] as number));
      const now = moved < 0 ? 0 : moved > 1 ? 1 : moved;
      side[at] = now;
      ahead[at] = 2 * now - before;
    }
    await yieldTurn();
  }
  return { width, height, data: side };
}

/** What flows over each border towards the next pixel grows with their difference, up to what the border costs. */
function raiseFlow(flow: Float32Array, side: Float32Array, most: Float32Array, next: number): void {
  const count = flow.length - next;
  for (let at = 0; at < count; at += 1) {
    const cost = most[at] as number;
    const difference = (side[at + next] as number) - (side[at] as number);
    const raised = (flow[at] as number) + stepSize * difference;
    flow[at] = raised > cost ? cost : raised < -cost ? -cost : raised;
  }
}
