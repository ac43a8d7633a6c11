/** Solves for the alpha of the unknown band by conjugate gradients, with the diagonal as preconditioner. */
import type { YieldTurn } from '../../../cancellation/yield.ts';
import type { MattingLaplacian } from './matting-laplacian.ts';

/** The hints are soft constraints: each unknown pixel is held to a value, with a weight. */
export interface Hints {
  value: Float32Array;
  /** The weights are above 0; the Laplacian's own diagonal is of the order of 1. */
  weight: Float32Array;
}

/** The solver stops once the squared residual has fallen to this share of the first one. */
const goal = 1e-6;

/**
 * Improves `alpha` (a whole plane) at the unknown pixels in place, by at most `rounds` steps; the known
 * pixels do not change. The result may lie a little outside 0..1. The function rejects as `yieldTurn` does.
 */
export async function solveBand(
  laplacian: MattingLaplacian,
  hints: Hints,
  alpha: Float32Array,
  rounds: number,
  yieldTurn: YieldTurn,
): Promise<void> {
  const work = begin(laplacian, hints, alpha);
  const enough = work.left * goal;
  for (let round = 0; round < rounds && work.left > enough; round += 1) {
    step(laplacian, hints, alpha, work);
    await yieldTurn();
  }
}

interface Work {
  residual: Float32Array;
  direction: Float32Array;
  product: Float32Array;
  /** This is the direction as a whole plane; it is 0 at known pixels. */
  whole: Float32Array;
  /** This is the squared length of the preconditioned residual. */
  left: number;
}

function begin(
  { pixels, diagonal, apply }: MattingLaplacian,
  { value, weight }: Hints,
  alpha: Float32Array,
): Work {
  const [residual, direction, product] = Array.from(
    { length: 3 },
    () => new Float32Array(pixels.length),
  ) as [Float32Array, Float32Array, Float32Array];
  let left = 0;
  apply(alpha, product);
  for (let i = 0; i < pixels.length; i += 1) {
    const w = weight[i] as number;
    const own = alpha[pixels[i] as number] as number;
    const r = w * ((value[i] as number) - own) - (product[i] as number);
    residual[i] = r;
    direction[i] = r / ((diagonal[i] as number) + w);
    left += r * (direction[i] as number);
  }
  return { residual, direction, product, whole: new Float32Array(alpha.length), left };
}

function step(
  { pixels, diagonal, apply }: MattingLaplacian,
  { weight }: Hints,
  alpha: Float32Array,
  work: Work,
): void {
  const { residual, direction, product, whole } = work;
  const n = pixels.length;
  for (let i = 0; i < n; i += 1) whole[pixels[i] as number] = direction[i] as number;
  apply(whole, product);
  let along = 0;
  for (let i = 0; i < n; i += 1) {
    const d = direction[i] as number;
    product[i] = (product[i] as number) + (weight[i] as number) * d;
    along += (product[i] as number) * d;
  }
  const length = work.left / along;
  let left = 0;
  for (let i = 0; i < n; i += 1) {
    const at = pixels[i] as number;
    alpha[at] = (alpha[at] as number) + length * (direction[i] as number);
    const r = (residual[i] as number) - length * (product[i] as number);
    residual[i] = r;
    left += (r * r) / ((diagonal[i] as number) + (weight[i] as number));
  }
  const keep = left / work.left;
  for (let i = 0; i < n; i += 1) {
    const scaled = (residual[i] as number) / ((diagonal[i] as number) + (weight[i] as number));
    direction[i] = scaled + keep * (direction[i] as number);
  }
  work.left = left;
}
