/** Keyboard of the list of photos: the usual keys of lists, and the focus they need. */
import type { Photo } from '../photo/photo.svelte.ts';
import type { Queue } from '../queue/queue.svelte.ts';

/** Focuses the list, if there is one. */
export function focusList(): void {
  // The list of rows is hidden while the grid stands in its place.
  const lists = [...document.querySelectorAll<HTMLElement>('[role=listbox]')];
  const seen = lists.find((list) => list.getClientRects().length > 0);
  seen?.focus({ preventScroll: true });
}

/** Whether no element has the focus, because the one that had it is gone. */
export function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/** Elements that have a use for Escape of their own: fields of text, and a list of choices while it is open. */
const escapable = 'input:not([type=radio], [type=checkbox], [type=range]), textarea, select:open';

/** Whether no menu is open, and the control with the focus has no use for Escape. */
export function isFreeEscape({ target }: KeyboardEvent): boolean {
  if (document.querySelector('[role=menu], [role=dialog]') !== null) return false;
  return !(target instanceof Element && isUsedBy(target));
}

function isUsedBy(element: Element): boolean {
  try {
    return element.matches(escapable);
  } catch {
    // A browser that does not know when a list of choices is open.
    return element.matches('input, textarea, select');
  }
}

/** Handles a key of the list. @param pageRows rows in view @returns whether the key was handled */
export function pressListKey(event: KeyboardEvent, queue: Queue, pageRows: number): boolean {
  const isControl = event.ctrlKey || event.metaKey;
  const step = stepOf(event.key, pageRows, queue.shown.length);
  if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown'))
    return done(queue.moveBy(queue.selection, event.key === 'ArrowUp' ? -1 : 1));
  if (step !== undefined) return moveFocus(event, queue, step);
  if (event.key === ' ') return toggleFocused(queue);
  if (isControl && event.key.toLowerCase() === 'a') {
    queue.chooseShown();
    return true;
  }
  if (isControl || event.altKey) return false;
  if (event.key === 'Escape') return queue.chooseShownAlone();
  if (event.key === 'Delete' || event.key === 'Backspace')
    return done(queue.removeRows(queue.selection));
  if (event.key.toLowerCase() === 'r') return done(queue.retry(queue.selection));
  return false;
}

const done = (_action: Promise<void>) => true;

/** Returns the number of rows that a key steps over; more than the list has for its ends. */
function stepOf(key: string, pageRows: number, count: number): number | undefined {
  const steps: Record<string, number> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: pageRows,
    PageUp: -pageRows,
    Home: -count,
    End: count,
  };
  return steps[key];
}

function moveFocus(event: KeyboardEvent, queue: Queue, step: number): boolean {
  queue.steady.release();
  const { shown, chosen } = queue;
  const at = shown.findIndex(({ id }) => id === chosen.focusId);
  const photo = shown[Math.min(shown.length - 1, Math.max(0, at + step))];
  if (photo === undefined) return true;
  if (event.shiftKey) chosen.extendTo(shown, photo);
  else if (event.ctrlKey || event.metaKey) chosen.focus(photo);
  else chosen.only(photo);
  return true;
}

function toggleFocused({ chosen, selected }: Queue): boolean {
  if (selected !== undefined) chosen.toggle(selected);
  return true;
}

export function clickRow(event: MouseEvent, queue: Queue, photo: Photo): void {
  const { chosen, shown } = queue;
  if (event.shiftKey) chosen.extendTo(shown, photo);
  else if (event.ctrlKey || event.metaKey) chosen.toggle(photo);
  else chosen.only(photo);
}
