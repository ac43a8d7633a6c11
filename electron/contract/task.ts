/** Tasks in the API: views, lists, changes. */
import { Type, type Static } from 'typebox';
import { AnyScale, BitDepthChoice, closed, named, oneOf, Timestamp } from './common.ts';
import { outputFormats } from './formats.ts';
import {
  PhotoId,
  ChangedOptions,
  conflictRules,
  edgeChoices,
  EnlargeFirst,
  finishingChoices,
  metadataChoices,
  Operation,
  placingChoices,
  type RequestFields,
  Target,
  TaskOperation,
  withoutId,
} from './request.ts';
import { PrintSize } from './options/print-size.ts';
import { Strokes } from './options/strokes.ts';

const taskStatuses = ['PENDING', 'PROCESSING', 'FINISHED', 'FAILED'] as const;
export const TaskStatus = oneOf(taskStatuses);
export type TaskStatus = (typeof taskStatuses)[number];

export const TaskFailure = named('TaskFailure', { code: Type.String(), message: Type.String() });
export type TaskFailure = Static<typeof TaskFailure>;

/** Task in part 1 of the contract: GET /api/task/{id} and its events. */
export const TaskView = named('TaskView', {
  taskId: Type.String(),
  status: TaskStatus,
  progress: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
  imageUrl: Type.Optional(Type.String()),
  thumbUrl: Type.Optional(Type.String()),
  error: Type.Optional(TaskFailure),
});
export type TaskView = Static<typeof TaskView>;

/** Response of a submit: the id, or the whole task if the request waited for its end. */
export const SubmitAnswer = named('SubmitAnswer', {
  ...Type.Partial(TaskView).properties,
  taskId: Type.String(),
});
export type SubmitAnswer = Static<typeof SubmitAnswer>;

/** Outcomes in the order of the items. */
export const BatchAnswer = named('BatchAnswer', {
  items: Type.Array(
    Type.Object({
      taskId: Type.Optional(Type.String()),
      error: Type.Optional(
        Type.Object(
          {
            statusCode: Type.Integer(),
            code: Type.String(),
            error: Type.String(),
            message: Type.String(),
          },
          { description: 'Why this item was refused; it has no task then.' },
        ),
      ),
    }),
  ),
});
export type BatchAnswer = Static<typeof BatchAnswer>;

/** Facts about a picture file. */
export const PictureInfo = named('PictureInfo', {
  format: Type.String(),
  width: Type.Integer(),
  height: Type.Integer(),
  bitDepth: Type.Integer(),
  channels: Type.Integer(),
  sizeBytes: Type.Integer(),
  capturedAt: Type.Optional(
    Type.String({
      description:
        "When the photo was taken, by the camera's own clock: EXIF's DateTimeOriginal, without a zone.",
      examples: ['2024-05-03T12:11:10.25'],
    }),
  ),
});
export type PictureInfo = Static<typeof PictureInfo>;

/** Rectangle of a picture. */
export const PicturePart = named(
  'PicturePart',
  {
    x: Type.Integer({ description: 'Its left edge.' }),
    y: Type.Integer({ description: 'Its upper edge.' }),
    width: Type.Integer(),
    height: Type.Integer(),
  },
  {
    description:
      'What a cropped result shows, in pixels of the upright source; on a canvas it may reach over its borders.',
  },
);
export type PicturePart = Static<typeof PicturePart>;

/** Milliseconds per step of a task; steps that did not run are absent. */
export const Timings = named('Timings', {
  queuedMs: Type.Optional(Type.Number()),
  fetchMs: Type.Optional(Type.Number()),
  decodeMs: Type.Optional(Type.Number()),
  waitMs: Type.Optional(
    Type.Number({ description: 'Waiting for another task to leave the network.' }),
  ),
  measureMs: Type.Optional(
    Type.Number({ description: 'Finding out what the photo went through.' }),
  ),
  networkMs: Type.Optional(Type.Number()),
  compareMs: Type.Optional(
    Type.Number({ description: 'Holding the enlarged picture against the photo.' }),
  ),
  refineMs: Type.Optional(
    Type.Number({ description: "Of a cut-out: finding its edge and the edge's colours." }),
  ),
  composeMs: Type.Optional(
    Type.Number({ description: 'Of a cut-out: cropping it and laying it over a background.' }),
  ),
  encodeMs: Type.Optional(Type.Number()),
  publishMs: Type.Optional(Type.Number()),
  totalMs: Type.Optional(Type.Number()),
});
export type Timings = Static<typeof Timings>;

