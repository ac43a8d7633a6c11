/**
 * What the service and the engine process say to each other: paths and options, never pixels.
 * Carried by Node's child-process channel with advanced serialisation.
 */
import type { BitDepth } from '../contract/common.ts';
import type { OutputFormat } from '../contract/formats.ts';
import type {
  GraphicsCard,
  MaskNetworkDescriptor,
  NetworkDescriptor,
  NetworkVariant,
} from '../contract/model.ts';
import type { Stroke } from '../contract/strokes.ts';
import type {
  edgeChoices,
  EnlargeOrder,
  placingChoices,
  finishingChoices,
  MetadataChoice,
  Target,
} from '../contract/submit.ts';
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
} from '../contract/task.ts';
import type { Damage } from './measure/measure-picture.ts';
import type { DeviceChoice, Provider } from '../contract/devices.ts';
import type { TaskErrorCode } from '../contract/errors.ts';
import type { Room } from './room.ts';
import type { Question, Said } from './rpc.ts';
import type { MetadataGroup } from '../contract/picture.ts';

export type { DeviceChoice, MetadataGroup, Provider };

/** A network's descriptor with the absolute path of each variant's file. */
type InFile<Network> = Omit<Network, 'variants'> & {
  modelId: string;
  variants: (NetworkVariant & { path: string })[];
};
export type NetworkFile = InFile<NetworkDescriptor>;
export type MaskNetworkFile = InFile<MaskNetworkDescriptor>;

/** Of either kind: a scale tells an upscaler's. */
export type AnyNetworkFile = NetworkFile | MaskNetworkFile;

export interface Limits {
  sourcePixels: number;
  resultPixels: number;
}

/** Where a job leaves what is looked at later. Files appear whole or not at all; none is worth failing for. */
export interface ViewPaths {
  /** WebP, sRGB, upright, fits in 512 x 512. */
  sourceThumbPath: string;
  /** Tiles in a zip file (raster/tiles.ts). */
  sourceTilesPath: string;
  resultTilesPath: string;
  /** PNG: where an enlarging changed the picture. */
  changesPath: string;
  /** PNG: the subject of a cut-out. */
  maskPath: string;
  /** JSON: DescribedPictures. */
  metadataPath: string;
}

/** One thing that a picture says of itself. */
export interface MetadataField {
  group: MetadataGroup;
  name: string;
  value: string;
}

/** What a source said when it was decoded, and what its result says. */
export interface DescribedPictures {
  source: MetadataField[];
  result: MetadataField[];
}

/** One picture's way through the engine. All paths are absolute; the engine writes nowhere else. */
export interface JobFrame {
  jobId: string;
  sourcePath: string;
  /** An empty folder of the job's own. The service removes it afterwards. */
  scratchDir: string;
  /** Where the encoded result is written and synced. A temporary name: publishing it is the service's. */
  outputPath: string;
  /** Where the thumbnail is written: WebP, sRGB, fits in 512 x 512. */
  thumbPath: string;
  /** Where what is looked at later is left; absent: nothing is. */
  views?: ViewPaths;
  format: OutputFormat | 'same';
  /** Whether a person chose the format: then a result it cannot hold fails instead of becoming TIFF. */
  formatChosen: boolean;
  quality?: number;
  bitDepth: BitDepth | 'same';
  metadata: MetadataChoice;
  /** What the result's tags say of its resolution, pixels an inch; absent: what the source's say. */
  ppi?: number;
  /** The program's name for the result's metadata, such as "Enlarger 1.2.0"; absent: it is not named. */
  history?: string;
  limits: Limits;
  /** 'auto', or the one provider to try before the CPU. The second attempt after an engine's death says 'cpu'. */
  device: DeviceChoice;
  /** How long networks stay loaded after it when nothing runs; absent: as before. */
  keepAliveMs?: number;
  /** What of the machine it takes; the host says it. */
  room?: Room;
}

/** A size that was asked for, or a scale that the model reaches only by reducing what it makes. */
export type SizeWish = Target | { kind: 'factor'; value: number };

