/**
 * Descriptors of networks: models/catalogue.json is an array of them. A new network is one entry; no code
 * names one.
 */
import { Type, type Static } from 'typebox';
import { closed, named, oneOf } from '../common.ts';
import { providers } from './devices.ts';
import { defaultMaskTuning } from './mask-tuning.ts';
import { operations } from '../request.ts';

const precisions = ['fp32', 'fp16', 'int8'] as const;
export type Precision = (typeof precisions)[number];

export const paddings = ['replicate', 'reflect'] as const;
export type Padding = (typeof paddings)[number];

/** One file of weights. */
export const NetworkVariant = closed({
  precision: oneOf(precisions),
  file: Type.String(),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  sizeBytes: Type.Integer({ minimum: 1 }),
});
export type NetworkVariant = Static<typeof NetworkVariant>;

const conditionKinds = ['jpeg', 'noise', 'blur', 'natural'] as const;

/**
 * Constant in the network's file, float32 [1, values] and zero there, set to the picture's damage; 0 for
 * none. `jpeg` is (100 - quality) / 60, 0..1.05; `noise` the standard deviation in levels of 255 over 15,
 * 0..1.33; `blur` the standard deviation of a Gaussian in pixels over 1.5, 0..1.06. `natural` is no damage: the
 * share, 0..1, of a gentler network's weights, which the file holds as well.
 */
export const NetworkCondition = named('NetworkCondition', {
  constant: Type.String({ minLength: 1, maxLength: 100 }),
  values: Type.Array(oneOf(conditionKinds), { minItems: 1, maxItems: 8 }),
});
export type NetworkCondition = Static<typeof NetworkCondition>;

/**
 * Network that measures a photo's blur for a condition. Its inputs are float32: patches [n, 3, 64, 64] of RGB
 * 0..1, and what is known of the compression, [1, 2]: 1 and (100 - quality) / 60, or zeros. Its output [3, 2]
 * has the condition's compression, noise and blur, and the scale of each one's error.
 */
export const BlurNetworkDescriptor = named('BlurNetworkDescriptor', {
  patches: Type.String(),
  compression: Type.String(),
  output: Type.String(),
  variants: Type.Array(NetworkVariant, { minItems: 1, maxItems: 1 }),
});
export type BlurNetworkDescriptor = Static<typeof BlurNetworkDescriptor>;

/** Tensor contract of an upscaling network: input, output, and requirements of its tiles. */
export const NetworkDescriptor = named('NetworkDescriptor', {
  scale: Type.Integer({
    minimum: 1,
    maximum: 16,
    description: 'Output pixels per input pixel along a side.',
  }),
  input: Type.String(),
  output: Type.String(),
  layout: Type.Union([Type.Literal('NCHW'), Type.Literal('NHWC')]),
  channels: Type.Union([Type.Literal('RGB'), Type.Literal('BGR')]),
  range: Type.Tuple([Type.Number(), Type.Number()], {
    description: 'Input values of black and white.',
  }),
  marginPx: Type.Integer({
    minimum: 0,
    description: 'Receptive field: input pixels around a tile that influence its core.',
  }),
  padding: oneOf(paddings, {
    description: "Padding beyond the picture's border.",
  }),
  multiple: Type.Integer({
    minimum: 1,
    description: 'Width and height of a tile must be multiples of this.',
  }),
  minSizePx: Type.Integer({ minimum: 1 }),
  fixedPx: Type.Optional(
    Type.Integer({
      minimum: 16,
      maximum: 4096,
      description: 'Fixed width and height of tiles, for networks that take one size only.',
    }),
  ),
  tileExact: Type.Boolean({
    description: 'Whether tiled and untiled results are equal; if not, overlaps are blended.',
  }),
  condition: Type.Optional(NetworkCondition),
  blurNetwork: Type.Optional(BlurNetworkDescriptor),
  trimPx: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Output pixels that the network crops from each side.',
    }),
  ),
  variants: Type.Array(NetworkVariant, { minItems: 1 }),
});
export type NetworkDescriptor = Static<typeof NetworkDescriptor>;

const triple = (description: string) =>
  Type.Tuple([Type.Number(), Type.Number(), Type.Number()], { description });

/** Input size of a mask network. */
export const MaskSize = Type.Union([
  closed({
    kind: Type.Literal('fixed'),
    width: Type.Integer({ minimum: 16, maximum: 4096 }),
    height: Type.Integer({ minimum: 16, maximum: 4096 }),
  }),
  closed({
    kind: Type.Literal('free'),
    shortSidePx: Type.Integer({ minimum: 16, maximum: 4096 }),
    multiple: Type.Integer({
      minimum: 1,
      description: 'Both sides are multiples of this, nearest to the proportions.',
    }),
  }),
]);
export type MaskSize = Static<typeof MaskSize>;

