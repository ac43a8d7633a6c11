/** Header inspection, plan preview and thumbnails, run beside the engine's jobs. */
import { pickDefined } from '../../../packages/contract/src/pick-defined.ts';
import type { PictureInfo } from '../../../packages/contract/src/task.ts';
import type { EngineHost } from '../../engine/host/host.ts';
import type { Limits, SourceInspection } from '../../engine/protocol/messages.ts';
import { limitsOf } from '../sources/local-source.ts';
import type { TaskWork } from '../store/tasks/task.ts';
import { planEstimate, type PlanDeps } from './estimate-work.ts';

const thumbnailLimitMs = 300_000;

export interface PlanPreviews {
  /** Plans the result from the source's header. Throws what the task would fail with. */
  planPreview(
    task: TaskWork,
    sourcePath: string,
  ): Promise<{ input: PictureInfo; output: PictureInfo }>;
  /** @throws EnlargerError UNREADABLE_IMAGE or IMAGE_TOO_LARGE */
  inspectResult(path: string): Promise<PictureInfo>;
  /** Same thumbnail as a job makes of its result. */
  makeThumbnail(sourcePath: string, toPath: string, scratchDir: string): Promise<void>;
}

export function createPlanPreviews(
  deps: PlanDeps & { engine: Pick<EngineHost, 'inspect' | 'work'> },
): PlanPreviews {
  const { engine, settings } = deps;
  /** A result may exceed the limit of sources. */
  const resultLimits = (): Limits => {
    const { resultPixels } = limitsOf(settings.get());
    return { sourcePixels: resultPixels, resultPixels };
  };
  return {
    async planPreview(task, sourcePath) {
      const source = await engine.inspect(sourcePath, limitsOf(settings.get()));
      const { width, height, format } = planEstimate(source, task, deps);
      const input = pictureOf(source);
      return { input, output: { ...input, width, height, format } };
    },
    inspectResult: async (path) => pictureOf(await engine.inspect(path, resultLimits())),
    async makeThumbnail(sourcePath, toPath, scratchDir) {
      const request = { sourcePath, toPath, scratchDir, limits: resultLimits() };
      await engine.work('thumbnail', request, thumbnailLimitMs);
    },
  };
}

export const pictureOf = (found: SourceInspection): PictureInfo => {
  const { format, width, height, bitDepth, channels, sizeBytes } = found;
  return {
    ...{ format, width, height, bitDepth, channels, sizeBytes },
    ...pickDefined(found, ['frames', 'capturedAt']),
  };
};
