/**
 * Messages between machines of a pool. They come from elsewhere, so they are validated like requests. They
 * contain no pictures, and no names or paths of a person's files.
 */
import { Type, type Static, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { closed, oneOf } from '../../contract/src/common.ts';
import { outputFormats } from '../../contract/src/formats.ts';
import { PrintSize } from '../../contract/src/options/print-size.ts';
import { Strokes } from '../../contract/src/options/strokes.ts';
import {
  edgeChoices,
  enlargeOrders,
  placingChoices,
  finishingChoices,
  metadataChoices,
  Target,
  taskTargetKinds,
} from '../../contract/src/request.ts';
import {
  ChangedPixels,
  DeviceUse,
  grades,
  MeasuredDamage,
  PictureInfo,
  PicturePart,
  Timings,
} from '../../contract/src/task.ts';
import { StoredFile } from './bytes/transfers.ts';

const Id = Type.String({ pattern: '^[0-9a-f]{16}$' });
/** Command lines print the name, so it has no control characters. */
const Machine = closed({
  id: Id,
  name: Type.String({ maxLength: 100, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' }),
});
export type Machine = Static<typeof Machine>;

export const frame = {
  format: oneOf([...outputFormats, 'same']),
  formatChosen: Type.Boolean(),
  quality: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  bitDepth: Type.Union([Type.Literal(8), Type.Literal(16), Type.Literal('same')]),
  metadata: oneOf(metadataChoices),
  ppi: Type.Optional(PrintSize.properties.ppi),
  history: Type.Optional(Type.String({ maxLength: 100 })),
};

/** Scales of the passes instead of networks: each machine has its own files of these. */
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
      kind: oneOf([...taskTargetKinds, 'factor']),
      value: Type.Number({ exclusiveMinimum: 0 }),
    }),
  ),
  ...finishingChoices,
};

/** An upscaling job without paths. */
const UpscaleRequest = closed({ operation: Type.Literal('upscale'), ...frame, ...enlargement });

const CutoutRequest = closed({
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

export const JobRequest = Type.Union([UpscaleRequest, CutoutRequest]);
export type JobRequest = Static<typeof JobRequest>;

/** A job in the queue. */
export const PoolJob = closed({
  version: Type.Literal(1),
  submitter: Machine,
  taskId: Type.String({ pattern: '^[0-9a-f-]{36}$' }),
  attempt: Type.Integer({ minimum: 1 }),
  /** 1 for the first run of a task, 2 for a second one. */
  copy: Type.Integer({ minimum: 1 }),
  megapixels: Type.Number({ minimum: 0 }),
  asked: JobRequest,
  source: StoredFile,
  /** Storage folder for the helper's output files. */
  folder: Type.String({ maxLength: 200 }),
  /** Helpers that must not take the job. */
  notFor: Type.Array(Id, { maxItems: 1000 }),
  /** Limit of a second run: slower helpers leave the job to others. */
  withinSeconds: Type.Optional(Type.Number()),
  /** Queues of further networks that the job needs: helpers without them leave the job. */
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
  ran: Type.Array(closed({ modelId: Type.String({ maxLength: 100 }), scale: Type.Integer() }), {
    maxItems: 16,
  }),
  tiles: closed({ count: Type.Integer(), sizePx: Type.Integer(), computedPerCore: Type.Number() }),
});

/** Result of a helper. */
export const PoolResult = closed({
  helper: Machine,
  attempt: Type.Integer(),
  /** `parcel` is a stored file; version 1 of the messages has this name. */
  files: Type.Array(closed({ role: oneOf(fileRoles), parcel: StoredFile }), {
    minItems: 1,
    maxItems: fileRoles.length,
  }),
  report: Report,
});
export type PoolResult = Static<typeof PoolResult>;

export const PoolProgress = closed({
  helper: Machine,
  percent: Type.Integer({ minimum: 0, maximum: 100 }),
});
export type PoolProgress = Static<typeof PoolProgress>;

/** Capability: a model that a machine runs, with the digest of its files and its precision. */
export const Capability = closed({
  model: Type.String({ maxLength: 100 }),
  /** Over all files of the model's networks and over how they are used. */
  digest: Id,
  precision: Type.String({ maxLength: 10 }),
  megapixelsPerSecond: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
});
export type Capability = Static<typeof Capability>;

/** Heartbeat of a helper, every few seconds. */
export const Heartbeat = closed({
  version: Type.Literal(1),
  ...Machine.properties,
  skills: Type.Array(Capability, { maxItems: 200 }),
  /** Number of concurrent tasks; 0 while it has tasks of its own. */
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

/** A submitter has quarantined a helper for a while. */
export const AsideNotice = closed({
  reason: Type.String({ maxLength: 1000 }),
  untilMs: Type.Number(),
});
export type AsideNotice = Static<typeof AsideNotice>;

/** Returns undefined if the value does not fit the schema. */
export function readMessage<T extends TSchema>(schema: T, value: unknown): Static<T> | undefined {
  return Value.Check(schema, value) ? value : undefined;
}

/** Returns undefined if the text is not JSON or does not fit the schema. */
export function readJson<T extends TSchema>(schema: T, text: string): Static<T> | undefined {
  try {
    return readMessage(schema, JSON.parse(text));
  } catch {
    return undefined;
  }
}
