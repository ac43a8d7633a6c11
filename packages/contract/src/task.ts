/** Tasks in the API: views, lists, changes. */
import { Type, type Static } from 'typebox';
import { AnyScale, BitDepthChoice, closed, named, oneOf, optional, Timestamp } from './common.ts';
import { outputFormats } from './formats.ts';
import {
  PhotoId,
  amountMasks,
  ChangedOptions,
  callbackEvents,
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
  ...optional(TaskView.properties),
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
  frames: Type.Optional(
    Type.Integer({ description: 'Frames of an animation; absent for a still picture.' }),
  ),
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
    x: Type.Integer({ description: 'Left edge.' }),
    y: Type.Integer({ description: 'Upper edge.' }),
    width: Type.Integer(),
    height: Type.Integer(),
  },
  {
    description:
      'Region of the upright source that a cropped result shows, in pixels. With a canvas it may extend beyond the source.',
  },
);
export type PicturePart = Static<typeof PicturePart>;

/** Milliseconds per step of a task; steps that did not run are absent. */
export const Timings = named('Timings', {
  queuedMs: Type.Optional(Type.Number()),
  fetchMs: Type.Optional(Type.Number()),
  decodeMs: Type.Optional(Type.Number()),
  waitMs: Type.Optional(
    Type.Number({ description: 'Waiting until another task has left the network.' }),
  ),
  measureMs: Type.Optional(
    Type.Number({ description: 'Measuring compression, noise and softness of the photo.' }),
  ),
  networkMs: Type.Optional(Type.Number()),
  compareMs: Type.Optional(
    Type.Number({ description: 'Comparing the enlarged picture with the photo.' }),
  ),
  refineMs: Type.Optional(
    Type.Number({ description: 'Cut-outs: refining the edge and estimating its colours.' }),
  ),
  composeMs: Type.Optional(
    Type.Number({ description: 'Cut-outs: cropping and compositing over the background.' }),
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
    Type.Integer({ description: 'Margin around the subject in percent of its longer side.' }),
  ),
  maskOnly: Type.Optional(Type.Boolean()),
  strokes: Type.Optional(Strokes),
  amountMask: Type.Optional(oneOf(amountMasks)),
  selector: Type.Optional(
    Type.String({ description: 'The model that answers strokes that select objects and boxes.' }),
  ),
  maskModel: Type.Optional(
    Type.String({ description: 'The model that finds the subject for amountMask.' }),
  ),
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
      { description: 'Enlargement of a cut-out in the same task; absent: none.' },
    ),
  ),
  callbackUrl: Type.Optional(Type.String()),
  callbackEvents: Type.Optional(Type.Array(oneOf(callbackEvents))),
  saveTo: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  onConflict: Type.Optional(oneOf(conflictRules)),
  oneVersion: Type.Optional(Type.Boolean()),
  onlyAccepted: Type.Optional(Type.Boolean()),
});
export type TaskOptions = Static<typeof TaskOptions>;

/** The submit that leads to these options, for editing and repeating. Pure. */
export function requestOf(options: TaskOptions): RequestFields {
  const { format, formatChosen, enlarge, ...same } = options;
  // No fields of a submit.
  delete same.maskModel;
  delete same.selector;
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
        "Quality on libjpeg's scale, or its equivalent for other lossy formats; absent: no trace of compression.",
    }),
  ),
  toldBy: oneOf(qualityTellers, {
    description: 'Where the quality was read: quantisation tables, header or pixels.',
  }),
  noise: Type.Number({
    description: 'Standard deviation of the noise in each channel, in levels of 0 to 255.',
  }),
  softnessPx: Type.Number({
    description: 'Softness of the noise as the standard deviation of a Gaussian blur, in pixels.',
  }),
  blockiness: Type.Number({
    description:
      'Excess of the steps at 8 x 8 block borders over those within blocks: 0 equal, 1 twice as large.',
  }),
  blurPx: Type.Optional(
    Type.Number({
      description:
        "Blur of the photo's sharpest places as the standard deviation of a Gaussian, in pixels; absent: not measured.",
    }),
  ),
  restored: Type.Optional(
    closed(
      {
        jpegQuality: Type.Optional(Type.Integer()),
        noise: Type.Number(),
        blurPx: Type.Optional(Type.Number()),
      },
      { description: 'Damage that the network was asked to remove.' },
    ),
  ),
  grain: Type.Optional(
    closed(
      { deviation: Type.Number(), softnessPx: Type.Number() },
      {
        description:
          'Grain added to the result: deviation in levels of 0 to 255, softness in pixels of the result.',
      },
    ),
  ),
  why: Type.String({ description: 'Explanation as a sentence for people.' }),
});
export type MeasuredDamage = Static<typeof MeasuredDamage>;

/**
 * Difference between the source and the result reduced to its size, before sharpening, grain and compression:
 * levels of 255, of the channel that differs most.
 */
export const ChangedPixels = named('ChangedPixels', {
  mean: Type.Number(),
  largest: Type.Number(),
  share: Type.Number({ description: 'Share of pixels that differ by more than 2 levels, 0 to 1.' }),
});
export type ChangedPixels = Static<typeof ChangedPixels>;

/** A person's verdict on a result. */
export const marks = ['accepted', 'rejected'] as const;
export type Mark = (typeof marks)[number];

