/** axe on every view of the page, dark and light, in real Chromium over the real service. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findBarriersInBoth } from '../support/axe.ts';
import { chromiumPath } from '../support/browser.ts';
import { brokenFile, mixedFiles } from '../support/page-files.ts';
import { viewsOf } from '../support/page-views.ts';
import { withPage } from '../support/with-page.ts';

describe.skipIf(chromiumPath === undefined)('every view of the page (needs Chromium)', async () => {
  const views = viewsOf([...(await mixedFiles(4)), brokenFile('notes.jpg')]);
  let page: Page;
  withPage((opened) => ({ page } = opened), { networks: 'quick' });

  it.each(views)(
    'has no barrier that axe finds: $name',
    async (view) => {
      await view.open(page);
      expect(await findBarriersInBoth(page)).toEqual([]);
    },
    300_000,
  );
});
