/**
 * What a network is and needs, as data: models/catalogue.json is an array of these.
 * Adding a network is one entry; no code names one.
 */
import { Type, type Static } from 'typebox';
import { oneOf } from './common.ts';
import { operations, Operation } from './task.ts';

export const precisions = ['fp32', 'fp16', 'int8'] as const;
export type Precision = (typeof precisions)[number];

export const paddings = ['replicate', 'reflect'] as const;
export type Padding = (typeof paddings)[number];

/** One file of a network's weights. */
export const NetworkVariant = Type.Object(
  {
    precision: oneOf(precisions),
    file: Type.String(),
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    sizeBytes: Type.Integer({ minimum: 1 }),
  },
  { additionalProperties: false },
);
export type NetworkVariant = Static<typeof NetworkVariant>;

/** The tensor contract of one network: what it takes, what it gives, and what its tiles need. */
export const NetworkDescriptor = Type.Object(
  {
    scale: Type.Integer({
      minimum: 1,
      maximum: 16,
      description: 'Output pixels for each input pixel of a side.',
    }),
    input: Type.String(),
    output: Type.String(),
    layout: Type.Union([Type.Literal('NCHW'), Type.Literal('NHWC')]),
    channels: Type.Union([Type.Literal('RGB'), Type.Literal('BGR')]),
    range: Type.Tuple([Type.Number(), Type.Number()], {
      description: 'Values of black and of white.',
    }),
    marginPx: Type.Integer({
      minimum: 0,
      description: 'Input pixels around a tile that its centre depends on.',
    }),
    padding: oneOf(paddings, {
      description: "What stands beyond the picture's border.",
    }),
    multiple: Type.Integer({
      minimum: 1,
      description: 'Width and height of a tile are multiples of it.',
    }),
    minSizePx: Type.Integer({ minimum: 1 }),
    tileExact: Type.Boolean({
      description: 'Whether tiles equal the whole; if not, overlaps are blended.',
    }),
    trimPx: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Output pixels that the network itself cuts off each side.',
      }),
    ),
    variants: Type.Array(NetworkVariant, { minItems: 1 }),
  },
  { $id: 'NetworkDescriptor', additionalProperties: false },
);
export type NetworkDescriptor = Static<typeof NetworkDescriptor>;

export const ModelDescriptor = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z0-9][a-z0-9-]*$' }),
    name: Type.String(),
    task: Operation,
    description: Type.String(),
    licence: Type.String(),
    author: Type.String(),
    card: Type.Optional(Type.String()),
    trainedOn: Type.Optional(Type.String()),
    networks: Type.Array(NetworkDescriptor, { minItems: 1 }),
  },
  { $id: 'ModelDescriptor', additionalProperties: false },
);
export type ModelDescriptor = Static<typeof ModelDescriptor>;

export const Catalogue = Type.Object(
  { models: Type.Array(ModelDescriptor) },
  { additionalProperties: false },
);
export type Catalogue = Static<typeof Catalogue>;

/** A model as GET /api/models shows it. */
export const ModelView = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    task: oneOf(operations),
    description: Type.String(),
    licence: Type.String(),
    author: Type.String(),
    trainedOn: Type.Optional(Type.String()),
    scales: Type.Array(Type.Integer()),
    sizeBytes: Type.Integer(),
    isDefault: Type.Boolean(),
    speed: Type.Array(
      Type.Object(
        {
          scale: Type.Integer(),
          provider: Type.String(),
          precision: Type.String(),
          megapixelsPerSecond: Type.Number({
            description: 'Input megapixels a second, measured here.',
          }),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { $id: 'ModelView', additionalProperties: false },
);
export type ModelView = Static<typeof ModelView>;
export const ModelList = Type.Object(
  { models: Type.Array(ModelView) },
  { $id: 'ModelList', additionalProperties: false },
);
export type ModelList = Static<typeof ModelList>;

/** A device as GET /api/devices shows it: whether it is in use, and if not, why. */
export const DeviceView = Type.Object(
  {
    provider: Type.String({ description: 'cuda, dml, coreml, webgpu or cpu' }),
    name: Type.String(),
    state: Type.Union([
      Type.Literal('unchecked'),
      Type.Literal('in-use'),
      Type.Literal('available'),
      Type.Literal('left'),
    ]),
    reason: Type.Optional(
      Type.String({ description: 'Why it was left for the CPU, as a sentence.' }),
    ),
  },
  { $id: 'DeviceView', additionalProperties: false },
);
export type DeviceView = Static<typeof DeviceView>;
export const DeviceList = Type.Object(
  { devices: Type.Array(DeviceView) },
  { $id: 'DeviceList', additionalProperties: false },
);
export type DeviceList = Static<typeof DeviceList>;
