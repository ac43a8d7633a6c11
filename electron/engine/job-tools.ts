/** What every job is given. */
import type { InferenceThread } from './inference/thread.ts';
import type { JobProgress } from './protocol.ts';
import type { Turn } from './turn.ts';

export interface JobTools {
  inference: InferenceThread;
  turn: Turn;
}

export interface JobHooks {
  signal: AbortSignal;
  onProgress: (progress: JobProgress, nextWithinMs: number) => void;
}
