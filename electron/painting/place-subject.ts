/** Computes where a subject stands on its canvas, for the engine and the page's preview alike. It is pure. */
import type { Rect, Size } from '../contract/geometry.ts';

interface Placing {
  canvas?: Size | undefined;
  /** Percent of the canvas that the subject fills. */
  subjectScale?: number | undefined;
  /** Percent from the left and from the top. */
  position?: { x: number; y: number } | undefined;
  /** Margin around the subject, in percent of its longer side. */
  crop?: number | undefined;
}

export interface Placement {
  canvas: Size;
  /** This part of the photo is laid on the canvas. */
  part: Rect;
  /** The part comes to lie in this rectangle, which is inside the canvas. */
  place: Rect;
  /** The factor is the number of the canvas's pixels for each pixel of the photo, along a side. */
  factor: number;
}

/** Tells whether the subject is moved from where it stands in the photo. */
export const isPlaced = ({ canvas, subjectScale, position }: Placing): boolean =>
  canvas !== undefined || subjectScale !== undefined || position !== undefined;

/**
 * Places the subject on its canvas.
 *
 * @param part of the photo with the subject and the margin that `crop` leaves around it
 */
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

/** Answers the part that the canvas shows, in pixels of the photo. It may reach over the photo's borders. */
export function shownPart({ canvas, part, place, factor }: Placement): Rect {
  return {
    x: Math.round(part.x - place.x / factor),
    y: Math.round(part.y - place.y / factor),
    width: Math.max(1, Math.round(canvas.width / factor)),
    height: Math.max(1, Math.round(canvas.height / factor)),
  };
}
