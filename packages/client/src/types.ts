/** Made from the contract by packaging/client-types.ts: not to be changed by hand. */

export type TaskFailure = {
  code: string;
  message: string;
};

export type TaskView = {
  taskId: string;
  status: 'PENDING' | 'PROCESSING' | 'FINISHED' | 'FAILED';
  progress?: number;
  imageUrl?: string;
  thumbUrl?: string;
  error?: TaskFailure;
};

export type Target = {
  kind: 'width' | 'height' | 'longEdge' | 'megapixels';
  value: number;
};

export type PrintSize = {
  side: 'longEdge' | 'width' | 'height';
  /** How long that side is on paper. */
  millimetres: number;
  /** Pixels an inch; the result's tags say so. */
  ppi: number;
};

export type Stroke = {
  /** Whether what is painted belongs to the subject. */
  kind: 'keep' | 'remove';
  /** Of the brush, as a share of the upright photo's longer side. */
  radius: number;
  /** Paints exactly what the brush covers, whatever is there: 100 with a sharp edge, less with a soft one, which begins at that share of the radius. Absent: the stroke takes what is like its middle and stops at edges. */
  hardness?: number;
  /** Where the brush went: x and y from the upper left corner, as shares of the photo's width and height. */
  points: readonly (readonly [number, number])[];
};

export type Finishing = {
  /** How strongly the result is sharpened at the end. */
  sharpen?: number;
  /** How much of compression and noise is taken off by a model that can be told: auto as much as was measured (the default), 0 nothing, 100 as off a JPEG of quality 40 with noise of 10 levels. */
  restore?: 'auto' | number;
  /** Synthetic grain laid over the result: 0 none (the default), 100 a deviation of 12 levels of 255, auto as strong and as coarse as the photo's own noise. */
  grain?: 'auto' | number;
  /** faithful: the result is corrected until it is the source again, within 1 level of 255, when it is reduced to its size; before sharpening, grain and a lossy format's compression. colours: what is coarse in it has the source's colours, what is fine stays as the network drew it. */
  keep?: 'faithful' | 'colours';
};

export type Placing = {
  /** Opacity in percent of a soft shadow under the subject: 0 none. */
  shadow?: number;
  /** Pixels of the result, in place of the photo's own. The subject stands in its middle, made smaller where it does not fit. */
  canvas?: {
    width: number;
    height: number;
  };
  /** How much of the canvas the subject fills in width or height, in percent; it is made larger, too, without a network. */
  subjectScale?: number;
  /** Where on the canvas the subject stands. */
  position?: {
    /** 0: at the left border of the canvas; 100: at the right one. */
    x: number;
    /** 0: at the upper border of the canvas; 100: at the lower one. */
    y: number;
  };
};

export type Edge = {
  /** How far the edge is softened inwards: the deviation of a Gaussian, in pixels of the source. What a hard stroke painted stays sharp. */
  feather?: number;
  /** How much of the surroundings' colour is taken out of a soft edge: 100 all, 0 nothing. */
  decontaminate?: number;
};

export type TaskOptions = Finishing &
  Placing &
  Edge & {
    /** How many times as wide and as high the result is. 1 cleans without enlarging, and is allowed beside model, restore or grain only. */
    scale?: 1 | 2 | 4 | 8 | 16;
    target?: Target;
    /** A size on paper. The other side follows. Instead of scale. */
    printSize?: PrintSize;
    model: string;
    format: 'jpeg' | 'png' | 'webp' | 'tiff' | 'avif' | 'jxl' | 'same';
    /** Whether the submit named a format. */
    formatChosen: boolean;
    quality?: number;
    bitDepth: 8 | 16 | 'same';
    metadata: 'keep' | 'private' | 'none';
    /** 'transparent', 'blur' or a colour such as #ffffff. */
    background?: string;
    backgroundImage?: string;
    /** The margin in percent of the subject's longer side. */
    crop?: number;
    maskOnly?: boolean;
    /** Painted in their order over what the network finds; hard ones after those that seek edges. */
    strokes?: readonly Stroke[];
    /** How a cut-out is enlarged, too; absent: it is not. */
    enlarge?: Finishing & {
      /** How many times as wide and as high the result is. 1 cleans without enlarging, and is allowed beside model, restore or grain only. */
      scale?: 1 | 2 | 4 | 8 | 16;
      target?: Target;
      printSize?: PrintSize;
      model: string;
      /** What comes first: enlarge (the default), so that the edge is sought on the enlarged picture; or cutout, so that the cut-out itself is enlarged, which takes less time with crop. The subject is found on the photo either way. */
      first: 'enlarge' | 'cutout';
    };
    callbackUrl?: string;
    saveTo?: string;
    name?: string;
    onConflict?: 'number' | 'skip' | 'overwrite';
  };

