/** Solves alpha in the unknown band by conjugate gradients with a diagonal preconditioner. */
import type { YieldTurn } from '../../../cancellation/yield.ts';
import type { MattingLaplacian } from './matting-laplacian.ts';

/** Soft constraints: each unknown pixel has a target value and a weight. */
export interface Hints {
  value: Float32Array;
  /** Above 0; the Laplacian's own diagonal is of the order of 1. */
  weight: Float32Array;
}

/** The solver stops at this share of the initial squared residual. */
const tolerance = 1e-6;

/**
 * Improves `alpha` (a whole plane) at the unknown pixels in place, by at most `rounds` steps. The result may
 * lie slightly outside 0..1.
 *
 * @throws as `yieldTurn`
 */
export async function solveBand(
  laplacian: MattingLaplacian,
  hints: Hints,
  alpha: Float32Array,
  rounds: number,
  yieldTurn: YieldTurn,
): Promise<void> {
  const state = initialState(laplacian, hints, alpha);
  const threshold = state.residualNorm * tolerance;
  for (let round = 0; round < rounds && state.residualNorm > threshold; round += 1) {
    step(laplacian, hints, alpha, state);
    await yieldTurn();
  }
}

interface SolverState {
  residual: Float32Array;
  direction: Float32Array;
  product: Float32Array;
  /** The direction as a whole plane; 0 at known pixels. */
  whole: Float32Array;
  /** Squared norm of the preconditioned residual. */
  residualNorm: number;
}

function initialState(
  { pixels, diagonal, apply }: MattingLaplacian,
  { value, weight }: Hints,
  alpha: Float32Array,
): SolverState {
  const [residual, direction, product] = Array.from(
    { length: 3 },
    () => new Float32Array(pixels.length),
  ) as [Float32Array, Float32Array, Float32Array];
  let residualNorm = 0;
  apply(alpha, product);
  for (let i = 0; i < pixels.length; i += 1) {
    const w = weight[i] as number;
    const own = alpha[pixels[i] as number] as number;
    const r = w * ((value[i] as number) - own) - (product[i] as number);
    residual[i] = r;
    direction[i] = r / ((diagonal[i] as number) + w);
    residualNorm += r * (direction[i] as number);
  }
  return { residual, direction, product, whole: new Float32Array(alpha.length), residualNorm };
}

function step(
  { pixels, diagonal, apply }: MattingLaplacian,
  { weight }: Hints,
  alpha: Float32Array,
  state: SolverState,
): void {
  const { residual, direction, product, whole } = state;
  const n = pixels.length;
  for (let i = 0; i < n; i += 1) whole[pixels[i] as number] = direction[i] as number;
  apply(whole, product);
  let along = 0;
  for (let i = 0; i < n; i += 1) {
    const d = direction[i] as number;
    product[i] = (product[i] as number) + (weight[i] as number) * d;
    along += (product[i] as number) * d;
  }
  const length = state.residualNorm / along;
  let residualNorm = 0;
  for (let i = 0; i < n; i += 1) {
    const at = pixels[i] as number;
    alpha[at] = (alpha[at] as number) + length * (direction[i] as number);
    const r = (residual[i] as number) - length * (product[i] as number);
    residual[i] = r;
    residualNorm += (r * r) / ((diagonal[i] as number) + (weight[i] as number));
  }
  const keep = residualNorm / state.residualNorm;
  for (let i = 0; i < n; i += 1) {
    const scaled = (residual[i] as number) / ((diagonal[i] as number) + (weight[i] as number));
    direction[i] = scaled + keep * (direction[i] as number);
  }
  state.residualNorm = residualNorm;
}
