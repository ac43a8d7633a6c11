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
  /** Length of that side on paper. */
  millimetres: number;
  /** Pixels per inch, also written into the result's resolution tags. */
  ppi: number;
};

export type Stroke = {
  /** keep: the painted area belongs to the subject; remove: to the background. */
  kind: 'keep' | 'remove';
  /** Brush radius as a fraction of the upright photo's longer side. */
  radius: number;
  /** Paints exactly the area under the brush: 100 with a hard edge, less with a soft one that begins at that share of the radius. Absent: the stroke follows edges of the photo. */
  hardness?: number;
  /** object: selects the whole object that the stroke touches, if the model takes clicks and the stroke has no hardness. box: a box between the first and the last point, whose radius is not used; one that keeps makes all outside it background and cuts out what it holds, further ones add what they hold, and one that removes takes that away. Boxes are applied before all other strokes, with any model. Absent: the stroke stays within its width. */
  selects?: 'object' | 'box';
  /** Path of the brush: x and y from the upper left corner, as fractions of the photo's width and height. */
  points: readonly (readonly [number, number])[];
};

export type Finishing = {
  /** Sharpening of the result as the last step: 0 none, 100 strongest. */
  sharpen?: number;
  /** How much compression, noise and softness a model removes, if its strength can be set: auto (the default) as much as was measured, 0 nothing, 100 as much as in a JPEG of quality 40 with noise of 10 levels. */
  restore?: 'auto' | number;
  /** Synthetic grain added to the result: 0 none (the default), 100 a standard deviation of 12 levels of 255, auto as strong and as coarse as the photo's own noise. */
  grain?: 'auto' | number;
  /** faithful: the result is corrected until, reduced to the source's size, it equals the source within 1 level of 255, before sharpening, grain and lossy compression. colours: low frequencies are taken from the source, high frequencies from the network. */
  keep?: 'faithful' | 'colours';
  /** Opacity in percent of the network's result over a plain (bicubic) enlargement: 0 plain, 100 the network alone. */
  amount?: number;
};

export type Placing = {
  /** Opacity in percent of a soft shadow under the subject: 0 none. */
  shadow?: number;
  /** Size of the result in pixels. The subject is centred, and reduced if it does not fit. */
  canvas?: {
    width: number;
    height: number;
  };
  /** Percentage of the canvas that the subject fills in width or height. It is also enlarged to that size, by interpolation. */
  subjectScale?: number;
  /** Position of the subject on the canvas. */
  position?: {
    /** 0: at the left border of the canvas; 100: at the right one. */
    x: number;
    /** 0: at the upper border of the canvas; 100: at the lower one. */
    y: number;
  };
};

export type Edge = {
  /** Softening of the edge inwards: standard deviation of a Gaussian, in pixels of the source. Hard strokes stay sharp. */
  feather?: number;
  /** How much of the background's colour is removed from soft edges: 100 all, 0 none. */
  decontaminate?: number;
};

export type TaskOptions = Finishing &
  Placing &
  Edge & {
    /** Factor by which width and height grow. 1 cleans without enlarging and needs model, restore or grain. */
    scale?: 1 | 2 | 4 | 8 | 16;
    target?: Target;
    /** Print size, in place of scale. The other side follows from the proportions. */
    printSize?: PrintSize;
    model: string;
    format: 'jpeg' | 'png' | 'webp' | 'tiff' | 'avif' | 'jxl' | 'gif' | 'same';
    /** Whether the submit named a format. */
    formatChosen: boolean;
    quality?: number;
    bitDepth: 8 | 16 | 'same';
    metadata: 'keep' | 'private' | 'none';
    /** 'transparent', 'blur' or a colour such as #ffffff. */
    background?: string;
    backgroundImage?: string;
    /** Margin around the subject in percent of its longer side. */
    crop?: number;
    maskOnly?: boolean;
    /** Applied in order over the network's mask; hard strokes after those that follow edges. Boxes come first, then those that select objects. */
    strokes?: readonly Stroke[];
    amountMask?: 'everywhere' | 'subject' | 'background' | 'painted';
    /** The model that finds the subject for amountMask. */
    maskModel?: string;
    /** Enlargement of a cut-out in the same task; absent: none. */
    enlarge?: Finishing & {
      /** Factor by which width and height grow. 1 cleans without enlarging and needs model, restore or grain. */
      scale?: 1 | 2 | 4 | 8 | 16;
      target?: Target;
      printSize?: PrintSize;
      model: string;
      /** Order: enlarge (the default) refines the edge on the enlarged picture; cutout enlarges the cut-out, which is faster with crop. The subject is found in the photo either way. */
      first: 'enlarge' | 'cutout';
    };
    callbackUrl?: string;
    callbackEvents?: readonly ('started' | 'finished' | 'failed')[];
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
  /** Estimated size of the result file. */
  fileSizeBytes: number;
  /** Temporary disk space needed while the task runs. */
  scratchBytes: number;
  /** Estimated from measured speed; absent until the model has run on this machine. */
  seconds?: number;
};

