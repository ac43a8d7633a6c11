/**
 * Finds out on which device a network runs and how fast, before a picture needs it: in a process of its own,
 * of low priority, that ends at once when other work comes.
 */
import { EnlargerError } from '../../../contract/errors.ts';
import { askProcess } from '../checks/ask-process.ts';
import type { InferenceThread } from '../thread.ts';
import type { FoundOutcome, MeasureRequest } from '../protocol.ts';
import type { Measured } from '../../protocol.ts';

export interface Measuring {
  /**
   * What is known of the network here, measured first where it is not. Undefined: it gave way. Rejects when
   * the network cannot be measured.
   */
  measure(request: MeasureRequest): Promise<Measured | undefined>;
  /** Other work comes. What is measured now is given up. */
  giveWay(): void;
}

/** Devices that are no good may take their time to say so. */
const limitMs = 240_000;

/** @param isBusy whether there is other work now */
export function createMeasuring(
  enginePath: string,
  inference: Pick<InferenceThread, 'learn'>,
  isBusy: () => boolean,
): Measuring {
  let giving = new AbortController();
  return {
    async measure(request) {
      if (isBusy()) return undefined;
      giving = new AbortController();
      const { signal } = giving;
      const gaveWay = () => signal.aborted;
      const known = await inference.learn(request, []);
      if (known !== undefined || gaveWay()) return known;
      const answer = await askProcess({ enginePath, mode: 'measure', limitMs, signal }, request);
      if (gaveWay()) return undefined;
      if (!('message' in answer)) throw notMeasured(request, `its process ended (${answer.how})`);
      if (!isFound(answer.message)) throw notMeasured(request, 'its process gave no answer');
      return inference.learn(request, answer.message);
    },
    giveWay: () => giving.abort(),
  };
}

function notMeasured({ network: { modelId, scale } }: MeasureRequest, why: string): EnlargerError {
  const message = `The model ${modelId} (${scale}x) could not be measured: ${why}.`;
  return new EnlargerError('MODEL_UNAVAILABLE', message);
}

function isFound(message: unknown): message is FoundOutcome[] {
  return Array.isArray(message) && message.length > 0;
}
