/** The brush's shortcuts, beside those that pictures have anyway. */
import { isTakenBy, type Shortcut } from './look-keys.ts';
import type { TouchUp } from './touch-up.svelte.ts';

export const touchUpShortcuts = [
  { keys: ['x'], name: 'keySwapStroke' },
  { keys: ['h'], name: 'keySwapBrush' },
  { keys: ['[', ']'], name: 'keyBrushSize' },
  { keys: ['Shift+[', 'Shift+]'], name: 'keyBrushHardness' },
  { keys: ['m'], name: 'keyMaskView' },
  { keys: ['Ctrl+Shift+Z'], name: 'redo' },
  { keys: ['Space'], name: 'keyPanHeld' },
] as const satisfies readonly Shortcut[];

/** What the space key presses. */
const pressable = 'button, summary, a, input[type=checkbox], [role=slider]';

/** Whether the key was one of the brush's. */
export function pressTouchUpKey(event: KeyboardEvent, touchUp: TouchUp): boolean {
  if (!touchUp.isOn || isTakenBy(event.target)) return false;
  const { ctrlKey, metaKey, altKey, key } = event;
  // Where brackets need AltGr or Option, those come with them.
  const action = !altKey && (ctrlKey || metaKey) ? undefined : brackets[key];
  if (action !== undefined) action(touchUp);
  else if (ctrlKey || metaKey || altKey) return false;
  else if (key === ' ' && !isPressable(event.target)) touchUp.movesPicture = true;
  else {
    const letter = letters[key.toLowerCase()];
    letter?.(touchUp);
    return letter !== undefined;
  }
  return true;
}

type Action = (touchUp: TouchUp) => void;

/** With Shift, keyboards of the United States have braces there. */
const brackets: Record<string, Action> = {
  '[': (touchUp) => touchUp.resize(-1),
  ']': (touchUp) => touchUp.resize(1),
  '{': (touchUp) => touchUp.harden(-1),
  '}': (touchUp) => touchUp.harden(1),
};

const letters: Record<string, Action> = {
  x: (touchUp) => touchUp.swapKind(),
  h: (touchUp) => touchUp.swapBrush(),
  m: (touchUp) => touchUp.nextView(),
};

function isPressable(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(pressable) !== null;
}