/** See finishingChoices; what is absent is as usual. */
export type Finishing = Pick<TaskOptions, keyof typeof finishingChoices>;

/** How a picture is made larger. */
export interface Enlargement extends Finishing {
  /** The passes in order; the product of their scales is the whole scale. */
  passes: NetworkFile[];
  /** A size to reach: the engine takes the first of `choices` that is large enough for `passes`. */
  target?: SizeWish;
  /** The passes of every scale that the model can make, the smallest first; with `target` only. */
  choices?: NetworkFile[][];
}

export interface UpscaleJob extends JobFrame, Enlargement {
  operation: 'upscale';
}

/** Beside a cut-out, in the same job. A size to reach is the photo's, or its canvas's, before it is cropped. */
export interface CutoutEnlargement extends Enlargement {
  first: EnlargeOrder;
}

/** See edgeChoices; what is absent is as usual. */
type EdgeWishes = Pick<TaskOptions, keyof typeof edgeChoices>;

/** See placingChoices; without a canvas it is as large as the photo, or with `crop` as the subject. */
type PlacingWishes = Pick<TaskOptions, keyof typeof placingChoices>;

/** The subject alone. The result is as large as the source, or as its part with the subject. */
export interface CutoutJob extends JobFrame, EdgeWishes, PlacingWishes {
  operation: 'remove-bg';
  network: MaskNetworkFile;
  /** 'transparent', 'blur' or a colour in sRGB such as #ffffff. */
  background: string;
  /** Margin around the subject in percent of its longer side; absent: nothing is cut off. */
  crop?: number;
  /** The mask itself, in grey. */
  maskOnly: boolean;
  /** What a person painted over the mask, in that order. */
  strokes: readonly Stroke[];
  /** A size that the result is reduced to where it is larger; absent: it keeps its own. */
  target?: Target;
  /** How it is made larger, too; absent: it is not. */
  enlarge?: CutoutEnlargement;
  /** A picture that fills what is behind the subject; absent: `background` says what does. */
  backgroundPath?: string;
}

/** A result once more, in another file. Sources are as large as results may be. */
export interface ConvertJob extends JobFrame {
  operation: 'convert';
  /** A colour in sRGB such as #ffffff, behind what is transparent; absent: transparency stays. */
  background?: string;
}

export type Job = UpscaleJob | CutoutJob | ConvertJob;

/** Of a job's frame, what its plan depends on. */
export type PlannedFrame = Pick<
  JobFrame,
  'format' | 'formatChosen' | 'quality' | 'bitDepth' | 'limits'
>;

/** What of a job depends on its operation. */
export type WorkOf<Any> = Any extends JobFrame ? Omit<Any, keyof JobFrame> : never;

/** A job as far as it can be planned: nothing has to be fetched or opened for it. */
export type Planned<Any extends Job = Job> = WorkOf<Any> & PlannedFrame;

export type Step = 'decode' | 'wait' | 'network' | 'refine' | 'encode';

export interface JobProgress {
  step: Step;
  /** 0-100, integer, never goes back within a job. */
  percent: number;
  /** Said once, before the network starts. */
  estimate?: TaskEstimate;
  /** Seconds left by measured speed; absent while nothing was measured. */
  etaSeconds?: number;
}

export interface JobReport {
  input: PictureInfo;
  output: PictureInfo;
  /** The part of the source that the result shows; absent: all of it. */
  crop?: PicturePart;
  /** What the photo went through before, and what was done about it; absent: nothing needed to know. */
  measured?: MeasuredDamage;
  /** How the enlarged picture differs from the source; absent: nothing was enlarged. */
  changed?: ChangedPixels;
  /** Of a cut-out. */
  grade?: Grade;
  /** Of the network; absent where none ran. */
  device?: DeviceUse;
  timings: Timings;
  /** Sentences for people: what was converted, left out, or done another way, and why. */
  notes: string[];
  /** The networks that ran, in order. Of one that finds a subject the scale is 1. */
  ran: { modelId: string; scale: number }[];
  /** Tiles that ran, and all pixels computed over the core pixels among them. A mask network's is one. */
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
  /** As far as the system lists them. */
  graphicsCards?: GraphicsCard[];
}

