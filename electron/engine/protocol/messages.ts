/**
 * The messages between the service and the engine process: they hold paths and options, never pixels. Node's
 * child-process channel carries them with advanced serialisation.
 */
import type { BitDepth } from '../../contract/common.ts';
import type { OutputFormat } from '../../contract/formats.ts';
import type {
  GraphicsCard,
  MaskNetworkDescriptor,
  NetworkDescriptor,
  NetworkVariant,
} from '../../contract/models/model.ts';
import type { Stroke } from '../../contract/options/strokes.ts';
import type {
  edgeChoices,
  EnlargeOrder,
  placingChoices,
  finishingChoices,
  MetadataChoice,
  Target,
} from '../../contract/request.ts';
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
} from '../../contract/task.ts';
import type { Damage } from './damage.ts';
import type { DeviceChoice, Provider } from '../../contract/models/devices.ts';
import type { TaskErrorCode } from '../../contract/errors.ts';
import type { Room } from './room.ts';
import type { Question, Said } from './rpc.ts';
import type { MetadataGroup } from '../../contract/picture.ts';

export type { DeviceChoice, MetadataGroup, Provider };

/** A network's descriptor with the absolute path of each variant's file. */
type InFile<Network> = Omit<Network, 'variants'> & {
  modelId: string;
  variants: (NetworkVariant & { path: string })[];
};
export type NetworkFile = InFile<NetworkDescriptor>;
export type MaskNetworkFile = InFile<MaskNetworkDescriptor>;

/** A network of either kind: an upscaler's has a `scale`, a mask network's has none. */
export type AnyNetworkFile = NetworkFile | MaskNetworkFile;

export interface Limits {
  sourcePixels: number;
  resultPixels: number;
}

/** Where a job leaves its views. Each file appears whole or not at all, and no job fails for want of one. */
export interface ViewPaths {
  /** A WebP in sRGB, upright, that fits in 512 x 512. */
  sourceThumbPath: string;
  /** The tiles of source and result lie in a zip file each (views/tiles.ts). */
  sourceTilesPath: string;
  resultTilesPath: string;
  /** A PNG that shows where an enlarging changed the picture. */
  changesPath: string;
  /** A PNG of a cut-out's mask. */
  maskPath: string;
  /** A JSON file that holds DescribedPictures. */
  metadataPath: string;
}

/** One field of a picture's metadata, as it is shown to people. */
export interface MetadataField {
  group: MetadataGroup;
  name: string;
  value: string;
}

/** The metadata of a source as it was decoded, and of its result. */
export interface DescribedPictures {
  source: MetadataField[];
  result: MetadataField[];
}

/** What every job has, whatever its operation. All paths are absolute, and the engine writes nowhere else. */
export interface JobFrame {
  jobId: string;
  sourcePath: string;
  /** An empty folder that belongs to this job alone. The service removes it afterwards. */
  scratchDir: string;
  /** Where the encoded result is written and synced. The name is temporary; the service publishes it. */
  outputPath: string;
  /** Where the thumbnail is written: a WebP in sRGB that fits in 512 x 512. */
  thumbPath: string;
  /** Where the job leaves its views; absent: it leaves none. */
  views?: ViewPaths;
  format: OutputFormat | 'same';
  /** It tells whether a person chose the format: then a result that it cannot hold fails instead of becoming TIFF. */
  formatChosen: boolean;
  quality?: number;
  bitDepth: BitDepth | 'same';
  metadata: MetadataChoice;
  /** The resolution in the result's tags, in pixels an inch; absent: the source's resolution is kept. */
  ppi?: number;
  /** The program's name in the result's metadata, such as "Enlarger 1.2.0"; absent: it is not named. */
  history?: string;
  limits: Limits;
  /** 'auto', or the provider to try before the CPU. The second attempt after an engine's death has 'cpu'. */
  device: DeviceChoice;
  /** It tells how long networks stay loaded after the job when nothing runs; absent: the last length stays. */
  keepAliveMs?: number;
  /** It tells how much of the machine the job takes; the host sets it. */
  room?: Room;
}

/** A size that was asked for, or a factor that the model's passes reach only by reducing their result. */
export type SizeWish = Target | { kind: 'factor'; value: number };

/** The fields of finishingChoices; an absent field has its default. */
export type Finishing = Pick<TaskOptions, keyof typeof finishingChoices>;

/** It tells how a picture is made larger. */
export interface Enlargement extends Finishing {
  /** The passes in order; the product of their scales is the whole scale. */
  passes: NetworkFile[];
  /** A size to reach: the engine takes as `passes` the first of `choices` that are large enough. */
  target?: SizeWish;
  /** The passes of every scale that the model can make, the smallest first; present with `target` only. */
  choices?: NetworkFile[][];
}

