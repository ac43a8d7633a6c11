import path from 'node:path';
import { afterAll, expect, vi } from 'vitest';
import { compareBytesFirst } from './byte-equality.ts';
import { measurePace, patient } from './machine-pace.ts';
import { deleteTemporaryFolders } from './temporary-folder.ts';

measurePace();

const { testPath = '' } = expect.getState();
/** A journey is a person's whole way through the page, with networks that run. */
const isJourney = path.basename(path.dirname(testPath)) === 'journeys';

vi.setConfig({
  // Longer than a page's own waits, which say what they waited for; and whoever starts first builds.
  testTimeout: patient(isJourney ? 300_000 : 120_000),
  hookTimeout: patient(isJourney ? 300_000 : 180_000),
  // What a page or a service shows soon is waited for; each look at a page is work for its browser.
  expect: { poll: { timeout: patient(10_000), interval: isJourney ? 100 : 50 } },
});

compareBytesFirst();

// It stands before every hook of a test file, so it runs after them.
afterAll(deleteTemporaryFolders);

if (isJourney) {
  const { killBrowser } = await import('./browser.ts');
  const { journeyFileMs } = await import('./journey-limits.ts');
  const limitMs = journeyFileMs();
  const limit = setTimeout(() => {
    const isKilled = killBrowser();
    const seconds = Math.round(limitMs / 1000);
    const browser = isKilled ? 'its browser was killed' : 'it has no browser';
    console.error(`${testPath} took over ${seconds} s; ${browser}.`);
  }, limitMs);
  afterAll(() => clearTimeout(limit));
}
