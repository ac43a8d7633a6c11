/** The page in Chromium for all tests of a block: opened before them, closed behind them. */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { openPage, type OpenPage } from './page.ts';

/**
 * The block's tests are steps of one way: behind one that waited in vain the others are skipped, since each would
 * wait, for minutes, for what does not come.
 *
 * @param use gets what was opened, before the first test
 */
export function withPage(use: (opened: OpenPage) => unknown): void {
  let open: OpenPage | undefined;
  let hasTimedOut = false;
  beforeAll(async () => {
    open = await openPage();
    await use(open);
  });
  beforeEach(({ skip, onTestFailed }) => {
    if (hasTimedOut) skip('An earlier step of this journey waited in vain.');
    onTestFailed(({ task }) => {
      hasTimedOut = task.result?.errors?.some(isTimeout) ?? false;
    });
  });
  afterAll(() => open?.close());
}

/** Of Playwright ("Timeout 60000ms exceeded"), or of vitest ("Test timed out in 900000ms"). */
const isTimeout = ({ message }: { message: string }) => /Timeout \d+ms|timed out in/.test(message);
