/** Megapixels of sources a second that this machine does of a model, over whole tasks, two of which overlap. */
import { mixedSpeed } from '../../../engine/speeds.ts';

interface OwnSpeeds {
  /** @param startedMs when its work began; @param endedMs both of one clock */
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
      speeds.set(model, mixedSpeed(speeds.get(model), megapixels / seconds));
    },
    of: (model) => speeds.get(model),
  };
}