export type DeviceUse = {
  /** cuda, dml, coreml, webgpu or cpu */
  provider: string;
  name: string;
  /** fp32, fp16 or int8 */
  precision: string;
};

export type RanOn = {
  id: string;
  name: string;
};

export type TaskEstimate = {
  width: number;
  height: number;
  format: string;
  /** A guess of the result file from its format and pixels. */
  fileSizeBytes: number;
  /** Disk needed while it runs. */
  scratchBytes: number;
  /** From measured speed; absent until the model ran once. */
  seconds?: number;
};

export type PictureInfo = {
  format: string;
  width: number;
  height: number;
  bitDepth: number;
  channels: number;
  sizeBytes: number;
  /** When the photo was taken, by the camera's own clock: EXIF's DateTimeOriginal, without a zone. */
  capturedAt?: string;
};

export type PicturePart = {
  /** Its left edge. */
  x: number;
  /** Its upper edge. */
  y: number;
  width: number;
  height: number;
};

export type MeasuredDamage = {
  /** libjpeg's quality, or the one that another lossy format's strength is like; absent: no trace of compression. */
  jpegQuality?: number;
  /** What told the quality: the file's tables, its header, or its pixels. */
  toldBy: 'tables' | 'header' | 'pixels' | 'nothing';
  /** Standard deviation of a colour in levels of 255. */
  noise: number;
  /** How soft it is: a Gaussian's deviation in pixels. */
  softnessPx: number;
  /** How much steps across 8 x 8 blocks exceed others: 0 alike, 1 twice. */
  blockiness: number;
  /** What the network was told to take off. */
  restored?: {
    jpegQuality?: number;
    noise: number;
  };
  /** Laid over the result: in levels of 255, and in the result's pixels. */
  grain?: {
    deviation: number;
    softnessPx: number;
  };
  /** A sentence for people. */
  why: string;
};

export type ChangedPixels = {
  mean: number;
  largest: number;
  /** Of the photo that differs by over 2 levels: 0 to 1. */
  share: number;
};

export type Timings = {
  queuedMs?: number;
  fetchMs?: number;
  decodeMs?: number;
  /** Waiting for another task to leave the network. */
  waitMs?: number;
  /** Finding out what the photo went through. */
  measureMs?: number;
  networkMs?: number;
  /** Holding the enlarged picture against the photo. */
  compareMs?: number;
  /** Of a cut-out: finding its edge and the edge's colours. */
  refineMs?: number;
  /** Of a cut-out: cropping it and laying it over a background. */
  composeMs?: number;
  encodeMs?: number;
  publishMs?: number;
  totalMs?: number;
};

export type TaskCallback = {
  state: 'waiting' | 'delivered' | 'failed';
  attempts: number;
  /** What the last attempt failed with. */
  problem?: string;
};

