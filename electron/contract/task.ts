/** A task as the API shows it: what is submitted, what is answered, what is listed. */
import { Type, type Static } from 'typebox';
import { oneOf, Scale, Timestamp, outputFormats } from './common.ts';

export const taskStatuses = ['PENDING', 'PROCESSING', 'FINISHED', 'FAILED'] as const;
export const TaskStatus = oneOf(taskStatuses);
export type TaskStatus = (typeof taskStatuses)[number];

export const operations = ['upscale', 'remove-bg'] as const;
export const Operation = oneOf(operations);
export type Operation = (typeof operations)[number];

/** What a task may be: an operation of a network, or a result saved again in another format. */
export const taskOperations = [...operations, 'convert'] as const;
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
const Source = Type.Literal('api', { default: 'api' });

/** What both operations take beside the picture. Every field may be left out. */
const outputChoices = {
  model: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'A model id of GET /api/models.' }),
  ),
  format: Type.Optional(
    oneOf([...outputFormats, 'same'], {
      description: "'same' keeps the source's format where it can be written.",
    }),
  ),
  quality: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      description: 'For jpeg, webp, avif and jxl; 100 makes a jxl lossless.',
    }),
  ),
  bitDepth: Type.Optional(Type.Union([Type.Literal(8), Type.Literal(16), Type.Literal('same')])),
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
      description: 'A folder that was granted; the result is saved there too.',
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
  priority: Type.Optional(
    Type.Integer({ minimum: -10, maximum: 10, default: 0, description: 'Higher ones run first.' }),
  ),
};

const sidePx = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description }));
const otherSide = 'The other side follows. Instead of scale.';

/** A size in place of a scale: one of these. The next network scale makes it, then it is reduced. */
const targetChoices = {
  width: sidePx(`Pixels of the result's width. ${otherSide}`),
  height: sidePx(`Pixels of the result's height. ${otherSide}`),
  longEdge: sidePx(`Pixels of the result's longer side. ${otherSide}`),
  megapixels: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 100_000,
      description: 'Millions of pixels of the result. Instead of scale.',
    }),
  ),
};
export const targetKinds = ['width', 'height', 'longEdge', 'megapixels'] as const;
export const Target = Type.Object(
  { kind: oneOf(targetKinds), value: Type.Number() },
  { $id: 'Target', additionalProperties: false },
);
export type Target = Static<typeof Target>;

export const UpscaleBody = Type.Object(
  {
    imageUrl: ImageUrl,
    scale: Type.Optional(Scale),
    ...targetChoices,
    sharpen: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 100,
        default: 0,
        description: 'How strongly the result is sharpened at the end.',
      }),
    ),
    source: Type.Optional(Source),
    ...outputChoices,
  },
  { $id: 'UpscaleBody', additionalProperties: false },
);
export type UpscaleBody = Static<typeof UpscaleBody>;