export type PictureInfo = {
  format: string;
  width: number;
  height: number;
  bitDepth: number;
  channels: number;
  sizeBytes: number;
  /** Frames of an animation; absent for a still picture. */
  frames?: number;
  /** When the photo was taken, by the camera's own clock: EXIF's DateTimeOriginal, without a zone. */
  capturedAt?: string;
};

export type PicturePart = {
  /** Left edge. */
  x: number;
  /** Upper edge. */
  y: number;
  width: number;
  height: number;
};

export type MeasuredDamage = {
  /** Quality on libjpeg's scale, or its equivalent for other lossy formats; absent: no trace of compression. */
  jpegQuality?: number;
  /** Where the quality was read: quantisation tables, header or pixels. */
  toldBy: 'tables' | 'header' | 'pixels' | 'nothing';
  /** Standard deviation of the noise in each channel, in levels of 0 to 255. */
  noise: number;
  /** Softness of the noise as the standard deviation of a Gaussian blur, in pixels. */
  softnessPx: number;
  /** Excess of the steps at 8 x 8 block borders over those within blocks: 0 equal, 1 twice as large. */
  blockiness: number;
  /** Blur of the photo's sharpest places as the standard deviation of a Gaussian, in pixels; absent: not measured. */
  blurPx?: number;
  /** Damage that the network was asked to remove. */
  restored?: {
    jpegQuality?: number;
    noise: number;
    blurPx?: number;
  };
  /** Grain added to the result: deviation in levels of 0 to 255, softness in pixels of the result. */
  grain?: {
    deviation: number;
    softnessPx: number;
  };
  /** Explanation as a sentence for people. */
  why: string;
};

export type ChangedPixels = {
  mean: number;
  largest: number;
  /** Share of pixels that differ by more than 2 levels, 0 to 1. */
  share: number;
};

export type Timings = {
  queuedMs?: number;
  fetchMs?: number;
  decodeMs?: number;
  /** Waiting until another task has left the network. */
  waitMs?: number;
  /** Measuring compression, noise and softness of the photo. */
  measureMs?: number;
  networkMs?: number;
  /** Comparing the enlarged picture with the photo. */
  compareMs?: number;
  /** Cut-outs: refining the edge and estimating its colours. */
  refineMs?: number;
  /** Cut-outs: cropping and compositing over the background. */
  composeMs?: number;
  encodeMs?: number;
  publishMs?: number;
  totalMs?: number;
};

export type TaskCallback = {
  state: 'waiting' | 'delivered' | 'failed';
  attempts: number;
  /** Error of the last attempt. */
  problem?: string;
};

export type TaskRecord = {
  taskId: string;
  /** Shared by all tasks (versions) of one photo: the submitted value, or derived from the source. */
  photo: string;
  operation: 'upscale' | 'remove-bg' | 'convert';
  status: 'PENDING' | 'PROCESSING' | 'FINISHED' | 'FAILED';
  progress: number;
  /** Remaining seconds of a running task, from measured speed. */
  etaSeconds?: number;
  priority: number;
  /** Position in the queue while PENDING, counted from 1. */
  place?: number;
  source: {
    /** url, data, upload, file, or task (the result of another task) */
    kind: string;
    name: string;
    /** The task whose result is the source. */
    taskId?: string;
    /** Whether the source is still stored, so that the task can run again. */
    kept: boolean;
  };
  options: TaskOptions;
  /** The networks that ran, in order, separated by commas. */
  model?: string;
  device?: DeviceUse;
  /** Machine of the pool that ran the task; absent: this machine. */
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
  /** Region of the upright source that a cropped result shows, in pixels. With a canvas it may extend beyond the source. */
  crop?: PicturePart;
  measured?: MeasuredDamage;
  /** Difference between the source and the result reduced to its size, before sharpening, grain and compression. */
  changed?: ChangedPixels;
  /** Confidence in a cut-out: good can be used as it is, look needs a check, poor is probably wrong. */
  grade?: 'good' | 'look' | 'poor';
  timings: Timings;
  /** What a person should know about the result, one sentence each. */
  notes: readonly string[];
  callback?: TaskCallback;
  savedTo?: string;
  /** When a person downloaded or exported the result, as reported by a client. */
  takenAt?: string;
  /** A person's verdict on the result. */
  mark?: 'accepted' | 'rejected';
  imageUrl?: string;
  thumbUrl?: string;
  /** Link to a thumbnail of the source, also before the task has run. 404 when there is none. */
  sourceThumbUrl?: string;
  error?: TaskFailure;
};

