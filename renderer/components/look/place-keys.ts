/** The arrow keys on a place of the picture: a try's, or the brush's. */
import type { Point, Viewport } from '../../state/viewport.svelte.ts';

const [stepPx, fineStepPx] = [24, 4];
const moves: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/**
 * Where the key leads from a place, both from the frame's centre in CSS pixels; beyond the frame's edge the
 * picture comes instead. Undefined for another key.
 */
export function placeLedBy(
  { key, shiftKey }: KeyboardEvent,
  from: Point,
  viewport: Viewport,
): Point | undefined {
  const move = moves[key];
  if (move === undefined) return undefined;
  const [across, down] = move;
  const step = shiftKey ? fineStepPx : stepPx;
  const to = { x: from.x + across * step, y: from.y + down * step };
  const place = viewport.nearestAt(to);
  viewport.panBy(place.x - to.x, place.y - to.y);
  return place;
}
