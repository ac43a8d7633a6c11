/** The brush's shortcuts, beside those that pictures have anyway. */
import { isTakenBy, type Shortcut } from './look-keys.ts';
import type { TouchUp } from './touch-up.svelte.ts';

export const touchUpShortcuts = [
  { keys: ['x'], name: 'keySwapStroke' },
  { keys: ['[', ']'], name: 'keyBrushSize' },
  { keys: ['Space'], name: 'keyPanHeld' },
] as const satisfies readonly Shortcut[];

/** What the space key presses. */
const pressable = 'button, summary, a, input[type=checkbox], [role=slider]';

/** Whether the key was one of the brush's. */
export function pressTouchUpKey(event: KeyboardEvent, touchUp: TouchUp): boolean {
  if (!touchUp.isOn || isTakenBy(event.target)) return false;
  const { ctrlKey, metaKey, altKey, key } = event;
  // Where brackets need AltGr or Option, those come with them.
  const steps = !altKey && (ctrlKey || metaKey) ? undefined : brushSteps[key];
  if (steps !== undefined) touchUp.resize(steps);
  else if (ctrlKey || metaKey || altKey) return false;
  else if (key.toLowerCase() === 'x') touchUp.swapKind();
  else if (key === ' ' && !isPressable(event.target)) touchUp.movesPicture = true;
  else return false;
  return true;
}

const brushSteps: Record<string, number> = { '[': -1, ']': 1 };

function isPressable(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(pressable) !== null;
}
