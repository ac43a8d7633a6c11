/** Declares the shortcuts of the stage and its brush, which the sheet under "?" lists and the stage obeys. */
import type { TextName } from '../../text/catalogue.ts';
import type { Look } from '../viewer/viewer.svelte.ts';
import type { Review } from '../review/review.svelte.ts';
import type { TouchUp } from '../touch-up/touch-up.svelte.ts';
import type { Viewport } from '../viewer/viewport.svelte.ts';

export interface Shortcut {
  /** Each is a combination whose keys are joined by "+"; Ctrl stands for the command key on a Mac. */
  readonly keys: readonly string[];
  readonly name: TextName;
}

export const lookShortcuts = [
  { keys: ['y'], name: 'keyAccept' },
  { keys: ['n'], name: 'keyReject' },
  { keys: ['g'], name: 'keyGrid' },
  { keys: ['f'], name: 'keyStrip' },
  { keys: ['b'], name: 'keyBefore' },
  { keys: ['c'], name: 'keyCompare' },
  { keys: ['d'], name: 'keyChanges' },
  { keys: ['t'], name: 'keyTry' },
  { keys: ['u'], name: 'keyTouchUp' },
  { keys: ['l'], name: 'keyLock' },
  { keys: ['z'], name: 'keyFit' },
  { keys: ['0'], name: 'fit' },
  { keys: ['1'], name: 'keyActual' },
  { keys: ['+', '='], name: 'zoomIn' },
  { keys: ['-'], name: 'zoomOut' },
] as const satisfies readonly Shortcut[];

/** Whether a key belongs to the system, or to a field, menu or dialog that has the focus. */
export function isTakenKey(event: KeyboardEvent): boolean {
  return event.ctrlKey || event.metaKey || event.altKey || isTakenBy(event.target);
}

function isTakenBy(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(taken) !== null;
}

/** These elements take letters themselves, which a radio button, a checkbox and a slider do not. */
const taken =
  'input:not([type=radio], [type=checkbox], [type=range]), select, textarea, [role=dialog], [role=menu]';

/** The keys act on these parts. */
interface Stage {
  look: Look;
  viewport: Viewport;
  touchUp: TouchUp;
  review: Review;
}

/** Obeys a key, and answers whether it was one of the stage's. */
export function pressLookKey(key: string, stage: Stage): boolean {
  const action = actions[key.toLowerCase()];
  action?.(stage);
  return action !== undefined;
}

const actions: Record<string, (stage: Stage) => void> = {
  y: ({ review, look }) => void review.toggleAndGoOn('accepted', look.layout === 'grid'),
  n: ({ review, look }) => void review.toggleAndGoOn('rejected', look.layout === 'grid'),
  g: ({ look }) => (look.layout = look.layout === 'grid' ? 'single' : 'grid'),
  f: ({ look }) => (look.layout = look.layout === 'strip' ? 'single' : 'strip'),
  b: ({ look }) => (look.holdsBefore = true),
  c: ({ look, touchUp }) => {
    if (!touchUp.isOn) look.nextMode();
  },
  d: ({ look }) => (look.showsChanges = !look.showsChanges),
  t: ({ look }) => (look.isTrying = !look.isTrying),
  u: ({ touchUp }) => touchUp.toggle(),
  l: ({ look }) => (look.locksView = !look.locksView),
  z: ({ viewport }) => (viewport.isFit ? viewport.zoomTo(1) : viewport.fit()),
  0: ({ viewport }) => viewport.fit(),
  1: ({ viewport }) => viewport.zoomTo(1),
  '+': ({ viewport }) => viewport.zoomBy(1),
  '=': ({ viewport }) => viewport.zoomBy(1),
  '-': ({ viewport }) => viewport.zoomBy(-1),
};

export const touchUpShortcuts = [
  { keys: ['x'], name: 'keySwapStroke' },
  { keys: ['h'], name: 'keySwapBrush' },
  { keys: ['[', ']'], name: 'keyBrushSize' },
  { keys: ['Shift+[', 'Shift+]'], name: 'keyBrushHardness' },
  { keys: ['m'], name: 'keyMaskView' },
  { keys: ['Ctrl+Shift+Z'], name: 'redo' },
  { keys: ['Space'], name: 'keyPanHeld' },
] as const satisfies readonly Shortcut[];

/** The space key presses these elements. */
const pressable = 'button, summary, a, input[type=checkbox], [role=slider]';

/** Obeys a key, and answers whether it was one of the brush's. */
export function pressTouchUpKey(event: KeyboardEvent, touchUp: TouchUp): boolean {
  if (!touchUp.isOn || isTakenBy(event.target)) return false;
  const { ctrlKey, metaKey, altKey, key } = event;
  // On keyboards where brackets need AltGr or Option, the event has these modifiers, too.
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

/** Braces stand here too, because keyboards of the United States have them on the same keys with Shift. */
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