export type TaskRecord = {
  taskId: string;
  /** Tasks of one photo, its versions, have the same: as submitted, or made of the source. */
  photo: string;
  operation: 'upscale' | 'remove-bg' | 'convert';
  status: 'PENDING' | 'PROCESSING' | 'FINISHED' | 'FAILED';
  progress: number;
  /** Of the running task, from measured speed. */
  etaSeconds?: number;
  priority: number;
  /** Place in the queue from 1, while PENDING. */
  place?: number;
  source: {
    /** url, data, upload, file, or task: the result of one */
    kind: string;
    name: string;
    /** Whose result it is. */
    taskId?: string;
    /** Whether the photo can be run again. */
    kept: boolean;
  };
  options: TaskOptions;
  /** The networks that ran, in order, joined by a comma. */
  model?: string;
  device?: DeviceUse;
  /** The machine of the pool that ran it; absent: the one that answers. */
  ranOn?: RanOn;
  attempts: number;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** ISO 8601, UTC. */
  startedAt?: string;
  /** ISO 8601, UTC. */
  finishedAt?: string;
  /** ISO 8601, UTC. */
  expiresAt?: string;
  estimate?: TaskEstimate;
  input?: PictureInfo;
  output?: PictureInfo;
  /** What a cropped result shows, in pixels of the upright source; on a canvas it may reach over its borders. */
  crop?: PicturePart;
  measured?: MeasuredDamage;
  /** What the network changed: the result at its size, before sharpening, grain and compression, against the source. */
  changed?: ChangedPixels;
  /** Of a cut-out: good to hand on, look at it, or poor, as the network sees it. */
  grade?: 'good' | 'look' | 'poor';
  timings: Timings;
  /** What a person should know of the result, a sentence each. */
  notes: readonly string[];
  callback?: TaskCallback;
  savedTo?: string;
  /** When a client told that a person has taken the result, by a download or so. */
  takenAt?: string;
  /** What a person said of the result. */
  mark?: 'accepted' | 'rejected';
  imageUrl?: string;
  thumbUrl?: string;
  /** A link as thumbUrl; before the task ran too. 404 when there is none. */
  sourceThumbUrl?: string;
  error?: TaskFailure;
};

export type TargetSize = {
  /** Pixels of the result's width. The other side follows. Instead of scale. */
  width?: number;
  /** Pixels of the result's height. The other side follows. Instead of scale. */
  height?: number;
  /** Pixels of the result's longer side. The other side follows. Instead of scale. */
  longEdge?: number;
  /** Millions of pixels of the result. Instead of scale. */
  megapixels?: number;
};

export type Output = {
  /** A model id of GET /api/models. */
  model?: string;
  /** 'same' keeps the source's format where it can be written. */
  format?: 'jpeg' | 'png' | 'webp' | 'tiff' | 'avif' | 'jxl' | 'same';
  /** For jpeg, webp, avif, jxl; 100 makes a jxl lossless. */
  quality?: number;
  bitDepth?: 8 | 16 | 'same';
  /** private: without GPS position and serial numbers. none: without all but the profile. */
  metadata?: 'keep' | 'private' | 'none';
  /** A folder that was granted; '.' for the one in which a file: source lies, './name' for a folder in it, made when missing. The result is saved there too. */
  saveTo?: string;
  /** Name template for saveTo: {name}, {scale}, {model}, {date}, {ext}, {n}. */
  name?: string;
  /** When the name is taken in saveTo: number the new file, skip it, or overwrite. */
  onConflict?: 'number' | 'skip' | 'overwrite';
  /** Told by a signed POST of the task, as GET /api/task/{id} shows it, when it has ended; by the rules for addresses of sources. */
  callbackUrl?: string;
  /** Higher ones run first. */
  priority?: number;
};

export type UpscaleOptions = TargetSize &
  Finishing &
  Output & {
    /** How many times as wide and as high the result is. 1 cleans without enlarging, and is allowed beside model, restore or grain only. */
    scale?: 1 | 2 | 4 | 8 | 16;
    /** A size on paper. The other side follows. Instead of scale. */
    printSize?: PrintSize;
  };

