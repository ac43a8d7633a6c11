/** Turns wheel, drag, click, double click and arrow keys into moves of a viewport, or of a place in it. */
import type { Point, Viewport } from '../../state/viewer/viewport.svelte.ts';

/** A press that moves by no more than this is still a click, in CSS pixels. */
const stillPx = 4;
const panPx = 60;
const [stepPx, fineStepPx] = [24, 4];
const directions: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

interface PointingOptions {
  frame: () => HTMLElement | undefined;
  /** Each of the panes beside each other has this width in CSS pixels. */
  paneWidth: () => number;
  /** Each pane has this height in CSS pixels. It is absent where one row is as high as the frame. */
  paneHeight?: () => number;
  viewport: () => Viewport;
  /** Called with the click's place from the centre of its pane, in CSS pixels. */
  onClick: (at: Point) => void;
}

export type Pointing = ReturnType<typeof createPointing>;

export function createPointing({
  frame,
  paneWidth,
  paneHeight,
  viewport,
  onClick,
}: PointingOptions) {
  let from: Point | undefined;
  let last: Point = { x: 0, y: 0 };
  let hasMoved = false;

  /** Returns the pointer's place from the centre of the pane under it, in CSS pixels. */
  function at(event: MouseEvent): Point {
    const box = frame()?.getBoundingClientRect() ?? new DOMRect();
    const pane = Math.max(1, paneWidth());
    const inFrame = event.clientX - box.left;
    const column = Math.min(
      Math.max(0, Math.floor(inFrame / pane)),
      Math.round(box.width / pane) - 1,
    );
    const high = Math.max(1, paneHeight?.() ?? box.height);
    const down = event.clientY - box.top;
    const row = Math.min(Math.max(0, Math.floor(down / high)), Math.round(box.height / high) - 1);
    return {
      x: inFrame - (Math.max(0, column) + 0.5) * pane,
      y: down - (Math.max(0, row) + 0.5) * high,
    };
  }

  /** Lets the pointer move the picture from now on. */
  function grab(event: PointerEvent): void {
    from = last = { x: event.clientX, y: event.clientY };
    hasMoved = false;
    frame()?.setPointerCapture(event.pointerId);
  }

  return {
    at,
    grab,
    wheel(event: WheelEvent): void {
      event.preventDefault();
      // A pinch on a touch pad comes as a wheel with Ctrl, in small steps.
      const strength = event.ctrlKey ? 100 : 400;
      viewport().zoomTo(viewport().zoom * Math.exp(-event.deltaY / strength), at(event));
    },
    down(event: PointerEvent): void {
      if (event.button === 0) grab(event);
    },
    move(event: PointerEvent): void {
      if (from === undefined) return;
      const { clientX: x, clientY: y } = event;
      hasMoved ||= Math.hypot(x - from.x, y - from.y) > stillPx;
      if (hasMoved) viewport().panBy(x - last.x, y - last.y);
      last = { x, y };
    },
    up(event: PointerEvent): void {
      if (from !== undefined && !hasMoved) onClick(at(event));
      from = undefined;
    },
    cancel(): void {
      from = undefined;
    },
    key(event: KeyboardEvent): void {
      const direction = directions[event.key];
      if (direction === undefined || event.target !== frame()) return;
      viewport().panBy(-direction[0] * panPx, -direction[1] * panPx);
      event.preventDefault();
    },
    doubleClick(event: MouseEvent): void {
      if (viewport().isFit) viewport().zoomTo(1, at(event));
      else viewport().fit();
    },
  };
}

/**
 * Returns the place that a key leads to. Both places are from the frame's centre in CSS pixels. A place
 * beyond the frame's edge moves the picture instead. The answer is undefined for a key that is no arrow.
 */
export function placeLedBy(
  { key, shiftKey }: KeyboardEvent,
  from: Point,
  viewport: Viewport,
): Point | undefined {
  const direction = directions[key];
  if (direction === undefined) return undefined;
  const [across, down] = direction;
  const step = shiftKey ? fineStepPx : stepPx;
  const to = { x: from.x + across * step, y: from.y + down * step };
  const place = viewport.nearestAt(to);
  viewport.panBy(place.x - to.x, place.y - to.y);
  return place;
}
