/**
 * Holds where the picture lies in its frame. A zoom of 1 shows one result pixel on one screen pixel; offsets
 * are CSS pixels from the frame's centre to the picture's. Every pane of the stage follows the same viewport,
 * so before and after are always in step.
 */
import { untrack } from 'svelte';
import type { PixelSize } from '../photo/photo.svelte.ts';

export interface Point {
  x: number;
  y: number;
}

export interface View {
  /** Undefined where the whole picture fits. */
  readonly zoom?: number | undefined;
  /** The picture's point in the middle of the frame, in fractions of its width and height. */
  readonly middle: Point;
}

const maxZoom = 4;
/** The zoom buttons stop at these zooms, and at the one that fits. */
const stops = [0.01, 0.02, 0.05, 0.1, 0.17, 0.25, 0.33, 0.5, 0.67, 1, 1.5, 2, 3, maxZoom];
const marginPx = 16;

export class Viewport {
  /** The frame is the size of one pane, in CSS pixels. */
  frame = $state.raw<PixelSize>({ width: 0, height: 0 });
  #picture = $state.raw<PixelSize>({ width: 1, height: 1 });
  #chosenZoom = $state<number>();
  #offset = $state.raw<Point>({ x: 0, y: 0 });

  readonly isFit = $derived(this.#chosenZoom === undefined);
  readonly zoom = $derived(this.#chosenZoom ?? this.fitZoom);
  readonly width = $derived((this.picture.width * this.zoom) / pixelRatio());
  readonly height = $derived((this.picture.height * this.zoom) / pixelRatio());
  readonly offset = $derived({
    x: clamp(this.#offset.x, Math.max(0, (this.width - this.frame.width) / 2)),
    y: clamp(this.#offset.y, Math.max(0, (this.height - this.frame.height) / 2)),
  });

  /** The picture's size is in result pixels. */
  get picture(): PixelSize {
    return this.#picture;
  }

  /** Shows another picture at the same zoom and the same place, which is the same share of its sides. */
  set picture(picture: PixelSize) {
    untrack(() => {
      const { x, y } = this.fractionAt({ x: 0, y: 0 });
      this.#picture = picture;
      if (!this.isFit) this.centreOn({ x, y });
    });
  }

  /** At this zoom the whole picture fits the frame; a small picture is not enlarged. */
  get fitZoom(): number {
    const width = Math.max(1, this.frame.width - 2 * marginPx) * pixelRatio();
    const height = Math.max(1, this.frame.height - 2 * marginPx) * pixelRatio();
    return Math.min(1, width / this.picture.width, height / this.picture.height);
  }

  fit(): void {
    this.#chosenZoom = undefined;
    this.#offset = { x: 0, y: 0 };
  }

  /** The present zoom and place, also for another picture. */
  get view(): View {
    return { zoom: this.#chosenZoom, middle: this.fractionAt({ x: 0, y: 0 }) };
  }

  set view({ zoom, middle }: View) {
    this.fit();
    if (zoom === undefined) return;
    this.zoomTo(zoom);
    this.centreOn(middle);
  }

  /** Whether both the frame and the picture in it have their sizes. */
  get isReady(): boolean {
    return this.frame.width > 0 && this.picture.width > 1;
  }

  /** Zooms, and keeps the picture's point under `at` (CSS pixels from the frame's centre) where it is. */
  zoomTo(zoom: number, at: Point = { x: 0, y: 0 }): void {
    const next = Math.min(maxZoom, zoom);
    if (next <= this.fitZoom) {
      this.fit();
      return;
    }
    const factor = next / this.zoom;
    const { x, y } = this.offset;
    this.#chosenZoom = next;
    this.#offset = { x: at.x - (at.x - x) * factor, y: at.y - (at.y - y) * factor };
  }

  /** Zooms to the next stop. */
  zoomBy(direction: 1 | -1): void {
    const next =
      direction === 1
        ? stops.find((stop) => stop > this.zoom * 1.01)
        : stops.findLast((stop) => stop < this.zoom / 1.01);
    this.zoomTo(next ?? (direction === 1 ? maxZoom : 0));
  }

  panBy(dx: number, dy: number): void {
    const { x, y } = this.offset;
    this.#offset = { x: x + dx, y: y + dy };
  }

  /** Brings a point, as fractions of the picture's width and height, to the middle of the frame. */
  centreOn({ x, y }: Point): void {
    this.#offset = { x: (0.5 - x) * this.width, y: (0.5 - y) * this.height };
  }

  /** The frame shows this part of the picture, in fractions of the picture's width and height. */
  get seen(): { x: number; y: number; width: number; height: number } {
    const { width, height } = this.frame;
    const from = this.fractionAt({ x: -width / 2, y: -height / 2 });
    const to = this.fractionAt({ x: width / 2, y: height / 2 });
    const x = Math.max(0, from.x);
    const y = Math.max(0, from.y);
    return { x, y, width: Math.min(1, to.x) - x, height: Math.min(1, to.y) - y };
  }

  /** Returns the point of the frame nearest to `at` that shows some of the picture. */
  nearestAt({ x, y }: Point): Point {
    const nearest = (at: number, middle: number, picture: number, frame: number) => {
      const least = Math.max(middle - picture / 2, -frame / 2);
      const most = Math.min(middle + picture / 2, frame / 2) - 1;
      return Math.min(most, Math.max(least, at));
    };
    return {
      x: nearest(x, this.offset.x, this.width, this.frame.width),
      y: nearest(y, this.offset.y, this.height, this.frame.height),
    };
  }

  /** Returns the picture's point under `at`, in fractions of its width and height, outside it beyond 0 and 1. */
  fractionAt(at: Point): Point {
    return {
      x: (at.x - this.offset.x) / this.width + 0.5,
      y: (at.y - this.offset.y) / this.height + 0.5,
    };
  }
}

function pixelRatio(): number {
  return globalThis.devicePixelRatio || 1;
}

function clamp(value: number, limit: number): number {
  return Math.min(limit, Math.max(-limit, value));
}