export type TargetSize = {
  /** Pixels of the result's width. The other side follows. Instead of scale: the nearest scale of the model is made, then resized. */
  width?: number;
  /** Pixels of the result's height. The other side follows. Instead of scale: the nearest scale of the model is made, then resized. */
  height?: number;
  /** Pixels of the result's longer side. The other side follows. Instead of scale: the nearest scale of the model is made, then resized. */
  longEdge?: number;
  /** Megapixels of the result. Instead of scale: the nearest scale of the model is made, then resized. */
  megapixels?: number;
};

export type Output = {
  /** A model id of GET /api/models. */
  model?: string;
  /** 'same' keeps the source's format where it can be written. */
  format?: 'jpeg' | 'png' | 'webp' | 'tiff' | 'avif' | 'jxl' | 'gif' | 'same';
  /** For jpeg, webp, avif, jxl; 100 makes a jxl lossless. */
  quality?: number;
  bitDepth?: 8 | 16 | 'same';
  /** private: without GPS position and serial numbers. none: without all but the profile. */
  metadata?: 'keep' | 'private' | 'none';
  /** A granted folder in which the result is saved, too; '.' for the folder of a file: source, './name' for a folder in it, created when missing. */
  saveTo?: string;
  /** Name template for saveTo: {name}, {scale}, {model}, {date}, {ext}, {n}. */
  name?: string;
  /** When a file of that name exists in saveTo: number the new one, skip it, or overwrite. */
  onConflict?: 'number' | 'skip' | 'overwrite';
  /** Receives a signed POST with the task, as GET /api/task/{id} returns it, when the task has ended. The address rules for sources apply, unless the key allows local callbacks. */
  callbackUrl?: string;
  /** What callbackUrl receives: finished and failed by default. started is sent when the task first runs, and is given up when the task has ended before it arrives. */
  callbackEvents?: readonly ('started' | 'finished' | 'failed')[];
  /** Tasks of higher priority run first. */
  priority?: number;
};

export type UpscaleOptions = TargetSize &
  Finishing &
  Output & {
    /** Factor by which width and height grow. 1 cleans without enlarging and needs model, restore or grain. */
    scale?: 1 | 2 | 4 | 8 | 16;
    /** Print size, in place of scale. The other side follows from the proportions. */
    printSize?: PrintSize;
    /** Where the network's result is used: everywhere, on the subject, on the background, or only where strokes paint it (painted). Strokes change each of them. Elsewhere the enlargement is plain. Absent: everywhere, without strokes. */
    amountMask?: 'everywhere' | 'subject' | 'background' | 'painted';
    /** Applied in order over amountMask: keep adds to the area, remove takes away. Without hardness a stroke has a soft edge. */
    strokes?: readonly Stroke[];
  };

export type StrokePoint = {
  /** keep: the object at the point belongs to the subject; remove: to the background. */
  kind: 'keep' | 'remove';
  x: number;
  y: number;
};

export type RemoveBackgroundOptions = Placing &
  Edge &
  Output & {
    /** 'transparent' (the default), 'blur' for the photo's own surroundings out of focus, or a colour: #fff, #ffffff, or a name that CSS knows, such as white. JPEG needs one of the last two. */
    background?: string;
    /** Picture behind the subject, in place of background; addressed like imageUrl. It covers the result, keeping its proportions, and is converted to the result's profile. */
    backgroundImage?: string;
    /** Crops the result to the subject. A number is the margin in percent of the subject's longer side; true means 5. */
    crop?: boolean | number;
    /** Returns the mask itself as a 16-bit grey picture in which the subject is white. */
    maskOnly?: boolean;
    /** Applied in order over the network's mask; hard strokes after those that follow edges. Boxes come first, then those that select objects. */
    strokes?: readonly Stroke[];
    /** Clicks, x and y from the upper left corner as fractions of the photo's width and height. Each keeps or removes the whole object at the point if the model takes clicks, a spot otherwise. Applied before strokes; the task lists them as strokes of one point. */
    points?: readonly StrokePoint[];
    /** Also enlarges in the same task; {} means 2x. A size refers to the whole photo before crop; with first: cutout, to the whole cut-out. */
    enlarge?: TargetSize &
      Finishing & {
        /** Factor by which width and height grow. 1 cleans without enlarging and needs model, restore or grain. */
        scale?: 1 | 2 | 4 | 8 | 16;
        printSize?: PrintSize;
        /** A model id of GET /api/models. */
        model?: string;
        /** Order: enlarge (the default) refines the edge on the enlarged picture; cutout enlarges the cut-out, which is faster with crop. The subject is found in the photo either way. */
        first?: 'enlarge' | 'cutout';
      };
    /** Pixels of the result's width. An upper limit: the cut-out is reduced to it as the last step; only enlarge makes it larger. */
    width?: number;
    /** Pixels of the result's height. An upper limit: the cut-out is reduced to it as the last step; only enlarge makes it larger. */
    height?: number;
    /** Pixels of the result's longer side. An upper limit: the cut-out is reduced to it as the last step; only enlarge makes it larger. */
    longEdge?: number;
    /** Megapixels of the result. An upper limit: the cut-out is reduced to it as the last step; only enlarge makes it larger. */
    megapixels?: number;
  };

