/**
 * The inspector process reads untrusted files: headers, thumbnails and metadata. It handles one file at a
 * time, so that a file that makes it hang or crash is known, and no job is harmed. It starts with the first
 * request and ends when idle.
 */
import type { EngineDied, EngineProcessHandle } from './engine-process-handle.ts';
import { checkHealth, type WatchLimits } from './watchdog.ts';

export interface InspectorProcess {
  /** Queues a request. @throws EngineDied, blamed, if the process ended meanwhile */
  request: EngineProcessHandle['request'];
  /** Ends the process if it hangs, takes too much memory or is idle; to be called a few times a second. */
  watch(): void;
  /** Ends the process and rejects its requests. Resolves when it has exited. */
  close(): Promise<void>;
}

interface InspectorOptions {
  /** Starts the process, which calls `onEnd` if it exits by itself. */
  start: (onEnd: (how: string) => void) => EngineProcessHandle;
  nowMs: () => number;
  limits: WatchLimits;
  onEnded(process: EngineProcessHandle, reason: EngineDied['reason'], message: string): void;
}

/** An idle process holds some 100 MB. */
const idleMs = 60_000;

export function createInspectorProcess(options: InspectorOptions): InspectorProcess {
  const { nowMs, limits } = options;
  let running: EngineProcessHandle | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let pending = 0;
  let usedAtMs = 0;
  const end = (ended: EngineProcessHandle, reason: EngineDied['reason'], message: string) => {
    if (running !== ended) return;
    running = undefined;
    options.onEnded(ended, reason, message);
    ended.end(reason, message, () => true);
  };
  const ensureRunning = () => {
    if (running) return running;
    const started = options.start((how) =>
      end(started, 'exit', `The process that looks at pictures ended (${how}).`),
    );
    running = started;
    return started;
  };
  return {
    request(kind, request, limitMs) {
      pending += 1;
      const response = last
        .then(() => ensureRunning().request(kind, request, limitMs))
        .finally(() => {
          pending -= 1;
          usedAtMs = nowMs();
        });
      last = response.catch(() => undefined);
      return response;
    },
    watch() {
      if (!running) return;
      const verdict = checkHealth(running.snapshot(), nowMs(), limits);
      if (verdict) end(running, verdict.reason, verdict.message);
      else if (pending === 0 && nowMs() - usedAtMs > idleMs) {
        running.process.kill();
        running = undefined;
      }
    },
    async close() {
      const ended = running;
      if (!ended) return;
      end(ended, 'exit', 'The service is closing.');
      await ended.process.ended;
    },
  };
}