export interface UpscaleJob extends JobFrame, Enlargement {
  operation: 'upscale';
}

/**
 * The enlarging of a cut-out in the same job. A size to reach is the size of the photo, or of its canvas,
 * before it is cropped.
 */
export interface CutoutEnlargement extends Enlargement {
  first: EnlargeOrder;
}

/** The fields of edgeChoices; an absent field has its default. */
type EdgeWishes = Pick<TaskOptions, keyof typeof edgeChoices>;

/** The fields of placingChoices. Without a canvas the result is as large as the photo, or as the `crop`. */
type PlacingWishes = Pick<TaskOptions, keyof typeof placingChoices>;

/** Cuts out the subject. The result is as large as the source, or as its part that holds the subject. */
export interface CutoutJob extends JobFrame, EdgeWishes, PlacingWishes {
  operation: 'remove-bg';
  network: MaskNetworkFile;
  /** 'transparent', 'blur' or a colour in sRGB such as #ffffff. */
  background: string;
  /** The margin around the subject in percent of its longer side; absent: nothing is cut off. */
  crop?: number;
  /** It tells whether the result is the mask itself, in grey. */
  maskOnly: boolean;
  /** The strokes that a person painted over the mask, in that order. */
  strokes: readonly Stroke[];
  /** A size to which a larger result is reduced; absent: the result keeps its own size. */
  target?: Target;
  /** It tells how the result is made larger, too; absent: it is not enlarged. */
  enlarge?: CutoutEnlargement;
  /** The picture that is laid behind the subject; absent: `background` says what lies there. */
  backgroundPath?: string;
}

/** Writes a result again into another file. Its source may be as large as results may be. */
export interface ConvertJob extends JobFrame {
  operation: 'convert';
  /** A colour in sRGB such as #ffffff that is laid behind transparent pixels; absent: transparency stays. */
  background?: string;
}

export type Job = UpscaleJob | CutoutJob | ConvertJob;

/** The fields of a job's frame that its plan depends on. */
export type PlannedFrame = Pick<
  JobFrame,
  'format' | 'formatChosen' | 'quality' | 'bitDepth' | 'limits'
>;

/** The fields of a job that only its operation has. */
export type WorkOf<Any> = Any extends JobFrame ? Omit<Any, keyof JobFrame> : never;

/** The part of a job that its plan needs: nothing has to be fetched or opened for it. */
export type Planned<Any extends Job = Job> = WorkOf<Any> & PlannedFrame;

export type Step = 'decode' | 'wait' | 'network' | 'refine' | 'encode';

export interface JobProgress {
  step: Step;
  /** A whole number from 0 to 100 that never falls within a job. */
  percent: number;
  /** Told once, before the network starts. */
  estimate?: TaskEstimate;
  /** The seconds left by measured speed; absent while nothing was measured. */
  etaSeconds?: number;
}

export interface JobReport {
  input: PictureInfo;
  output: PictureInfo;
  /** The part of the source that the result shows; absent: all of it. */
  crop?: PicturePart;
  /** The damage that was measured in the photo, and what was done about it; absent: it was not measured. */
  measured?: MeasuredDamage;
  /** It tells how the enlarged picture differs from the source; absent: nothing was enlarged. */
  changed?: ChangedPixels;
  /** The grade of a cut-out; absent for other jobs. */
  grade?: Grade;
  /** The device on which the network ran; absent where none ran. */
  device?: DeviceUse;
  timings: Timings;
  /** Sentences for people: what was converted, left out, or done another way, and why. */
  notes: string[];
  /** The networks that ran, in order. A mask network has the scale 1. */
  ran: { modelId: string; scale: number }[];
  /** It tells how many tiles ran, their side, and the computed pixels for each core pixel. A mask network has one. */
  tiles: { count: number; sizePx: number; computedPerCore: number };
}

export interface SpeedMeasurement {
  modelId: string;
  scale: number;
  provider: Provider;
  precision: string;
  megapixelsPerSecond: number;
}

export interface DeviceReport {
  devices: {
    provider: Provider;
    name: string;
    state: 'unchecked' | 'in-use' | 'available' | 'left';
    reason?: string;
  }[];
  /** The cards that the system lists; absent or empty where it cannot tell. */
  graphicsCards?: GraphicsCard[];
}

export interface Known extends DeviceReport {
  /** All speeds that were measured, the latest last. */
  speeds: SpeedMeasurement[];
}

/** The speed of a network on the device that it runs on here. */
export interface Measured {
  speed: SpeedMeasurement;
  /** It tells whether the speed was measured now and was not known before. */
  isNew: boolean;
}

