/**
 * The messages that machines of a pool send each other. They come from elsewhere, so they are checked as a
 * request is. Pictures never travel in them, and neither do names or paths of a person's files.
 */
import { Type, type Static, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { closed, oneOf } from '../../../electron/contract/common.ts';
import { outputFormats } from '../../../electron/contract/formats.ts';
import { PrintSize } from '../../../electron/contract/options/print-size.ts';
import { Strokes } from '../../../electron/contract/options/strokes.ts';
import {
  edgeChoices,
  enlargeOrders,
  placingChoices,
  finishingChoices,
  metadataChoices,
  Target,
  targetKinds,
} from '../../../electron/contract/request.ts';
import {
  ChangedPixels,
  DeviceUse,
  grades,
  MeasuredDamage,
  PictureInfo,
  PicturePart,
  Timings,
} from '../../../electron/contract/task.ts';
import { StoredFile } from './bytes/transfers.ts';

const Id = Type.String({ pattern: '^[0-9a-f]{16}$' });
/** Names of machines are printed by command lines, so they have no control characters. */
const Named = closed({
  id: Id,
  name: Type.String({ maxLength: 100, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' }),
});
export type Named = Static<typeof Named>;

export const frame = {
  format: oneOf([...outputFormats, 'same']),
  formatChosen: Type.Boolean(),
  quality: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  bitDepth: Type.Union([Type.Literal(8), Type.Literal(16), Type.Literal('same')]),
  metadata: oneOf(metadataChoices),
  ppi: Type.Optional(PrintSize.properties.ppi),
  history: Type.Optional(Type.String({ maxLength: 100 })),
};

/** The scales of the passes stand in place of the networks, because each machine has its own files of them. */
const enlargement = {
  model: Type.String({ maxLength: 100 }),
  passes: Type.Array(Type.Integer({ minimum: 1, maximum: 16 }), { minItems: 1, maxItems: 8 }),
  choices: Type.Optional(
    Type.Array(Type.Array(Type.Integer({ minimum: 1, maximum: 16 }), { maxItems: 8 }), {
      maxItems: 20,
    }),
  ),
  target: Type.Optional(
    closed({
      kind: oneOf([...targetKinds, 'factor']),
      value: Type.Number({ exclusiveMinimum: 0 }),
    }),
  ),
  ...finishingChoices,
};

/** A job to enlarge, without the paths of any machine. */
const UpscaleAsked = closed({ operation: Type.Literal('upscale'), ...frame, ...enlargement });

const CutoutAsked = closed({
  operation: Type.Literal('remove-bg'),
  ...frame,
  model: Type.String({ maxLength: 100 }),
  background: Type.String({ maxLength: 32 }),
  crop: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
  maskOnly: Type.Boolean(),
  strokes: Strokes,
  ...edgeChoices,
  ...placingChoices,
  target: Type.Optional(Target),
  enlarge: Type.Optional(closed({ ...enlargement, first: oneOf(enlargeOrders) })),
});

export const Asked = Type.Union([UpscaleAsked, CutoutAsked]);
export type Asked = Static<typeof Asked>;

/** A job as it lies in the queue. */
export const PoolJob = closed({
  version: Type.Literal(1),
  submitter: Named,
  taskId: Type.String({ pattern: '^[0-9a-f-]{36}$' }),
  attempt: Type.Integer({ minimum: 1 }),
  /** The first start of a task is copy 1, a second start is copy 2. */
  copy: Type.Integer({ minimum: 1 }),
  megapixels: Type.Number({ minimum: 0 }),
  asked: Asked,
  source: StoredFile,
  /** The helper stores what it made in this folder of the storage. */
  folder: Type.String({ maxLength: 200 }),
  /** These helpers must not take the job. */
  notFor: Type.Array(Id, { maxItems: 1000 }),
  /** A second start has this limit: a helper that needs longer leaves the job to others. */
  withinSeconds: Type.Optional(Type.Number()),
  /** Further networks that the job needs, as their queues: a helper that lacks one of them leaves the job. */
  needs: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 4 })),
});
export type PoolJob = Static<typeof PoolJob>;

const fileRoles = [
  'result',
  'thumb',
  'sourceThumb',
  'sourceTiles',
  'resultTiles',
  'changes',
  'metadata',
  'mask',
] as const;
export type FileRole = (typeof fileRoles)[number];

const Report = closed({
  input: PictureInfo,
  output: PictureInfo,
  crop: Type.Optional(PicturePart),
  measured: Type.Optional(MeasuredDamage),
  changed: Type.Optional(ChangedPixels),
  grade: Type.Optional(oneOf(grades)),
  device: Type.Optional(DeviceUse),
  timings: Timings,
  notes: Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 50 }),
  ran: Type.Array(closed({ modelId: Type.String(), scale: Type.Integer() }), {
    maxItems: 16,
  }),
  tiles: closed({ count: Type.Integer(), sizePx: Type.Integer(), computedPerCore: Type.Number() }),
});

/** A helper gives back this result. */
export const PoolResult = closed({
  helper: Named,
  attempt: Type.Integer(),
  /** `parcel` is a stored file; version 1 of the messages gave the field this name. */
  files: Type.Array(closed({ role: oneOf(fileRoles), parcel: StoredFile }), {
    minItems: 1,
    maxItems: fileRoles.length,
  }),
  report: Report,
});
export type PoolResult = Static<typeof PoolResult>;

export const PoolProgress = closed({
  helper: Named,
  percent: Type.Integer({ minimum: 0, maximum: 100 }),
});
export type PoolProgress = Static<typeof PoolProgress>;

/** A skill is a model that a machine runs: which files it has, and in which precision it runs them. */
export const Skill = closed({
  model: Type.String({ maxLength: 100 }),
  /** The digest is taken over all files of the model's networks and over how they are used. */
  digest: Id,
  precision: Type.String({ maxLength: 10 }),
  megapixelsPerSecond: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
});
export type Skill = Static<typeof Skill>;

/** A helper sends this heartbeat every few seconds. */
export const Heartbeat = closed({
  version: Type.Literal(1),
  ...Named.properties,
  skills: Type.Array(Skill, { maxItems: 200 }),
  /** The helper takes so many tasks at a time; 0 while it has tasks of its own. */
  slots: Type.Integer({ minimum: 0, maximum: 64 }),
  doing: Type.Array(
    closed({
      taskId: Type.String({ maxLength: 40 }),
      submitter: Id,
      model: Type.String({ maxLength: 100 }),
      percent: Type.Integer({ minimum: 0, maximum: 100 }),
    }),
    { maxItems: 64 },
  ),
  finished: Type.Integer({ minimum: 0 }),
});
export type Heartbeat = Static<typeof Heartbeat>;

/** A submitter says with this notice that it gives a helper nothing for a while. */
export const AsideNotice = closed({
  reason: Type.String({ maxLength: 1000 }),
  untilMs: Type.Number(),
});
export type AsideNotice = Static<typeof AsideNotice>;

/** Answers the value when it fits the schema, and undefined otherwise. */
export function readMessage<T extends TSchema>(schema: T, value: unknown): Static<T> | undefined {
  return Value.Check(schema, value) ? value : undefined;
}

/** Reads a message from the JSON of the queue's server; undefined when it does not fit the schema. */
export function readJson<T extends TSchema>(schema: T, text: string): Static<T> | undefined {
  try {
    return readMessage(schema, JSON.parse(text));
  } catch {
    return undefined;
  }
}