/** Device of a task: execution provider, name, precision. */
export const DeviceUse = named('DeviceUse', {
  provider: Type.String({ description: 'cuda, dml, coreml, webgpu or cpu' }),
  name: Type.String(),
  precision: Type.String({ description: 'fp32, fp16 or int8' }),
});
export type DeviceUse = Static<typeof DeviceUse>;

/** Another machine of the pool. */
export const RanOn = named('RanOn', { id: Type.String(), name: Type.String() });
export type RanOn = Static<typeof RanOn>;

/** Options of a task, with defaults filled in. */
export const TaskOptions = named('TaskOptions', {
  scale: Type.Optional(AnyScale),
  target: Type.Optional(Target),
  printSize: Type.Optional(PrintSize),
  ...finishingChoices,
  model: Type.String(),
  format: oneOf([...outputFormats, 'same']),
  formatChosen: Type.Boolean({ description: 'Whether the submit named a format.' }),
  quality: Type.Optional(Type.Integer()),
  bitDepth: BitDepthChoice,
  metadata: oneOf(metadataChoices),
  background: Type.Optional(
    Type.String({ description: "'transparent', 'blur' or a colour such as #ffffff." }),
  ),
  backgroundImage: Type.Optional(Type.String()),
  ...placingChoices,
  crop: Type.Optional(
    Type.Integer({ description: "The margin in percent of the subject's longer side." }),
  ),
  maskOnly: Type.Optional(Type.Boolean()),
  strokes: Type.Optional(Strokes),
  ...edgeChoices,
  enlarge: Type.Optional(
    closed(
      {
        scale: Type.Optional(AnyScale),
        target: Type.Optional(withoutId(Target)),
        printSize: Type.Optional(withoutId(PrintSize)),
        ...finishingChoices,
        model: Type.String(),
        first: EnlargeFirst,
      },
      { description: 'How a cut-out is enlarged, too; absent: it is not.' },
    ),
  ),
  callbackUrl: Type.Optional(Type.String()),
  saveTo: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  onConflict: Type.Optional(oneOf(conflictRules)),
});
export type TaskOptions = Static<typeof TaskOptions>;

/** The submit that leads to these options, for editing and repeating. Pure. */
export function requestOf(options: TaskOptions): RequestFields {
  const { format, formatChosen, enlarge, ...same } = options;
  return {
    ...sized(same),
    ...(enlarge && { enlarge: sized(enlarge) }),
    ...(formatChosen && { format }),
  };
}

/** Replaces a target by the submit's field; the target of a print size was derived from it. */
function sized<T extends Pick<TaskOptions, 'target' | 'printSize'>>({ target, ...same }: T) {
  return { ...same, ...(target && !same.printSize && { [target.kind]: target.value }) };
}

const qualityTellers = ['tables', 'header', 'pixels', 'nothing'] as const;

/** Damage measured in a photo; `restored` and `grain` say what was done about it. */
export const MeasuredDamage = named('MeasuredDamage', {
  jpegQuality: Type.Optional(
    Type.Integer({
      description:
        "libjpeg's quality, or the one that another lossy format's strength is like; absent: no trace of compression.",
    }),
  ),
  toldBy: oneOf(qualityTellers, {
    description: "What told the quality: the file's tables, its header, or its pixels.",
  }),
  noise: Type.Number({ description: 'Standard deviation of a colour in levels of 255.' }),
  softnessPx: Type.Number({ description: "How soft it is: a Gaussian's deviation in pixels." }),
  blockiness: Type.Number({
    description: 'How much steps across 8 x 8 blocks exceed others: 0 alike, 1 twice.',
  }),
  restored: Type.Optional(
    closed(
      {
        jpegQuality: Type.Optional(Type.Integer()),
        noise: Type.Number(),
      },
      { description: 'What the network was told to take off.' },
    ),
  ),
  grain: Type.Optional(
    closed(
      { deviation: Type.Number(), softnessPx: Type.Number() },
      { description: "Laid over the result: in levels of 255, and in the result's pixels." },
    ),
  ),
  why: Type.String({ description: 'A sentence for people.' }),
});
export type MeasuredDamage = Static<typeof MeasuredDamage>;

