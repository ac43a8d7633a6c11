/** How long journeys wait, and what tells one that hangs. */
import { patient } from './machine-pace.ts';

// Each is of the machine's pace as it is now: a process runs many files.
/** Limit of one wait for what networks and the service do; on two quiet cores the longest takes 20 s. */
export const journeyWaitMs = () => patient(45_000);
/** Limit of one wait for the page alone. A page that has not changed in two minutes does not on any machine. */
export const pageWaitMs = () => Math.min(patient(30_000), 120_000);
/** Limit of a whole file of journeys; on two quiet cores the longest takes 90 s. */
export const journeyFileMs = () => patient(300_000);

interface Failure {
  message?: string;
  cause?: unknown;
}

const timeouts = [
  // Of Playwright, of vitest's tests and hooks, and of its `expect.poll`.
  /Timeout \d+ms|timed out in|Matcher did not succeed in time/,
  // The file's limit has closed the browser.
  /(page|context|browser) has been closed/,
];

/** Whether a test failed by waiting for what did not come, by its errors and their causes. */
export const hasTimedOut = (failures: readonly Failure[] = []): boolean =>
  failures.some(
    ({ message = '', cause }) =>
      timeouts.some((timeout) => timeout.test(message)) ||
      (typeof cause === 'object' && cause !== null && hasTimedOut([cause])),
  );
