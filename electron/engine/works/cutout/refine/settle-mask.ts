/**
 * Small places that a mask is not sure of, settled before its edge is sought: a faint hole with
 * the subject all around is filled, a faint speck away from it goes. Holes and specks that the
 * mask is sure of stay, and so do large ones.
 */
import type { MaskTuning } from '../../../../contract/model.ts';
import {
  componentsOf,
  withComponentsAt,
  type Component,
} from '../../../raster/planes/components.ts';
import type { Plane } from '../../../raster/planes/plane.ts';

type DoubtTuning = Pick<MaskTuning, 'smallHole' | 'sureHole' | 'smallSpeck' | 'sureSpeck'>;

const hole = 1;
const speck = 2;

/** The mask with small doubtful places settled; the given one is not changed. */
export function settled(mask: Plane, tuning: DoubtTuning): Plane {
  const labels = Uint8Array.from(mask.data, (value) => (value < 0.5 ? hole : speck));
  const components = componentsOf(labels, mask, 4);
  const holes = components.filter((one) => one.label === hole && isDoubtfulHole(mask, one, tuning));
  const specks = components.filter(
    (one) => one.label === speck && isDoubtfulSpeck(mask, one, tuning),
  );
  return withComponentsAt(withComponentsAt(mask, holes, 1), specks, 0);
}

/** A hole that touches the border is not one: the subject is not all around it. */
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
