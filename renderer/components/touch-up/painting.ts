/**
 * The pointer while a cut-out is touched up: its first button paints. The wheel makes the brush larger, with
 * Shift harder, and zooms with Ctrl or by a pinch; the middle button, or a key that is held, moves the picture.
 */
import { placeOf, type Place } from '../../state/touch-up/strokes.ts';
import type { TouchUp } from '../../state/touch-up/touch-up.svelte.ts';
import type { Viewport } from '../../state/look/viewport.svelte.ts';
import type { Pointing } from '../look/pointing.ts';

/** Of a wheel's usual step. */
const notchPx = 50;

interface Asked {
  frame: () => HTMLElement | undefined;
  viewport: () => Viewport;
  pointing: Pointing;
  touchUp: TouchUp;
}

export function createPainting({ frame, viewport, pointing, touchUp }: Asked): Pointing {
  let isPainting = false;
  /** Of a wheel that turns in small parts. */
  let turned = 0;
  const placeAt = (event: MouseEvent): Place => placeOf(viewport().fractionAt(pointing.at(event)));

  return {
    ...pointing,
    wheel(event) {
      if (event.ctrlKey || event.metaKey) {
        pointing.wheel(event);
        return;
      }
      event.preventDefault();
      // With Shift some systems turn it sideways.
      turned -= event.deltaY === 0 ? event.deltaX : event.deltaY;
      const steps = Math.trunc(turned / notchPx);
      turned -= steps * notchPx;
      if (event.shiftKey) touchUp.harden(steps);
      else touchUp.resize(steps);
    },
    down(event) {
      if (!event.isPrimary) return;
      if (event.button === 1 || (event.button === 0 && touchUp.movesPicture)) {
        // The middle button would scroll, or paste.
        if (event.button === 1) event.preventDefault();
        pointing.grab(event);
      } else if (event.button === 0) {
        isPainting = touchUp.begin(placeAt(event));
        frame()?.setPointerCapture(event.pointerId);
      }
    },
    move(event) {
      if (isPainting && event.isPrimary) touchUp.leadTo(placeAt(event));
      else pointing.move(event);
    },
    up(event) {
      if (event.isPrimary) isPainting = false;
      pointing.up(event);
    },
    cancel() {
      isPainting = false;
      pointing.cancel();
    },
    // Two dabs.
    doubleClick: () => undefined,
  };
}
