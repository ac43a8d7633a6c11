/**
 * Finds out on which device a network runs and how fast, before a picture needs it: in a process of its own,
 * of low priority, that ends at once when other work comes.
 */
import { EnlargerError } from '../../../contract/errors.ts';
import { askEngine } from '../../hosting/ask-process.ts';
import type { InferenceThread } from '../thread.ts';
import type { FoundOutcome, MeasureRequest } from '../protocol.ts';
import type { Measured } from '../../protocol.ts';

interface Measuring {
  /**
   * What is known of the network here, measured first where it is not. Undefined: it gave way. Rejects when
   * the network cannot be measured.
   */
  measure(request: MeasureRequest): Promise<Measured | undefined>;
  /** Other work comes, so what is measured now is given up. */
  preempt(): void;
}

/** Devices that are no good may take their time to say so. */
const limitMs = 240_000;

/** @param isBusy whether there is other work now */
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
