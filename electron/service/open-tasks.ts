/** Opens the task queue and its companions: pool, callbacks, background inspection, first measurement. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Closers } from './closers.ts';
import { cutSample } from './models/cut-sample.ts';
import { startFirstMeasure, untilDone } from './models/first-measure.ts';
import { createDefaultWhenFast } from './models/obtain/default-when-fast.ts';
import { createRecommendedSet, type RecommendedSet } from './models/obtain/recommended.ts';
import type { SpeedMeasurement } from '../engine/protocol/messages.ts';
import { graphicsMemory } from '../engine/host/graphics-cards.ts';
import { secondsOf, secondsOfCutout, speedAmong, type SpeedOf } from '../engine/plan/speeds.ts';
import { saveTokenOf } from './results/save-to-folder.ts';
import { openGrantedFolder } from '../../packages/files/src/granted.ts';
import { createPlanPreviews } from './planning/plan-preview.ts';
import {
  createBackgroundInspector,
  type BackgroundInspector,
} from './tasks/background-inspector.ts';
import { openWork } from './planning/plan-job.ts';
import {
  createJobRunner,
  createPool,
  type JobRunner,
  type Pool,
} from '../../packages/pool/src/index.ts';
import { createCallbacks, type Callbacks } from './tasks/callbacks.ts';
import { viewOf } from './api/present.ts';
import { openTasks } from './tasks/queue.ts';
import type { Tasks } from './tasks/tasks.ts';
import type { ServiceOptions } from './service-options.ts';
import type { ServiceParts } from './parts.ts';

function isWorking(tasks: Tasks): boolean {
  const { PENDING, PROCESSING } = tasks.counts();
  return PROCESSING > 0 || (PENDING > 0 && !tasks.paused);
}

export interface PoolParts {
  pool: Pool;
  /** Runs jobs here or in the pool. */
  jobRunner: JobRunner;
}

/** @param tasks valid once the queue is open */
export function openShared(
  { log, poolTimes = {} }: ServiceOptions,
  parts: ServiceParts,
  tasks: () => Tasks,
): PoolParts {
  const { folder, store, settings, changes, models, engine } = parts;
  const pool = createPool({
    settings,
    id: store.secrets.get('pool').toString('hex').slice(0, 16),
    engine,
    models,
    isBusy: () => isWorking(tasks()),
    scratchDir: folder.scratch,
    log,
    onChange: () => changes.note(['helpers']),
    times: poolTimes,
  });
  const jobRunner = createJobRunner({
    engine,
    submitter: () => pool.submitter(),
    hasWaiting: () => tasks().counts().PENDING > 0,
    onRoom: () => tasks().wake(),
  });
  return { pool, jobRunner };
}

export function openQueue(
  { version, log }: ServiceOptions,
  parts: ServiceParts,
  { jobRunner }: PoolParts,
): Promise<Tasks> {
  const { folder, store, settings, clock, models, results, uploads, engine } = parts;
  const { backgrounds } = parts;
  return openTasks({
    store,
    clock,
    steps: {
      fetchSource: parts.local.fetchSource,
      backgroundOf: (url) => backgrounds.sourceOf(url),
      openWork: (task) => openWork(task, models),
      runEngine: (job, watch) => jobRunner.run(job, watch),
      ...createPlanPreviews({ models, settings, engine }),
      openGrantedFolder,
      saveToken: (taskId) => saveTokenOf(store.secrets.get('saving'), taskId),
      results,
      scratchDir: folder.scratch,
      // The folder of an earlier process may just be being deleted.
      keptDir: join(folder.scratch, `kept-${randomUUID()}`),
      version,
    },
    sourcesDir: folder.sources,
    sweepUploads: () => uploads.sweep(),
    slots: () => jobRunner.slots(),
    log,
  });
}

