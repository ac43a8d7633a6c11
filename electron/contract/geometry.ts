/** Sizes and parts of pictures are in pixels unless said otherwise. */

export interface Size {
  width: number;
  height: number;
}

export interface Rect extends Size {
  x: number;
  y: number;
}
