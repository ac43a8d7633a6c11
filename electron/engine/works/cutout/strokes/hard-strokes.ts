/**
 * What a hard brush painted, on the finished cut-out at full size: exactly what it covered, whatever the
 * photo shows there. Strokes that seek edges are settled on the mask, before it is refined.
 */
import type { Rect } from '../../../../contract/geometry.ts';
import type { Stroke } from '../../../../contract/strokes.ts';
import { samplesIn, type Raster, type Samples } from '../../../raster/raster-file.ts';
import { stepByStep, type YieldTurn } from '../../../yield.ts';
import {
  boxOf,
  coverage,
  distancesInSteps,
  pathOf,
  type Plane,
} from '../../../../painting/brush-path.ts';

/** Rows that are painted at a time. */
const stripRows = 64;

export function isHard({ hardness }: Stroke): boolean {
  return hardness !== undefined;
}

/**
 * Paints the hard ones among the strokes, in their order, over `subject`: alpha and, where something is kept,
 * the colours of `source`, which has the same size and depth. Rejects as `yieldTurn` does.
 */
export async function paintHard(
  source: Raster,
  subject: Raster,
  strokes: readonly Stroke[],
  yieldTurn: YieldTurn,
): Promise<void> {
  for (const stroke of strokes.filter(isHard)) {
    const path = pathOf(stroke, source.shape, source.shape);
    const box = boxOf(path, source.shape, 0);
    if (box === undefined) continue;
    for (let y = box.y; y < box.y + box.height; y += stripRows) {
      const height = Math.min(stripRows, box.y + box.height - y);
      const strip = { ...box, y, height };
      const reach = await stepByStep(distancesInSteps(path, strip), yieldTurn);
      paintStrip(source, subject, stroke, reach, strip);
      await yieldTurn();
    }
  }
}

function paintStrip(
  source: Raster,
  subject: Raster,
  { kind, hardness = 100 }: Stroke,
  reach: Plane,
  box: Rect,
): void {
  const own = samplesIn(source, box);
  const cut = samplesIn(subject, box);
  const [ownBands, bands] = [source.shape.bands, subject.shape.bands];
  const colours = bands - 1;
  const top = 2 ** source.shape.bits - 1;
  for (let at = 0; at < reach.data.length; at += 1) {
    const covered = coverage(reach.data[at] as number, hardness / 100);
    if (covered === 0) continue;
    const to = at * bands;
    const from = at * ownBands;
    const whole = ownBands > colours ? (own[from + colours] as number) : top;
    mix(cut, to + colours, kind === 'keep' ? whole : 0, covered);
    if (kind === 'keep')
      for (let band = 0; band < colours; band += 1)
        mix(cut, to + band, own[from + band] as number, covered);
  }
  subject.writeRect(box, cut, 0, box.width * bands);
}

function mix(samples: Samples, at: number, towards: number, share: number): void {
  const value = samples[at] as number;
  samples[at] = Math.round(value + (towards - value) * share);
}