export type Estimate = {
  width: number;
  height: number;
  format: string;
  /** Estimated size of the result file. */
  fileSizeBytes: number;
  /** Temporary disk space needed while the task runs. */
  scratchBytes: number;
  /** Estimated from measured speed; absent until the model has run on this machine. */
  seconds?: number;
  input?: PictureInfo;
  problem?: TaskFailure;
};

export type ModelOrigin = {
  format: 'onnx' | 'ncnn' | 'pytorch' | 'safetensors';
  /** Names of the imported files. */
  files: readonly string[];
  /** Of those files, in the same order. */
  sha256: readonly string[];
  architecture?: string;
  /** Observations of the trial run, one sentence each. */
  notes: readonly string[];
};

export type NetworkCondition = {
  constant: string;
  values: readonly ('jpeg' | 'noise' | 'blur')[];
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
  /** The greatest share of the picture's border of such a subject: beyond it the frame may cut off a part. */
  goodBorder?: number;
  /** The most doubt over a mask that is worth a look. */
  poorDoubt?: number;
};

export type NetworkContract =
  | {
      /** Output pixels per input pixel along a side. */
      scale: number;
      input: string;
      output: string;
      layout: 'NCHW' | 'NHWC';
      channels: 'RGB' | 'BGR';
      /** Input values of black and white. */
      range: readonly [number, number];
      /** Receptive field: input pixels around a tile that influence its core. */
      marginPx: number;
      /** Padding beyond the picture's border. */
      padding: 'replicate' | 'reflect';
      /** Width and height of a tile must be multiples of this. */
      multiple: number;
      minSizePx: number;
      /** Fixed width and height of tiles, for networks that take one size only. */
      fixedPx?: number;
      /** Whether tiled and untiled results are equal; if not, overlaps are blended. */
      tileExact: boolean;
      condition?: NetworkCondition;
      /** Output pixels that the network crops from each side. */
      trimPx?: number;
    }
  | {
      input: string;
      output: string;
      /** Element order of the input. The output is planar. */
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
            /** Both sides are multiples of this, nearest to the proportions. */
            multiple: number;
          };
      /** The picture is stretched to the size, ignoring its proportions. */
      fit: 'stretch';
      /** Values of black and white before the mean is subtracted. */
      range: readonly [number, number];
      /** Of red, green and blue, whatever the order of the channels. */
      mean: readonly [number, number, number];
      /** Of red, green and blue, whatever the order of the channels. */
      deviation: readonly [number, number, number];
      /** Output plane that holds the mask, from 0. */
      outputPlane: number;
      /** Activation to apply to the output. */
      activation: 'none' | 'sigmoid';
      /** Whether values are first scaled so that the picture's maximum is white. */
      brightest?: true;
      /** Whether the mask is stretched to the range 0 to 1 where a subject was found. */
      stretched?: true;
      /** Whether the output is true alpha, which is enlarged without refinement. */
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
  /** Files of its networks with their expected hashes. */
  files: readonly {
    file: string;
    precision: string;
    sizeBytes: number;
    sha256: string;
  }[];
  isDefault: boolean;
  /** Whether the strength of cleaning can be set; if not, `restore` has no effect. */
  takesRestore: boolean;
  /** Whether points, and strokes that select objects, select whole ones; if not, they paint the area that they cover. */
  takesClicks: boolean;
  origin?: ModelOrigin;
  /** Set when it came with the release package, and cannot be corrected or removed. */
  isPacked?: true;
  contract?: NetworkContract;
  speed: readonly {
    scale: number;
    provider: string;
    precision: string;
    /** Input megapixels per second, measured on this machine. */
    megapixelsPerSecond: number;
  }[];
};
