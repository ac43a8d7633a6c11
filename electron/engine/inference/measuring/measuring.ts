/**
 * Finds out on which device a network runs and how fast, before a picture needs it. It measures in a process
 * of its own with low priority, which other work preempts at once.
 */
import { EnlargerError } from '../../../contract/errors.ts';
import { askEngine } from '../../host/ask-process.ts';
import type { InferenceThread } from '../thread.ts';
import type { FoundOutcome, MeasureRequest } from '../protocol.ts';
import type { Measured } from '../../protocol/messages.ts';

interface Measuring {
  /**
   * Gives the network's speed here, and measures it first where it is not known. The answer is undefined when
   * other work preempted it. It rejects when the network cannot be measured.
   */
  measure(request: MeasureRequest): Promise<Measured | undefined>;
  /** Gives up the running measurement, because other work comes. */
  preempt(): void;
}

/** A measurement may take this long, because unusable devices may take long to fail. */
const limitMs = 240_000;

/** @param isBusy tells whether other work runs now */
export function createMeasuring(
  enginePath: string,
  inference: Pick<InferenceThread, 'learn'>,
  isBusy: () => boolean,
): Measuring {
  let running = new AbortController();
  return {
    async measure(request) {
      if (isBusy()) return undefined;
      running = new AbortController();
      const { signal } = running;
      const isPreempted = () => signal.aborted;
      const known = await inference.learn(request, []);
      if (known !== undefined || isPreempted()) return known;
      const answer = await askEngine({ enginePath, mode: 'measure', limitMs, signal }, request);
      if (isPreempted()) return undefined;
      if (!('message' in answer)) throw notMeasured(request, `its process ended (${answer.how})`);
      if (!isFound(answer.message)) throw notMeasured(request, 'its process gave no answer');
      return inference.learn(request, answer.message);
    },
    preempt: () => running.abort(),
  };
}

function notMeasured({ network: { modelId, scale } }: MeasureRequest, why: string): EnlargerError {
  const message = `The model ${modelId} (${scale}x) could not be measured: ${why}.`;
  return new EnlargerError('MODEL_UNAVAILABLE', message);
}

function isFound(message: unknown): message is FoundOutcome[] {
  return Array.isArray(message) && message.length > 0;
}
