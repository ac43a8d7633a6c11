/** The page in Chromium for all tests of a block: opened before them, closed behind them. */
import { afterAll, beforeAll } from 'vitest';
import { openPage, type OpenPage } from './page.ts';

/** `use` gets what was opened, before the first test. */
export function withPage(use: (opened: OpenPage) => unknown): void {
  let open: OpenPage | undefined;
  beforeAll(async () => {
    open = await openPage();
    await use(open);
  });
  afterAll(() => open?.close());
}