const activations = ['none', 'sigmoid'] as const;

const value = (name: keyof typeof defaultMaskTuning, description: string) =>
  Type.Optional(Type.Number({ minimum: 0, default: defaultMaskTuning[name], description }));

/**
 * These apply to one mask network alone, and were found by trying on pictures that it had not learnt from. What a
 * network does not say is what was found for the one that ships.
 */
export const MaskTuning = named('MaskTuning', {
  subjectCertainty: value('subjectCertainty', 'The least mean of the mask over a subject.'),
  leastSubject: value('leastSubject', 'The least share of the picture of a subject.'),
  mostSubject: value('mostSubject', 'The greatest: beyond it nothing is left to be cut off.'),
  partCertainty: value('partCertainty', 'The least mean over a part of it beside the largest.'),
  smallPart: value(
    'smallPart',
    'A part that is smaller beside the largest, as its share, is none of it.',
  ),
  smallHole: value('smallHole', 'The largest share of the picture of a hole that may be filled.'),
  sureHole: value('sureHole', 'A hole that goes below it is meant.'),
  smallSpeck: value('smallSpeck', 'The largest share of the picture of a speck that may go.'),
  sureSpeck: value('sureSpeck', 'A speck that goes above it is meant.'),
  outsideBelow: value('outsideBelow', 'Below it the mask is sure of the surroundings by itself.'),
  insideAbove: value('insideAbove', 'Above it the mask is sure of the subject by itself.'),
  edgeReachPx: value(
    'edgeReachPx',
    "How far beside the mask's edge the true one may lie, in mask pixels.",
  ),
  contrast: value(
    'contrast',
    'How much harder the mask is taken than it comes: networks blur edges.',
  ),
  beliefPx: value(
    'beliefPx',
    'How far within a broad part the mask is believed, in its pixels from its edge.',
  ),
  thinBelief: value(
    'thinBelief',
    "Share of a thin part's greatest depth from which it is believed there.",
  ),
  edgeWeight: value(
    'edgeWeight',
    "How much the mask counts at its edge, beside the matting's Laplacian.",
  ),
  deepWeight: value('deepWeight', 'How much more it counts where it is believed.'),
  deepPower: value(
    'deepPower',
    'How fast that falls towards the edge: the power of how far it is believed.',
  ),
  apartDoubt: value(
    'apartDoubt',
    'The most doubt over a subject that has the colours of all the rest.',
  ),
  apartBorder: value(
    'apartBorder',
    "The greatest share of the picture's border that such a subject takes.",
  ),
  apartLikeness: value(
    'apartLikeness',
    'How much of its colours a subject shares with the rest before these two count.',
  ),
  goodDoubt: value(
    'goodDoubt',
    'The most doubt over a mask whose cut-out can be handed on unseen.',
  ),
  goodShare: value('goodShare', 'The greatest share of the picture of such a subject.'),
  goodBorder: value(
    'goodBorder',
    "The greatest share of the picture's border of such a subject: beyond it the frame may cut off a part.",
  ),
  poorDoubt: value('poorDoubt', 'The most doubt over a mask that is worth a look.'),
});
export type MaskTuning = Required<Static<typeof MaskTuning>>;

/**
 * Network that corrects a mask by clicks and strokes. Its inputs are features that the mask network computes
 * beside the mask, and the hints: float32 [1, 3, height, width] with the mask before, what to keep and what to
 * remove, each 0..1. Its output is a plane of the mask network's own size, 0..1.
 */
export const ClickNetworkDescriptor = named('ClickNetworkDescriptor', {
  features: Type.Array(Type.String(), {
    minItems: 1,
    maxItems: 16,
    description: 'Outputs of the mask network and inputs of this one, under the same names.',
  }),
  hints: Type.String(),
  output: Type.String(),
  hintWidth: Type.Integer({ minimum: 16, maximum: 4096 }),
  hintHeight: Type.Integer({ minimum: 16, maximum: 4096 }),
  clickRadius: Type.Number({
    exclusiveMinimum: 0,
    maximum: 0.25,
    description: "Radius of a click's disc in the hints, as a share of each side.",
  }),
  variants: Type.Array(NetworkVariant, { minItems: 1, maxItems: 1 }),
});
export type ClickNetworkDescriptor = Static<typeof ClickNetworkDescriptor>;