/** What the head of a file says, before anything is decoded. */
export interface SourceInspection extends PictureInfo {
  pages: number;
  /** The quality of a JPEG by its quantisation tables, on libjpeg's scale of 1-100. */
  jpegQuality?: number;
  /** It tells whether colour has half the resolution in both directions. */
  halfColour?: boolean;
  lossless?: boolean;
}

/** A user's picture, and an empty folder that belongs to this request alone, for its decoding. */
export interface PictureSource {
  sourcePath: string;
  scratchDir: string;
  limits: Limits;
}

/** A source that stays decoded for previews of any place in it. */
export interface OpenedPicture {
  rasterPath: string;
  width: number;
  height: number;
  /** The damage that was measured; networks with a condition are given it. */
  damage?: Damage;
}

/** A preview of one crop through several models. An enlarged crop is finished as in a job. */
export interface PreviewAsked extends Finishing {
  picture: OpenedPicture;
  /** An empty folder into which the PNG files of the answer are written. */
  scratchDir: string;
  /** The middle of the crop. */
  x: number;
  y: number;
  sizePx: number;
  /** The result's pixels for each pixel of the source, along a side; what passes make beyond is reduced. */
  scale: number;
  models: PreviewModel[];
  device: DeviceChoice;
}

/** A model in a preview: passes that enlarge, or a network that cuts out. */
export type PreviewModel = { modelId: string } & (
  { passes: NetworkFile[] } | { mask: MaskNetworkFile }
);

export type PreviewMade =
  | { modelId: string; path: string; durationMs: number; device: DeviceUse }
  | { modelId: string; code: TaskErrorCode; message: string };

export interface PreviewAnswer {
  /** The crop as it lies in the source. */
  x: number;
  y: number;
  width: number;
  height: number;
  sourcePath: string;
  made: PreviewMade[];
  /** Present for an enlarging of a photo whose damage was measured. */
  measured?: MeasuredDamage;
}

/** A result compared with its source, both reduced to 32 x 32 pixels; differences are in levels of 255. */
export interface Likeness {
  /** The mean difference of the colours, where both pictures are opaque. */
  difference: number;
  /** The standard deviation of the channel that varies most, alpha included. */
  sourceDeviation: number;
  resultDeviation: number;
  /** The share of the result that is opaque, 0..1. */
  opaque: number;
}

/** The kinds of work on pictures: what is asked and what is answered. They fail with EnlargerError. */
export interface PictureWorks {
  /** Writes a thumbnail as in ViewPaths, or one that fits in a square of `sidePx`. */
  thumbnail: { asked: PictureSource & { toPath: string; sidePx?: number }; answered: undefined };
  /** Writes a zip file of tiles. */
  tiles: { asked: PictureSource & { toPath: string }; answered: undefined };
  /** Reads a picture's metadata as it is shown to people. */
  describe: { asked: Omit<PictureSource, 'scratchDir'>; answered: MetadataField[] };
  /** Decodes a picture into the scratch folder, which stays as long as the picture is open. */
  open: { asked: PictureSource; answered: OpenedPicture };
  preview: { asked: PreviewAsked; answered: PreviewAnswer };
  /** Writes the colours as a JPEG and alpha as a grey PNG, which is white for an opaque picture. */
  split: {
    asked: PictureSource & { coloursPath: string; alphaPath: string };
    answered: undefined;
  };
  /** Compares a result that another machine made with its source. */
  likeness: {
    asked: PictureSource & { resultPath: string; resultPixels: number };
    answered: Likeness;
  };
}
export type PictureWorkKind = keyof PictureWorks;
export type PictureWork = {
  [Kind in PictureWorkKind]: { do: Kind } & PictureWorks[Kind]['asked'];
}[PictureWorkKind];
export type PictureWorkAnswer = PictureWorks[PictureWorkKind]['answered'];

/**
 * How far a job is. A job that is silent for longer than `nextWithinMs` has hung; the limit is Infinity while
 * the job waits for another one.
 */
export interface JobNews {
  progress: JobProgress;
  nextWithinMs: number;
}

/** The questions that the engine process answers. */
export interface EngineCalls {
  run: { asked: Job; answer: JobReport; news: JobNews };
  inspect: { asked: { path: string; limits: Limits }; answer: SourceInspection };
  devices: { asked: undefined; answer: DeviceReport };
  /** The answer is undefined when other work preempted the measurement. */
  measure: { asked: { network: NetworkFile; device: DeviceChoice }; answer: Measured | undefined };
  work: { asked: PictureWork; answer: PictureWorkAnswer };
}

export interface ToEngine {
  question: Question<EngineCalls>;
}

export type FromEngine =
  | { kind: 'ready' }
  | { kind: 'alive' }
  /** All measured speeds, told at the start and whenever one changed. */
  | { kind: 'speeds'; speeds: SpeedMeasurement[] }
  | { kind: 'said'; said: Said };
