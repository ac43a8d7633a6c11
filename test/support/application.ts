/** A page in a browser that believes to be in the application: files that are dropped have their place on the disk. */
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { vi } from 'vitest';
import { patient } from './machine-pace.ts';

/**
 * The page is loaded anew and believes from then on. What is dropped lies in `folder`, which the service was allowed,
 * under its own name. The key is the one of the page's link, which was opened before: it is waited for, since a link
 * is traded for a key only once.
 */
export async function actAsApplication(page: Page, folder: string): Promise<void> {
  const key = () => page.evaluate("sessionStorage.getItem('enlarger.key')");
  await vi.waitUntil(async () => (await key()) !== null, { timeout: patient(30_000) });
  const place = { folder, base: pathToFileURL(`${folder}/`).href };
  await page.addInitScript(`(${bridgeScript})(${JSON.stringify(place)})`);
  await page.reload();
}

/** Runs in the page, whose types the tests do not have. */
const bridgeScript = `({ folder, base }) => {
  const nothing = async () => undefined;
  const given = ({ name, size, lastModified }) => ({
    imageUrl: base + encodeURIComponent(name),
    path: folder + '/' + name,
    name,
    inFolder: '',
    sizeBytes: size,
    modifiedAt: new Date(lastModified).toISOString(),
  });
  window.enlarger = {
    sessionKey: async () => sessionStorage.getItem('enlarger.key'),
    filesOf: async (files) => files.map(given),
    onFiles: () => () => undefined,
    onCommand: () => () => undefined,
    onNotice: () => () => undefined,
    prepareDrag: nothing,
    setTheme: nothing,
    chooseFolder: nothing,
    chooseFiles: async () => [],
  };
}`;
