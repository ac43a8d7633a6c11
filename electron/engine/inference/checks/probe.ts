/** Runs a device's first check in a process of its own, so that a faulty driver harms no picture. */
import { requestEngineOnce } from '../../host/one-shot-process.ts';
import type { CheckOutcome, CheckRequest } from './check.ts';

/** Drivers may compile shaders for a while, on a machine that other programs keep busy for minutes. */
const defaultLimitMs = 180_000;

function isOutcome(message: unknown): message is CheckOutcome {
  return typeof message === 'object' && message !== null && 'ok' in message;
}

/** Checks a device. Never rejects: a crash or a missing response is an outcome as well. */
export async function probe(
  enginePath: string,
  request: CheckRequest,
  limitMs = defaultLimitMs,
): Promise<CheckOutcome> {
  try {
    const response = await requestEngineOnce({ enginePath, mode: 'probe', limitMs }, request);
    if ('message' in response)
      return isOutcome(response.message)
        ? response.message
        : { ok: false, reason: 'Its check gave no answer.' };
    return response.unanswered === 'killed'
      ? { ok: false, reason: `Its check took longer than ${limitMs / 1000} s.`, timedOut: true }
      : { ok: false, reason: `Its check ended the process (${response.how}).` };
  } catch (error) {
    process.stderr.write(`A device's check could not run: ${String(error)}\n`);
    return { ok: false, reason: 'Its check could not run.' };
  }
}
