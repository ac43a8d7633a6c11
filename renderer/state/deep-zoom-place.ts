/** The stage's viewport in the units of OpenSeadragon: the picture's width is 1, zoom 1 fills the frame's width. */
import type { PixelSize } from './photo.svelte.ts';
import type { Point } from './viewport.svelte.ts';

/** All in CSS pixels; the offset is from the frame's centre to the picture's. */
export interface Placed {
  readonly frame: PixelSize;
  readonly width: number;
  readonly height: number;
  readonly offset: Point;
}

export function placeInUnits({ frame, width, height, offset }: Placed): {
  zoom: number;
  centre: Point;
} {
  return {
    zoom: width / frame.width,
    centre: { x: 0.5 - offset.x / width, y: (height / 2 - offset.y) / width },
  };
}
