/** Messages between the engine's main thread and its inference thread. */
import type { Precision } from '../../../packages/contract/src/models/model.ts';
import type { DeviceUse, PictureInfo } from '../../../packages/contract/src/task.ts';
import type { FeatureTensor, Mask } from '../tiles/mask-tensor.ts';
import type {
  AnyNetworkFile,
  BlurNetworkFile,
  ClickNetworkFile,
  DeviceChoice,
  DeviceKnowledge,
  MaskNetworkFile,
  SpeedResult,
  NetworkFile,
  PromptNetworkFile,
  Provider,
  SpeedMeasurement,
} from '../protocol/messages.ts';
import type { Blur } from '../protocol/damage.ts';
import type { ResourceBudget } from '../protocol/resource-budget.ts';
import type { RpcReply } from '../protocol/rpc.ts';
import type { PromptQuestion } from './sessions/prompt-session.ts';
import type { PassReport } from '../tiles/run-pass.ts';
import type { RegionMask } from '../tiles/region-mask.ts';
import type { CheckOutcome, CheckRequest } from './checks/check.ts';

/** Start data of the thread. */
export interface InferenceOptions {
  /** Folder of check outcomes and speeds; absent: they are not persisted. */
  cacheDir?: string;
  /** The engine's entry, for checks in a process that may crash. */
  enginePath: string;
}

export interface PassRequest {
  inputPath: string;
  /** Created by the pass; a second attempt replaces it. */
  outputPath: string;
  network: NetworkFile;
  bits: 8 | 16;
  /** Condition by the picture's damage; absent: zeros. */
  condition?: readonly number[];
  /** Region to compute; other pixels are enlarged without the network. Absent: the whole picture. */
  region?: RegionMask;
  device: DeviceChoice;
  /**
   * Whether the pass is a preview and preempts the running pass between two tiles. It uses devices known
   * already, and nothing is measured or recorded.
   */
  preempts?: boolean;
  /** How long networks stay loaded when nothing runs; absent: as before. */
  keepAliveMs?: number;
  /** Absent: not limited. */
  budget?: ResourceBudget;
  /** One int32: non-zero stops the pass at the next tile. */
  stopFlag: SharedArrayBuffer;
}

/** Columns of a pass that two threads share, on the CPU. */
export interface ColumnsRequest extends Pick<
  PassRequest,
  'inputPath' | 'outputPath' | 'network' | 'condition' | 'keepAliveMs' | 'budget' | 'stopFlag'
> {
  precision: Precision;
  /** Which columns are taken, and whether to wait or to stop (shared-columns.ts). */
  shared: SharedArrayBuffer;
}

/** A network of which the other thread is to run columns. */
export type PrepareColumnsRequest = Pick<
  ColumnsRequest,
  'network' | 'precision' | 'keepAliveMs' | 'budget'
>;

export interface PassResult extends PassReport {
  device: DeviceUse;
  notes: string[];
}

export interface MaskRequest {
  network: MaskNetworkFile;
  /** The picture as the network's input. */
  tensor: Float32Array<ArrayBuffer>;
  width: number;
  height: number;
  device: DeviceChoice;
  /** Whether the features for the network of clicks are wanted, too. */
  withFeatures?: boolean;
  /** As in a pass. */
  preempts?: boolean;
  /** As in a pass. */
  keepAliveMs?: number;
  budget?: ResourceBudget;
  /** One int32: non-zero cancels the mask. */
  stopFlag: SharedArrayBuffer;
}

export interface MaskResult {
  mask: Mask;
  /** Those of the network of clicks, in its order; absent: not requested. */
  features?: FeatureTensor[];
  provider: Provider;
  device: DeviceUse;
  notes: string[];
}

/** A network that a later pass or mask uses. */
export interface PrepareRequest {
  network: AnyNetworkFile;
  device: DeviceChoice;
  /** What is to run through it; absent: not known. */
  picture?: Pick<PictureInfo, 'width' | 'height' | 'channels'>;
  /** As in a pass. */
  keepAliveMs?: number;
  budget?: ResourceBudget;
}

/** A mask is corrected on the CPU, where one answer takes some hundredths of a second. */
export interface ClickRequest {
  network: ClickNetworkFile;
  features: FeatureTensor[];
  /** The mask before, what to keep and what to remove, one plane after the other. */
  hints: Float32Array;
  /** As in a pass. */
  preempts?: boolean;
  keepAliveMs?: number;
  budget?: ResourceBudget;
}

/** As in a pass. */
type RunChoices = Pick<PassRequest, 'preempts' | 'keepAliveMs' | 'budget'>;

/** A photo is shown to an encoder once, on the CPU. */
export interface EncodeRequest extends RunChoices {
  network: PromptNetworkFile;
  picture: FeatureTensor;
}

/** Prompts are answered by a decoder on the CPU. */
export interface PromptRequest extends RunChoices, PromptQuestion {
  network: PromptNetworkFile;
}

/** Patches are measured on the CPU, beside the passes. */
export interface BlurRequest {
  network: BlurNetworkFile;
  /** [n, 3, 64, 64], RGB 0..1. */
  patches: Float32Array<ArrayBuffer>;
  /** Of the last JPEG compression, or its equivalent; absent: not known. */
  jpegQuality?: number;
}

export interface MeasureRequest {
  network: AnyNetworkFile;
  device: DeviceChoice;
}

/** Outcome of a network in one precision on one device. */
export interface FoundOutcome {
  precision: Precision;
  provider: Provider;
  outcome: CheckOutcome;
}

/** Events of a running pass. */
export type PassEvent =
  /** A session is open and tiles begin. `seconds` is the predicted time, if a speed is known. */
  { seconds: number | undefined } | { done: number; total: number };

/** The requests that the thread serves. */
export interface InferenceCalls {
  pass: { request: PassRequest; response: PassResult; event: PassEvent };
  /** On the thread beside the one of the pass. `done` counts its own columns, and a fraction. */
  columns: { request: ColumnsRequest; response: unknown; event: { done: number } };
  prepareColumns: { request: PrepareColumnsRequest; response: unknown };
  mask: { request: MaskRequest; response: MaskResult };
  /** Loads what does not depend on the picture. */
  prepare: { request: PrepareRequest; response: unknown };
  clicks: { request: ClickRequest; response: Mask };
  encode: { request: EncodeRequest; response: FeatureTensor[] };
  prompts: { request: PromptRequest; response: Mask };
  blur: { request: BlurRequest; response: Blur };
  check: { request: CheckRequest; response: CheckOutcome };
  /** Measures a network on every device; outcomes are not stored. */
  measure: { request: MeasureRequest; response: FoundOutcome[] };
  /**
   * Stores outcomes measured elsewhere. The response is the network's speed; undefined: outcomes are missing.
   */
  learn: { request: MeasureRequest & { found: FoundOutcome[] }; response: SpeedResult | undefined };
  /** Records the speed that the engine measured over a whole job. */
  speed: { request: SpeedMeasurement; response: unknown };
}

/**
 * Replies, and unsolicited messages: the device knowledge, at the start and after each change, and networks
 * that run with defaults because they were never measured.
 */
export type FromInference = RpcReply | { known: DeviceKnowledge } | { unmeasured: MeasureRequest };
