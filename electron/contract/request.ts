/** Requests: operations, their options, and responses of a submit. */
import { Type, type Static, type TObject, type TProperties } from 'typebox';
import { AnyScale, BitDepthChoice, closed, named, oneOf, Quality } from './common.ts';
import { outputFormats } from './formats.ts';
import { PrintSize } from './options/print-size.ts';
import { Strokes } from './options/strokes.ts';

export const operations = ['upscale', 'remove-bg'] as const;
export const Operation = oneOf(operations);
export type Operation = (typeof operations)[number];

/** An operation of a network, or the conversion of a result. */
const taskOperations = [...operations, 'convert'] as const;
export const TaskOperation = oneOf(taskOperations);
export type TaskOperation = (typeof taskOperations)[number];

export const metadataChoices = ['keep', 'private', 'none'] as const;
export type MetadataChoice = (typeof metadataChoices)[number];

export const conflictRules = ['number', 'skip', 'overwrite'] as const;
export type ConflictRule = (typeof conflictRules)[number];

const ImageUrl = Type.String({
  minLength: 1,
  description:
    'http(s):, data:, the URL that an upload answered, or file: inside a folder that was granted.',
});
/** Groups the versions of one photo. */
export const PhotoId = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[\\w-]+$',
  description:
    'Groups the versions of one photo. Without it, tasks of the same file, upload or address are of one photo.',
});

/** Paths that a submit grants to its task alone. */
const Grants = Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), {
  maxItems: 100,
  description:
    'Folders or files that this task may read and write beside those that were granted, for as long as its row lives. Only with a key that may change settings.',
});

const Source = Type.Literal('api', { default: 'api' });

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
        "A folder that was granted; '.' for the one in which a file: source lies, './name' for a folder in it, made when missing. The result is saved there too.",
    }),
  ),
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Name template for saveTo: {name}, {scale}, {model}, {date}, {ext}, {n}.',
    }),
  ),
  onConflict: Type.Optional(
    oneOf(conflictRules, {
      description: 'When the name is taken in saveTo: number the new file, skip it, or overwrite.',
    }),
  ),
  callbackUrl: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2000,
      description:
        'Told by a signed POST of the task, as GET /api/task/{id} shows it, when it has ended; by the rules for addresses of sources.',
    }),
  ),
  priority: Type.Optional(
    Type.Integer({ minimum: -10, maximum: 10, default: 0, description: 'Higher ones run first.' }),
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
      description: `Millions of pixels of the result. ${more.pixels}`,
    }),
  ),
});

/** Sizes instead of a scale. The next larger scale of the network is made, then reduced. */
export const targetSizes = sizes({
  side: 'The other side follows. Instead of scale.',
  pixels: 'Instead of scale.',
});
const targetChoices = {
  ...targetSizes,
  printSize: Type.Optional(PrintSize),
};
/** A cut-out is never enlarged by these, so its sizes are limits. */
const atMost = 'At most: a cut-out is only made larger by enlarge, and reduced to this at last.';
const reducedChoices = sizes({ side: atMost, pixels: atMost });
export const targetKinds = ['width', 'height', 'longEdge', 'megapixels'] as const;
export const Target = named('Target', { kind: oneOf(targetKinds), value: Type.Number() });
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
  'How much of compression and noise is taken off by a model that can be told: auto as much as was measured (the default), 0 nothing, 100 as off a JPEG of quality 40 with noise of 10 levels.',
);
export type Restore = Static<typeof Restore>;
export const Grain = autoOrPercent(
  0,
  "Synthetic grain laid over the result: 0 none (the default), 100 a deviation of 12 levels of 255, auto as strong and as coarse as the photo's own noise.",
);
export type Grain = Static<typeof Grain>;
export const keepChoices = ['faithful', 'colours'] as const;
export const Keep = oneOf(keepChoices, {
  description:
    "faithful: the result is corrected until it is the source again, within 1 level of 255, when it is reduced to its size; before sharpening, grain and a lossy format's compression. colours: what is coarse in it has the source's colours, what is fine stays as the network drew it.",
});
export type Keep = (typeof keepChoices)[number];

