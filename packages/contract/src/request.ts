/** Requests: operations, their options, and responses of a submit. */
import { Type, type Static, type TObject, type TProperties } from 'typebox';
import { AnyScale, BitDepthChoice, closed, named, omit, oneOf, Quality } from './common.ts';
import { outputFormats } from './formats.ts';
import { PrintSize } from './options/print-size.ts';
import { Points, Stroke, Strokes } from './options/strokes.ts';
import { awaitedPriority } from './priority.ts';

export const operations = ['upscale', 'remove-bg'] as const;
export const Operation = oneOf(operations);
export type Operation = (typeof operations)[number];

/** An operation of a network, or the conversion of a result. */
const taskOperations = [...operations, 'convert'] as const;
export const TaskOperation = oneOf(taskOperations);
export type TaskOperation = (typeof taskOperations)[number];

export const metadataChoices = ['keep', 'private', 'none'] as const;
export type MetadataChoice = (typeof metadataChoices)[number];

/** Events that a callbackUrl may receive. */
export const callbackEvents = ['started', 'finished', 'failed'] as const;
export type CallbackEvent = (typeof callbackEvents)[number];
/** Events without `callbackEvents`. */
export const defaultCallbackEvents: readonly CallbackEvent[] = ['finished', 'failed'];

export const conflictRules = ['number', 'skip', 'overwrite'] as const;
export type ConflictRule = (typeof conflictRules)[number];

const ImageUrl = Type.String({
  minLength: 1,
  description: 'http(s):, data:, the URL returned by an upload, or file: inside a granted folder.',
});
/** Groups the versions of one photo. */
export const PhotoId = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[\\w-]+$',
  description:
    'Groups the versions of one photo. Absent: tasks with the same file, upload or address belong to one photo.',
});

/** Paths that a submit grants to its task alone. */
const Grants = Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), {
  maxItems: 100,
  description:
    'Folders or files that this task may read and write in addition to the granted ones, until it is deleted. Requires a key that may change settings.',
});

const Source = Type.Literal('api', { default: 'api' });

/** Of a save, too. */
export const OneVersion = Type.Boolean({
  description:
    'Of the versions of a photo that are saved into a folder so, only the one that counts lies there: the accepted one, else the latest that is not rejected. Another one is taken out again while its file is as it was written and its result is kept, which then has its whole retention once more. Only with onConflict number.',
});

const OnlyAccepted = Type.Boolean({
  default: false,
  description:
    'The result is saved into saveTo once it is accepted (PUT /api/task/{id}/mark) instead of when it is finished. With oneVersion it is taken out again when it is no longer accepted, by the same rules; without it, it stays.',
});

/** Options of both operations. */
export const outputChoices = {
  model: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'A model id of GET /api/models.' }),
  ),
  format: Type.Optional(
    oneOf([...outputFormats, 'same'], {
      description: "'same' keeps the source's format where it can be written.",
    }),
  ),
  quality: Type.Optional(Quality),
  bitDepth: Type.Optional(BitDepthChoice),
  metadata: Type.Optional(
    oneOf(metadataChoices, {
      description:
        'private: without GPS position and serial numbers. none: without all but the profile.',
    }),
  ),
  saveTo: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 4096,
      description:
        "A granted folder in which the result is saved, too; '.' for the folder of a file: source, './name' for a folder in it, created when missing.",
    }),
  ),
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'Name template for saveTo: {name}, {scale}, {size}, {model}, {date}, {ext}, {n}.',
    }),
  ),
  onConflict: Type.Optional(
    oneOf(conflictRules, {
      description:
        'When a file of that name exists in saveTo: number the new one, skip it, or overwrite.',
    }),
  ),
  oneVersion: Type.Optional(OneVersion),
  onlyAccepted: Type.Optional(OnlyAccepted),
  callbackUrl: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2000,
      description:
        'Receives a signed POST with the task, as GET /api/task/{id} returns it, when the task has ended. The address rules for sources apply, unless the key allows local callbacks.',
    }),
  ),
  callbackEvents: Type.Optional(
    Type.Array(oneOf(callbackEvents), {
      minItems: 1,
      uniqueItems: true,
      description:
        'What callbackUrl receives: finished and failed by default. started is sent when the task first runs, and is given up when the task has ended before it arrives.',
    }),
  ),
  priority: Type.Optional(
    Type.Integer({
      minimum: -10,
      maximum: awaitedPriority,
      default: 0,
      description:
        'Tasks of higher priority run first. At 10, because a person waits, a cut-out runs beside the running tasks and preempts an enlargement between two tiles.',
    }),
  ),
};

