/** Placement of a subject on its canvas, shared by the engine and the page's preview. Pure. */
import type { Rect, Size } from '../../contract/src/geometry.ts';

interface PlacementOptions {
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
  /** Part of the photo that is drawn on the canvas. */
  part: Rect;
  /** Where the part is drawn, inside the canvas. */
  target: Rect;
  /** Canvas pixels per photo pixel, along a side. */
  factor: number;
}

/** Whether the subject is moved or scaled, or has a canvas of its own. */
export const isPlaced = ({ canvas, subjectScale, position }: PlacementOptions): boolean =>
  canvas !== undefined || subjectScale !== undefined || position !== undefined;

/**
 * Places the subject on its canvas.
 *
 * @param part of the photo, with the subject and the margin that `crop` leaves
 */
export function placeSubject(part: Rect, photo: Size, options: PlacementOptions): Placement {
  const { subjectScale, crop, position = { x: 50, y: 50 } } = options;
  const canvas = options.canvas ?? sizeOf(crop === undefined ? photo : part);
  const fit = Math.min(canvas.width / part.width, canvas.height / part.height);
  const factor = subjectScale === undefined ? Math.min(1, fit) : (fit * subjectScale) / 100;
  const side = (pixels: number, max: number) =>
    Math.min(max, Math.max(1, Math.round(pixels * factor)));
  const width = side(part.width, canvas.width);
  const height = side(part.height, canvas.height);
  const x = Math.round(((canvas.width - width) * position.x) / 100);
  const y = Math.round(((canvas.height - height) * position.y) / 100);
  return { canvas, part, target: { x, y, width, height }, factor };
}

const sizeOf = ({ width, height }: Size): Size => ({ width, height });

/** Returns the part of the photo that the canvas shows, in photo pixels. It may extend beyond the photo. */
export function visiblePart({ canvas, part, target, factor }: Placement): Rect {
  return {
    x: Math.round(part.x - target.x / factor),
    y: Math.round(part.y - target.y / factor),
    width: Math.max(1, Math.round(canvas.width / factor)),
    height: Math.max(1, Math.round(canvas.height / factor)),
  };
}
