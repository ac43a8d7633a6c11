import path from 'node:path';
import { afterAll, expect, vi } from 'vitest';
import { patient } from './machine-pace.ts';
import { deleteTemporaryFolders } from './temporary-folder.ts';

/** A journey is a person's whole way through the page, with networks that run. */
const isJourney = path.basename(path.dirname(expect.getState().testPath ?? '')) === 'journeys';

vi.setConfig({
  // Longer than a page's own waits, which say what they waited for; and whoever starts first builds.
  testTimeout: patient(isJourney ? 900_000 : 120_000),
  hookTimeout: patient(isJourney ? 300_000 : 180_000),
  // What a page or a service shows soon is waited for.
  expect: { poll: { timeout: patient(10_000) } },
});

// It stands before every hook of a test file, so it runs after them.
afterAll(deleteTemporaryFolders);
