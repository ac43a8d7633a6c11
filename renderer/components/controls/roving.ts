/** Makes a toolbar one tab stop: arrow keys, Home and End move within it, as its pattern has it. */
import type { Attachment } from 'svelte/attachments';

const members = 'button:not(:disabled), input:not(:disabled)';

export const roving: Attachment<HTMLElement> = (toolbar) => {
  const all = () => [...toolbar.querySelectorAll<HTMLElement>(members)].filter(isSeen);
  let current: HTMLElement | undefined;

  function settle(): void {
    const found = all();
    if (current === undefined || !found.includes(current)) [current] = found;
    for (const member of found) setTabIndex(member, member === current ? 0 : -1);
  }

  function take(event: FocusEvent): void {
    current = all().find((member) => member === event.target) ?? current;
    settle();
  }

  function press(event: KeyboardEvent): void {
    const found = all();
    const at = found.findIndex((member) => member === document.activeElement);
    const place = placeOf(event.key, at, found.length, toolbar);
    const next = at < 0 || place === undefined ? undefined : found[place];
    if (next === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    next.focus();
  }

  settle();
  const observer = new MutationObserver(settle);
  observer.observe(toolbar, { subtree: true, childList: true, attributeFilter: ['disabled'] });
  toolbar.addEventListener('focusin', take);
  toolbar.addEventListener('keydown', press);
  return () => {
    observer.disconnect();
    toolbar.removeEventListener('focusin', take);
    toolbar.removeEventListener('keydown', press);
  };
};

const isSeen = (member: HTMLElement) => member.getClientRects().length > 0;

function setTabIndex(member: HTMLElement, tabIndex: number): void {
  if (member.tabIndex !== tabIndex) member.tabIndex = tabIndex;
}

/** The place that a key leads to; undefined for a key that is not one of a toolbar's. */
function placeOf(key: string, at: number, count: number, toolbar: HTMLElement): number | undefined {
  const forward = getComputedStyle(toolbar).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
  const backward = forward === 'ArrowRight' ? 'ArrowLeft' : 'ArrowRight';
  if (key === forward) return (at + 1) % count;
  if (key === backward) return (at - 1 + count) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}
