/** The keys of the list work from the moment in which it has the focus. */

/** Nothing happens where no list is. */
export function focusList(): void {
  document.querySelector<HTMLElement>('[role=listbox]')?.focus({ preventScroll: true });
}

/** Whether nobody has the focus: what had it is gone. */
export function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}