/**
 * Tensor contract of a segmentation network: one small picture in, one plane out, 0 (background) to 1
 * (subject). Input values are (range - mean) / deviation.
 */
export const MaskNetworkDescriptor = named('MaskNetworkDescriptor', {
  input: Type.String(),
  output: Type.String(),
  layout: Type.Union([Type.Literal('NCHW'), Type.Literal('NHWC')], {
    description: 'Element order of the input. The output is planar.',
  }),
  channels: Type.Union([Type.Literal('RGB'), Type.Literal('BGR')]),
  size: MaskSize,
  fit: Type.Literal('stretch', {
    description: 'The picture is stretched to the size, ignoring its proportions.',
  }),
  range: Type.Tuple([Type.Number(), Type.Number()], {
    description: 'Values of black and white before the mean is subtracted.',
  }),
  mean: triple('Of red, green and blue, whatever the order of the channels.'),
  deviation: triple('Of red, green and blue, whatever the order of the channels.'),
  outputPlane: Type.Integer({
    minimum: 0,
    description: 'Output plane that holds the mask, from 0.',
  }),
  activation: oneOf(activations, { description: 'Activation to apply to the output.' }),
  brightest: Type.Optional(
    Type.Literal(true, {
      description: "Whether values are first scaled so that the picture's maximum is white.",
    }),
  ),
  stretched: Type.Optional(
    Type.Literal(true, {
      description: 'Whether the mask is stretched to the range 0 to 1 where a subject was found.',
    }),
  ),
  matting: Type.Boolean({
    description: 'Whether the output is true alpha, which is enlarged without refinement.',
  }),
  tuning: Type.Optional(MaskTuning),
  clicks: Type.Optional(ClickNetworkDescriptor),
  variants: Type.Array(NetworkVariant, { minItems: 1 }),
});
export type MaskNetworkDescriptor = Static<typeof MaskNetworkDescriptor>;

/** What a model does: an operation, or selecting the objects that clicks and boxes point at in a cut-out. */
export const modelTasks = [...operations, 'select'] as const;
export type ModelTask = (typeof modelTasks)[number];

/**
 * The decoder of a network that takes prompts. Its inputs are the encoder's features, points, float32 [1, n, 2] in
 * pixels of the encoder's picture, and what each one means, float32 [1, n]: 1 belongs to the object, 0 does not, 2 and
 * 3 are the corners of a box, -1 is no point. Its output has planes of logits, [1, planes, height, width].
 */
export const PromptDecoderDescriptor = named('PromptDecoderDescriptor', {
  features: Type.Array(closed({ output: Type.String(), input: Type.String() }), {
    minItems: 1,
    maxItems: 16,
    description: 'Outputs of the encoder, and the inputs of the decoder that take them.',
  }),
  points: Type.String(),
  labels: Type.String(),
  isPadded: Type.Boolean({
    description: 'Whether a point of label -1 follows the others where no box is among them.',
  }),
  maskBefore: Type.Optional(
    closed({
      mask: Type.String(),
      isGiven: Type.String(),
      width: Type.Integer({ minimum: 1, maximum: 4096 }),
      height: Type.Integer({ minimum: 1, maximum: 4096 }),
    }),
  ),
  pictureSize: Type.Optional(
    Type.String({ description: 'Input of height and width, to which masks are enlarged.' }),
  ),
  attention: Type.Optional(
    closed(
      { input: Type.String(), sidePx: Type.Integer({ minimum: 1, maximum: 1024 }) },
      { description: 'Input of a square plane that says where the points and boxes are, 0..1.' },
    ),
  ),
  output: Type.String(),
  scores: Type.Optional(
    Type.String({ description: "Output of each plane's quality; absent: the first plane counts." }),
  ),
  spansPadding: Type.Boolean({
    description: "Whether planes span the encoder's square, of which the picture is a part.",
  }),
  variants: Type.Array(NetworkVariant, { minItems: 1, maxItems: 1 }),
});
export type PromptDecoderDescriptor = Static<typeof PromptDecoderDescriptor>;