const sidePx = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description }));
/** Size fields. @param more added to the description of a side, and of megapixels */
const sizes = (more: { side: string; pixels: string }) => ({
  width: sidePx(`Pixels of the result's width. ${more.side}`),
  height: sidePx(`Pixels of the result's height. ${more.side}`),
  longEdge: sidePx(`Pixels of the result's longer side. ${more.side}`),
  megapixels: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 100_000,
      description: `Megapixels of the result. ${more.pixels}`,
    }),
  ),
});

/** Sizes instead of a scale. The nearest scale of the network is made, then resized. */
export const targetSizes = sizes({
  side: 'The other side follows. Instead of scale: the nearest scale of the model is made, then resized.',
  pixels: 'Instead of scale: the nearest scale of the model is made, then resized.',
});
const targetChoices = {
  ...targetSizes,
  printSize: Type.Optional(PrintSize),
};
/** A cut-out is never enlarged by these, so its sizes are limits. */
const atMost =
  'An upper limit: the cut-out is reduced to it as the last step; only enlarge makes it larger.';
const reducedChoices = sizes({ side: atMost, pixels: atMost });
export const targetKinds = ['width', 'height', 'longEdge', 'megapixels'] as const;
/** Kinds of a task's target, of which a print size alone asks for `shortEdge`. */
export const taskTargetKinds = [...targetKinds, 'shortEdge'] as const;
export const Target = named('Target', { kind: oneOf(taskTargetKinds), value: Type.Number() });
export type Target = Static<typeof Target>;
/** Fields that set a size; a submit has at most one. */
export const sizeFields = ['scale', ...targetKinds, 'printSize'] as const;

const autoOrPercent = (byDefault: 'auto' | 0, description: string) =>
  Type.Union([Type.Literal('auto'), Type.Integer({ minimum: 0, maximum: 100 })], {
    description,
    default: byDefault,
  });

export const Restore = autoOrPercent(
  'auto',
  'How much compression, noise and softness a model removes, if its strength can be set: auto (the default) as much as was measured, 0 nothing, 100 as much as in a JPEG of quality 40 with noise of 10 levels.',
);
export type Restore = Static<typeof Restore>;
export const Grain = autoOrPercent(
  0,
  "Synthetic grain added to the result: 0 none (the default), 100 a standard deviation of 12 levels of 255, auto as strong and as coarse as the photo's own noise.",
);
export type Grain = Static<typeof Grain>;
export const keepChoices = ['faithful', 'colours'] as const;
export const Keep = oneOf(keepChoices, {
  description:
    "faithful: the result is corrected until, reduced to the source's size, it equals the source within 1 level of 255, before sharpening, grain and lossy compression. colours: low frequencies are taken from the source, high frequencies from the network.",
});
export type Keep = (typeof keepChoices)[number];

/** Finishing of an enlarged picture. */
export const finishingChoices = {
  sharpen: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100,
      default: 0,
      description: 'Sharpening of the result as the last step: 0 none, 100 strongest.',
    }),
  ),
  restore: Type.Optional(Restore),
  grain: Type.Optional(Grain),
  keep: Type.Optional(Keep),
  amount: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100,
      default: 100,
      description:
        "Opacity in percent of the network's result over a plain (bicubic) enlargement: 0 plain, 100 the network alone.",
    }),
  ),
  detail: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100,
      default: 100,
      description:
        'How much a model with `takesDetail` adds beyond Natural, by a blend of their weights: 0 as Natural, 100 the model. Other models ignore it.',
    }),
  ),
};

export const amountMasks = ['everywhere', 'subject', 'background', 'painted'] as const;
export type AmountMask = (typeof amountMasks)[number];

