/**
 * Runs crops through models, for a person to compare. One at a time, since each preempts the running task.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnyScale } from '../../../packages/contract/src/common.ts';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import { pickDefined, keysOf } from '../../../packages/contract/src/pick-defined.ts';
import {
  cutoutPreviewSidePx,
  previewSidePx,
  type Preview,
  type PreviewProblem,
  type Previews,
} from '../../../packages/contract/src/picture.ts';
import { finishingChoices, type Operation } from '../../../packages/contract/src/request.ts';
import { EngineDied, type EngineHost } from '../../engine/host/host.ts';
import type {
  FinishingOptions,
  OpenedPicture,
  PreviewResponse,
  PreviewResult,
  PreviewModel,
} from '../../engine/protocol/messages.ts';
import { readPlainFileIn } from '../../../packages/files/src/plain-file.ts';
import type { ModelCatalogue } from '../models/catalogue.ts';
import { scaleReaching } from '../models/plan-scales.ts';
import type { TaskSource } from '../store/tasks/task.ts';
import { limitConcurrency } from '../timing/limit-concurrency.ts';
import type { LocalSourceOptions } from '../sources/local-source.ts';
import { createOpenedPictures } from './opened-pictures.ts';

interface PreviewOrder extends FinishingOptions {
  source: TaskSource;
  x: number;
  y: number;
  operation: Operation;
  scale: AnyScale;
  /** Ids of installed models. */
  models: string[];
}

export interface PreviewMaker {
  /**
   * Throws the source's errors.
   * @throws EnlargerError MODEL_UNAVAILABLE, or CANCELLED if aborted before it started
   */
  make(order: PreviewOrder, signal: AbortSignal): Promise<Previews>;
  close(): Promise<void>;
}

interface PreviewOptions extends LocalSourceOptions {
  engine: Pick<EngineHost, 'work'>;
  models: Pick<ModelCatalogue, 'scalesOf' | 'openPasses' | 'openMaskNetwork' | 'find'>;
}

/** A tile may take seconds beside a running task of a slow network. */
const previewLimitMs = 180_000;

export function createPreviews(options: PreviewOptions): PreviewMaker {
  const opened = createOpenedPictures(options);
  const inTurn = limitConcurrency(1);
  return {
    make: (order, signal) =>
      inTurn(async () => {
        if (signal.aborted)
          throw new EnlargerError('CANCELLED', 'The preview is no longer wanted.');
        try {
          return await opened.with(order.source, (picture) => makeOf(picture, order, options));
        } catch (error) {
          throw asRefusal(error);
        }
      }),
    close: () => opened.close(),
  };
}

async function makeOf(
  picture: OpenedPicture,
  order: PreviewOrder,
  options: PreviewOptions,
): Promise<Previews> {
  const { engine, models, scratchDir } = options;
  const folder = join(scratchDir, `preview-${randomUUID()}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const { x, y } = order;
    const isEnlarging = order.operation === 'upscale';
    const scale = isEnlarging ? order.scale : 1;
    const request = {
      picture,
      scratchDir: folder,
      x,
      y,
      sizePx: isEnlarging ? previewSidePx[order.scale] : cutoutPreviewSidePx,
      scale,
      models: await Promise.all(order.models.map((modelId) => openModel(modelId, order, models))),
      device: options.settings().device,
      ...pickDefined(order, keysOf(finishingChoices)),
    };
    return await shown(await engine.work('preview', request, previewLimitMs), folder, models);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @throws EnlargerError MODEL_UNAVAILABLE */
async function openModel(
  modelId: string,
  { operation, scale }: PreviewOrder,
  models: PreviewOptions['models'],
): Promise<PreviewModel> {
  if (operation === 'remove-bg') return { modelId, mask: await models.openMaskNetwork(modelId) };
  const made = scaleReaching(models.scalesOf(modelId), scale) ?? scale;
  return { modelId, passes: await models.openPasses(modelId, made) };
}

async function shown(
  { made, measured, sourcePath, x, y, width, height }: PreviewResponse,
  folder: string,
  models: PreviewOptions['models'],
): Promise<Previews> {
  const nameOf = (modelId: string) => models.find(modelId)?.name ?? modelId;
  const previews: Preview[] = [];
  const problems: PreviewProblem[] = [];
  for (const one of made) {
    const about = { model: one.modelId, name: nameOf(one.modelId) };
    if (isProblem(one)) problems.push({ ...about, code: one.code, message: one.message });
    else
      previews.push({
        ...about,
        imageUrl: await dataUrlOf(one.path, folder),
        durationMs: Math.round(one.durationMs),
      });
  }
  return {
    previews,
    problems,
    ...(measured && { measured }),
    source: { imageUrl: await dataUrlOf(sourcePath, folder), x, y, width, height },
  };
}

const isProblem = (made: PreviewResult): made is Extract<PreviewResult, { code: string }> =>
  'code' in made;

/** Of a part of a photo, without compression. */
const maxPreviewBytes = 128 * 1024 * 1024;

/** The path is the engine's word. */
async function dataUrlOf(path: string, folder: string): Promise<string> {
  const png = await readPlainFileIn(folder, path, maxPreviewBytes);
  return `data:image/png;base64,${png.toString('base64')}`;
}

function asRefusal(error: unknown): unknown {
  if (!(error instanceof EngineDied)) return error;
  const message = 'The engine ended while it made the preview. Try again, or another picture.';
  return new EnlargerError('MODEL_UNAVAILABLE', message, { cause: error });
}