/** Network that selects what points and boxes mean: an encoder, which sees a photo once, and a decoder. */
export const PromptNetworkDescriptor = named('PromptNetworkDescriptor', {
  input: Type.String(),
  layout: Type.Union([Type.Literal('NCHW'), Type.Literal('HWC')], {
    description: 'HWC: [height, width, 3] without a batch, and padded by the network.',
  }),
  sidePx: Type.Integer({ minimum: 16, maximum: 2048 }),
  fit: oneOf(['stretch', 'longSide'], {
    description:
      "stretch: the picture is stretched to the square. longSide: its longer side fills the square's, and zeros follow on the right or below.",
  }),
  range: Type.Tuple([Type.Number(), Type.Number()]),
  mean: triple('Of red, green and blue.'),
  deviation: triple('Of red, green and blue.'),
  matting: Type.Boolean({
    description: 'Whether the output is true alpha, which is enlarged without refinement.',
  }),
  decoder: PromptDecoderDescriptor,
  variants: Type.Array(NetworkVariant, { minItems: 1, maxItems: 1 }),
});
export type PromptNetworkDescriptor = Static<typeof PromptNetworkDescriptor>;

const modelFormats = ['onnx', 'ncnn', 'pytorch', 'safetensors'] as const;
export type ModelFormat = (typeof modelFormats)[number];

/** Origin of an imported or downloaded model. */
export const ModelOrigin = named('ModelOrigin', {
  format: oneOf(modelFormats),
  files: Type.Array(Type.String(), { description: 'Names of the imported files.' }),
  sha256: Type.Array(Type.String({ pattern: '^[0-9a-f]{64}$' }), {
    description: 'Of those files, in the same order.',
  }),
  architecture: Type.Optional(Type.String()),
  notes: Type.Array(Type.String(), {
    description: 'Observations of the trial run, one sentence each.',
  }),
});
export type ModelOrigin = Static<typeof ModelOrigin>;

const about = {
  id: Type.String({ pattern: '^[a-z0-9][a-z0-9-]*$' }),
  name: Type.String(),
  description: Type.String(),
  licence: Type.String(),
  author: Type.String(),
  card: Type.Optional(Type.String()),
  trainedOn: Type.Optional(Type.String()),
  origin: Type.Optional(ModelOrigin),
};

export const UpscalerDescriptor = named('UpscalerDescriptor', {
  ...about,
  task: Type.Literal('upscale'),
  networks: Type.Array(NetworkDescriptor, { minItems: 1 }),
});
export type UpscalerDescriptor = Static<typeof UpscalerDescriptor>;

export const RemoverDescriptor = named('RemoverDescriptor', {
  ...about,
  task: Type.Literal('remove-bg'),
  networks: Type.Array(MaskNetworkDescriptor, { minItems: 1, maxItems: 1 }),
});
export type RemoverDescriptor = Static<typeof RemoverDescriptor>;

/** A model that selects objects, chosen by the setting `defaultSelector`. */
export const SelectorDescriptor = named('SelectorDescriptor', {
  ...about,
  task: Type.Literal('select'),
  networks: Type.Array(PromptNetworkDescriptor, { minItems: 1, maxItems: 1 }),
});
export type SelectorDescriptor = Static<typeof SelectorDescriptor>;

export const ModelDescriptor = Type.Union(
  [UpscalerDescriptor, RemoverDescriptor, SelectorDescriptor],
  { $id: 'ModelDescriptor' },
);
export type ModelDescriptor = Static<typeof ModelDescriptor>;

/** Ids of the models for a task, in catalogue order. */
export const idsFor = (operation: ModelTask, models: readonly ModelDescriptor[]): string[] =>
  models.filter(({ task }) => task === operation).map(({ id }) => id);

export const CatalogueFile = closed({ models: Type.Array(ModelDescriptor) });
export type CatalogueFile = Static<typeof CatalogueFile>;

/** How an imported network is used, as detected or corrected. */
export const NetworkContract = Type.Union(
  [
    Type.Omit(NetworkDescriptor, ['variants', 'blurNetwork']),
    Type.Omit(MaskNetworkDescriptor, ['variants', 'clicks']),
  ],
  { $id: 'NetworkContract' },
);
export type NetworkContract = Static<typeof NetworkContract>;

const enlarging = NetworkDescriptor.properties;
const cuttingOut = MaskNetworkDescriptor.properties;