/** Where the network's result is used. */
export const amountMaskChoices = {
  amountMask: Type.Optional(
    oneOf(amountMasks, {
      description:
        "Where the network's result is used: everywhere, on the subject, on the background, or only where strokes paint it (painted). Strokes change each of them. Elsewhere the enlargement is plain. Absent: everywhere, without strokes.",
    }),
  ),
  strokes: Type.Optional(
    Type.Array(Stroke, {
      maxItems: 200,
      description:
        'Applied in order over amountMask: keep adds to the area, remove takes away. Without hardness a stroke has a soft edge.',
    }),
  ),
};

/** Which comes first if a photo is cut out and enlarged in one task. */
export const enlargeOrders = ['enlarge', 'cutout'] as const;
export type EnlargeOrder = (typeof enlargeOrders)[number];

/** Edge of a cut-out. */
export const edgeChoices = {
  feather: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 200,
      default: 0,
      description:
        'Softening of the edge inwards: standard deviation of a Gaussian, in pixels of the source. Hard strokes stay sharp.',
    }),
  ),
  decontaminate: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100,
      default: 100,
      description:
        "How much of the background's colour is removed from soft edges: 100 all, 0 none.",
    }),
  ),
};

export const UpscaleBody = named('UpscaleBody', {
  imageUrl: ImageUrl,
  scale: Type.Optional(AnyScale),
  ...targetChoices,
  ...finishingChoices,
  ...amountMaskChoices,
  source: Type.Optional(Source),
  photo: Type.Optional(PhotoId),
  grants: Type.Optional(Grants),
  ...outputChoices,
});
export type UpscaleBody = Static<typeof UpscaleBody>;

/** A copy without $id, for use inside another schema, where a name may occur once. */
export const withoutId = <T extends TProperties>({ properties }: TObject<T>): TObject<T> =>
  closed(properties);

export const EnlargeFirst = oneOf(enlargeOrders, {
  default: 'enlarge',
  description:
    'Order: enlarge (the default) refines the edge on the enlarged picture; cutout enlarges the cut-out, which is faster with crop. The subject is found in the photo either way.',
});

/** Options of enlarging a cut-out in the same task. */
export const enlargingChoices = {
  scale: Type.Optional(AnyScale),
  ...targetChoices,
  printSize: Type.Optional(withoutId(PrintSize)),
  ...finishingChoices,
  model: outputChoices.model,
  first: Type.Optional(EnlargeFirst),
};

const percent = (description: string) => Type.Number({ minimum: 0, maximum: 100, description });
const canvasSide = { minimum: 1, maximum: 100_000 };

/** Canvas, position and shadow of a cut-out. */
export const placingChoices = {
  shadow: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100,
      default: 0,
      description: 'Opacity in percent of a soft shadow under the subject: 0 none.',
    }),
  ),
  canvas: Type.Optional(
    closed(
      { width: Type.Integer(canvasSide), height: Type.Integer(canvasSide) },
      {
        description:
          'Size of the result in pixels. The subject is centred, and reduced if it does not fit.',
      },
    ),
  ),
  subjectScale: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      description:
        'Percentage of the canvas that the subject fills in width or height. It is also enlarged to that size, by interpolation.',
    }),
  ),
  position: Type.Optional(
    closed(
      {
        x: percent('0: at the left border of the canvas; 100: at the right one.'),
        y: percent('0: at the upper border of the canvas; 100: at the lower one.'),
      },
      { description: 'Position of the subject on the canvas.' },
    ),
  ),
};

export const CropMargin = Type.Integer({ minimum: 0, maximum: 100 });

