/** What the engine's main thread and its inference thread say to each other. */
import type { TaskErrorCode } from '../../contract/errors.ts';
import type { DeviceUse } from '../../contract/task.ts';
import type { DeviceReport, NetworkFile, Provider } from '../protocol.ts';
import type { CheckOutcome, CheckRequest } from './check.ts';

/** What the thread is started with. */
export interface InferenceOptions {
  /** Where outcomes of checks and speeds are kept between starts. */
  cacheDir: string;
  /** The engine's entry, for checks in a process that may die. */
  enginePath: string;
}

export interface PassRequest {
  passId: number;
  inputPath: string;
  /** Created by the pass; on a second try the first one's is replaced. */
  outputPath: string;
  network: NetworkFile;
  bits: 8 | 16;
  device: 'auto' | Provider;
  /** One int32: not zero means stop at the next tile. */
  stop: SharedArrayBuffer;
}

export interface PassDone {
  device: DeviceUse;
  notes: string[];
  tiles: number;
  sizePx: number;
  computedPerCore: number;
}

export type ToInference =
  { kind: 'pass'; request: PassRequest } | { kind: 'check'; request: CheckRequest };

export type FromInference =
  | { kind: 'known'; report: DeviceReport }
  /** A session is there and tiles begin. `seconds` by measured speed, if there is one. */
  | { kind: 'begun'; passId: number; seconds: number | undefined }
  | { kind: 'tile'; passId: number; done: number; total: number }
  | { kind: 'done'; passId: number; report: PassDone }
  | { kind: 'failed'; passId: number; code: TaskErrorCode; message: string }
  | { kind: 'checked'; outcome: CheckOutcome };
