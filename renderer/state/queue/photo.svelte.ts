/** One row of the queue: a file dropped into this page, a task of the service, or one that became the other. */
import { usualChoices, type Choices } from '../../../electron/contract/page.ts';
import type { Stroke } from '../../../electron/contract/strokes.ts';
import type {
  Estimate,
  TaskChange,
  TaskRecord,
  TaskStatus,
} from '../../../electron/contract/task.ts';
import type { Problem } from '../../api/calls.svelte.ts';
import { choicesOfRecord } from '../settings/choices.ts';
import { obstacleOf } from '../estimate/prediction.ts';

export type Phase = 'ready' | 'uploading' | TaskStatus;

export interface PixelSize {
  width: number;
  height: number;
}

/** A file that was dropped, pasted, chosen or given: its bytes, its place on the disk, or both. */
export interface Added {
  name: string;
  file?: File;
  imageUrl?: string;
}

export interface PhotoSource {
  imageUrl: string;
  /** An upload that is not used is kept for an hour. Absent: a file on the disk. */
  uploadedAtMs?: number;
}

/** Whether it is a task of the service. */
export const isSubmitted = ({ taskId }: Photo) => taskId !== undefined;

let lastAddedMs = 0;

/** No two photos of a drop have the same. */
function nextAddedMs(): number {
  lastAddedMs = Math.max(Date.now(), lastAddedMs + 0.001);
  return lastAddedMs;
}

export class Photo {
  /** It stays when the photo gets its task, and is shared with its other versions. */
  readonly versions: Versions;
  readonly name: string;
  /** Only in the page that added it. */
  readonly file: File | undefined;
  /** Milliseconds since 1970: when it was dropped, or submitted. */
  addedAtMs = nextAddedMs();
  taskId = $state<string>();
  phase = $state<Phase>('ready');
  progress = $state(0);
  etaSeconds = $state<number>();
  problem = $state.raw<Problem>();
  record = $state.raw<TaskRecord>();
  /** Of the source, once the page has opened it. */
  sourceSize = $state.raw<PixelSize>();
  /** What will be, or was, done with it. */
  choices = $state.raw<Choices>(usualChoices);
  /** Painted over a cut-out: what its task gets, or was given. */
  strokes = $state.raw<readonly Stroke[]>([]);
  /** Painted over its result since, and not applied yet. */
  painted = $state.raw<readonly Stroke[]>([]);
  /** By these choices, before it is started. */
  estimate = $state.raw<Estimate>();
  /** Where the service reads it: its upload, or the file itself. */
  source = $state.raw<PhotoSource>();
  /** A link to a view that the service made, where this page cannot show the file itself. */
  view = $state<string>();
  /** The browser cannot show the file; the service may. */
  isFileBroken = $state(false);
  /** Results cannot be saved beside it. */
  isFolderShut = $state(false);
  /** Its result lies where a person put it. */
  readonly isSaved = $derived(
    this.record?.savedTo !== undefined || this.record?.takenAt !== undefined,
  );
  /** Its result lies nowhere but here, for a day. */
  readonly isUnsaved = $derived(
    this.phase === 'FINISHED' && !this.isSaved && this.record?.imageUrl !== undefined,
  );
  readonly isWaiting = $derived(this.phase === 'PENDING' || this.phase === 'uploading');
  readonly isActive = $derived(this.isWaiting || this.phase === 'PROCESSING');
  readonly isEnded = $derived(this.phase === 'FINISHED' || this.phase === 'FAILED');

  /** Its settings may still be changed. */
  readonly isEditable = $derived(this.phase === 'ready' || this.phase === 'PENDING');
  /** What its settings show: once it was begun, what its next version is to be. */
  readonly wanted = $derived.by(() =>
    this.isEditable ? this.choices : (this.versions.draft ?? this.choices),
  );
  /** When it was taken, by the camera's clock; of tasks that wait, as the page learned it before. */
  readonly capturedAt = $derived(
    this.record?.input?.capturedAt ?? this.estimate?.input?.capturedAt,
  );
  /** Why starting it is of no use. */
  readonly obstacle = $derived(this.phase === 'ready' ? obstacleOf(this) : undefined);

  constructor(name: string, versions: Versions, file?: File) {
    this.versions = versions;
    this.name = name;
    this.file = file;
  }

  /** Of its row. */
  get id(): string {
    return this.versions.id;
  }

  /** A file that this page may start. `imageUrl`: where the service itself finds it on the disk. */
  static ready(
    added: Added,
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
    photo.take(record);
    return photo;
  }

  /** The whole record as the service knows it now. @param isEdited whether the page knows better what is asked */
  take(record: TaskRecord, isEdited = false): void {
    this.record = record;
    this.phase = record.status;
    this.progress = record.status === 'FINISHED' ? 100 : record.progress;
    this.etaSeconds = record.etaSeconds;
    this.problem = record.error;
    if (!isEdited) this.choices = choicesOfRecord(record) ?? this.choices;
    this.strokes = record.options.strokes ?? [];
  }

  /** Its task was taken back before it began. */
  detach(): void {
    this.taskId = undefined;
    this.record = undefined;
    this.problem = undefined;
    this.phase = 'ready';
  }

  /** An event: what changed, without the rest of the record. */
  note(change: TaskChange): void {
    this.phase = change.status;
    this.progress = change.progress ?? (change.status === 'FINISHED' ? 100 : 0);
    this.etaSeconds = change.etaSeconds;
    this.problem = change.error;
  }
}

let nextRow = 1;

/** What the versions of one photo share: its row on the page, and what is asked of the next version. */
export class Versions {
  /** Of this page. */
  readonly id = `photo-${nextRow++}`;
  /** The service's; tasks of the photo carry it. */
  readonly key: string;
  /** The version that a person looks at; undefined: the latest. */
  picked = $state.raw<object>();
  /** That stand beside each other, as a person chose; undefined: the latest. */
  compared = $state.raw<readonly object[]>();
  /** For the next version, where that differs from the one that is looked at. */
  draft = $state.raw<Choices>();

  constructor(key: string) {
    this.key = key;
  }
}
