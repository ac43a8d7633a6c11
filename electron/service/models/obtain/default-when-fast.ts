/**
 * Makes a fetched model the default of its task if it is fast enough on this machine. It is measured when no photo
 * waits, and a default that a person chose stays.
 */
import { Value } from 'typebox/value';
import type {
  Download,
  ObtainableModel,
} from '../../../../packages/contract/src/models/obtainable.ts';
import { defaultWithinSeconds } from '../../../../packages/contract/src/models/downloads.ts';
import type { Log } from '../../../../packages/contract/src/log.ts';
import { Settings } from '../../../../packages/contract/src/settings/settings.ts';
import type { LiveSettings } from '../../settings/live-settings.ts';
import type { Downloads } from './downloads.ts';

/** Seconds of a photo of 12 megapixels. */
type MeasureSeconds = (
  modelId: string,
  task: ObtainableModel['task'],
  signal: AbortSignal,
) => Promise<number>;

interface DefaultWhenFastDeps {
  downloads: Pick<Downloads<ObtainableModel>, 'subscribeAll'>;
  settings: Pick<LiveSettings, 'get' | 'patch'>;
  measureSeconds: MeasureSeconds;
  log: Log;
}

export interface DefaultWhenFast {
  /** Considers the model once its download, which is about to start, has finished. */
  expect(model: ObtainableModel): void;
  close(): void;
}

export function createDefaultWhenFast(deps: DefaultWhenFastDeps): DefaultWhenFast {
  const expected = new Map<string, ObtainableModel>();
  const closing = new AbortController();
  const { signal } = closing;
  const unsubscribe = deps.downloads.subscribeAll(({ modelId, state, addedId }: Download) => {
    const model = expected.get(modelId);
    if (model === undefined || state === 'fetching' || state === 'importing') return;
    expected.delete(modelId);
    if (addedId === undefined) return;
    consider(model, addedId, deps, signal).catch((error: unknown) => {
      if (signal.aborted) return;
      const reason = error instanceof Error ? error.message : String(error);
      deps.log('warn', 'The speed of a fetched model could not be measured.', { addedId, reason });
    });
  });
  return {
    expect(model) {
      if (model.mayBeDefault) expected.set(model.id, model);
    },
    close() {
      unsubscribe();
      closing.abort();
    },
  };
}

async function consider(
  { task }: ObtainableModel,
  addedId: string,
  { settings, measureSeconds, log }: DefaultWhenFastDeps,
  signal: AbortSignal,
): Promise<void> {
  const seconds = await measureSeconds(addedId, task, signal);
  signal.throwIfAborted();
  const field = task === 'upscale' ? 'defaultUpscaler' : 'defaultRemover';
  const isUnchosen = settings.get()[field] === initialSettings[field];
  const isDefault = isUnchosen && seconds <= defaultWithinSeconds[task];
  log('info', 'A fetched model was measured.', { addedId, seconds, isDefault });
  if (isDefault) await settings.patch({ [field]: addedId });
}

/** The settings of a person who has chosen none. */
const initialSettings = Value.Parse(Settings, Value.Default(Settings, {}));
