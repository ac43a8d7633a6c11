/** Runs a device's first check in a process of its own, so that a faulty driver harms no picture. */
import { askEngine } from '../../host/ask-process.ts';
import type { CheckOutcome, CheckRequest } from './check.ts';

/** A driver may compile shaders for a while; a check that takes longer than this hangs. */
const usualLimitMs = 60_000;

function isOutcome(message: unknown): message is CheckOutcome {
  return typeof message === 'object' && message !== null && 'ok' in message;
}

/** Checks a device. It never rejects: a process that dies or gives no answer is an outcome, too. */
export async function probe(
  enginePath: string,
  request: CheckRequest,
  limitMs = usualLimitMs,
): Promise<CheckOutcome> {
  try {
    const answer = await askEngine({ enginePath, mode: 'probe', limitMs }, request);
    if ('message' in answer)
      return isOutcome(answer.message)
        ? answer.message
        : { ok: false, reason: 'Its check gave no answer.' };
    const reason =
      answer.unanswered === 'killed'
        ? `Its check took longer than ${limitMs / 1000} s.`
        : `Its check ended the process (${answer.how}).`;
    return { ok: false, reason };
  } catch (error) {
    process.stderr.write(`A device's check could not run: ${String(error)}\n`);
    return { ok: false, reason: 'Its check could not run.' };
  }
}
