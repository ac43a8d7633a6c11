/**
 * Paints hard strokes on the finished cut-out at full size: they take exactly what the brush covered,
 * whatever the photo shows. Edge-seeking strokes are painted on the mask instead, before it is refined.
 */
import type { Stroke } from '../../../../../packages/contract/src/options/strokes.ts';
import { samplesIn, type Raster, type Samples } from '../../../raster/raster-file.ts';
import { rewriteStrips } from '../../../raster/strips.ts';
import { createYield, runInSteps } from '../../../cancellation/yield.ts';
import {
  boxOf,
  coverage,
  distancesInSteps,
  pathOf,
  type Plane,
} from '../../../../../packages/painting/src/index.ts';

/** Whether a stroke has a hard brush, which does not seek edges. */
export function isHard({ hardness, selects }: Stroke): boolean {
  return hardness !== undefined && selects !== 'box';
}

/**
 * Paints the hard strokes, in order, over `subject`: its alpha and, for strokes that keep, the colours of
 * `source`, which has the same size and depth.
 *
 * @throws the signal's reason
 */
export async function paintHard(
  source: Raster,
  subject: Raster,
  strokes: readonly Stroke[],
  signal: AbortSignal,
): Promise<void> {
  const yieldTurn = createYield(signal);
  const top = 2 ** source.shape.bits - 1;
  for (const stroke of strokes.filter(isHard)) {
    const path = pathOf(stroke, source.shape, source.shape);
    const box = boxOf(path, source.shape, 0);
    if (box === undefined) continue;
    await rewriteStrips(subject, { part: box, signal }, async ({ samples, y, rows }) => {
      const strip = { ...box, y: box.y + y, height: rows };
      const reach = await runInSteps(distancesInSteps(path, strip), yieldTurn);
      const own = { samples: samplesIn(source, strip), bands: source.shape.bands };
      paintStrip(own, { samples, bands: subject.shape.bands }, stroke, reach, top);
    });
  }
}

interface StripPixels {
  samples: Samples;
  bands: number;
}

function paintStrip(
  own: StripPixels,
  cut: StripPixels,
  { kind, hardness = 100 }: Stroke,
  reach: Plane,
  top: number,
): void {
  const colours = cut.bands - 1;
  for (let at = 0; at < reach.data.length; at += 1) {
    const covered = coverage(reach.data[at] as number, hardness / 100);
    if (covered === 0) continue;
    const to = at * cut.bands;
    const from = at * own.bands;
    const whole = own.bands > colours ? (own.samples[from + colours] as number) : top;
    mix(cut.samples, to + colours, kind === 'keep' ? whole : 0, covered);
    if (kind === 'keep')
      for (let band = 0; band < colours; band += 1)
        mix(cut.samples, to + band, own.samples[from + band] as number, covered);
  }
}

function mix(samples: Samples, at: number, towards: number, share: number): void {
  const value = samples[at] as number;
  samples[at] = Math.round(value + (towards - value) * share);
}
