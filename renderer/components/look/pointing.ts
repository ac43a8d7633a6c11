/** Wheel, drag, click, double click and arrow keys on a picture, as moves of its viewport. */
import type { Point, Viewport } from '../../state/viewport.svelte.ts';

/** Movement that is still a click, in CSS pixels. */
const stillPx = 4;
const stepPx = 60;
const pans: Record<string, [number, number]> = {
  ArrowLeft: [stepPx, 0],
  ArrowRight: [-stepPx, 0],
  ArrowUp: [0, stepPx],
  ArrowDown: [0, -stepPx],
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
      const pan = pans[event.key];
      if (pan === undefined || event.target !== frame()) return;
      viewport().panBy(...pan);
      event.preventDefault();
    },
    doubleClick(event: MouseEvent): void {
      if (viewport().isFit) viewport().zoomTo(1, at(event));
      else viewport().fit();
    },
  };
}
