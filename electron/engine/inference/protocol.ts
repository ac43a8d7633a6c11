/** What the engine's main thread and its inference thread say to each other. */
import type { Precision } from '../../contract/model.ts';
import type { DeviceUse } from '../../contract/task.ts';
import type { Mask } from '../works/cutout/mask/mask-tensor.ts';
import type {
  DeviceChoice,
  Known,
  MaskNetworkFile,
  Measured,
  NetworkFile,
  Provider,
  SpeedMeasurement,
} from '../protocol.ts';
import type { Room } from '../room.ts';
import type { Said } from '../rpc.ts';
import type { WantedPart } from '../works/upscale/pass/wanted-part.ts';
import type { CheckOutcome, CheckRequest } from './checks/check.ts';

/** What the thread is started with. */
export interface InferenceOptions {
  /** Where outcomes of checks and speeds are kept between starts. */
  cacheDir: string;
  /** The engine's entry, for checks in a process that may die. */
  enginePath: string;
}

export interface PassRequest {
  inputPath: string;
  /** Created by the pass; on a second try the first one's is replaced. */
  outputPath: string;
  network: NetworkFile;
  bits: 8 | 16;
  /** What the network is told of the picture's damage; zeros when absent. */
  condition?: readonly number[];
  /** Elsewhere pixels are only repeated; absent: all of the picture is wanted. */
  wanted?: WantedPart;
  device: DeviceChoice;
  /**
   * It is a preview's and preempts the pass that runs, between two tiles of it: on what is known of devices already, and
   * nothing is measured or learned of it.
   */
  preempts?: boolean;
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
  network: MaskNetworkFile;
  /** The picture as the network takes it. */
  tensor: Float32Array<ArrayBuffer>;
  width: number;
  height: number;
  device: DeviceChoice;
  /** A preview's, as of a pass. */
  preempts?: boolean;
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

/** Said of a pass while it runs. */
export type PassNews =
  /** A session is there and tiles begin. `seconds` by measured speed, if there is one. */
  { seconds: number | undefined } | { done: number; total: number };

/** What the thread can be asked. */
export interface InferenceCalls {
  pass: { asked: PassRequest; answer: PassDone; news: PassNews };
  mask: { asked: MaskRequest; answer: MaskDone };
  check: { asked: CheckRequest; answer: CheckOutcome };
  /** Finds out all about a network, and keeps nothing of it. */
  measure: { asked: MeasureRequest; answer: FoundOutcome[] };
  /** Keeps what was found elsewhere, and says what is known by then; undefined: not all. */
  learn: { asked: MeasureRequest & { found: FoundOutcome[] }; answer: Measured | undefined };
  /** What the engine measured of a whole way of a picture. */
  speed: { asked: SpeedMeasurement; answer: unknown };
}

/** Unasked: what is known of devices and speeds, at the start and whenever it changed. */
export type FromInference = Said | { known: Known };
