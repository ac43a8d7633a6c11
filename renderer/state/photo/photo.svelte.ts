/** Holds one version of a photo: a file of this page, a task of the service, or a file that became a task. */
import type { TaskErrorCode } from '../../../packages/contract/src/errors.ts';
import type { Size } from '../../../packages/contract/src/geometry.ts';
import type { AmountMask } from '../../../packages/contract/src/request.ts';
import { defaultChoices, type Choices } from '../../../packages/contract/src/settings/page.ts';
import type { Stroke } from '../../../packages/contract/src/options/strokes.ts';
import type {
  Estimate,
  TaskChange,
  TaskRecord,
  TaskStatus,
} from '../../../packages/contract/src/task.ts';
import type { Problem } from '../../api/calls.svelte.ts';
import { choicesOfRecord } from '../options/choices.ts';
import { withOwnSize } from '../options/own-size.ts';
import { obstacleOf } from './prediction.ts';

export type Phase = 'ready' | 'uploading' | TaskStatus;

export type PixelSize = Size;

/** A file that was dropped, pasted, chosen or opened: its bytes, its path, or both. */
export interface IncomingFile {
  name: string;
  file?: File;
  imageUrl?: string;
}

export interface PhotoSource {
  imageUrl: string;
  /**
   * The photo was uploaded at this time, and its upload is kept for an hour when nothing uses it. The field
   * is absent for a file on the disk.
   */
  uploadedAtMs?: number;
}

/** Whether the photo is a task of the service. */
export const isSubmitted = ({ taskId }: Photo) => taskId !== undefined;

/** Codes of failures with which the same job ends whenever it is tried. */
const lastingFailures: ReadonlySet<string> = new Set<TaskErrorCode>([
  'UNREADABLE_IMAGE',
  'IMAGE_TOO_LARGE',
  'NO_SUBJECT',
]);

let lastAddedMs = 0;

/** Returns the present time in whole milliseconds, but never the same for two photos. */
function nextAddedMs(): number {
  lastAddedMs = Math.max(Date.now(), lastAddedMs + 1);
  return lastAddedMs;
}

export class Photo {
  /** Shared with the photo's other versions; stays when the photo gets its task. */
  readonly versions: Versions;
  readonly name: string;
  /** The file exists only in the page that added it. */
  readonly file: File | undefined;
  /** The photo was dropped or submitted at this time, in milliseconds since 1970. */
  addedAtMs = nextAddedMs();
  taskId = $state<string>();
  phase = $state<Phase>('ready');
  progress = $state(0);
  etaSeconds = $state<number>();
  problem = $state.raw<Problem>();
  record = $state.raw<TaskRecord>();
  /** The source has this size, once the page has opened it. */
  sourceSize = $state.raw<PixelSize>();
  /** The choices were changed after the photo's submit was sent, and before its task was known. */
  lateChoices: Choices | undefined;
  /** The photo will be, or was, worked on by these choices. */
  choices = $state.raw<Choices>(defaultChoices);
  /** The task gets, or was given, these strokes. */
  strokes = $state.raw<readonly Stroke[]>([]);
  /** Those of an enlargement change this area. */
  amountMask: AmountMask | undefined;
  /** Strokes painted since that are not applied yet. */
  painted = $state.raw<readonly Stroke[]>([]);
  /** The estimate is by these choices, before the photo is started. */
  estimate = $state.raw<Estimate>();
  /** The service reads the photo from here: its upload, or the file itself. */
  source = $state.raw<PhotoSource>();
  /** Link to the service's view, where the browser cannot show the file itself. */
  view = $state<string>();
  /** The service was asked for a view and made none. */
  isViewless = $state(false);
  /** The browser cannot show the file, which the service may still read. */
  isFileBroken = $state(false);
  /** Results cannot be saved beside the photo. */
  isFolderShut = $state(false);
  /** The result lies where a person put it. */
  readonly isSaved = $derived(
    this.record?.savedTo !== undefined || this.record?.takenAt !== undefined,
  );
  /** The service alone has the result, which it keeps for a day. */
  readonly isUnsaved = $derived(
    this.phase === 'FINISHED' && !this.isSaved && this.record?.imageUrl !== undefined,
  );
  /** The service saves the result as soon as it is accepted. */
  readonly isHeld = $derived(
    this.isUnsaved &&
      this.record?.folder?.onlyAccepted === true &&
      this.record.folder.problem === undefined,
  );
  readonly isWaiting = $derived(this.phase === 'PENDING' || this.phase === 'uploading');
  readonly isActive = $derived(this.isWaiting || this.phase === 'PROCESSING');
  readonly isEnded = $derived(this.phase === 'FINISHED' || this.phase === 'FAILED');