/** Finishing of an enlarged picture. */
export const finishingChoices = {
  sharpen: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100,
      default: 0,
      description: 'How strongly the result is sharpened at the end.',
    }),
  ),
  restore: Type.Optional(Restore),
  grain: Type.Optional(Grain),
  keep: Type.Optional(Keep),
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
        'How far the edge is softened inwards: the deviation of a Gaussian, in pixels of the source. What a hard stroke painted stays sharp.',
    }),
  ),
  decontaminate: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100,
      default: 100,
      description:
        "How much of the surroundings' colour is taken out of a soft edge: 100 all, 0 nothing.",
    }),
  ),
};

export const UpscaleBody = named('UpscaleBody', {
  imageUrl: ImageUrl,
  scale: Type.Optional(AnyScale),
  ...targetChoices,
  ...finishingChoices,
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
    'What comes first: enlarge (the default), so that the edge is sought on the enlarged picture; or cutout, so that the cut-out itself is enlarged, which takes less time with crop. The subject is found on the photo either way.',
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
          "Pixels of the result, in place of the photo's own. The subject stands in its middle, made smaller where it does not fit.",
      },
    ),
  ),
  subjectScale: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      description:
        'How much of the canvas the subject fills in width or height, in percent; it is made larger, too, without a network.',
    }),
  ),
  position: Type.Optional(
    closed(
      {
        x: percent('0: at the left border of the canvas; 100: at the right one.'),
        y: percent('0: at the upper border of the canvas; 100: at the lower one.'),
      },
      { description: 'Where on the canvas the subject stands.' },
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
        "A picture behind the subject, in place of background; as imageUrl. It fills the result in its own proportions, cut off evenly, and takes the result's profile.",
    }),
  ),
  ...placingChoices,
  crop: Type.Optional(
    Type.Union([Type.Boolean(), CropMargin], {
      description:
        "Cuts the result to the subject. A number is the margin around it, in percent of the subject's longer side; true means 5.",
    }),
  ),
  maskOnly: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'The mask itself as a grey picture of 16 bits: white is the subject.',
    }),
  ),
  strokes: Type.Optional(Strokes),
  ...edgeChoices,
  enlarge: Type.Optional(
    closed(enlargingChoices, {
      description:
        'Enlarges, too, in the same task; {} twice. A size is that of the whole photo, before crop; with first: cutout that of the whole cut-out.',
    }),
  ),
  ...reducedChoices,
  ...outputChoices,
});
export type RemoveBackgroundBody = Static<typeof RemoveBackgroundBody>;

/** A submit without its picture: what can be changed of a waiting task. */
export const UpscaleOptions = Type.Omit(UpscaleBody, ['imageUrl', 'source', 'photo', 'grants'], {
  $id: 'UpscaleOptions',
  additionalProperties: false,
});
export type UpscaleOptions = Static<typeof UpscaleOptions>;
export const RemoveBackgroundOptions = Type.Omit(
  RemoveBackgroundBody,
  ['imageUrl', 'source', 'photo', 'grants'],
  {
    $id: 'RemoveBackgroundOptions',
    additionalProperties: false,
  },
);
export type RemoveBackgroundOptions = Static<typeof RemoveBackgroundOptions>;

/** Presets apply to any photo, strokes to one only. */
export const RemoveBackgroundPreset = Type.Omit(RemoveBackgroundOptions, ['strokes'], {
  $id: 'RemoveBackgroundPreset',
  additionalProperties: false,
});
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
  Type.Object({}, { description: 'Fields of the submit that change; null: back to the default.' }),
);
export type ChangedOptions = Static<typeof ChangedOptions>;

export const SubmitReceipt = named('Submitted', { taskId: Type.String() });
export type SubmitReceipt = Static<typeof SubmitReceipt>;

/** Body of POST /api/estimate: a submit and its operation. */
export const EstimateBody = named('EstimateBody', {
  ...UpscaleBody.properties,
  ...RemoveBackgroundBody.properties,
  operation: Type.Optional(oneOf(operations, { default: 'upscale' })),
});
export type EstimateBody = Static<typeof EstimateBody>;

/** Items are validated one by one, so that a rejected one rejects no other. */
export const BatchBody = named('BatchBody', {
  items: Type.Array(
    Type.Unsafe<EstimateBody>(
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
