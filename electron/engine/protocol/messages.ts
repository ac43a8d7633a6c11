/**
 * Messages between the service and the engine process, sent over Node's child-process channel with advanced
 * serialisation. They hold paths and options, never pixels.
 */
import type { BitDepth } from '../../../packages/contract/src/common.ts';
import type { OutputFormat } from '../../../packages/contract/src/formats.ts';
import type {
  GraphicsCard,
  BlurNetworkDescriptor,
  ClickNetworkDescriptor,
  MaskNetworkDescriptor,
  NetworkDescriptor,
  NetworkVariant,
  PromptDecoderDescriptor,
  PromptNetworkDescriptor,
} from '../../../packages/contract/src/models/model.ts';
import type { Stroke } from '../../../packages/contract/src/options/strokes.ts';
import type {
  edgeChoices,
  EnlargeOrder,
  placingChoices,
  finishingChoices,
  MetadataChoice,
  Target,
} from '../../../packages/contract/src/request.ts';
import type {
  ChangedPixels,
  Grade,
  MeasuredDamage,
  PictureInfo,
  PicturePart,
  TaskEstimate,
  TaskOptions,
  Timings,
  DeviceUse,
} from '../../../packages/contract/src/task.ts';
import type { Damage } from './damage.ts';
import type { DeviceChoice, Provider } from '../../../packages/contract/src/models/devices.ts';
import type { TaskErrorCode } from '../../../packages/contract/src/errors.ts';
import type { ResourceBudget } from './resource-budget.ts';
import type { RpcRequest, RpcReply } from './rpc.ts';
import type { MetadataGroup } from '../../../packages/contract/src/picture.ts';

export type { DeviceChoice, MetadataGroup, Provider };

/** A network's descriptor with the absolute path of each variant's file. */
type WithFilePaths<Network> = Omit<Network, 'variants'> & {
  modelId: string;
  variants: (NetworkVariant & { path: string })[];
};
export type BlurNetworkFile = WithFilePaths<BlurNetworkDescriptor>;
export type NetworkFile = WithFilePaths<Omit<NetworkDescriptor, 'blurNetwork'>> & {
  blurNetwork?: BlurNetworkFile;
};
export type ClickNetworkFile = WithFilePaths<ClickNetworkDescriptor>;
export type MaskNetworkFile = WithFilePaths<Omit<MaskNetworkDescriptor, 'clicks'>> & {
  clicks?: ClickNetworkFile;
};
/** An encoder, with its decoder. */
export type PromptNetworkFile = WithFilePaths<Omit<PromptNetworkDescriptor, 'decoder'>> & {
  decoder: WithFilePaths<PromptDecoderDescriptor>;
};

/** An upscaler has a `scale`, a mask network has none. */
export type AnyNetworkFile = NetworkFile | MaskNetworkFile;

export interface Limits {
  sourcePixels: number;
  resultPixels: number;
}

/** Files for a job's views. Each is written atomically, and a view that cannot be written fails no job. */
export interface ViewPaths {
  /** Upright WebP in sRGB that fits in 512 x 512. */
  sourceThumbPath: string;
  /** Zip files of tiles (views/tiles.ts). */
  sourceTilesPath: string;
  resultTilesPath: string;
  /** PNG of the places that enlarging changed. */
  changesPath: string;
  /** PNG of a cut-out's mask. */
  maskPath: string;
  /** JSON of `DescribedPictures`. */
  metadataPath: string;
}

/** One field of a picture's metadata as displayed. */
export interface MetadataField {
  group: MetadataGroup;
  name: string;
  value: string;
}

/** Metadata of the decoded source and of its result. */
export interface DescribedPictures {
  source: MetadataField[];
  result: MetadataField[];
}

