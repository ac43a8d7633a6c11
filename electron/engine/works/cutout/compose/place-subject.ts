/** Where a subject stands on its canvas and how large it is there. Pure. */
import type { Rect, Size } from '../../../../contract/geometry.ts';
import type { CutoutJob } from '../../../protocol.ts';

type Placing = Pick<CutoutJob, 'canvas' | 'subjectScale' | 'position' | 'crop'>;

export interface Placement {
  canvas: Size;
  /** The part of the photo that is laid on it. */
  part: Rect;
  /** Where it comes to lie, and how large; inside the canvas. */
  place: Rect;
  /** Pixels of the canvas for each of the photo's, along a side. */
  factor: number;
}

/** Whether the subject is anywhere but where it stands in the photo. */
export const isPlaced = ({ canvas, subjectScale, position }: Placing): boolean =>
  canvas !== undefined || subjectScale !== undefined || position !== undefined;

/** @param part of the photo with the subject and the margin that `crop` leaves around it */
export function placeSubject(part: Rect, photo: Size, placing: Placing): Placement {
  const { subjectScale, crop, position = { x: 50, y: 50 } } = placing;
  const canvas = placing.canvas ?? sizeOf(crop === undefined ? photo : part);
  const fit = Math.min(canvas.width / part.width, canvas.height / part.height);
  const factor = subjectScale === undefined ? Math.min(1, fit) : (fit * subjectScale) / 100;
  const side = (pixels: number, most: number) =>
    Math.min(most, Math.max(1, Math.round(pixels * factor)));
  const width = side(part.width, canvas.width);
  const height = side(part.height, canvas.height);
  const x = Math.round(((canvas.width - width) * position.x) / 100);
  const y = Math.round(((canvas.height - height) * position.y) / 100);
  return { canvas, part, place: { x, y, width, height }, factor };
}

const sizeOf = ({ width, height }: Size): Size => ({ width, height });

/** What of the photo the canvas shows, in its pixels; it may reach over the photo's borders. */
export function shownPart({ canvas, part, place, factor }: Placement): Rect {
  return {
    x: Math.round(part.x - place.x / factor),
    y: Math.round(part.y - place.y / factor),
    width: Math.max(1, Math.round(canvas.width / factor)),
    height: Math.max(1, Math.round(canvas.height / factor)),
  };
}
