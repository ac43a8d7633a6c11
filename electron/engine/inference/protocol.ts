/** What the engine's main thread and its inference thread say to each other. */
import type { TaskErrorCode } from '../../contract/errors.ts';
import type { Precision } from '../../contract/model.ts';
import type { DeviceUse } from '../../contract/task.ts';
import type { Mask } from '../works/cutout/mask/mask-tensor.ts';
import type {
  DeviceChoice,
  DeviceReport,
  MaskNetworkFile,
  Measured,
  NetworkFile,
  Provider,
  SpeedMeasurement,
} from '../protocol.ts';
import type { Room } from '../room.ts';
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
  /** What the network is told of the picture's damage; zeros when absent. */
  condition?: readonly number[];
  device: DeviceChoice;
  /**
   * A preview's: it runs between two tiles of the pass that runs, on what is known of devices already, and
   * nothing is measured or learned of it.
   */
  cutsIn?: boolean;
  /** How long networks stay loaded when nothing runs; absent: as before. */
  keepAliveMs?: number;
  /** What of the machine it takes; absent: what it wants. */
  room?: Room;
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

export interface MaskRequest {
  passId: number;
  network: MaskNetworkFile;
  /** The picture as the network takes it. */
  tensor: Float32Array<ArrayBuffer>;
  width: number;
  height: number;
  device: DeviceChoice;
  /** A preview's, as of a pass. */
  cutsIn?: boolean;
  /** As of a pass. */
  keepAliveMs?: number;
  room?: Room;
  /** One int32: not zero means that it is no longer wanted. */
  stop: SharedArrayBuffer;
}

export interface MaskDone {
  mask: Mask;
  provider: Provider;
  device: DeviceUse;
  notes: string[];
}

export interface MeasureRequest {
  network: NetworkFile;
  device: DeviceChoice;
}

/** What was found out about a network on a device. */
export interface FoundOutcome {
  precision: Precision;
  provider: Provider;
  outcome: CheckOutcome;
}

export type ToInference =
  | { kind: 'pass'; request: PassRequest }
  | { kind: 'mask'; request: MaskRequest }
  | { kind: 'check'; request: CheckRequest }
  /** Finds out all about a network, and keeps nothing of it. */
  | { kind: 'measure'; request: MeasureRequest }
  /** Keeps what was found elsewhere, and says what is known by then. */
  | { kind: 'learn'; learnId: number; request: MeasureRequest; found: FoundOutcome[] }
  /** What the engine measured of a whole way of a picture. */
  | { kind: 'speed'; speed: SpeedMeasurement };

export type FromInference =
  | { kind: 'known'; report: DeviceReport }
  /** A session is there and tiles begin. `seconds` by measured speed, if there is one. */
  | { kind: 'begun'; passId: number; seconds: number | undefined }
  | { kind: 'tile'; passId: number; done: number; total: number }
  | { kind: 'done'; passId: number; report: PassDone }
  | { kind: 'masked'; passId: number; report: MaskDone }
  | { kind: 'failed'; passId: number; code: TaskErrorCode; message: string }
  | { kind: 'checked'; outcome: CheckOutcome }
  | { kind: 'found'; found: FoundOutcome[] }
  /** Without what was measured: not all is known. */
  | { kind: 'learned'; learnId: number; measured?: Measured };