export const RemoveBackgroundBody = Type.Object(
  {
    imageUrl: ImageUrl,
    source: Type.Optional(Source),
    background: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 32,
        description:
          "'transparent' (the default), 'blur' for the photo's own surroundings out of focus, or a colour: #fff, #ffffff, white, black. JPEG needs one of the last two.",
      }),
    ),
    crop: Type.Optional(
      Type.Union([Type.Boolean(), Type.Integer({ minimum: 0, maximum: 100 })], {
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
    ...outputChoices,
  },
  { $id: 'RemoveBackgroundBody', additionalProperties: false },
);
export type RemoveBackgroundBody = Static<typeof RemoveBackgroundBody>;

/** A submit without its picture: what a preset holds, and what a waiting task can be changed to. */
export const UpscaleOptions = Type.Omit(UpscaleBody, ['imageUrl', 'source'], {
  $id: 'UpscaleOptions',
  additionalProperties: false,
});
export type UpscaleOptions = Static<typeof UpscaleOptions>;
export const RemoveBackgroundOptions = Type.Omit(RemoveBackgroundBody, ['imageUrl', 'source'], {
  $id: 'RemoveBackgroundOptions',
  additionalProperties: false,
});
export type RemoveBackgroundOptions = Static<typeof RemoveBackgroundOptions>;

/** Which of the two it must be depends on the operation, and is checked when that is known. */
export const SubmitOptions = Type.Unsafe<UpscaleOptions | RemoveBackgroundOptions>(
  Type.Object(
    {},
    { description: "The fields of the operation's submit, without imageUrl and source." },
  ),
);

type Nullable<T> = { [Field in keyof T]?: T[Field] | null };
export const ChangedOptions = Type.Unsafe<Nullable<UpscaleOptions & RemoveBackgroundOptions>>(
  Type.Object({}, { description: 'Fields of the submit that change; null: back to the default.' }),
);
export type ChangedOptions = Static<typeof ChangedOptions>;

export const Submitted = Type.Object(
  { taskId: Type.String() },
  { $id: 'Submitted', additionalProperties: false },
);
export type Submitted = Static<typeof Submitted>;

export const TaskFailure = Type.Object(
  { code: Type.String(), message: Type.String() },
  { $id: 'TaskFailure', additionalProperties: false },
);
export type TaskFailure = Static<typeof TaskFailure>;

/** The task as part 1 of the contract shows it, in GET /api/task/{id} and in every event. */
export const TaskView = Type.Object(
  {
    taskId: Type.String(),
    status: TaskStatus,
    progress: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
    imageUrl: Type.Optional(Type.String()),
    thumbUrl: Type.Optional(Type.String()),
    error: Type.Optional(TaskFailure),
  },
  { $id: 'TaskView', additionalProperties: false },
);
export type TaskView = Static<typeof TaskView>;

/**
 * One event of GET /api/tasks/sse: the task as it now is. Its `id:` line resumes the stream. An event
 * named `reset` says that changes were missed that are no longer known: list the tasks anew.
 */
export const TaskChange = Type.Object(
  {
    ...TaskView.properties,
    etaSeconds: Type.Optional(Type.Number()),
    removed: Type.Optional(Type.Literal(true, { description: 'The task was deleted.' })),
  },
  { $id: 'TaskChange', additionalProperties: false },
);
export type TaskChange = Static<typeof TaskChange>;

/** What is known of a picture file. */
export const PictureInfo = Type.Object(
  {
    format: Type.String(),
    width: Type.Integer(),
    height: Type.Integer(),
    bitDepth: Type.Integer(),
    channels: Type.Integer(),
    sizeBytes: Type.Integer(),
  },
  { $id: 'PictureInfo', additionalProperties: false },
);
export type PictureInfo = Static<typeof PictureInfo>;

/** A part of a picture. */
export const PicturePart = Type.Object(
  {
    x: Type.Integer({ description: 'Its left edge.' }),
    y: Type.Integer({ description: 'Its upper edge.' }),
    width: Type.Integer(),
    height: Type.Integer(),
  },
  {
    $id: 'PicturePart',
    additionalProperties: false,
    description: 'What a cropped result shows, in pixels of the upright source.',
  },
);
export type PicturePart = Static<typeof PicturePart>;

/** Where the time of a task went, in milliseconds. A step that did not run is absent. */
export const Timings = Type.Object(
  {
    queuedMs: Type.Optional(Type.Number()),
    fetchMs: Type.Optional(Type.Number()),
    decodeMs: Type.Optional(Type.Number()),
    waitMs: Type.Optional(
      Type.Number({ description: 'Waiting for another task to leave the network.' }),
    ),
    networkMs: Type.Optional(Type.Number()),
    refineMs: Type.Optional(
      Type.Number({ description: "Of a cut-out: finding its edge and the edge's colours." }),
    ),
    composeMs: Type.Optional(
      Type.Number({ description: 'Of a cut-out: cropping it and laying it over a background.' }),
    ),
    encodeMs: Type.Optional(Type.Number()),
    publishMs: Type.Optional(Type.Number()),
    totalMs: Type.Optional(Type.Number()),
  },
  { $id: 'Timings', additionalProperties: false },
);
export type Timings = Static<typeof Timings>;

/** The device that ran a task: the execution provider, its precision, and why not a faster one. */
export const DeviceUse = Type.Object(
  {
    provider: Type.String({ description: 'cuda, dml, coreml, webgpu or cpu' }),
    name: Type.String(),
    precision: Type.String({ description: 'fp32, fp16 or int8' }),
  },
  { $id: 'DeviceUse', additionalProperties: false },
);
export type DeviceUse = Static<typeof DeviceUse>;

/** What a task was asked to do, defaults filled in. */
export const TaskOptions = Type.Object(
  {
    scale: Type.Optional(Scale),
    target: Type.Optional(Target),
    sharpen: Type.Optional(Type.Integer()),
    model: Type.String(),
    format: Type.String(),
    formatChosen: Type.Boolean({ description: 'Whether the submit named a format.' }),
    quality: Type.Optional(Type.Integer()),
    bitDepth: Type.Union([Type.Literal(8), Type.Literal(16), Type.Literal('same')]),
    metadata: Type.String(),
    background: Type.Optional(
      Type.String({ description: "'transparent', 'blur' or a colour such as #ffffff." }),
    ),
    crop: Type.Optional(
      Type.Integer({ description: "The margin in percent of the subject's longer side." }),
    ),
    maskOnly: Type.Optional(Type.Boolean()),
    saveTo: Type.Optional(Type.String()),
    name: Type.Optional(Type.String()),
    onConflict: Type.Optional(oneOf(conflictRules)),
  },
  { $id: 'TaskOptions', additionalProperties: false },
);
export type TaskOptions = Static<typeof TaskOptions>;

/** What a task will make and take, known before its network starts. */
export const TaskEstimate = Type.Object(
  {
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
  },
  { $id: 'TaskEstimate', additionalProperties: false },
);
export type TaskEstimate = Static<typeof TaskEstimate>;

/** The whole record of a task: GET /api/tasks/{id}, and each row of GET /api/tasks. */
export const TaskRecord = Type.Object(
  {
    taskId: Type.String(),
    operation: TaskOperation,
    status: TaskStatus,
    progress: Type.Integer({ minimum: 0, maximum: 100 }),
    etaSeconds: Type.Optional(
      Type.Number({ description: 'Of the running task, from measured speed.' }),
    ),
    priority: Type.Integer(),
    place: Type.Optional(
      Type.Integer({ description: 'Place in the queue from 1, while PENDING.' }),
    ),
    source: Type.Object(
      {
        kind: Type.String({ description: 'url, data, upload, file, or task: the result of one' }),
        name: Type.String(),
        taskId: Type.Optional(Type.String({ description: 'Whose result it is.' })),
      },
      { additionalProperties: false },
    ),
    options: TaskOptions,
    model: Type.Optional(
      Type.String({ description: 'The networks that ran, in order, joined by a comma.' }),
    ),
    device: Type.Optional(DeviceUse),
    attempts: Type.Integer(),
    createdAt: Timestamp,
    startedAt: Type.Optional(Timestamp),
    finishedAt: Type.Optional(Timestamp),
    expiresAt: Type.Optional(Timestamp),
    estimate: Type.Optional(TaskEstimate),
    input: Type.Optional(PictureInfo),
    output: Type.Optional(PictureInfo),
    crop: Type.Optional(PicturePart),
    timings: Timings,
    notes: Type.Array(Type.String(), {
      description: 'What a person should know of the result, a sentence each.',
    }),
    savedTo: Type.Optional(Type.String()),
    imageUrl: Type.Optional(Type.String()),
    thumbUrl: Type.Optional(Type.String()),
    sourceThumbUrl: Type.Optional(
      Type.String({
        description: 'A link as thumbUrl; before the task ran too. 404 when there is none.',
      }),
    ),
    error: Type.Optional(TaskFailure),
  },
  { $id: 'TaskRecord', additionalProperties: false },
);
export type TaskRecord = Static<typeof TaskRecord>;

export const StatusCounts = Type.Object(
  {
    PENDING: Type.Integer(),
    PROCESSING: Type.Integer(),
    FINISHED: Type.Integer(),
    FAILED: Type.Integer(),
  },
  { $id: 'StatusCounts', additionalProperties: false },
);
export type StatusCounts = Static<typeof StatusCounts>;

export const TaskListQuery = Type.Object({
  status: Type.Optional(TaskStatus),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 50 })),
  cursor: Type.Optional(
    Type.String({ maxLength: 100, description: 'nextCursor of the page before.' }),
  ),
});
export type TaskListQuery = Static<typeof TaskListQuery>;