export function startCallbacks(
  { log }: ServiceOptions,
  { store, clock, settings }: ServiceParts,
  tasks: Tasks,
  port: () => number,
): Callbacks {
  return createCallbacks({
    table: store.callbacks,
    tasks,
    clock,
    settings: () => settings.get(),
    mayCallLocal: (keyId) => store.keys.get(keyId)?.localCallbacks === true,
    secret: () => store.secrets.get('callbacks'),
    viewOf: (task) =>
      viewOf(task, `http://127.0.0.1:${port()}`, { tasks, linkSecret: store.secrets.get('links') }),
    log,
  });
}

export function startBackgroundInspector(
  { log }: ServiceOptions,
  parts: ServiceParts,
  tasks: Tasks,
): BackgroundInspector {
  const { store, inspectSource } = parts;
  return createBackgroundInspector({
    inspections: store.tasks,
    events: tasks.events,
    inspectSource,
    log,
  });
}

/** @param remover the model to be measured instead of the default one */
const sampleCutouts =
  ({ models, engine, settings, folder }: ServiceParts, tasks: Tasks, remover?: string) =>
  (signal: AbortSignal): Promise<boolean> =>
    cutSample(
      {
        ...{ models, engine, scratchDir: folder.scratch },
        settings: () => ({
          ...settings.get(),
          ...(remover !== undefined && { defaultRemover: remover }),
        }),
        isBusy: () => isWorking(tasks),
        onWork: (listener) =>
          tasks.events.subscribe(undefined, () => {
            if (isWorking(tasks)) listener();
          }),
      },
      signal,
    );

const referencePhoto = { width: 4000, height: 3000 };

/** Opens the recommended set, whose fetched models may become defaults. */
export function openRecommended(
  { log }: ServiceOptions,
  parts: ServiceParts,
  tasks: Tasks,
  closers: Closers,
): RecommendedSet {
  const { downloads, models, engine, settings } = parts;
  const whenFast = createDefaultWhenFast({
    ...{ downloads, settings, log },
    async measureSeconds(modelId, task, signal) {
      if (task === 'remove-bg') {
        await untilDone(() => sampleCutouts(parts, tasks, modelId)(signal), {}, signal);
        return secondsOfCutout(modelId, referencePhoto, speedAmong(engine.speeds())) ?? Infinity;
      }
      const [scale = 1] = models.scalesOf(modelId);
      const passes = await models.openPasses(modelId, scale);
      const speeds: SpeedMeasurement[] = [];
      for (const pass of passes)
        await untilDone(
          async () => {
            const measured = await engine.measure(pass, settings.get().device);
            if (measured) speeds.push(measured.speed);
            return measured !== undefined;
          },
          {},
          signal,
        );
      // Also doubtful ones: they are corrected for what ran beside.
      const speedOf: SpeedOf = ({ modelId, scale }) =>
        speeds.find((speed) => speed.modelId === modelId && speed.scale === scale)
          ?.megapixelsPerSecond;
      return secondsOf(passes, referencePhoto, speedOf) ?? Infinity;
    },
  });
  closers.add(() => whenFast.close());
  return createRecommendedSet({
    ...{ downloads, models, engine },
    cardMegabytes: onceAsked(graphicsMemory),
    onFetch: (model) => whenFast.expect(model),
  });
}

function onceAsked<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => (answer ??= ask());
}

export function measureFirst(
  { log }: ServiceOptions,
  parts: ServiceParts,
  tasks: Tasks,
  closers: Closers,
): void {
  const { models, engine, settings, changes } = parts;
  const measure = startFirstMeasure({
    models,
    engine,
    settings: () => settings.get(),
    onMeasured: () => changes.note(['devices']),
    cutSample: sampleCutouts(parts, tasks),
    log,
  });
  settings.onPatch(({ device, defaultUpscaler, defaultRemover }) => {
    if ((device ?? defaultUpscaler ?? defaultRemover) !== undefined) measure.again();
  });
  closers.add(() => measure.close());
}
