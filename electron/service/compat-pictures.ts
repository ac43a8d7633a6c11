/**
 * Makes pictures for programs of other services (packages/compat): a picture is received, submitted before batches,
 * and cancelled when its client goes away.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { EnlargerError, taskErrorCodes } from '../../packages/contract/src/errors.ts';
import type { EngineHost } from '../engine/host/host.ts';
import type { MadePicture, Pictures, ReceivedPicture } from '../../packages/compat/src/index.ts';
import { viewOf, type TaskLinkDeps } from './api/present.ts';
import { planOptions } from './planning/plan-options.ts';
import type { OptionPlanning } from './planning/task-options.ts';
import type { Results } from './results/results.ts';
import type { DataFiles } from './sources/data-files.ts';
import { decodeDataUrl, isDataUrl } from './sources/data-url.ts';
import type { StagedImages } from './sources/staged-images.ts';
import type { InspectSource } from './sources/inspect-source.ts';
import type { SourceIntake } from './sources/stored-source.ts';
import { plainName } from './sources/uploads.ts';
import { isFinished, type FinishedTask, type Task, type TaskSource } from './store/tasks/task.ts';
import type { Tasks } from './tasks/tasks.ts';

export interface CompatPictureDeps extends OptionPlanning, TaskLinkDeps {
  tasks: Pick<
    Tasks,
    'submit' | 'get' | 'cancel' | 'progressOf' | 'paused' | 'events' | 'isExpired'
  >;
  results: Pick<Results, 'pathOf'>;
  intake: Pick<SourceIntake, 'accept' | 'discard'>;
  dataFiles: Pick<DataFiles, 'receive' | 'write' | 'adopt'>;
  stagedImages: Pick<StagedImages, 'take'>;
  engine: Pick<EngineHost, 'work'>;
  inspectSource: InspectSource;
  /** The port of the service's own API. */
  port(): number;
}

/** Above every priority of a submit, which is at most 10. */
const waitedForPriority = 11;
const splitTimeoutMs = 120_000;

export function createCompatPictures(deps: CompatPictureDeps): Pictures {
  const { tasks, dataFiles, stagedImages, backgrounds } = deps;
  const maxBytes = () => deps.settings.get().maxSourceBytes;
  const received = (source: TaskSource) => receivedPicture(source, deps);
  return {
    receiveUrl: async (url) => received(await deps.intake.accept(url)),
    async receiveBase64(text) {
      const held = stagedImages.take(text);
      if (held) return received(await dataFiles.adopt(held, maxBytes()));
      const bytes = decodeDataUrl(isDataUrl(text) ? text : `data:;base64,${text}`);
      return received(await dataFiles.write(bytes, maxBytes()));
    },
    receiveFile: async (chunks, name) =>
      received(await dataFiles.receive(chunks, { name: plainName(name), maxBytes: maxBytes() })),
    acceptBackground: (url) => backgrounds.accept(url),
    releaseBackground: (url) => backgrounds.release(url),
    progressOf(taskId) {
      const task = tasks.get(taskId);
      return task && tasks.progressOf(task);
    },
    cancel: (taskId) => cancelTask(tasks, taskId),
  };
}

function receivedPicture(source: TaskSource, deps: CompatPictureDeps): ReceivedPicture {
  const { tasks, intake, backgrounds } = deps;
  const discard = () => intake.discard(source);
  return {
    size: () => deps.inspectSource(source),
    discard,
    asBackground() {
      if (source.kind === 'url') return backgrounds.accept(source.url);
      return backgrounds.addFile(source.path);
    },
    async make({ operation, fields }, signal, onTask) {
      const plan = async () => {
        if (tasks.paused) throw pausedError();
        if (signal.aborted) throw goneError();
        return planOptions(operation, fields, deps);
      };
      const options = await plan().catch(async (thrown: unknown) => {
        await discard();
        throw thrown;
      });
      const { taskId } = await tasks.submit({
        operation,
        source,
        options,
        priority: waitedForPriority,
      });
      onTask?.(taskId);
      return madePicture(await untilFinished(tasks, taskId, signal), deps);
    },
  };
}

function madePicture(task: FinishedTask, deps: CompatPictureDeps): MadePicture {
  const { report, files, endedAt = task.createdAt } = task;
  const { input, output, crop, model } = report;
  const path = deps.results.pathOf(task.taskId, files.image.name);
  return {
    path,
    type: files.image.type,
    input,
    output,
    ...(crop && { crop }),
    ...(model !== undefined && { model }),
    endedAt,
    link: () => viewOf(task, `http://127.0.0.1:${deps.port()}`, deps).imageUrl ?? '',
    async splitInto(folder) {
      const paths = {
        coloursPath: join(folder, 'color.jpg'),
        alphaPath: join(folder, 'alpha.png'),
      };
      const { maxResultPixels } = deps.settings.get();
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const picture = {
        sourcePath: path,
        scratchDir: folder,
        limits: { sourcePixels: maxResultPixels, resultPixels: maxResultPixels },
      };
      await deps.engine.work('split', { ...picture, ...paths }, splitTimeoutMs);
      return paths;
    },
  };
}

/** A paused queue refuses at once, because its callers would wait without end. */
const pausedError = () =>
  new EnlargerError(
    'QUEUE_PAUSED',
    'The queue is paused. Let it go on in Enlarger, then ask again.',
  );

const goneError = () => new EnlargerError('CANCELLED', 'The client went away.');

function untilFinished(
  tasks: CompatPictureDeps['tasks'],
  taskId: string,
  signal: AbortSignal,
): Promise<FinishedTask> {
  return new Promise((resolve, reject) => {
    const settle = (task: Task | undefined, removed = false) => {
      const outcome = outcomeOf(task, removed);
      if (outcome === undefined) return;
      stop();
      if (outcome instanceof Error) reject(outcome);
      else resolve(outcome);
    };
    const unsubscribe = tasks.events.subscribe(taskId, (event) => {
      if (!event.isProgress) settle(event.task, event.removed);
    });
    const cancel = () => {
      stop();
      cancelTask(tasks, taskId);
      reject(goneError());
    };
    const stop = () => {
      unsubscribe();
      signal.removeEventListener('abort', cancel);
    };
    if (signal.aborted) cancel();
    else {
      signal.addEventListener('abort', cancel, { once: true });
      // The task may have ended before this subscription.
      settle(tasks.get(taskId));
    }
  });
}

/** The finished task or its error; undefined while the task goes on. */
function outcomeOf(task: Task | undefined, removed: boolean): FinishedTask | Error | undefined {
  if (task === undefined || removed)
    return new EnlargerError('CANCELLED', 'The task was deleted in Enlarger.');
  const { status, error } = task;
  if (status === 'FAILED') {
    const code = taskErrorCodes.find((known) => known === error?.code) ?? 'INTERNAL';
    return new EnlargerError(code, error?.message ?? 'The task failed.');
  }
  return isFinished(task) ? task : undefined;
}

/** A task that has ended meanwhile, or is gone, is left alone. */
function cancelTask(tasks: Pick<Tasks, 'cancel'>, taskId: string): void {
  try {
    tasks.cancel(taskId);
  } catch (thrown) {
    if (!(thrown instanceof EnlargerError)) throw thrown;
  }
}
