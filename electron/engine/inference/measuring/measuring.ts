/**
 * Finds the best device and the speed of a network before a picture needs it, in a low-priority process that
 * other work preempts at once.
 */
import { EnlargerError } from '../../../../packages/contract/src/errors.ts';
import { requestEngineOnce } from '../../host/one-shot-process.ts';
import type { InferenceThread } from '../thread.ts';
import type { FoundOutcome, MeasureRequest } from '../protocol.ts';
import type { SpeedResult } from '../../protocol/messages.ts';

interface Measuring {
  /**
   * Returns the network's speed on this machine, measuring it if unknown; undefined if other work preempted
   * it.
   *
   * @throws EnlargerError MODEL_UNAVAILABLE if the network cannot be measured
   */
  measure(request: MeasureRequest): Promise<SpeedResult | undefined>;
  /** Aborts the running measurement in favour of other work. */
  preempt(): void;
  /** Measures a network once the engine has been idle for a while. */
  measureWhenIdle(request: MeasureRequest): void;
  /** To be called every second. */
  tick(): void;
}

/** Idle seconds before a network that ran with defaults is measured. */
const idleTicks = 3;

/** Unusable devices may take long to fail. */
const limitMs = 240_000;

/** @param isBusy whether other work runs now */
export function createMeasuring(
  enginePath: string,
  inference: Pick<InferenceThread, 'learn'>,
  isBusy: () => boolean,
): Measuring {
  let running = new AbortController();
  let last: Promise<unknown> = Promise.resolve();
  const waiting: MeasureRequest[] = [];
  let ticks = 0;

  /** Measures one network at a time: two would distort each other's times. */
  function measure(request: MeasureRequest): Promise<SpeedResult | undefined> {
    const result = last.then(() => measureNow(request));
    last = result.catch(() => undefined);
    return result;
  }

  async function measureNow(request: MeasureRequest): Promise<SpeedResult | undefined> {
    if (isBusy()) return undefined;
    running = new AbortController();
    const { signal } = running;
    const isPreempted = () => signal.aborted;
    const known = await inference.learn(request, []);
    if (known !== undefined || isPreempted()) return known;
    const response = await requestEngineOnce(
      { enginePath, mode: 'measure', limitMs, signal },
      request,
    );
    if (isPreempted()) return undefined;
    if (!('message' in response)) throw notMeasured(request, `its process ended (${response.how})`);
    if (!isFound(response.message)) throw notMeasured(request, 'its process gave no answer');
    return inference.learn(request, response.message);
  }

  return {
    measure,
    preempt: () => running.abort(),
    measureWhenIdle: (request) => void waiting.push(request),
    tick() {
      ticks = isBusy() ? 0 : ticks + 1;
      const request = ticks >= idleTicks ? waiting.shift() : undefined;
      if (!request) return;
      ticks = 0;
      measure(request).then(
        (measured) => {
          if (!measured) waiting.push(request);
        },
        (error: unknown) => process.stderr.write(`${String(error)}\n`),
      );
    },
  };
}

function notMeasured({ network }: MeasureRequest, why: string): EnlargerError {
  const name = 'scale' in network ? `${network.modelId} (${network.scale}x)` : network.modelId;
  const message = `The model ${name} could not be measured: ${why}.`;
  return new EnlargerError('MODEL_UNAVAILABLE', message);
}

function isFound(message: unknown): message is FoundOutcome[] {
  return Array.isArray(message) && message.length > 0;
}
