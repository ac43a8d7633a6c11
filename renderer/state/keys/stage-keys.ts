/** Declares the shortcuts of the stage and its brush, which the dialog under "?" lists and the stage obeys. */
import type { TextName } from '../../text/catalogue.ts';
import type { ViewerState } from '../viewer/viewer-state.svelte.ts';
import type { Review } from '../review/review.svelte.ts';
import type { TouchUp } from '../touch-up/touch-up.svelte.ts';
import type { Viewport } from '../viewer/viewport.svelte.ts';

export interface Shortcut {
  /** Each is a combination whose keys are joined by "+"; Ctrl stands for the command key on a Mac. */
  readonly keys: readonly string[];
  readonly name: TextName;
}

export const viewerShortcuts = [
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

/** Elements that take letters themselves; radio buttons, checkboxes and sliders do not. */
const taken =
  'input:not([type=radio], [type=checkbox], [type=range]), select, textarea, [role=dialog], [role=menu]';

/** The keys act on these parts. */
interface Stage {
  viewer: ViewerState;
  viewport: Viewport;
  touchUp: TouchUp;
  review: Review;
}

/** Handles a key of the stage. @returns whether the key was handled */
export function pressViewerKey(key: string, stage: Stage): boolean {
  const action = actions[key.toLowerCase()];
  action?.(stage);
  return action !== undefined;
}

const actions: Record<string, (stage: Stage) => void> = {
  y: ({ review }) => void review.judge('accepted'),
  n: ({ review }) => void review.judge('rejected'),
  g: ({ viewer }) => (viewer.layout = viewer.layout === 'grid' ? 'single' : 'grid'),
  f: ({ viewer }) => (viewer.layout = viewer.layout === 'strip' ? 'single' : 'strip'),
  b: ({ viewer }) => (viewer.holdsBefore = true),
  c: ({ viewer, touchUp }) => {
    if (!touchUp.isOn) viewer.nextMode();
  },
  d: ({ viewer }) => (viewer.showsChanges = !viewer.showsChanges),
  t: ({ viewer }) => (viewer.isTrying = !viewer.isTrying),
  u: ({ touchUp }) => touchUp.toggle(),
  l: ({ viewer }) => (viewer.locksView = !viewer.locksView),
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
  { keys: ['Enter'], name: 'keyApply' },
] as const satisfies readonly Shortcut[];

/** The space key presses these elements. */
const pressable = 'button, summary, a, input[type=checkbox], [role=slider]';

/** Handles a key of the brush. @returns whether the key was handled */
export function pressTouchUpKey(event: KeyboardEvent, touchUp: TouchUp): boolean {
  if (!touchUp.isOn || isTakenBy(event.target)) return false;
  const { ctrlKey, metaKey, altKey, key } = event;
  // On keyboards where brackets need AltGr or Option, the event has these modifiers, too.
  const action = !altKey && (ctrlKey || metaKey) ? undefined : brackets[key];
  if (action !== undefined) action(touchUp);
  else if (ctrlKey || metaKey || altKey) return false;
  else if (key === 'Enter') return pressEnter(event, touchUp);
  else if (key === ' ' && !isPressable(event.target)) touchUp.movesPicture = true;
  else {
    const letter = letters[key.toLowerCase()];
    letter?.(touchUp);
    return letter !== undefined;
  }
  return true;
}

/** Enter applies, but not from a button or the list, and where arrow keys led the brush it has painted. */
function pressEnter({ target, defaultPrevented }: KeyboardEvent, touchUp: TouchUp): boolean {
  const isInList = target instanceof Element && target.closest('[role=listbox]') !== null;
  if (defaultPrevented || isInList || isPressable(target)) return false;
  touchUp.finish();
  return true;
}

type StrokeAction = (touchUp: TouchUp) => void;

/** Braces stand here too, because keyboards of the United States have them on the same keys with Shift. */
const brackets: Record<string, StrokeAction> = {
  '[': (touchUp) => touchUp.resize(-1),
  ']': (touchUp) => touchUp.resize(1),
  '{': (touchUp) => touchUp.harden(-1),
  '}': (touchUp) => touchUp.harden(1),
};

const letters: Record<string, StrokeAction> = {
  x: (touchUp) => touchUp.swapKind(),
  h: (touchUp) => touchUp.swapBrush(),
  m: (touchUp) => touchUp.nextView(),
};

function isPressable(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(pressable) !== null;
}
