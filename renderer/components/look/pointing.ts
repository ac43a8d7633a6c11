/** Wheel, drag, click, double click and arrow keys on a picture, as moves of its viewport and of a place in it. */
import type { Point, Viewport } from '../../state/look/viewport.svelte.ts';

/** Movement that is still a click, in CSS pixels. */
const stillPx = 4;
const panPx = 60;
const [stepPx, fineStepPx] = [24, 4];
const directions: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

interface Asked {
  frame: () => HTMLElement | undefined;
  /** CSS pixels; panes stand beside each other. */
  paneWidth: () => number;
  /** The frame's own where there is one row of them. */
  paneHeight?: () => number;
  viewport: () => Viewport;
  /** From the centre of the pane that was clicked. */
  onClick: (at: Point) => void;
}

export type Pointing = ReturnType<typeof createPointing>;

export function createPointing({ frame, paneWidth, paneHeight, viewport, onClick }: Asked) {
  let from: Point | undefined;
  let last: Point = { x: 0, y: 0 };
  let hasMoved = false;

  /** CSS pixels from the centre of the pane under the pointer. */
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

  /** From now on the pointer moves the picture. */
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
 * Where the key leads from a place, both from the frame's centre in CSS pixels; beyond the frame's edge the
 * picture comes instead. Undefined for another key.
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
