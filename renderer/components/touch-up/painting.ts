/**
 * Handles the pointer while a cut-out is touched up. The first button paints. The wheel makes the brush
 * larger, with Shift harder, and zooms with Ctrl or by a pinch. The middle button moves the picture, as the
 * first one does while a key is held.
 */
import { placeOf, type Place } from '../../state/touch-up/strokes.ts';
import type { TouchUp } from '../../state/touch-up/touch-up.svelte.ts';
import type { Viewport } from '../../state/viewer/viewport.svelte.ts';
import type { Pointing } from '../picture/pointing.ts';

/** Wheel delta of one step of the brush size; a wheel's notch is usually more. */
const notchPx = 50;

interface PaintingOptions {
  frame: () => HTMLElement | undefined;
  viewport: () => Viewport;
  pointing: Pointing;
  touchUp: TouchUp;
}

export function createPainting({ frame, viewport, pointing, touchUp }: PaintingOptions): Pointing {
  /** The rest of the turn is no whole step yet, because some wheels turn in small parts. */
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
      // With Shift some systems report a sideways turn.
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
        touchUp.begin(placeAt(event));
        frame()?.setPointerCapture(event.pointerId);
      }
    },
    move(event) {
      if (touchUp.isPainting && event.isPrimary) touchUp.leadTo(placeAt(event));
      else pointing.move(event);
    },
    up(event) {
      if (event.isPrimary) touchUp.lift();
      pointing.up(event);
    },
    cancel() {
      touchUp.lift();
      pointing.cancel();
    },
    // A double click is two dabs of the brush.
    doubleClick: () => undefined,
  };
}