/**
 * Difference between the source and the result reduced to its size, before sharpening, grain and compression:
 * levels of 255, of the channel that differs most.
 */
export const ChangedPixels = named('ChangedPixels', {
  mean: Type.Number(),
  largest: Type.Number(),
  share: Type.Number({ description: 'Of the photo that differs by over 2 levels: 0 to 1.' }),
});
export type ChangedPixels = Static<typeof ChangedPixels>;

/** A person's verdict on a result. */
export const marks = ['accepted', 'rejected'] as const;
export type Mark = (typeof marks)[number];

export const MarkBody = named('MarkBody', {
  mark: Type.Union([oneOf(marks), Type.Null()], { description: 'null takes it away.' }),
});
export type MarkBody = Static<typeof MarkBody>;

export const grades = ['good', 'look', 'poor'] as const;
export type Grade = (typeof grades)[number];

/** Known before the network starts. */
export const TaskEstimate = named('TaskEstimate', {
  width: Type.Integer(),
  height: Type.Integer(),
  format: Type.String(),
  fileSizeBytes: Type.Integer({
    description: 'A guess of the result file from its format and pixels.',
  }),
  scratchBytes: Type.Integer({ description: 'Disk needed while it runs.' }),
  seconds: Type.Optional(
    Type.Number({ description: 'From measured speed; absent until the model ran once.' }),
  ),
});
export type TaskEstimate = Static<typeof TaskEstimate>;

const callbackStates = ['waiting', 'delivered', 'failed'] as const;

/** Delivery of the callbackUrl. */
export const TaskCallback = named('TaskCallback', {
  state: oneOf(callbackStates),
  attempts: Type.Integer(),
  problem: Type.Optional(Type.String({ description: 'What the last attempt failed with.' })),
});
export type TaskCallback = Static<typeof TaskCallback>;

/** A task in GET /api/tasks/{id} and GET /api/tasks. */
export const TaskRecord = named('TaskRecord', {
  taskId: Type.String(),
  photo: Type.String({
    description:
      'Tasks of one photo, its versions, have the same: as submitted, or made of the source.',
  }),
  operation: TaskOperation,
  status: TaskStatus,
  progress: Type.Integer({ minimum: 0, maximum: 100 }),
  etaSeconds: Type.Optional(
    Type.Number({ description: 'Of the running task, from measured speed.' }),
  ),
  priority: Type.Integer(),
  place: Type.Optional(Type.Integer({ description: 'Place in the queue from 1, while PENDING.' })),
  source: closed({
    kind: Type.String({ description: 'url, data, upload, file, or task: the result of one' }),
    name: Type.String(),
    taskId: Type.Optional(Type.String({ description: 'Whose result it is.' })),
    kept: Type.Boolean({ description: 'Whether the photo can be run again.' }),
  }),
  options: TaskOptions,
  model: Type.Optional(
    Type.String({ description: 'The networks that ran, in order, joined by a comma.' }),
  ),
  device: Type.Optional(DeviceUse),
  ranOn: Type.Optional(
    Type.Union([RanOn], {
      description: 'The machine of the pool that ran it; absent: the one that answers.',
    }),
  ),
  attempts: Type.Integer(),
  createdAt: Timestamp,
  startedAt: Type.Optional(Timestamp),
  finishedAt: Type.Optional(Timestamp),
  expiresAt: Type.Optional(Timestamp),
  estimate: Type.Optional(TaskEstimate),
  input: Type.Optional(PictureInfo),
  output: Type.Optional(PictureInfo),
  crop: Type.Optional(PicturePart),
  measured: Type.Optional(MeasuredDamage),
  changed: Type.Optional(
    Type.Union([ChangedPixels], {
      description:
        'What the network changed: the result at its size, before sharpening, grain and compression, against the source.',
    }),
  ),
  grade: Type.Optional(
    oneOf(grades, {
      description: 'Of a cut-out: good to hand on, look at it, or poor, as the network sees it.',
    }),
  ),
  timings: Timings,
  notes: Type.Array(Type.String(), {
    description: 'What a person should know of the result, a sentence each.',
  }),
  callback: Type.Optional(TaskCallback),
  savedTo: Type.Optional(Type.String()),
  takenAt: Type.Optional(
    Type.Unsafe<string>({
      ...Timestamp,
      description: 'When a client told that a person has taken the result, by a download or so.',
    }),
  ),
  mark: Type.Optional(oneOf(marks, { description: 'What a person said of the result.' })),
  imageUrl: Type.Optional(Type.String()),
  thumbUrl: Type.Optional(Type.String()),
  sourceThumbUrl: Type.Optional(
    Type.String({
      description: 'A link as thumbUrl; before the task ran too. 404 when there is none.',
    }),
  ),
  error: Type.Optional(TaskFailure),
});
export type TaskRecord = Static<typeof TaskRecord>;

