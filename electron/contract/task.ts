/** The API shows tasks like this: what is answered, what is listed, what can be changed. */
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

/** Part 1 of the contract shows a task like this, in GET /api/task/{id} and in every event. */
export const TaskView = named('TaskView', {
  taskId: Type.String(),
  status: TaskStatus,
  progress: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
  imageUrl: Type.Optional(Type.String()),
  thumbUrl: Type.Optional(Type.String()),
  error: Type.Optional(TaskFailure),
});
export type TaskView = Static<typeof TaskView>;

/** A submit answers the id alone, or the whole task where it waited for its end. */
export const SubmitAnswer = named('SubmitAnswer', {
  ...Type.Partial(TaskView).properties,
  taskId: Type.String(),
});
export type SubmitAnswer = Static<typeof SubmitAnswer>;

/** The outcomes stand in the order of the batch's items. */
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

/** This is known of a picture file. */
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

/** A part of a picture is told by its place and size. */
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

/** The time of a task went to these steps, in milliseconds. A step that did not run is absent. */
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

/** This device ran a task: the execution provider, its name and its precision. */
export const DeviceUse = named('DeviceUse', {
  provider: Type.String({ description: 'cuda, dml, coreml, webgpu or cpu' }),
  name: Type.String(),
  precision: Type.String({ description: 'fp32, fp16 or int8' }),
});
export type DeviceUse = Static<typeof DeviceUse>;

/** Another machine of the pool is told by its id and its name. */
export const RanOn = named('RanOn', { id: Type.String(), name: Type.String() });
export type RanOn = Static<typeof RanOn>;

/** A task was asked to do this; defaults are filled in. */
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

/** Turns a task's options into the submit that makes them, to be edited, changed and run again. It is pure. */
export function requestOf(options: TaskOptions): RequestFields {
  const { format, formatChosen, enlarge, ...same } = options;
  return {
    ...sized(same),
    ...(enlarge && { enlarge: sized(enlarge) }),
    ...(formatChosen && { format }),
  };
}

/** Puts a submit's field in the place of a target; a print's target was made of its size. */
function sized<T extends Pick<TaskOptions, 'target' | 'printSize'>>({ target, ...same }: T) {
  return { ...same, ...(target && !same.printSize && { [target.kind]: target.value }) };
}

const qualityTellers = ['tables', 'header', 'pixels', 'nothing'] as const;

/** A photo went through this before it came here; `restored` and `grain` say what was done about it. */
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
 * A result that is reduced to its source's size differs from it by this, before sharpening, grain and compression:
 * in levels of 255, of the colour that differs most.
 */
export const ChangedPixels = named('ChangedPixels', {
  mean: Type.Number(),
  largest: Type.Number(),
  share: Type.Number({ description: 'Of the photo that differs by over 2 levels: 0 to 1.' }),
});
export type ChangedPixels = Static<typeof ChangedPixels>;

/** A person says this of a result after looking at it. */
export const marks = ['accepted', 'rejected'] as const;
export type Mark = (typeof marks)[number];

export const MarkBody = named('MarkBody', {
  mark: Type.Union([oneOf(marks), Type.Null()], { description: 'null takes it away.' }),
});
export type MarkBody = Static<typeof MarkBody>;

export const grades = ['good', 'look', 'poor'] as const;
export type Grade = (typeof grades)[number];

/** A task will make and take this, which is known before its network starts. */
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

/** This tells how the calling of callbackUrl went. */
export const TaskCallback = named('TaskCallback', {
  state: oneOf(callbackStates),
  attempts: Type.Integer(),
  problem: Type.Optional(Type.String({ description: 'What the last attempt failed with.' })),
});
export type TaskCallback = Static<typeof TaskCallback>;

/** GET /api/tasks/{id} answers the whole record of a task, and GET /api/tasks a list of them. */
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
 * An event of GET /api/tasks/sse tells the task as it now is. Its `id:` line resumes the stream, also after a
 * restart: each task that changed since is then told once, as it is. An event named `reset` says that changes were
 * missed that are no longer known: list the tasks anew.
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
 * A waiting task is moved to an end of the queue, or beside another waiting task (whose priority it
 * takes). `options` change what it is to do: they are fields of a submit, and those that are not named
 * stay as they are; null sets one back to what a submit without it means. A scale takes the place of a
 * size and the other way round. With another operation, what both take stays, but not the model.
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

/** A version of a photo differs in these from the task that it is made after. */
export const AgainBody = named('AgainBody', {
  operation: Type.Optional(Operation),
  options: Type.Optional(ChangedOptions),
});
export type AgainBody = Static<typeof AgainBody>;

/** POST /api/estimate tells what a submit would make, what it would cost, and whether it can work. */
export const Estimate = named('Estimate', {
  ...TaskEstimate.properties,
  input: Type.Optional(PictureInfo),
  problem: Type.Optional(TaskFailure),
});
export type Estimate = Static<typeof Estimate>;
