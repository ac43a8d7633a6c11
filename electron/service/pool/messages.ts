/**
 * What machines of a pool say to each other. It comes from elsewhere, so it is checked as a request is. Pictures
 * never go this way, and neither do names or paths of a person's files.
 */
import { Type, type Static, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { closed, oneOf } from '../../contract/common.ts';
import { outputFormats } from '../../contract/formats.ts';
import { PrintSize } from '../../contract/print-size.ts';
import { Strokes } from '../../contract/strokes.ts';
import {
  edgeChoices,
  enlargeOrders,
  placingChoices,
  finishingChoices,
  metadataChoices,
  Target,
  targetKinds,
} from '../../contract/submit.ts';
import {
  ChangedPixels,
  DeviceUse,
  grades,
  MeasuredDamage,
  PictureInfo,
  PicturePart,
  Timings,
} from '../../contract/task.ts';
import { StoredFile } from './bytes/transfers.ts';

const Id = Type.String({ pattern: '^[0-9a-f]{16}$' });
const Named = closed({ id: Id, name: Type.String({ maxLength: 100 }) });
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

/** With the scales of the passes in place of networks: each machine has its own files of them. */
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

/** A job without places. */
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

/** What lies in the queue. */
export const PoolJob = closed({
  version: Type.Literal(1),
  submitter: Named,
  taskId: Type.String({ pattern: '^[0-9a-f-]{36}$' }),
  attempt: Type.Integer({ minimum: 1 }),
  /** 1; or more when it is started once more. */
  copy: Type.Integer({ minimum: 1 }),
  megapixels: Type.Number({ minimum: 0 }),
  asked: Asked,
  source: StoredFile,
  /** Where the helper leaves what it made. */
  folder: Type.String({ maxLength: 200 }),
  /** Helpers that are not to take it. */
  notFor: Type.Array(Id, { maxItems: 1000 }),
  /** Of a second start: who needs longer leaves it. */
  withinSeconds: Type.Optional(Type.Number()),
  /** Queues of what else it needs: who serves none of them leaves it. */
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

/** What a helper gives back. */
export const PoolResult = closed({
  helper: Named,
  attempt: Type.Integer(),
  /** `parcel` is a stored file; the messages of version 1 call it so. */
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

/** A network that a machine runs: which files, and in which precision it runs them. */
export const Skill = closed({
  model: Type.String({ maxLength: 100 }),
  /** Of all its networks' files and of how they are used. */
  digest: Id,
  precision: Type.String({ maxLength: 10 }),
  megapixelsPerSecond: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
});
export type Skill = Static<typeof Skill>;

/** What a helper says of itself every few seconds. */
export const HelperWord = closed({
  version: Type.Literal(1),
  ...Named.properties,
  skills: Type.Array(Skill, { maxItems: 200 }),
  /** How many tasks at a time; 0 while it has tasks of its own. */
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
export type HelperWord = Static<typeof HelperWord>;

/** Says that a submitter gives a helper nothing for a while. */
export const AsideWord = closed({
  reason: Type.String({ maxLength: 1000 }),
  untilMs: Type.Number(),
});
export type AsideWord = Static<typeof AsideWord>;

/** Undefined for what is not of the schema. */
export function readMessage<T extends TSchema>(schema: T, value: unknown): Static<T> | undefined {
  return Value.Check(schema, value) ? value : undefined;
}

/** As it comes out of the queue's server. */
export function readJson<T extends TSchema>(schema: T, text: string): Static<T> | undefined {
  try {
    return readMessage(schema, JSON.parse(text));
  } catch {
    return undefined;
  }
}
