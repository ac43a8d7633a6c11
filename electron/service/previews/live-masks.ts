/** Masks of finished cut-outs as strokes would correct them, at once: nothing is queued. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Stroke } from '../../../packages/contract/src/options/strokes.ts';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import { EngineDied, type EngineHost } from '../../engine/host/host.ts';
import { readPlainFile } from '../../../packages/files/src/plain-file.ts';
import type { ModelCatalogue } from '../models/catalogue.ts';
import type { Results } from '../results/results.ts';
import { limitsOf, type LocalSourceOptions } from '../sources/local-source.ts';
import type { Task } from '../store/tasks/task.ts';
import { limitConcurrency } from '../timing/limit-concurrency.ts';
import { attemptOf, type Views } from './views.ts';

export interface LiveMasks {
  /**
   * PNG of the cut-out's mask, corrected by strokes beside those of its task.
   * @param signal fires when nobody waits any more: one that has not begun is left out
   * @throws EnlargerError INVALID_REQUEST, MODEL_UNAVAILABLE, NOT_FOUND without a view of the photo, or CANCELLED
   */
  correct(task: Task, strokes: readonly Stroke[], signal: AbortSignal): Promise<Buffer>;
}

interface LiveMaskOptions extends Pick<LocalSourceOptions, 'scratchDir' | 'settings'> {
  engine: Pick<EngineHost, 'work'>;
  models: Pick<ModelCatalogue, 'openMaskNetwork' | 'openSelector'>;
  results: Pick<Results, 'viewPaths'>;
  views: Pick<Views, 'sourceThumb'>;
}

/** An answer takes some tenths of a second; it may wait for a tile of a slow network. */
const liveMaskLimitMs = 60_000;
const maxMaskBytes = 16 * 1024 * 1024;

export function createLiveMasks(options: LiveMaskOptions): LiveMasks {
  const inTurn = limitConcurrency(1);
  return {
    correct: (task, strokes, signal) =>
      inTurn(() => {
        if (signal.aborted) throw new EnlargerError('CANCELLED', 'Nobody waits for the mask.');
        return correct(task, strokes, options);
      }),
  };
}

async function correct(
  task: Task,
  strokes: readonly Stroke[],
  { engine, models, results, views, scratchDir, settings }: LiveMaskOptions,
): Promise<Buffer> {
  if (task.operation !== 'remove-bg')
    throw new EnlargerError(
      'INVALID_REQUEST',
      `Expected the task of a cut-out but received one with operation ${task.operation}.`,
    );
  const network = await models.openMaskNetwork(task.options.model);
  const selector = await models.openSelector(task.options.selector ?? settings().defaultSelector);
  const isBoxed = strokes.length > 0 && strokes.every(({ selects }) => selects === 'box');
  if (!network.clicks && !selector && !isBoxed)
    throw new EnlargerError(
      'INVALID_REQUEST',
      `Expected a task of a model that takes clicks but received one of ${task.options.model}.`,
    );
  const photo = await views.sourceThumb(task);
  const mask = results.viewPaths(task.taskId, attemptOf(task)).maskPath;
  const isFound = existsSync(mask);
  const folder = join(scratchDir, `live-${randomUUID()}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const toPath = join(folder, 'mask.png');
    const picture = (sourcePath: string) => ({
      sourcePath,
      scratchDir: folder,
      limits: limitsOf(settings()),
    });
    const applied = isFound ? (task.options.strokes ?? []) : [];
    const by = `${network.modelId} ${selector?.modelId ?? ''}`;
    const key = `${photo} ${(await stat(photo)).mtimeMs} ${isFound ? mask : ''} ${by}`;
    await engine.work(
      'liveMask',
      {
        key,
        network,
        ...(selector && { selector }),
        picture: picture(photo),
        ...(isFound && { finished: picture(mask) }),
        strokes: [...applied, ...strokes],
        applied: applied.length,
        device: settings().device,
        toPath,
      },
      liveMaskLimitMs,
    );
    return await readPlainFile(toPath, maxMaskBytes);
  } catch (error) {
    if (!(error instanceof EngineDied)) throw error;
    const message = 'The engine ended while it looked at the strokes. Try again.';
    throw new EnlargerError('MODEL_UNAVAILABLE', message, { cause: error });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
