/** The page in Chromium for all tests of a block: opened before them, closed behind them. */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { hasTimedOut } from './journey-limits.ts';
import { openPage, type OpenPage, type PageOptions } from './page.ts';

/**
 * The block's tests are steps of one way: behind one that waited in vain the others are skipped, since each would
 * wait, for minutes, for what does not come.
 *
 * @param use gets what was opened, before the first test
 * @param options of the page and its service
 */
export function withPage(use: (opened: OpenPage) => unknown, options?: PageOptions): void {
  let open: OpenPage | undefined;
  let isStuck = false;
  beforeAll(async () => {
    open = await openPage(options);
    await use(open);
  });
  beforeEach(({ skip, onTestFailed }) => {
    if (isStuck) skip('An earlier step of this journey waited in vain.');
    onTestFailed(({ task }) => {
      isStuck = hasTimedOut(task.result?.errors);
    });
  });
  afterAll(() => open?.close());
}