/** Fields of every job. All paths are absolute, and the engine writes nowhere else. */
export interface JobFrame {
  jobId: string;
  sourcePath: string;
  /** Empty folder for this job alone; the service removes it afterwards. */
  scratchDir: string;
  /** Folder on the same disk for what later jobs of the same photo can use; absent: nothing is kept. */
  keptDir?: string;
  /** Temporary name of the encoded result, which is written and synced; the service publishes it. */
  outputPath: string;
  /** Path of the thumbnail: WebP in sRGB that fits in 512 x 512. */
  thumbPath: string;
  /** Absent: no views are written. */
  views?: ViewPaths;
  format: OutputFormat | 'same';
  /** Whether a person chose the format: a result that it cannot hold then fails instead of becoming TIFF. */
  formatChosen: boolean;
  quality?: number;
  bitDepth: BitDepth | 'same';
  metadata: MetadataChoice;
  /** Resolution tag of the result, in pixels per inch; absent: as in the source. */
  ppi?: number;
  /** Software name for the result's metadata, such as "Enlarger 1.2.0"; absent: none. */
  history?: string;
  limits: Limits;
  /**
   * 'auto', or the provider to try before the CPU. The second attempt after a crash of the engine has 'cpu'.
   */
  device: DeviceChoice;
  /** How long networks stay loaded when nothing runs; absent: as for the preceding job. */
  keepAliveMs?: number;
  /** Set by the host. */
  budget?: ResourceBudget;
}

/** A target size, or a factor that the model's passes reach only by resizing their result. */
export type SizeTarget = Target | { kind: 'factor'; value: number };

/** The fields of finishingChoices; an absent field has its default. */
export type FinishingOptions = Pick<TaskOptions, keyof typeof finishingChoices>;

/** How a picture is enlarged. */
export interface Enlargement extends FinishingOptions {
  /** In order; the product of their scales is the total scale. */
  passes: NetworkFile[];
  /** Target size: the engine replaces `passes` by the one of `choices` whose scale is nearest. */
  target?: SizeTarget;
  /** Passes for every scale of the model, ascending; present with `target` only. */
  choices?: NetworkFile[][];
}

/** Where the networks' result is used. Strokes are painted over the area, in order. */
export type AmountArea =
  | { kind: 'subject' | 'background'; network: MaskNetworkFile; strokes: readonly Stroke[] }
  | { kind: 'everywhere' | 'painted'; strokes: readonly Stroke[] };

export interface UpscaleJob extends JobFrame, Enlargement {
  operation: 'upscale';
  /** Absent: everywhere. */
  amountArea?: AmountArea;
}

/** Enlargement in the same job as a cut-out. A target size refers to the photo before cropping. */
export interface CutoutEnlargement extends Enlargement {
  first: EnlargeOrder;
}

/** The fields of edgeChoices; an absent field has its default. */
type EdgeOptions = Pick<TaskOptions, keyof typeof edgeChoices>;

/** The fields of placingChoices. Without a canvas the result has the size of the photo, or of the `crop`. */
type CanvasOptions = Pick<TaskOptions, keyof typeof placingChoices>;

/** Cuts out the subject. The result has the size of the source, or of its part that holds the subject. */
export interface CutoutJob extends JobFrame, EdgeOptions, CanvasOptions {
  operation: 'remove-bg';
  network: MaskNetworkFile;
  /** Selects what strokes mean; absent: the network itself does. */
  selector?: PromptNetworkFile;
  /** 'transparent', 'blur' or a colour in sRGB such as #ffffff. */
  background: string;
  /** Margin around the subject in percent of its longer side; absent: not cropped. */
  crop?: number;
  /** Whether the result is the mask itself, in grey. */
  maskOnly: boolean;
  /** Strokes painted over the mask, in order. */
  strokes: readonly Stroke[];
  /** Size to which a larger result is reduced; absent: not reduced. */
  target?: Target;
  /** Absent: not enlarged. */
  enlarge?: CutoutEnlargement;
  /** Picture behind the subject; absent: `background` decides. */
  backgroundPath?: string;
  /** Whether the mask preempts a running pass between two tiles, because a person waits for it. */
  preempts?: boolean;
}

/** Writes a result in another format. Its source may be as large as results may be. */
export interface ConvertJob extends JobFrame {
  operation: 'convert';
  /** Colour in sRGB such as #ffffff laid behind transparent pixels; absent: transparency stays. */
  background?: string;
}

export type Job = UpscaleJob | CutoutJob | ConvertJob;

/** Fields of a job's frame on which its plan depends. */
export type PlanningFields = Pick<
  JobFrame,
  'format' | 'formatChosen' | 'quality' | 'bitDepth' | 'limits'
>;

