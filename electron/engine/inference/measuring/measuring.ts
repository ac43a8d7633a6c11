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
  /** Measures a network once nothing else has run for a while. */
  measureWhenIdle(request: MeasureRequest): void;
  /** Called every second, so that idle time is noticed. */
  tick(): void;
}

/** After so many idle seconds a network is measured that ran with defaults. */
const idleTicks = 3;

/** A measurement may take this long, because unusable devices may take long to fail. */
const limitMs = 240_000;

/** @param isBusy tells whether other work runs now */
export function createMeasuring(
  enginePath: string,
  inference: Pick<InferenceThread, 'learn'>,
  isBusy: () => boolean,
): Measuring {
  let running = new AbortController();
  let last: Promise<unknown> = Promise.resolve();
  const waiting: MeasureRequest[] = [];
  let ticks = 0;

  /** Measures one network at a time, because two would measure each other. */
  function measure(request: MeasureRequest): Promise<Measured | undefined> {
    const mine = last.then(() => measureNow(request));
    last = mine.catch(() => undefined);
    return mine;
  }

  async function measureNow(request: MeasureRequest): Promise<Measured | undefined> {
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

function notMeasured({ network: { modelId, scale } }: MeasureRequest, why: string): EnlargerError {
  const message = `The model ${modelId} (${scale}x) could not be measured: ${why}.`;
  return new EnlargerError('MODEL_UNAVAILABLE', message);
}

function isFound(message: unknown): message is FoundOutcome[] {
  return Array.isArray(message) && message.length > 0;
}
