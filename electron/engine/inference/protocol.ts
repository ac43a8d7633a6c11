/** The messages between the engine's main thread and its inference thread. */
import type { Precision } from '../../contract/models/model.ts';
import type { DeviceUse } from '../../contract/task.ts';
import type { Mask } from '../tiles/mask-tensor.ts';
import type {
  DeviceChoice,
  Known,
  MaskNetworkFile,
  Measured,
  NetworkFile,
  Provider,
  SpeedMeasurement,
} from '../protocol/messages.ts';
import type { Room } from '../protocol/room.ts';
import type { Said } from '../protocol/rpc.ts';
import type { PassReport } from '../tiles/run-pass.ts';
import type { RegionMask } from '../tiles/region-mask.ts';
import type { CheckOutcome, CheckRequest } from './checks/check.ts';

/** The data with which the thread is started. */
export interface InferenceOptions {
  /** The folder in which outcomes of checks and speeds are kept between starts; without one, nothing is. */
  cacheDir?: string;
  /** The engine's entry, for checks in a process that may die of them. */
  enginePath: string;
}

export interface PassRequest {
  inputPath: string;
  /** The pass creates this file; a second try replaces that of the first one. */
  outputPath: string;
  network: NetworkFile;
  bits: 8 | 16;
  /** What the network is told of the picture's damage; absent: zeros. */
  condition?: readonly number[];
  /** The part to compute; elsewhere pixels are only repeated. Absent: all of the picture is computed. */
  wanted?: RegionMask;
  device: DeviceChoice;
  /**
   * Whether the pass is a preview's and preempts the running pass between two tiles. It runs on the devices
   * that are known already, and nothing is measured or learned from it.
   */
  preempts?: boolean;
  /** It tells how long networks stay loaded when nothing runs; absent: the last length stays. */
  keepAliveMs?: number;
  /** It tells how much of the machine the pass takes; absent: it is not limited. */
  room?: Room;
  /** One int32: when it is not zero, the pass stops at the next tile. */
  stop: SharedArrayBuffer;
}

export interface PassDone extends PassReport {
  device: DeviceUse;
  notes: string[];
}

export interface MaskRequest {
  network: MaskNetworkFile;
  /** The picture as the network takes it. */
  tensor: Float32Array<ArrayBuffer>;
  width: number;
  height: number;
  device: DeviceChoice;
  /** It tells whether the mask is a preview's, as in a pass. */
  preempts?: boolean;
  /** It tells how long networks stay loaded, and how much of the machine is taken, as in a pass. */
  keepAliveMs?: number;
  room?: Room;
  /** One int32: when it is not zero, the mask is no longer wanted. */
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

/** The outcome of a network in one precision on one device. */
export interface FoundOutcome {
  precision: Precision;
  provider: Provider;
  outcome: CheckOutcome;
}

/** The news of a pass while it runs. */
export type PassNews =
  /** A session is there and tiles begin. `seconds` is what they take by measured speed, if there is one. */
  { seconds: number | undefined } | { done: number; total: number };

/** The questions that the thread answers. */
export interface InferenceCalls {
  pass: { asked: PassRequest; answer: PassDone; news: PassNews };
  mask: { asked: MaskRequest; answer: MaskDone };
  check: { asked: CheckRequest; answer: CheckOutcome };
  /** Measures a network on every device, and keeps no outcome. */
  measure: { asked: MeasureRequest; answer: FoundOutcome[] };
  /** Keeps outcomes that were found elsewhere, and gives the network's speed; undefined: some are missing. */
  learn: { asked: MeasureRequest & { found: FoundOutcome[] }; answer: Measured | undefined };
  /** Keeps the speed that the engine measured over a whole job. */
  speed: { asked: SpeedMeasurement; answer: unknown };
}

/**
 * The thread answers, and tells unasked what it knows of devices and speeds, first and after each change, and
 * which network runs with defaults, because it was never measured.
 */
export type FromInference = Said | { known: Known } | { unmeasured: MeasureRequest };
