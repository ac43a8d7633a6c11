/**
 * The process in which untrusted files are looked at: their heads, thumbnails and metadata. It looks at one
 * file at a time, so that the file that makes it hang or die is known, and no job is harmed. The process
 * starts with the first look and ends when nothing was asked for a while.
 */
import type { EngineDied, EngineLife } from './engine-life.ts';
import { judge, type WatchLimits } from './judge.ts';

export interface LookProcess {
  /** Asks in its turn. It rejects with EngineDied, blamed, when the process ended meanwhile. */
  ask: EngineLife['ask'];
  /** Ends the process when it hangs, takes too much memory or is idle; it is called a few times a second. */
  watch(): void;
  /** Ends the process; open and waiting questions reject. The promise resolves when the process is gone. */
  close(): Promise<void>;
}

interface LookProcessOptions {
  /** Starts the process, which calls `onEnd` when it ended by itself. */
  start: (onEnd: (how: string) => void) => EngineLife;
  nowMs: () => number;
  limits: WatchLimits;
  onEnded(life: EngineLife, reason: EngineDied['reason'], message: string): void;
}

/** An idle process is ended after this time, because it holds some 100 MB. */
const idleMs = 60_000;

export function createLookProcess(options: LookProcessOptions): LookProcess {
  const { nowMs, limits } = options;
  let life: EngineLife | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let open = 0;
  let usedAtMs = 0;
  const end = (ended: EngineLife, reason: EngineDied['reason'], message: string) => {
    if (life !== ended) return;
    life = undefined;
    options.onEnded(ended, reason, message);
    ended.end(reason, message, () => true);
  };
  const living = () => {
    if (life) return life;
    const started = options.start((how) =>
      end(started, 'exit', `The process that looks at pictures ended (${how}).`),
    );
    life = started;
    return started;
  };
  return {
    ask(kind, asked, limitMs) {
      open += 1;
      const answer = last
        .then(() => living().ask(kind, asked, limitMs))
        .finally(() => {
          open -= 1;
          usedAtMs = nowMs();
        });
      last = answer.catch(() => undefined);
      return answer;
    },
    watch() {
      if (!life) return;
      const verdict = judge(life.watched(), nowMs(), limits);
      if (verdict) end(life, verdict.reason, verdict.message);
      else if (open === 0 && nowMs() - usedAtMs > idleMs) {
        life.process.kill();
        life = undefined;
      }
    },
    async close() {
      const ended = life;
      if (!ended) return;
      end(ended, 'exit', 'The service is closing.');
      await ended.process.ended;
    },
  };
}