export type RemoveBackgroundOptions = Placing &
  Edge &
  Output & {
    /** 'transparent' (the default), 'blur' for the photo's own surroundings out of focus, or a colour: #fff, #ffffff, or a name that CSS knows, such as white. JPEG needs one of the last two. */
    background?: string;
    /** A picture behind the subject, in place of background; as imageUrl. It fills the result in its own proportions, cut off evenly, and takes the result's profile. */
    backgroundImage?: string;
    /** Cuts the result to the subject. A number is the margin around it, in percent of the subject's longer side; true means 5. */
    crop?: boolean | number;
    /** The mask itself as a grey picture of 16 bits: white is the subject. */
    maskOnly?: boolean;
    /** Painted in their order over what the network finds; hard ones after those that seek edges. */
    strokes?: readonly Stroke[];
    /** Enlarges, too, in the same task; {} twice. A size is that of the whole photo, before crop; with first: cutout that of the whole cut-out. */
    enlarge?: TargetSize &
      Finishing & {
        /** How many times as wide and as high the result is. 1 cleans without enlarging, and is allowed beside model, restore or grain only. */
        scale?: 1 | 2 | 4 | 8 | 16;
        printSize?: PrintSize;
        /** A model id of GET /api/models. */
        model?: string;
        /** What comes first: enlarge (the default), so that the edge is sought on the enlarged picture; or cutout, so that the cut-out itself is enlarged, which takes less time with crop. The subject is found on the photo either way. */
        first?: 'enlarge' | 'cutout';
      };
    /** Pixels of the result's width. At most: a cut-out is only made larger by enlarge, and reduced to this at last. */
    width?: number;
    /** Pixels of the result's height. At most: a cut-out is only made larger by enlarge, and reduced to this at last. */
    height?: number;
    /** Pixels of the result's longer side. At most: a cut-out is only made larger by enlarge, and reduced to this at last. */
    longEdge?: number;
    /** Millions of pixels of the result. At most: a cut-out is only made larger by enlarge, and reduced to this at last. */
    megapixels?: number;
  };

export type Estimate = {
  width: number;
  height: number;
  format: string;
  /** A guess of the result file from its format and pixels. */
  fileSizeBytes: number;
  /** Disk needed while it runs. */
  scratchBytes: number;
  /** From measured speed; absent until the model ran once. */
  seconds?: number;
  input?: PictureInfo;
  problem?: TaskFailure;
};

export type ModelOrigin = {
  format: 'onnx' | 'ncnn' | 'pytorch' | 'safetensors';
  /** The names of the files that were brought. */
  files: readonly string[];
  /** Of those files, in their order. */
  sha256: readonly string[];
  architecture?: string;
  /** What was noticed when it was tried, a sentence each. */
  notes: readonly string[];
};

export type NetworkCondition = {
  constant: string;
  values: readonly ('jpeg' | 'noise')[];
};

export type MaskTuning = {
  /** The least mean of the mask over a subject. */
  subjectCertainty?: number;
  /** The least share of the picture of a subject. */
  leastSubject?: number;
  /** The greatest: beyond it nothing is left to be cut off. */
  mostSubject?: number;
  /** The least mean over a part of it beside the largest. */
  partCertainty?: number;
  /** A part that is smaller beside the largest, as its share, is none of it. */
  smallPart?: number;
  /** The largest share of the picture of a hole that may be filled. */
  smallHole?: number;
  /** A hole that goes below it is meant. */
  sureHole?: number;
  /** The largest share of the picture of a speck that may go. */
  smallSpeck?: number;
  /** A speck that goes above it is meant. */
  sureSpeck?: number;
  /** Below it the mask is sure of the surroundings by itself. */
  outsideBelow?: number;
  /** Above it the mask is sure of the subject by itself. */
  insideAbove?: number;
  /** How far beside the mask's edge the true one may lie, in mask pixels. */
  edgeReachPx?: number;
  /** How much harder the mask is taken than it comes: networks blur edges. */
  contrast?: number;
  /** How far within a broad part the mask is believed, in its pixels from its edge. */
  beliefPx?: number;
  /** Share of a thin part's greatest depth from which it is believed there. */
  thinBelief?: number;
  /** How much the mask counts at its edge, beside the matting's Laplacian. */
  edgeWeight?: number;
  /** How much more it counts where it is believed. */
  deepWeight?: number;
  /** How fast that falls towards the edge: the power of how far it is believed. */
  deepPower?: number;
  /** The most doubt over a subject that has the colours of all the rest. */
  apartDoubt?: number;
  /** The greatest share of the picture's border that such a subject takes. */
  apartBorder?: number;
  /** How much of its colours a subject shares with the rest before these two count. */
  apartLikeness?: number;
  /** The most doubt over a mask whose cut-out can be handed on unseen. */
  goodDoubt?: number;
  /** The greatest share of the picture of such a subject. */
  goodShare?: number;
  /** The most doubt over a mask that is worth a look. */
  poorDoubt?: number;
};