/** The fields that only a job's operation has. */
export type OperationFields<Any> = Any extends JobFrame ? Omit<Any, keyof JobFrame> : never;

/** The part of a job that planning needs; no file has to be fetched or opened for it. */
export type PlannableJob<Any extends Job = Job> = OperationFields<Any> & PlanningFields;

export type Step = 'decode' | 'wait' | 'network' | 'refine' | 'encode';

export interface JobProgress {
  step: Step;
  /** Integer 0-100, never decreasing within a job. */
  percent: number;
  /** Sent once, before the network starts. */
  estimate?: TaskEstimate;
  /** Remaining time by measured speed; absent while nothing was measured. */
  etaSeconds?: number;
}

export interface JobReport {
  input: PictureInfo;
  output: PictureInfo;
  /** Part of the source that the result shows; absent: all of it. */
  crop?: PicturePart;
  /** Absent: the photo's damage was not measured. */
  measured?: MeasuredDamage;
  /** How the enlarged picture differs from the source; absent: nothing was enlarged. */
  changed?: ChangedPixels;
  /** Only for cut-outs. */
  grade?: Grade;
  /** Device of the network; absent: no network ran. */
  device?: DeviceUse;
  timings: Timings;
  /** Sentences for people: what was converted, left out or done differently, and why. */
  notes: string[];
  /** The networks that ran, in order. A mask network has the scale 1. */
  ran: { modelId: string; scale: number }[];
  /**
   * Number of tiles that ran, their side, and computed pixels per core pixel. A mask network has one tile.
   */
  tiles: { count: number; sizePx: number; computedPerCore: number };
}

export interface SpeedMeasurement {
  modelId: string;
  scale: number;
  provider: Provider;
  precision: string;
  megapixelsPerSecond: number;
  /** Other programs took the processors meanwhile: times are estimated only once a photo has run. */
  isDoubtful?: true;
  /** A photo ran at it beside other programs, or a small one: times are estimated by it until a truer speed is known. */
  isBusy?: true;
  /** The latest speeds of photos, the last one last, of which `megapixelsPerSecond` is the median. */
  recent?: readonly number[];
}

export interface DeviceReport {
  devices: {
    provider: Provider;
    name: string;
    state: 'unchecked' | 'in-use' | 'available' | 'left';
    reason?: string;
  }[];
  /** The system's graphics cards; absent or empty where they cannot be listed. */
  graphicsCards?: GraphicsCard[];
}

export interface DeviceKnowledge extends DeviceReport {
  /** All measured speeds, the latest last. */
  speeds: SpeedMeasurement[];
}

/** The speed of a network on the device that it uses on this machine. */
export interface SpeedResult {
  speed: SpeedMeasurement;
  /** Whether the speed was measured now, not known before. */
  isNew: boolean;
}

/** A file's header, read without decoding. */
export interface SourceInspection extends PictureInfo {
  pages: number;
  /** Quality of a JPEG by its quantisation tables, on libjpeg's scale of 1-100. */
  jpegQuality?: number;
  /** Whether chroma has half the resolution in both directions (4:2:0). */
  halfColour?: boolean;
  lossless?: boolean;
}

/** A user's picture, and an empty scratch folder for this request alone. */
export interface PictureSource {
  sourcePath: string;
  scratchDir: string;
  limits: Limits;
}

/** A source that stays decoded for previews anywhere in it. */
export interface OpenedPicture {
  rasterPath: string;
  width: number;
  height: number;
  /** Measured damage, for networks with a condition. */
  damage?: Damage;
}

/** Preview of one crop through several models. An enlarged crop is finished as in a job. */
export interface PreviewRequest extends FinishingOptions {
  picture: OpenedPicture;
  /** Empty folder for the PNG files of the response. */
  scratchDir: string;
  /** Centre of the crop, in pixels of the source. */
  x: number;
  y: number;
  sizePx: number;
  /** Result pixels per source pixel, along a side; a larger output of the passes is reduced. */
  scale: number;
  models: PreviewModel[];
  device: DeviceChoice;
}

/** A model in a preview: passes that enlarge, or a network that cuts out. */
export type PreviewModel = { modelId: string } & (
  | { passes: NetworkFile[] }
  | { mask: MaskNetworkFile }
);

