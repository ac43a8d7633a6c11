import type { Log } from '../contract/log.ts';
import { createEngineHost } from '../engine/host/host.ts';
import type { ApiLimits } from './http/server.ts';
import type { Clock } from './clock.ts';
import type { PoolTimes } from './pool/pool.ts';
import type { WatchTimes } from './watches/watches.ts';

export interface ServiceOptions extends ServiceTestOptions {
  /** The folder is made when it is missing. One service at a time holds it. */
  dataDir: string;
  /** Undefined means 8617 or the next free one, 0 any. */
  port?: number;
  /** These folders are granted for this run, beside the stored ones. */
  allowFolders?: string[];
  allowLocalSources?: boolean;
  /** Programs written for other services are answered on this port in this run; 0 means any, undefined the setting. */
  compatPort?: number;
  enginePath: string;
  /** This Node runs the engine. */
  nodePath: string;
  modelsDir: string;
  pageDir: string;
  version: string;
  log: Log;
}

/** Only tests set these. */
export interface ServiceTestOptions {
  clock?: Clock;
  /** Makes the engine in the place of one in a process of its own. */
  createEngine?: typeof createEngineHost;
  limits?: Partial<ApiLimits>;
  watchTimes?: Partial<WatchTimes>;
  poolTimes?: Partial<PoolTimes>;
  /** False keeps the default model from being measured ahead of the first photo. */
  measuresAtStart?: boolean;
}
