/**
 * Has the usual model measured once the service answers, so that the device and its speed are known before the
 * first photo. Other work goes first: then it is asked for again later.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Settings } from '../../contract/admin.ts';
import { EnlargerError } from '../../contract/errors.ts';
import type { Log } from '../../contract/log.ts';
import { EngineDied, type EngineHost } from '../../engine/host.ts';
import type { Measured } from '../../engine/protocol.ts';
import type { SpeedTable } from '../store/speeds.ts';
import type { ModelCatalogue } from './catalogue.ts';

export interface FirstMeasureOptions {
  models: Pick<ModelCatalogue, 'scalesOf' | 'openPasses'>;
  engine: Pick<EngineHost, 'measure'>;
  speeds: Pick<SpeedTable, 'latest' | 'set'>;
  settings(): Pick<Settings, 'defaultUpscaler' | 'device'>;
  wallMs(): number;
  /** A device was tried, whatever became known of its speed. */
  onMeasured?: () => void;
  log: Log;
  /** Of the first one; each is twice as long as the one before. */
  retryMs?: number;
}

export interface FirstMeasure {
  /** Once more, by the settings as they are then: another device or model was chosen. */
  again(): void;
  /** Nothing is asked and kept any more. */
  close(): void;
}

const longestRetryMs = 5 * 60_000;

export function startFirstMeasure(options: FirstMeasureOptions): FirstMeasure {
  const closing = new AbortController();
  const { signal } = closing;
  const measureOnce = () =>
    measureAtLast(options, signal).catch((error: unknown) => {
      if (signal.aborted) return;
      const reason = error instanceof Error ? error.message : String(error);
      options.log('warn', 'The speed of this machine could not be measured.', { reason });
    });
  let measuring = measureOnce();
  return {
    again: () => void (measuring = measuring.then(measureOnce)),
    close: () => closing.abort(),
  };
}

async function measureAtLast(options: FirstMeasureOptions, signal: AbortSignal): Promise<void> {
  let waitMs = options.retryMs ?? 10_000;
  for (;;) {
    signal.throwIfAborted();
    const measured = await measure(options);
    signal.throwIfAborted();
    if (measured !== undefined) {
      keep(measured, options);
      return;
    }
    await delay(waitMs, undefined, { signal, ref: false });
    waitMs = Math.min(2 * waitMs, longestRetryMs);
  }
}

/** The first network of the smallest scale that enlarges. Undefined: not now. */
async function measure(options: FirstMeasureOptions): Promise<Measured | undefined> {
  const { models, engine } = options;
  const { defaultUpscaler, device } = options.settings();
  const scales = models.scalesOf(defaultUpscaler);
  const scale = scales.find((one) => one > 1) ?? scales[0];
  if (scale === undefined)
    throw new EnlargerError('MODEL_UNAVAILABLE', `There is no model ${defaultUpscaler}.`);
  const [network] = await models.openPasses(defaultUpscaler, scale);
  if (network === undefined) throw new Error('A scale without a pass');
  try {
    return await engine.measure(network, device);
  } catch (error) {
    if (error instanceof EngineDied) return undefined;
    throw error;
  }
}

function keep({ speed, isNew }: Measured, options: FirstMeasureOptions): void {
  const { speeds } = options;
  if (isNew || speeds.latest(speed.modelId, speed.scale) === undefined)
    speeds.set(speed, options.wallMs());
  options.onMeasured?.();
}