export type NetworkContract =
  | {
      /** Output pixels for each input pixel of a side. */
      scale: number;
      input: string;
      output: string;
      layout: 'NCHW' | 'NHWC';
      channels: 'RGB' | 'BGR';
      /** Values of black and of white. */
      range: readonly [number, number];
      /** Input pixels around a tile that its centre depends on. */
      marginPx: number;
      /** What stands beyond the picture's border. */
      padding: 'replicate' | 'reflect';
      /** Width and height of a tile are multiples of it. */
      multiple: number;
      minSizePx: number;
      /** Width and height of every tile, of a network that takes no other size. */
      fixedPx?: number;
      /** Whether tiles equal the whole; if not, overlaps are blended. */
      tileExact: boolean;
      condition?: NetworkCondition;
      /** Output pixels that the network itself cuts off each side. */
      trimPx?: number;
    }
  | {
      input: string;
      output: string;
      /** Of the input; the output's planes stand one after the other. */
      layout: 'NCHW' | 'NHWC';
      channels: 'RGB' | 'BGR';
      size:
        | {
            kind: 'fixed';
            width: number;
            height: number;
          }
        | {
            kind: 'free';
            shortSidePx: number;
            /** Both sides are the multiples of it that come nearest to the proportions. */
            multiple: number;
          };
      /** The whole picture fills the size, whatever its proportions. */
      fit: 'stretch';
      /** Values of black and of white before the mean is taken off. */
      range: readonly [number, number];
      /** Of red, green and blue, whatever the order of the channels. */
      mean: readonly [number, number, number];
      /** Of red, green and blue, whatever the order of the channels. */
      deviation: readonly [number, number, number];
      /** Which plane of the output it is. */
      outputPlane: number;
      /** What is still to be done to the output. */
      activation: 'none' | 'sigmoid';
      /** The picture's brightest value becomes white first. */
      brightest?: true;
      /** The mask's least and greatest value become 0 and 1, where it found something. */
      stretched?: true;
      /** Whether it gives true alpha, which is then enlarged and not refined. */
      matting: boolean;
      tuning?: MaskTuning;
    };

export type ModelView = {
  id: string;
  name: string;
  task: 'upscale' | 'remove-bg';
  description: string;
  licence: string;
  author: string;
  trainedOn?: string;
  scales: readonly number[];
  sizeBytes: number;
  /** The files of its networks, with the hash that each must have. */
  files: readonly {
    file: string;
    precision: string;
    sizeBytes: number;
    sha256: string;
  }[];
  isDefault: boolean;
  /** Whether it can be told how much to take off: without, `restore` changes nothing. */
  takesRestore: boolean;
  origin?: ModelOrigin;
  contract?: NetworkContract;
  speed: readonly {
    scale: number;
    provider: string;
    precision: string;
    /** Input megapixels a second, measured here. */
    megapixelsPerSecond: number;
  }[];
};