/** Fields of an imported model that can be corrected. Fields of the other operation are rejected. */
export const ModelCorrection = Type.Partial(
  Type.Object({
    name: Type.String({ minLength: 1, maxLength: 100 }),
    description: Type.String({ maxLength: 1000 }),
    licence: Type.String({ maxLength: 200 }),
    author: Type.String({ maxLength: 200 }),
    channels: enlarging.channels,
    range: enlarging.range,
    marginPx: Type.Integer({ minimum: 0, maximum: 512 }),
    padding: enlarging.padding,
    tileExact: enlarging.tileExact,
    mean: cuttingOut.mean,
    deviation: cuttingOut.deviation,
    outputPlane: Type.Integer({ minimum: 0, maximum: 15 }),
    activation: cuttingOut.activation,
    size: MaskSize,
    matting: cuttingOut.matting,
  }),
  { $id: 'ModelCorrection', additionalProperties: false },
);
export type ModelCorrection = Static<typeof ModelCorrection>;

/** A model in GET /api/models. */
export const ModelView = named('ModelView', {
  id: Type.String(),
  name: Type.String(),
  task: oneOf(modelTasks, {
    description:
      'select: it answers points, strokes that select objects and boxes of cut-outs; chosen by the setting defaultSelector.',
  }),
  description: Type.String(),
  licence: Type.String(),
  author: Type.String(),
  trainedOn: Type.Optional(Type.String()),
  scales: Type.Array(Type.Integer()),
  sizeBytes: Type.Integer(),
  files: Type.Array(
    closed({
      file: Type.String(),
      precision: Type.String(),
      sizeBytes: Type.Integer(),
      sha256: Type.String(),
    }),
    { description: 'Files of its networks with their expected hashes.' },
  ),
  isDefault: Type.Boolean(),
  takesRestore: Type.Boolean({
    description: 'Whether the strength of cleaning can be set; if not, `restore` has no effect.',
  }),
  takesDetail: Type.Boolean({
    description: 'Whether `detail` has an effect.',
  }),
  takesClicks: Type.Boolean({
    description:
      'Whether points, and strokes that select objects, select whole ones; if not, they paint the area that they cover.',
  }),
  origin: Type.Optional(ModelOrigin),
  isPacked: Type.Optional(
    Type.Literal(true, {
      description: 'Set when it came with the release package, and cannot be corrected or removed.',
    }),
  ),
  contract: Type.Optional(NetworkContract),
  speed: Type.Array(
    closed({
      scale: Type.Integer(),
      provider: Type.String(),
      precision: Type.String(),
      megapixelsPerSecond: Type.Number({
        description:
          'Input megapixels per second, measured on this machine while nothing else took it. Until then the median of photos that ran beside other programs, from the third one on.',
      }),
    }),
  ),
});
export type ModelView = Static<typeof ModelView>;
export type ModelSpeed = ModelView['speed'][number];

/** Query beside a model's files; fields of a form take precedence. */
export const AddModelQuery = Type.Partial(
  Type.Object({
    name: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'File name, for a body of raw bytes.',
    }),
    licence: Type.String({ maxLength: 200 }),
    author: Type.String({ maxLength: 200 }),
  }),
  { additionalProperties: false },
);
export type AddModelQuery = Static<typeof AddModelQuery>;

/** Blends two imported models of equal structure into a third. */
export const BlendModelBody = named('BlendModelBody', {
  with: Type.String({ minLength: 1, maxLength: 100, description: 'Id of the second model.' }),
  share: Type.Number({ minimum: 0, maximum: 1, description: 'Share of the second model, 0 to 1.' }),
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
});
export type BlendModelBody = Static<typeof BlendModelBody>;

export const RemoveModelQuery = closed({
  force: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Remove it even while tasks wait for it; these then fail.',
    }),
  ),
});

export const ModelList = named('ModelList', { models: Type.Array(ModelView) });
export type ModelList = Static<typeof ModelList>;

/** A device in GET /api/devices: whether it is in use, and if not, why. */
export const DeviceView = named('DeviceView', {
  provider: oneOf(providers),
  name: Type.String(),
  state: Type.Union([
    Type.Literal('unchecked'),
    Type.Literal('in-use'),
    Type.Literal('available'),
    Type.Literal('left'),
  ]),
  reason: Type.Optional(
    Type.String({ description: 'Why the CPU is used instead, as a sentence.' }),
  ),
});
export type DeviceView = Static<typeof DeviceView>;
export const GraphicsCard = named('GraphicsCard', {
  name: Type.String(),
  driver: Type.Optional(
    Type.String({ description: "Driver version; absent: the system's own driver." }),
  ),
});
export type GraphicsCard = Static<typeof GraphicsCard>;
export const DeviceList = named('DeviceList', {
  devices: Type.Array(DeviceView),
  graphicsCards: Type.Array(GraphicsCard, {
    description: 'Cards that the operating system lists.',
  }),
});
export type DeviceList = Static<typeof DeviceList>;
