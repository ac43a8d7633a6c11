/** Crops through models, for a person to choose by. One at a time: each cuts in on the running task. */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnyScale } from '../../contract/common.ts';
import { EnlargerError } from '../../contract/errors.ts';
import {
  previewSidePx,
  type Preview,
  type PreviewProblem,
  type Previews,
} from '../../contract/picture.ts';
import type { Restore } from '../../contract/submit.ts';
import { EngineDied, type EngineHost } from '../../engine/host.ts';
import type { OpenedPicture, PreviewAnswer, PreviewMade } from '../../engine/protocol.ts';
import type { ModelCatalogue } from '../models/catalogue.ts';
import type { StoredSource } from '../store/stored-task.ts';
import { atMost } from './at-most.ts';
import type { LocalSourceOptions } from '../sources/local-source.ts';
import { createOpenedPictures } from './opened-pictures.ts';

export interface PreviewOrder {
  source: StoredSource;
  x: number;
  y: number;
  scale: AnyScale;
  /** As a submit's; absent: 'auto'. */
  restore: Restore | undefined;
  /** Ids of installed models. */
  models: string[];
}

export interface PreviewMaker {
  /** Throws the source's refusals, MODEL_UNAVAILABLE, and CANCELLED when the signal fired before its turn. */
  make(order: PreviewOrder, signal: AbortSignal): Promise<Previews>;
  close(): Promise<void>;
}

export interface PreviewOptions extends LocalSourceOptions {
  engine: Pick<EngineHost, 'work'>;
  models: Pick<ModelCatalogue, 'openPasses' | 'find'>;
}

/** Beside a running task of a slow network, a tile may take seconds. */
const previewLimitMs = 180_000;

export function createPreviews(options: PreviewOptions): PreviewMaker {
  const opened = createOpenedPictures(options);
  const inTurn = atMost(1);
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
  { x, y, scale, restore, models: ids }: PreviewOrder,
  options: PreviewOptions,
): Promise<Previews> {
  const { engine, models, scratchDir } = options;
  const folder = join(scratchDir, `preview-${randomUUID()}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const wanted = await Promise.all(
      ids.map(async (modelId) => ({ modelId, passes: await models.openPasses(modelId, scale) })),
    );
    const { device } = options.settings();
    const sizePx = previewSidePx[scale];
    const wish = restore === undefined ? {} : { restore };
    const asked = { picture, scratchDir: folder, x, y, sizePx, models: wanted, device, ...wish };
    return await shown(await engine.work('preview', asked, previewLimitMs), models);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function shown(
  { made, sourcePath, x, y, width, height }: PreviewAnswer,
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
        imageUrl: await dataUrlOf(one.path),
        durationMs: Math.round(one.durationMs),
      });
  }
  return {
    previews,
    problems,
    source: { imageUrl: await dataUrlOf(sourcePath), x, y, width, height },
  };
}

const isProblem = (made: PreviewMade): made is Extract<PreviewMade, { code: string }> =>
  'code' in made;

async function dataUrlOf(path: string): Promise<string> {
  return `data:image/png;base64,${(await readFile(path)).toString('base64')}`;
}

function asRefusal(error: unknown): unknown {
  if (!(error instanceof EngineDied)) return error;
  const message = 'The engine ended while it made the preview. Try again, or another picture.';
  return new EnlargerError('MODEL_UNAVAILABLE', message, { cause: error });
}
