/** The alpha of the unknown band on the working copy. */
import type { Breathe } from './breathe.ts';
import { guidedCoefficients, type Coefficients } from './guided-filter.ts';
import { createPlane, type Plane } from './plane.ts';
import type { Trimap } from './trimap.ts';
import type { WorkingCopy } from './working-copy.ts';

export interface SolvedAlpha {
  alpha: Plane;
  coefficients?: Coefficients | undefined;
}

const epsilon = 1e-4;

export async function solveAlpha(
  copy: WorkingCopy,
  trimap: Trimap,
  mask: { width: number; height: number },
  breathe: Breathe,
): Promise<SolvedAlpha> {
  const stretch = Math.max(copy.width / mask.width, copy.height / mask.height);
  const radius = Math.max(1, Math.round(1.5 * stretch));
  const coefficients = await guidedCoefficients(
    copy.colours,
    trimap.sure,
    radius,
    epsilon,
    breathe,
  );
  const alpha = alphaOf(copy, coefficients);
  for (let i = 0; i < alpha.data.length; i += 1) {
    if (trimap.unknown[i] === 0) alpha.data[i] = trimap.sure.data[i] as number;
  }
  return { alpha, coefficients: copy.factor > 1 ? coefficients : undefined };
}

function alphaOf({ colours, width, height }: WorkingCopy, coefficients: Coefficients): Plane {
  const alpha = createPlane(width, height);
  const [r, g, b] = colours;
  const { red, green, blue, bias } = coefficients;
  for (let i = 0; i < alpha.data.length; i += 1) {
    const value =
      (red.data[i] as number) * (r.data[i] as number) +
      (green.data[i] as number) * (g.data[i] as number) +
      (blue.data[i] as number) * (b.data[i] as number) +
      (bias.data[i] as number);
    alpha.data[i] = value < 0 ? 0 : value > 1 ? 1 : value;
  }
  return alpha;
}
