import type { Log } from '../../packages/contract/src/log.ts';
import { createEngineHost } from '../engine/host/host.ts';
import type { ApiLimits } from '../../packages/http/src/index.ts';
import type { Clock } from './timing/clock.ts';
import type { PoolTimes } from '../../packages/pool/src/index.ts';
import type { WatchTimes } from './watches/watches.ts';

export interface ServiceOptions extends ServiceTestOptions {
  /** Created if missing. One service at a time. */
  dataDir: string;
  /** Undefined: 8617 or the next free port; 0: any. */
  port?: number;
  /** Granted for this run, in addition to the stored ones. */
  allowFolders?: string[];
  allowLocalSources?: boolean;
  /** Only its starter finds it, and nothing runs: no waiting task, watched folder, pool, webhook or measurement. */
  isPrivate?: boolean;
  /** Port for programs of other services in this run; 0: any; undefined: by the settings. */
  compatPort?: number;
  enginePath: string;
  /** Path of the Node binary that runs the engine. */
  nodePath: string;
  modelsDir: string;
  pageDir: string;
  version: string;
  log: Log;
}

/** Set by tests only. */
export interface ServiceTestOptions {
  clock?: Clock;
  /** Replaces the engine process. */
  createEngine?: typeof createEngineHost;
  limits?: Partial<ApiLimits>;
  watchTimes?: Partial<WatchTimes>;
  poolTimes?: Partial<PoolTimes>;
  /** False skips the measurement of the default model at start. */
  measuresAtStart?: boolean;
}
