/** Tells the steps of an attempt what they need of pictures beside their work: headers, plans, thumbnails. */
import type { PictureInfo } from '../../contract/task.ts';
import type { EngineHost } from '../../engine/host.ts';
import type { Limits, SourceInspection } from '../../engine/protocol.ts';
import { limitsOf } from '../sources/local-source.ts';
import type { TaskSteps } from '../tasks/running/steps.ts';
import { planEstimate, type PlanDeps } from './estimate-work.ts';

const thumbnailLimitMs = 300_000;

export function createForesight(
  deps: PlanDeps & { engine: Pick<EngineHost, 'inspect' | 'work'> },
): Pick<TaskSteps, 'foresee' | 'inspectResult' | 'makeThumbnail'> {
  const { engine, settings } = deps;
  /** The limit of a source does not apply to results, because a result may be larger than any source. */
  const resultLimits = (): Limits => {
    const { resultPixels } = limitsOf(settings.get());
    return { sourcePixels: resultPixels, resultPixels };
  };
  return {
    async foresee(task, sourcePath) {
      const source = await engine.inspect(sourcePath, limitsOf(settings.get()));
      const { width, height, format } = planEstimate(source, task, deps);
      const input = pictureOf(source);
      return { input, output: { ...input, width, height, format } };
    },
    inspectResult: async (path) => pictureOf(await engine.inspect(path, resultLimits())),
    async makeThumbnail(sourcePath, toPath, scratchDir) {
      const asked = { sourcePath, toPath, scratchDir, limits: resultLimits() };
      await engine.work('thumbnail', asked, thumbnailLimitMs);
    },
  };
}

export const pictureOf = (found: SourceInspection): PictureInfo => {
  const { format, width, height, bitDepth, channels, sizeBytes, capturedAt } = found;
  const info = { format, width, height, bitDepth, channels, sizeBytes };
  return capturedAt === undefined ? info : { ...info, capturedAt };
};
