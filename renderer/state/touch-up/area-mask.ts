/** The area of an enlargement where the model is used, as shapes that an SVG mask draws. Pure. */
import type { Stroke } from '../../../packages/contract/src/options/strokes.ts';

/** Lines that fade the edge of a soft stroke; more of them cannot be told apart. */
const edgeSteps = 8;

interface StrokeLine {
  /** Width, as a share of the brush's. */
  width: number;
  /** 0..1, over the lines before. */
  opacity: number;
}

/**
 * Lines along a stroke's path, the widest first, that lie over each other as the engine's brush covers: fully up to
 * `hardness` percent of the radius, and less towards its edge.
 */
export function linesOf({ hardness = 50 }: Pick<Stroke, 'hardness'>): StrokeLine[] {
  const hard = hardness / 100;
  if (hard === 1) return [{ width: 1, opacity: 1 }];
  return Array.from({ length: edgeSteps }, (_, step) => {
    const [before, covered] = [step / edgeSteps, (step + 1) / edgeSteps];
    return {
      width: 1 - (1 - hard) * before - ((1 - hard) * 0.5) / edgeSteps,
      opacity: (covered - before) / (1 - before),
    };
  });
}