  /** The photo's settings may still be changed. */
  readonly isEditable = $derived(this.phase === 'ready' || this.isWaiting);
  /** The name template of the result was changed to this after the task began. */
  readonly lateName = $derived.by(() => {
    const { draft } = this.versions;
    return draft === undefined || draft.name === this.choices.name ? undefined : draft.name;
  });
  /** The photo was taken at this time by the camera's clock; while its task waits the estimate tells it. */
  readonly capturedAt = $derived(
    this.record?.input?.capturedAt ?? this.estimate?.input?.capturedAt,
  );
  /** Why the photo cannot be started. */
  readonly obstacle = $derived(this.phase === 'ready' ? obstacleOf(this) : undefined);
  /** Its settings do not go together. */
  readonly isConflicting = $derived(this.obstacle?.code === 'INVALID_REQUEST');
  /** The service found no picture in the file. */
  readonly isUnreadable = $derived(
    this.phase === 'FAILED' && this.problem?.code === 'UNREADABLE_IMAGE',
  );
  /** It was cancelled while it waited or ran, which is no failure, though its task ends as one. */
  readonly isCancelled = $derived(this.phase === 'FAILED' && this.problem?.code === 'CANCELLED');
  readonly hasFailed = $derived(this.phase === 'FAILED' && !this.isCancelled);
  readonly canRetry = $derived(
    this.phase === 'FAILED' && !lastingFailures.has(this.problem?.code ?? ''),
  );

  constructor(name: string, versions: Versions, file?: File) {
    this.versions = versions;
    this.name = name;
    this.file = file;
  }

  /** The id is that of the photo's row. */
  get id(): string {
    return this.versions.id;
  }

  /** Makes the photo of a file that this page may start. The service finds `added.imageUrl` on the disk. */
  static ready(
    added: IncomingFile,
    choices: Choices,
    versions = new Versions(crypto.randomUUID()),
  ): Photo {
    const photo = new Photo(added.name, versions, added.file);
    photo.choices = choices;
    if (added.imageUrl !== undefined) photo.source = { imageUrl: added.imageUrl };
    return photo;
  }

  static of(record: TaskRecord, versions: Versions): Photo {
    const photo = new Photo(record.source.name, versions);
    photo.taskId = record.taskId;
    photo.addedAtMs = Date.parse(record.createdAt);
    photo.choices = versions.lastChoices ?? photo.choices;
    photo.take(record);
    return photo;
  }

  /**
   * Takes the whole record as the service knows it now.
   *
   * @param isEdited says that the page knows better which choices are asked for
   */
  take(record: TaskRecord, isEdited = false): void {
    this.record = record;
    this.phase = record.status;
    this.progress = record.status === 'FINISHED' ? 100 : record.progress;
    this.etaSeconds = record.etaSeconds;
    this.problem = record.error;
    const made = choicesOfRecord(record);
    if (!isEdited && made) this.choices = withOwnSize(made, this.choices);
    this.versions.lastChoices = this.choices;
    this.strokes = record.options.strokes ?? [];
    this.amountMask = record.options.amountMask;
  }

  /** Makes the photo ready again when its task was taken back before it began. */
  detach(): void {
    this.taskId = undefined;
    this.record = undefined;
    this.problem = undefined;
    this.phase = 'ready';
  }

  /** Takes an event that tells what changed, without the rest of the record. */
  note(change: TaskChange): void {
    this.phase = change.status;
    this.progress = change.progress ?? (change.status === 'FINISHED' ? 100 : 0);
    this.etaSeconds = change.etaSeconds;
    this.problem = change.error;
  }
}

let nextRow = 1;

/** The versions of one photo share this: their row on the page, and what is asked of the next version. */
export class Versions {
  /** The row on this page has this id. */
  readonly id = `photo-${nextRow++}`;
  /** The service knows the photo by this key, which the photo's tasks carry. */
  readonly key: string;
  /** The version to show; undefined: the latest. */
  picked = $state.raw<object>();
  /** A person chose to compare these versions; they are the latest ones where this is undefined. */
  compared = $state.raw<readonly object[]>();
  /** Choices of the next version, where they differ from those of the shown one. */
  draft = $state.raw<Choices>();
  /** The estimate of the next version, by these choices. */
  estimate = $state.raw<Estimate>();

  /** A version without a size of its own keeps that of these choices for the next one. */
  lastChoices: Choices | undefined;

  /** The file with the same contents, which was in the list before. */
  copyOf = $state<string>();
  /** The next version, and a result that is saved later, go here; undefined: where results of new photos go. */
  destination = $state<string>();

  constructor(key: string) {
    this.key = key;
  }
}
