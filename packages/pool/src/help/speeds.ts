/**
 * Throughput of this machine per model in source megapixels per second, over whole tasks, two of which
 * overlap.
 */
import { averagedSpeed } from '../../../../electron/engine/plan/speeds.ts';

interface OwnSpeeds {
  /**
   * @param startedMs start of the task
   * @param endedMs its end, by the same clock
   */
  ended(model: string, megapixels: number, startedMs: number, endedMs: number): void;
  of(model: string): number | undefined;
}

export function createOwnSpeeds(): OwnSpeeds {
  const speeds = new Map<string, number>();
  let lastEndMs = -Infinity;
  return {
    ended(model, megapixels, startedMs, endedMs) {
      const seconds = (endedMs - Math.max(startedMs, lastEndMs)) / 1000;
      lastEndMs = endedMs;
      if (seconds <= 0 || megapixels <= 0) return;
      speeds.set(model, averagedSpeed(speeds.get(model), megapixels / seconds));
    },
    of: (model) => speeds.get(model),
  };
}
