/**
 * Measures the default model once the service is up, so that device and speed are known before the first
 * photo. Gives way to other work and retries.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Settings } from '../../../packages/contract/src/settings/settings.ts';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import type { Log } from '../../../packages/contract/src/log.ts';
import { EngineDied, type EngineHost } from '../../engine/host/host.ts';
import type { NetworkFile } from '../../engine/protocol/messages.ts';
import type { ModelCatalogue } from './catalogue.ts';

interface FirstMeasureOptions {
  models: Pick<ModelCatalogue, 'scalesOf' | 'openPasses'>;
  engine: Pick<EngineHost, 'measure'>;
  settings: () => Pick<Settings, 'defaultUpscaler' | 'device'>;
  /** Measures cut-outs if their speed is unknown; resolves false to retry later. */
  cutSample?: (signal: AbortSignal) => Promise<boolean>;
  /** Called after a device was tried, whatever the outcome. */
  onMeasured?: () => void;
  log: Log;
  /** Delay of the first measurement, so that the photo of a command goes first. */
  delayMs?: number;
  /** First retry delay; doubles with each retry. */
  retryMs?: number;
}

interface FirstMeasure {
  /** Measures again with the present settings, after another device or model was chosen. */
  again(): void;
  /** Stops; nothing is stored any more. */
  close(): void;
}

const maxRetryMs = 5 * 60_000;

const defaultDelayMs = 2000;

export function startFirstMeasure(options: FirstMeasureOptions): FirstMeasure {
  const { delayMs = defaultDelayMs } = options;
  const closing = new AbortController();
  const { signal } = closing;
  const measureOnce = (after: Promise<unknown> = Promise.resolve()) =>
    after
      .then(() => measureAll(options, signal))
      .catch((error: unknown) => {
        if (signal.aborted) return;
        const reason = error instanceof Error ? error.message : String(error);
        options.log('warn', 'The speed of this machine could not be measured.', { reason });
      });
  let measuring = measureOnce(delay(delayMs, undefined, { signal, ref: false }));
  return {
    again: () => void (measuring = measureOnce(measuring)),
    close: () => closing.abort(),
  };
}

/** Measures network by network, that of the default scale first, so that most estimates soon have seconds. */
async function measureAll(options: FirstMeasureOptions, signal: AbortSignal): Promise<void> {
  for (const network of await networksOf(options)) {
    signal.throwIfAborted();
    await untilDone(() => measureNetwork(network, options, signal), options, signal);
  }
  const { cutSample } = options;
  if (cutSample === undefined) return;
  await untilDone(() => cutSample(signal), options, signal);
  options.onMeasured?.();
}

/** Repeats an attempt that resolves false, with growing pauses. */
export async function untilDone(
  attempt: () => Promise<boolean>,
  { retryMs = 10_000 }: Pick<FirstMeasureOptions, 'retryMs'>,
  signal: AbortSignal,
): Promise<void> {
  let waitMs = retryMs;
  while (!(await attempt())) {
    await delay(waitMs, undefined, { signal, ref: false });
    waitMs = Math.min(2 * waitMs, maxRetryMs);
  }
}

/** @returns false to retry later */
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

/**
 * The default model's networks: smallest enlarging scale first, then larger ones, last the one of scale 1.
 */
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

/** @returns false to retry later */
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
