/**
 * Cleans a mask before its edge is refined: fills small uncertain holes inside the subject, and removes small
 * uncertain specks away from it. Certain or large ones stay.
 */
import type { MaskTuning } from '../../../../../packages/contract/src/models/model.ts';
import {
  componentsOf,
  withComponentsAt,
  type Component,
} from '../../../raster/planes/components.ts';
import type { Plane } from '../../../raster/planes/plane.ts';

type DoubtTuning = Pick<MaskTuning, 'smallHole' | 'sureHole' | 'smallSpeck' | 'sureSpeck'>;

const hole = 1;
const speck = 2;

/** Returns a cleaned copy of the mask. */
export function cleanMask(mask: Plane, tuning: DoubtTuning): Plane {
  const labels = new Uint8Array(mask.data.length);
  for (let at = 0; at < labels.length; at += 1)
    labels[at] = (mask.data[at] as number) < 0.5 ? hole : speck;
  const components = componentsOf(labels, mask, 4);
  const holes = components.filter((one) => one.label === hole && isDoubtfulHole(mask, one, tuning));
  const specks = components.filter(
    (one) => one.label === speck && isDoubtfulSpeck(mask, one, tuning),
  );
  return withComponentsAt(withComponentsAt(mask, holes, 1), specks, 0);
}

/** Whether a hole is small and uncertain. A gap at the border is no hole: the subject does not enclose it. */
const isDoubtfulHole = (mask: Plane, { pixels }: Component, { smallHole, sureHole }: DoubtTuning) =>
  pixels.length / mask.data.length <= smallHole &&
  pixels.every((at) => (mask.data[at] as number) > sureHole && !isAtBorder(at, mask));

const isDoubtfulSpeck = (
  mask: Plane,
  { pixels }: Component,
  { smallSpeck, sureSpeck }: DoubtTuning,
) =>
  pixels.length / mask.data.length <= smallSpeck &&
  pixels.every((at) => (mask.data[at] as number) < sureSpeck);

function isAtBorder(at: number, { width, height }: Plane): boolean {
  const x = at % width;
  const y = (at - x) / width;
  return x === 0 || y === 0 || x === width - 1 || y === height - 1;
}
