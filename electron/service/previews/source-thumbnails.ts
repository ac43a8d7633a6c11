/** Thumbnails of sources without a task, two at a time. Nothing is stored. */
import { join } from 'node:path';
import type { Thumbnail } from '../../../packages/contract/src/picture.ts';
import type { EngineHost } from '../../engine/host/host.ts';
import { readPlainFile } from '../../../packages/files/src/plain-file.ts';
import type { TaskSource } from '../store/tasks/task.ts';
import { limitConcurrency } from '../timing/limit-concurrency.ts';
import { withLocalSource, type LocalSourceOptions } from '../sources/local-source.ts';
import { refusalOf } from './single-flight.ts';

export interface SourceThumbnails {
  /** @throws EnlargerError NOT_FOUND if the source has no thumbnail */
  make(source: TaskSource, sidePx: number): Promise<Thumbnail>;
}

const concurrency = 2;
const limitMs = 60_000;
const maxThumbnailBytes = 16 * 1024 * 1024;

export function createSourceThumbnails(
  options: LocalSourceOptions & { engine: Pick<EngineHost, 'inspect' | 'work'> },
): SourceThumbnails {
  const { engine } = options;
  const inTurn = limitConcurrency(concurrency);
  return {
    make: (source, sidePx) =>
      inTurn(() =>
        withLocalSource(source, options, async (picture) => {
          const toPath = join(picture.scratchDir, 'thumbnail.webp');
          const { width, height } = await engine.inspect(picture.sourcePath, picture.limits);
          await engine.work('thumbnail', { ...picture, toPath, sidePx }, limitMs);
          const bytes = await readPlainFile(toPath, maxThumbnailBytes);
          return { imageUrl: `data:image/webp;base64,${bytes.toString('base64')}`, width, height };
        }).catch((error: unknown) => {
          throw refusalOf(error);
        }),
      ),
  };
}