export const TaskList = Type.Object(
  {
    tasks: Type.Array(TaskRecord),
    nextCursor: Type.Optional(Type.String()),
    counts: StatusCounts,
    paused: Type.Boolean(),
  },
  { $id: 'TaskList', additionalProperties: false },
);
export type TaskList = Static<typeof TaskList>;

/**
 * Where to move a waiting task: to an end of the queue, or beside another waiting task (whose priority it
 * takes). And what to change of what it is to do: `options` are fields of a submit, and those that are not
 * named stay as they are; null sets one back to what a submit without it means. A scale takes the place of a
 * size and the other way round. With another operation, what both take stays, but not the model.
 */
export const TaskPatch = Type.Object(
  {
    place: Type.Optional(
      Type.Union([
        Type.Literal('first'),
        Type.Literal('last'),
        Type.Object({ before: Type.String() }, { additionalProperties: false }),
        Type.Object({ after: Type.String() }, { additionalProperties: false }),
      ]),
    ),
    priority: Type.Optional(Type.Integer({ minimum: -10, maximum: 10 })),
    operation: Type.Optional(Operation),
    options: Type.Optional(ChangedOptions),
  },
  { $id: 'TaskPatch', additionalProperties: false, minProperties: 1 },
);
export type TaskPatch = Static<typeof TaskPatch>;

/** Asked of POST /api/estimate: a submit's body, and which submit it is. */
export const EstimateBody = Type.Object(
  {
    ...UpscaleBody.properties,
    ...RemoveBackgroundBody.properties,
    operation: Type.Optional(oneOf(operations, { default: 'upscale' })),
  },
  { $id: 'EstimateBody', additionalProperties: false },
);
export type EstimateBody = Static<typeof EstimateBody>;

/** POST /api/estimate: what a submit would make, cost, and whether it can work. */
export const Estimate = Type.Object(
  { ...TaskEstimate.properties, problem: Type.Optional(TaskFailure) },
  { $id: 'Estimate', additionalProperties: false },
);
export type Estimate = Static<typeof Estimate>;