export const RemoveBackgroundBody = named('RemoveBackgroundBody', {
  imageUrl: ImageUrl,
  source: Type.Optional(Source),
  photo: Type.Optional(PhotoId),
  grants: Type.Optional(Grants),
  background: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 32,
      description:
        "'transparent' (the default), 'blur' for the photo's own surroundings out of focus, or a colour: #fff, #ffffff, or a name that CSS knows, such as white. JPEG needs one of the last two.",
    }),
  ),
  backgroundImage: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        "Picture behind the subject, in place of background; addressed like imageUrl. It covers the result, keeping its proportions, and is converted to the result's profile.",
    }),
  ),
  ...placingChoices,
  crop: Type.Optional(
    Type.Union([Type.Boolean(), CropMargin], {
      description:
        "Crops the result to the subject. A number is the margin in percent of the subject's longer side; true means 5.",
    }),
  ),
  maskOnly: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Returns the mask itself as a 16-bit grey picture in which the subject is white.',
    }),
  ),
  strokes: Type.Optional(Strokes),
  points: Type.Optional(Points),
  ...edgeChoices,
  enlarge: Type.Optional(
    closed(enlargingChoices, {
      description:
        'Also enlarges in the same task; {} means 2x. A size refers to the whole photo before crop; with first: cutout, to the whole cut-out.',
    }),
  ),
  ...reducedChoices,
  ...outputChoices,
});
export type RemoveBackgroundBody = Static<typeof RemoveBackgroundBody>;

const ofThePicture = ['imageUrl', 'source', 'photo', 'grants'] as const;

/** A submit without its picture: what can be changed of a waiting task. */
export const UpscaleOptions = named('UpscaleOptions', omit(UpscaleBody.properties, ofThePicture));
export type UpscaleOptions = Static<typeof UpscaleOptions>;
export const RemoveBackgroundOptions = named(
  'RemoveBackgroundOptions',
  omit(RemoveBackgroundBody.properties, ofThePicture),
);
export type RemoveBackgroundOptions = Static<typeof RemoveBackgroundOptions>;

/** Presets apply to any photo, strokes and points to one only. */
export const UpscalePreset = named(
  'UpscalePreset',
  omit(UpscaleOptions.properties, ['strokes', 'oneVersion', 'onlyAccepted']),
);
export type UpscalePreset = Static<typeof UpscalePreset>;
export const RemoveBackgroundPreset = named(
  'RemoveBackgroundPreset',
  omit(RemoveBackgroundOptions.properties, ['strokes', 'points', 'oneVersion', 'onlyAccepted']),
);
export type RemoveBackgroundPreset = Static<typeof RemoveBackgroundPreset>;

/** Which of the two it must be depends on the operation and is validated when that is known. */
export const SubmitOptions = Type.Unsafe<UpscaleOptions | RemoveBackgroundOptions>(
  Type.Object(
    {},
    { description: "The fields of the operation's submit, without imageUrl and source." },
  ),
);

/** Fields of both operations. */
export type RequestFields = UpscaleOptions & RemoveBackgroundOptions;

type Nullable<T> = { [Field in keyof T]?: T[Field] | null };
export const ChangedOptions = Type.Unsafe<Nullable<RequestFields>>(
  Type.Object({}, { description: 'Submit fields to change; null restores the default.' }),
);
export type ChangedOptions = Static<typeof ChangedOptions>;

export const SubmitReceipt = named('Submitted', { taskId: Type.String() });
export type SubmitReceipt = Static<typeof SubmitReceipt>;

const operationFields = { operation: Type.Optional(oneOf(operations, { default: 'upscale' })) };

/** Body of POST /api/estimate: a submit, of a picture or of a task's photo once more, and its operation. */
export const EstimateBody = named('EstimateBody', {
  ...UpscaleBody.properties,
  ...RemoveBackgroundBody.properties,
  ...operationFields,
  imageUrl: Type.Optional(ImageUrl),
  taskId: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'In place of imageUrl: the task whose photo would run again.',
    }),
  ),
});
export type EstimateBody = Static<typeof EstimateBody>;

/** Which operation an item of a batch has. */
export const ItemOperation = Type.Object(operationFields);
type BatchItem = UpscaleBody & RemoveBackgroundBody & Static<typeof ItemOperation>;

/** Items are validated one by one, so that a rejected one rejects no other. */
export const BatchBody = named('BatchBody', {
  items: Type.Array(
    Type.Unsafe<BatchItem>(
      Type.Object(
        {},
        {
          description:
            'The body of a submit, and its operation: upscale (the default) or remove-bg.',
        },
      ),
    ),
    { minItems: 1, maxItems: 1000 },
  ),
});
export type BatchBody = Static<typeof BatchBody>;
