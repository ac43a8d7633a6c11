/**
 * Has the usual model measured once the service answers, so that the device and its speed are known before the
 * first photo. Other work goes first: then it is asked for again later.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Settings } from '../../contract/admin.ts';
import { EnlargerError } from '../../contract/errors.ts';
import type { Log } from '../../contract/log.ts';
import { EngineDied, type EngineHost } from '../../engine/host.ts';
import type { NetworkFile } from '../../engine/protocol.ts';
import type { ModelCatalogue } from './catalogue.ts';

interface FirstMeasureOptions {
  models: Pick<ModelCatalogue, 'scalesOf' | 'openPasses'>;
  engine: Pick<EngineHost, 'measure'>;
  settings: () => Pick<Settings, 'defaultUpscaler' | 'device'>;
  /** Cuts out a sample where it is not known how long that takes; false: not now. Absent: nothing is cut out. */
  cutSample?: (signal: AbortSignal) => Promise<boolean>;
  /** A device was tried, whatever became known of its speed. */
  onMeasured?: () => void;
  log: Log;
  /** Of the first one; each is twice as long as the one before. */
  retryMs?: number;
}

interface FirstMeasure {
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

/** One network after the other: the usual scale's first, so that most estimates have seconds soon. */
async function measureAtLast(options: FirstMeasureOptions, signal: AbortSignal): Promise<void> {
  for (const network of await networksOf(options)) {
    signal.throwIfAborted();
    await untilDone(() => measureNetwork(network, options, signal), options, signal);
  }
  const { cutSample } = options;
  if (cutSample === undefined) return;
  await untilDone(() => cutSample(signal), options, signal);
  options.onMeasured?.();
}

async function untilDone(
  attempt: () => Promise<boolean>,
  { retryMs = 10_000 }: FirstMeasureOptions,
  signal: AbortSignal,
): Promise<void> {
  let waitMs = retryMs;
  while (!(await attempt())) {
    await delay(waitMs, undefined, { signal, ref: false });
    waitMs = Math.min(2 * waitMs, longestRetryMs);
  }
}

/** False: not now. */
async function measureNetwork(
  network: NetworkFile,
  options: FirstMeasureOptions,
  signal: AbortSignal,
): Promise<boolean> {
  const isMeasured = await measure(network, options);
  signal.throwIfAborted();
  if (isMeasured) options.onMeasured?.();
  return isMeasured;
}

/** All networks of the usual model: of the smallest scale that enlarges, of the larger ones, and the one that keeps a size. */
async function networksOf({ models, settings }: FirstMeasureOptions): Promise<NetworkFile[]> {
  const { defaultUpscaler } = settings();
  const scales = models.scalesOf(defaultUpscaler);
  if (scales.length === 0)
    throw new EnlargerError('MODEL_UNAVAILABLE', `There is no model ${defaultUpscaler}.`);
  const ordered = [...scales.filter((one) => one > 1), ...scales.filter((one) => one <= 1)];
  const networks = new Map<string, NetworkFile>();
  for (const scale of ordered)
    for (const network of await models.openPasses(defaultUpscaler, scale)) {
      const key = `${network.modelId} ${network.scale}`;
      if (!networks.has(key)) networks.set(key, network);
    }
  return [...networks.values()];
}

/** False: not now. */
async function measure(
  network: NetworkFile,
  { engine, settings }: FirstMeasureOptions,
): Promise<boolean> {
  try {
    return (await engine.measure(network, settings().device)) !== undefined;
  } catch (error) {
    if (error instanceof EngineDied) return false;
    throw error;
  }
}