export const MarkBody = named('MarkBody', {
  mark: Type.Union([oneOf(marks), Type.Null()], { description: 'null removes the mark.' }),
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
    description: 'Estimated size of the result file.',
  }),
  scratchBytes: Type.Integer({ description: 'Temporary disk space needed while the task runs.' }),
  seconds: Type.Optional(
    Type.Number({
      description: 'Estimated from measured speed; absent until the model has run on this machine.',
    }),
  ),
});
export type TaskEstimate = Static<typeof TaskEstimate>;

/** Why the folder does not hold what counts. */
export const folderProblems = ['changed', 'not-removed', 'not-saved'] as const;
export type FolderProblem = (typeof folderProblems)[number];

/** Body of a callback. */
export const TaskEventMessage = named('TaskEventMessage', {
  type: oneOf(['task.started', 'task.finished', 'task.failed']),
  timestamp: Type.Unsafe<string>({ ...Timestamp, description: 'When it happened.' }),
  data: withoutId(TaskView),
  ...TaskView.properties,
});
export type TaskEventMessage = Static<typeof TaskEventMessage>;

const callbackStates = ['waiting', 'delivered', 'failed'] as const;

/** Delivery of a task's end to the callbackUrl. */
export const TaskCallback = named('TaskCallback', {
  state: oneOf(callbackStates),
  attempts: Type.Integer(),
  problem: Type.Optional(Type.String({ description: 'Error of the last attempt.' })),
});
export type TaskCallback = Static<typeof TaskCallback>;

/** A note of a record as code and values. */
const NoteOfResult = named('NoteOfResult', {
  code: Type.String({
    description: 'Stable, e.g. TRANSPARENCY_FILLED. OTHER where another version wrote the note.',
  }),
  // Type.Record would bring a parser of patterns into the page.
  values: Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'What the sentence names: formats, sizes, counts.',
  }),
});
export type NoteOfResult = Static<typeof NoteOfResult>;

/** A task in GET /api/tasks/{id} and GET /api/tasks. */
export const TaskRecord = named('TaskRecord', {
  taskId: Type.String(),
  photo: Type.String({
    description:
      'Shared by all tasks (versions) of one photo: the submitted value, or derived from the source.',
  }),
  operation: TaskOperation,
  status: TaskStatus,
  progress: Type.Integer({ minimum: 0, maximum: 100 }),
  etaSeconds: Type.Optional(
    Type.Number({ description: 'Remaining seconds of a running task, from measured speed.' }),
  ),
  priority: Type.Integer(),
  place: Type.Optional(
    Type.Integer({ description: 'Position in the queue while PENDING, counted from 1.' }),
  ),
  source: closed({
    kind: Type.String({
      description: 'url, data, upload, file, or task (the result of another task)',
    }),
    name: Type.String(),
    taskId: Type.Optional(Type.String({ description: 'The task whose result is the source.' })),
    watchId: Type.Optional(
      Type.String({ description: 'The watched folder that the photo came through.' }),
    ),
    kept: Type.Boolean({
      description: 'Whether the source is still stored, so that the task can run again.',
    }),
  }),
  options: TaskOptions,
  model: Type.Optional(
    Type.String({ description: 'The networks that ran, in order, separated by commas.' }),
  ),
  device: Type.Optional(DeviceUse),
  ranOn: Type.Optional(
    Type.Union([RanOn], {
      description: 'Machine of the pool that ran the task; absent: this machine.',
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
        'Difference between the source and the result reduced to its size, before sharpening, grain and compression.',
    }),
  ),
  grade: Type.Optional(
    oneOf(grades, {
      description:
        'Confidence in a cut-out: good can be used as it is, look needs a check, poor is probably wrong.',
    }),
  ),
  timings: Timings,
  notes: Type.Array(Type.String(), {
    description: 'What a person should know about the result, one sentence each.',
  }),
  noteCodes: Type.Optional(
    Type.Array(NoteOfResult, {
      description: 'The same notes, in the same order, for programs and other languages.',
    }),
  ),
  callback: Type.Optional(TaskCallback),
  savedTo: Type.Optional(Type.String()),
  folder: Type.Optional(
    closed(
      {
        path: Type.String(),
        onlyAccepted: Type.Optional(
          Type.Literal(true, { description: 'It is put in once it is accepted.' }),
        ),
        problem: Type.Optional(
          oneOf(folderProblems, {
            description:
              'changed: its file was changed or moved by someone, and left alone. not-removed: its file could not be taken out. not-saved: it could not be put in.',
          }),
        ),
      },
      {
        description:
          'With oneVersion or onlyAccepted, of a finished task: the folder that holds the version that counts, which is this one where savedTo is in it.',
      },
    ),
  ),
  takenAt: Type.Optional(
    Type.Unsafe<string>({
      ...Timestamp,
      description: 'When a person downloaded or exported the result, as reported by a client.',
    }),
  ),
  mark: Type.Optional(oneOf(marks, { description: "A person's verdict on the result." })),
  imageUrl: Type.Optional(Type.String()),
  thumbUrl: Type.Optional(Type.String()),
  sourceThumbUrl: Type.Optional(
    Type.String({
      description:
        'Link to a thumbnail of the source, also before the task has run. 404 when there is none.',
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
  FAILED: Type.Integer({ description: 'With those that were cancelled.' }),
  CANCELLED: Type.Integer({
    description: 'How many of FAILED were cancelled: their error has the code CANCELLED.',
  }),
});
export type StatusCounts = Static<typeof StatusCounts>;

export const TaskListQuery = closed({
  status: Type.Optional(TaskStatus),
  photo: Type.Optional(PhotoId),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 50 })),
  cursor: Type.Optional(
    Type.String({ maxLength: 100, description: 'nextCursor of the previous page.' }),
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