export interface Known extends DeviceReport {
  /** The latest last. */
  speeds: SpeedMeasurement[];
}

/** The speed of a network on the device that it runs on here. */
export interface Measured {
  speed: SpeedMeasurement;
  /** Found out now, and not known from before. */
  isNew: boolean;
}

/** What a file's head says, before anything is decoded. */
export interface SourceInspection extends PictureInfo {
  pages: number;
  /** Of a JPEG, by its tables: libjpeg's, 1-100. */
  jpegQuality?: number;
  /** Colour at half the resolution, both ways. */
  halfColour?: boolean;
  lossless?: boolean;
}

/** A user's picture, and an empty folder of the request's own for what its decoding takes. */
export interface PictureSource {
  sourcePath: string;
  scratchDir: string;
  limits: Limits;
}

/** A source that stays decoded, for previews of any place in it. */
export interface OpenedPicture {
  rasterPath: string;
  width: number;
  height: number;
  /** What it went through before; networks that can be told are told of it. */
  damage?: Damage;
}

/** With what is done to an enlarged crop, as a job's. */
export interface PreviewAsked extends Finishing {
  picture: OpenedPicture;
  /** An empty folder: the PNG files of the answer are written into it. */
  scratchDir: string;
  /** The middle of the crop. */
  x: number;
  y: number;
  sizePx: number;
  /** What the result is as large as, in pixels of the source; passes that make more are reduced to it. */
  scale: number;
  models: PreviewModel[];
  device: DeviceChoice;
}

/** Passes that enlarge, or a network that cuts out. */
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
  /** Of a photo whose damage was measured, for enlarging. */
  measured?: MeasuredDamage;
}

/** A result held against its source, both reduced to 32 x 32 pixels; in levels of 255. */
export interface Likeness {
  /** Mean of the colours, where both are opaque. */
  difference: number;
  /** Of the channel, alpha among them, that varies most. */
  sourceDeviation: number;
  resultDeviation: number;
  /** The share of the result that is. */
  opaque: number;
}

/** Each kind of work: what is asked and what is answered. Failures are EnlargerErrors. */
export interface PictureWorks {
  /** Writes a thumbnail, as ViewPaths has it, or one that fits in another size. */
  thumbnail: { asked: PictureSource & { toPath: string; sidePx?: number }; answered: undefined };
  /** Writes tiles. */
  tiles: { asked: PictureSource & { toPath: string }; answered: undefined };
  /** Reads what a picture says of itself. */
  describe: { asked: Omit<PictureSource, 'scratchDir'>; answered: MetadataField[] };
  /** Decodes into the scratch folder, which stays as long as the picture is wanted. */
  open: { asked: PictureSource; answered: OpenedPicture };
  preview: { asked: PreviewAsked; answered: PreviewAnswer };
  /** Writes the colours as a JPEG and the transparency as a grey PNG; of an opaque picture that is white. */
  split: {
    asked: PictureSource & { coloursPath: string; alphaPath: string };
    answered: undefined;
  };
  /** Of a result that another machine made. */
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

/** How far a job is. One that says nothing for longer than `nextWithinMs` has hung; Infinity while it waits for another job. */
export interface JobNews {
  progress: JobProgress;
  nextWithinMs: number;
}

/** What the process can be asked. */
export interface EngineCalls {
  run: { asked: Job; answer: JobReport; news: JobNews };
  inspect: { asked: { path: string; limits: Limits }; answer: SourceInspection };
  devices: { asked: undefined; answer: DeviceReport };
  /** Undefined: it gave way to other work. */
  measure: { asked: { network: NetworkFile; device: DeviceChoice }; answer: Measured | undefined };
  work: { asked: PictureWork; answer: PictureWorkAnswer };
}

export interface ToEngine {
  question: Question<EngineCalls>;
}

export type FromEngine =
  | { kind: 'ready' }
  | { kind: 'alive' }
  /** All that were measured, at the start and when one was. */
  | { kind: 'speeds'; speeds: SpeedMeasurement[] }
  | { kind: 'said'; said: Said };
