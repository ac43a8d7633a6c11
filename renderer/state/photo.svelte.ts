/** One row of the queue: a file dropped into this page, a task of the service, or one that became the other. */
import type { TaskChange, TaskRecord, TaskStatus } from '../../electron/contract/task.ts';

export type Phase = 'ready' | 'uploading' | TaskStatus;

export interface Problem {
  code: string;
  message: string;
}

export interface PixelSize {
  width: number;
  height: number;
}

let nextId = 1;

export class Photo {
  /** Of this page; it stays when the photo gets its task. */
  readonly id = `photo-${nextId++}`;
  readonly name: string;
  /** Only in the page that added it. */
  readonly file: File | undefined;
  taskId = $state<string>();
  phase = $state<Phase>('ready');
  progress = $state(0);
  etaSeconds = $state<number>();
  problem = $state.raw<Problem>();
  record = $state.raw<TaskRecord>();
  /** Of the source, once the page has opened it. */
  sourceSize = $state.raw<PixelSize>();
  /** The browser cannot show the file; the service may. */
  isFileBroken = $state(false);
  readonly isWaiting = $derived(this.phase === 'PENDING' || this.phase === 'uploading');
  readonly isActive = $derived(this.isWaiting || this.phase === 'PROCESSING');
  readonly isEnded = $derived(this.phase === 'FINISHED' || this.phase === 'FAILED');

  constructor(name: string, file?: File) {
    this.name = name;
    this.file = file;
  }

  static of(record: TaskRecord): Photo {
    const photo = new Photo(record.source.name);
    photo.taskId = record.taskId;
    photo.take(record);
    return photo;
  }

  /** The whole record as the service knows it now. */
  take(record: TaskRecord): void {
    this.record = record;
    this.phase = record.status;
    this.progress = record.status === 'FINISHED' ? 100 : record.progress;
    this.etaSeconds = record.etaSeconds;
    this.problem = record.error;
  }

  /** An event: what changed, without the rest of the record. */
  note(change: TaskChange): void {
    this.phase = change.status;
    this.progress = change.progress ?? (change.status === 'FINISHED' ? 100 : 0);
    this.etaSeconds = change.etaSeconds;
    this.problem = change.error;
  }
}
