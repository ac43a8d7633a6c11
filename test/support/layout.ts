/** Finds what lies over each other, is cut off, or makes a page wider than its window. */
import type { Page } from 'playwright-core';

/** Runs in the page, whose types the tests do not have. */
const script = `(() => {
  const found = [];
  /** Styles and boxes are asked for once: most are those of ancestors that many controls share. */
  const once = (compute) => {
    const known = new Map();
    return (element) => {
      if (!known.has(element)) known.set(element, compute(element));
      return known.get(element);
    };
  };
  const styleOf = once((element) => {
    const { visibility, clipPath, opacity, overflow, overflowX } = getComputedStyle(element);
    return { visibility, clipPath, opacity, overflow, overflowX };
  });
  const boxOf = once((element) => element.getBoundingClientRect());
  /** A dialog lies over the page on purpose. */
  const top = document.querySelector('[role=dialog]') ?? document;
  const nameOf = (element) =>
    (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40) ||
    element.id || element.className || element.tagName;
  const isSeen = (element) => {
    const { visibility, clipPath, opacity } = styleOf(element);
    const box = boxOf(element);
    return element.checkVisibility() && visibility === 'visible' && opacity !== '0' && clipPath === 'none' &&
      box.width > 2 && box.height > 2 && element.closest('.hidden') === null;
  };
  /** The part of an element that is seen: its box within all boxes that cut it. */
  const seenBox = (element) => {
    let { left, top, right, bottom } = boxOf(element);
    for (let at = element.parentElement; at !== null && at !== document.body; at = at.parentElement) {
      if (styleOf(at).overflow === 'visible') continue;
      const box = boxOf(at);
      left = Math.max(left, box.left); top = Math.max(top, box.top);
      right = Math.min(right, box.right); bottom = Math.min(bottom, box.bottom);
    }
    return { left, top, right, bottom };
  };
  const controls = [...top.querySelectorAll(
    'button, select, input:not(.hidden), summary, fieldset label, h1, h2, h3, footer p, aside p, aside li')]
    .filter(isSeen).filter((element) => element.closest('#stage-frame') === null);
  const boxes = controls.map((element) => ({ element, box: seenBox(element) }))
    .filter(({ box }) => box.right - box.left > 2 && box.bottom - box.top > 2);
  boxes.forEach(({ element, box }, at) => {
    for (const other of boxes.slice(at + 1)) {
      if (element.contains(other.element) || other.element.contains(element)) continue;
      const wide = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
      const high = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
      if (wide > 1.5 && high > 1.5) found.push('over each other: ' + nameOf(element) + ' | ' + nameOf(other.element));
    }
  });
  for (const element of top.querySelectorAll('button, summary, h1, h2, h3, fieldset label, label > span, .filters span')) {
    if (!isSeen(element) || element.closest('.truncated, [role=listbox]') !== null) continue;
    const range = document.createRange();
    range.selectNodeContents(element);
    const text = range.getBoundingClientRect();
    const box = boxOf(element);
    if (text.width > 0 && (text.right > box.right + 1.5 || text.left < box.left - 1.5))
      found.push('wider than its control: ' + nameOf(element));
    if (element.scrollWidth > element.clientWidth + 1 && styleOf(element).overflowX !== 'visible')
      found.push('cut off: ' + nameOf(element));
    for (let at = element.parentElement; at !== null && at !== document.body; at = at.parentElement) {
      const { overflowX } = styleOf(at);
      if (overflowX === 'visible' || overflowX === 'auto' || overflowX === 'scroll') continue;
      const frame = boxOf(at);
      if (box.right > frame.right + 1.5 || box.left < frame.left - 1.5)
        found.push('cut off by ' + nameOf(at) + ': ' + nameOf(element));
    }
  }
  const pen = document.createElement('canvas').getContext('2d');
  for (const list of top.querySelectorAll('select')) {
    if (!isSeen(list)) continue;
    const { font, paddingLeft, paddingRight } = getComputedStyle(list);
    pen.font = font;
    const room = list.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    for (const { text } of list.selectedOptions)
      if (pen.measureText(text).width > room + 1) found.push('cut off in its list: ' + text);
  }
  for (const part of document.querySelectorAll('header, section, main, aside, footer')) {
    if (isSeen(part) && part.scrollWidth > part.clientWidth + 1)
      found.push('overflows: ' + part.tagName + ' ' + nameOf(part));
  }
  for (const part of document.querySelectorAll('aside *, section *')) {
    if (getComputedStyle(part).overflowX === 'auto' && isSeen(part) && part.scrollWidth > part.clientWidth + 1)
      found.push('scrolls to the side: ' + part.className + ' ' + nameOf(part));
  }
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) found.push('the page is ' + wide + ' px too wide');
  return [...new Set(found)];
})()`;

/** A sentence for each fault of the layout as it is now. */
export function findLayoutFaults(page: Page): Promise<string[]> {
  return page.evaluate(script);
}