export type PreviewResult =
  | { modelId: string; path: string; durationMs: number; device: DeviceUse }
  | { modelId: string; code: TaskErrorCode; message: string };

export interface PreviewResponse {
  /** The crop's rectangle in the source. */
  x: number;
  y: number;
  width: number;
  height: number;
  sourcePath: string;
  made: PreviewResult[];
  /** Present when a photo with measured damage is enlarged. */
  measured?: MeasuredDamage;
}

/** Strokes over a finished cut-out, to be answered by its network of clicks. */
export interface LiveMaskRequest {
  /** Identifies photo, network and finished mask: what is known of them is reused. */
  key: string;
  network: MaskNetworkFile;
  /** As of a job. */
  selector?: PromptNetworkFile;
  /** Any copy of the upright photo. */
  picture: PictureSource;
  /** The finished cut-out's mask, a grey picture; absent: no subject was found. */
  finished?: PictureSource;
  strokes: Stroke[];
  /** Number of strokes, from the first on, that the finished mask was made with. */
  applied: number;
  device: DeviceChoice;
  toPath: string;
}

/** Comparison of a result with its source, both reduced to 32 x 32 pixels; in levels of 255. */
export interface Likeness {
  /** Mean difference of the colours where both pictures are opaque. */
  difference: number;
  /** Standard deviation of the channel that varies most, alpha included. */
  sourceDeviation: number;
  resultDeviation: number;
  /** Opaque share of the result, 0..1. */
  opaque: number;
}

/** Request and response of each kind of work on pictures outside jobs. They fail with EnlargerError. */
export interface PictureWorks {
  /** Writes a thumbnail as in ViewPaths, or one that fits in a square of `sidePx`. */
  thumbnail: { request: PictureSource & { toPath: string; sidePx?: number }; response: undefined };
  /** Writes a zip file of tiles. */
  tiles: { request: PictureSource & { toPath: string }; response: undefined };
  /** Reads a picture's metadata as displayed. */
  describe: { request: Omit<PictureSource, 'scratchDir'>; response: MetadataField[] };
  /** Decodes a picture into the scratch folder, which must exist as long as the picture is open. */
  open: { request: PictureSource; response: OpenedPicture };
  preview: { request: PreviewRequest; response: PreviewResponse };
  /** Writes a grey PNG. */
  liveMask: { request: LiveMaskRequest; response: undefined };
  /** Writes the colours as a JPEG and alpha as a grey PNG, white for an opaque picture. */
  split: {
    request: PictureSource & { coloursPath: string; alphaPath: string };
    response: undefined;
  };
  /** Compares a result from another machine with its source. */
  likeness: {
    request: PictureSource & { resultPath: string; resultPixels: number };
    response: Likeness;
  };
}
export type PictureWorkKind = keyof PictureWorks;
export type PictureWork = {
  [Kind in PictureWorkKind]: { do: Kind } & PictureWorks[Kind]['request'];
}[PictureWorkKind];
export type PictureWorkResponse = PictureWorks[PictureWorkKind]['response'];

/**
 * Progress of a job. A job that is silent for longer than `stallLimitMs` has hung; Infinity while it waits
 * for another job.
 */
export interface JobEvent {
  progress: JobProgress;
  stallLimitMs: number;
}

/** The requests that the engine process serves. */
export interface EngineCalls {
  run: { request: Job; response: JobReport; event: JobEvent };
  inspect: {
    /** `isWhole`: the file is no mere head, so that one of which the end is missing is refused. */
    request: { path: string; limits: Limits; isWhole: boolean };
    response: SourceInspection;
  };
  devices: { request: undefined; response: DeviceReport };
  /** The response is undefined if other work preempted the measurement. */
  measure: {
    request: { network: NetworkFile; device: DeviceChoice };
    response: SpeedResult | undefined;
  };
  work: { request: PictureWork; response: PictureWorkResponse };
}

export interface ToEngine {
  request: RpcRequest<EngineCalls>;
}

export type FromEngine =
  | { kind: 'ready' }
  | { kind: 'heartbeat' }
  /** All measured speeds, sent at the start and after each change. */
  | { kind: 'speeds'; speeds: SpeedMeasurement[] }
  | { kind: 'reply'; reply: RpcReply };
