/** A long queue that other programs filled, in real Chromium. */
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../support/browser.ts';
import { pauseQueue, type OpenPage } from '../support/page.ts';
import { submitTasks } from '../support/page-tasks.ts';
import { withPage } from '../support/with-page.ts';

const count = 200;

/** From the first row to the last, in twenty frames. Tells how many were as long as a stop. */
const flyThrough = `new Promise((resolve) => {
  const list = document.querySelector('[role=listbox]');
  const stepPx = list.scrollHeight / 20;
  let left = 20;
  let stops = 0;
  let before = performance.now();
  const step = (now) => {
    if (now - before > 200) stops += 1;
    before = now;
    list.scrollBy(0, stepPx);
    if (--left > 0) requestAnimationFrame(step);
    else resolve(stops);
  };
  requestAnimationFrame(step);
})`;

describe.skipIf(chromiumPath === undefined)('a long list (needs Chromium)', () => {
  let open: OpenPage;
  withPage((opened) => (open = opened), { networks: 'quick' });

  it('asks for the pictures of the rows at which one stops, not of those that fly by', async () => {
    const { page } = open;
    await pauseQueue(page);
    await submitTasks(open, count);
    await page.getByRole('button', { name: new RegExp(`^All ?${count}`) }).waitFor();
    const rows = page.getByRole('listbox', { name: 'Queue' }).getByRole('option');
    await rows.first().locator('img').waitFor();
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().includes('source-thumb')) asked += 1;
    });
    const stops: number = await page.evaluate(flyThrough);
    const last = rows.last();
    await expect.poll(() => last.getAttribute('aria-posinset')).toBe(String(count));
    await last.locator('img').waitFor();
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThan(count / 4 + (stops * count) / 20);
  });
});