/**
 * Event of GET /api/tasks/sse: the task's present state. Its `id:` line resumes the stream, also after a
 * restart: each task that changed since then is sent once. An event named `reset` means that missed changes
 * are unknown: list the tasks again.
 */
export const TaskChange = named('TaskChange', {
  ...TaskView.properties,
  etaSeconds: Type.Optional(Type.Number()),
  record: Type.Optional(
    Type.Unsafe<TaskRecord>(
      Type.Object(
        {},
        { description: 'The whole TaskRecord; absent where only the progress changed.' },
      ),
    ),
  ),
  removed: Type.Optional(Type.Literal(true, { description: 'The task was deleted.' })),
});
export type TaskChange = Static<typeof TaskChange>;

export const StatusCounts = named('StatusCounts', {
  PENDING: Type.Integer(),
  PROCESSING: Type.Integer(),
  FINISHED: Type.Integer(),
  FAILED: Type.Integer(),
});
export type StatusCounts = Static<typeof StatusCounts>;

export const TaskListQuery = Type.Object({
  status: Type.Optional(TaskStatus),
  photo: Type.Optional(PhotoId),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 50 })),
  cursor: Type.Optional(
    Type.String({ maxLength: 100, description: 'nextCursor of the page before.' }),
  ),
});
export type TaskListQuery = Static<typeof TaskListQuery>;

export const TaskList = named('TaskList', {
  tasks: Type.Array(TaskRecord),
  nextCursor: Type.Optional(Type.String()),
  counts: StatusCounts,
  paused: Type.Boolean(),
});
export type TaskList = Static<typeof TaskList>;

/**
 * Moves a waiting task to an end of the queue, or beside another waiting task, whose priority it takes.
 * `options` are fields of a submit: unnamed ones stay, null restores the default, a scale replaces a size and
 * vice versa. If the operation changes, only fields that both have stay, without the model.
 */
export const TaskPatch = named(
  'TaskPatch',
  {
    place: Type.Optional(
      Type.Union([
        Type.Literal('first'),
        Type.Literal('last'),
        closed({ before: Type.String() }),
        closed({ after: Type.String() }),
      ]),
    ),
    priority: Type.Optional(Type.Integer({ minimum: -10, maximum: 10 })),
    operation: Type.Optional(Operation),
    options: Type.Optional(ChangedOptions),
  },
  { minProperties: 1 },
);
export type TaskPatch = Static<typeof TaskPatch>;

/** What a version changes compared with its task. */
export const AgainBody = named('AgainBody', {
  operation: Type.Optional(Operation),
  options: Type.Optional(ChangedOptions),
});
export type AgainBody = Static<typeof AgainBody>;

/** POST /api/estimate: size, cost and feasibility of a submit. */
export const Estimate = named('Estimate', {
  ...TaskEstimate.properties,
  input: Type.Optional(PictureInfo),
  problem: Type.Optional(TaskFailure),
});
export type Estimate = Static<typeof Estimate>;
