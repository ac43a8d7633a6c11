/** Notes what the service put into folders of results and took out of them, as marks and new versions ask for it. */
import type { Client } from '../../../packages/api-client/src/client.ts';
import type { FolderProblem, TaskRecord } from '../../../packages/contract/src/task.ts';
import { eachConcurrently, refusalOf, requestConcurrency } from '../../api/calls.svelte.ts';
import { folderName } from '../options/destination.ts';
import type { Photo } from '../photo/photo.svelte.ts';
import type { Queue } from './queue.svelte.ts';

/**
 * `rejected`: or no longer accepted, in a folder of accepted results. `restored`: no longer rejected. `replaced`: another
 * version of the photo counts. `waits`: one that was accepted counts.
 */
type FolderChangeKind = 'rejected' | 'restored' | 'replaced' | 'waits' | FolderProblem;

interface FolderChange {
  readonly kind: FolderChangeKind;
  /** A person calls the folder by this name. */
  readonly folder: string;
  /** Each with the name of its file, or that of the photo where there is none. */
  readonly files: readonly { readonly photo: Photo; readonly name: string }[];
  /** A file is not where it belongs. */
  readonly isProblem: boolean;
  readonly atMs: number;
}

/** Changes that follow each other within this time are told together. */
const togetherMs = 15_000;

type FolderQueue = Pick<Queue, 'onRecord' | 'versionsOf' | 'takeRecord' | 'problem'>;

export class FolderChanges {
  last = $state.raw<FolderChange>();
  readonly #queue: FolderQueue;
  readonly #client: Pick<Client, 'mark'>;
  /** Photos whose files left their folders because they were rejected. A mark is there before the file. */
  readonly #out = new WeakSet<Photo>();

  constructor(queue: FolderQueue, client: Pick<Client, 'mark'>) {
    this.#queue = queue;
    this.#client = client;
    queue.onRecord = (photo, before) => this.#note(photo, before);
  }

  /** Takes back the verdict for which files left the folder; they are put into it again. */
  async undo(): Promise<void> {
    const { files = [] } = this.last ?? {};
    this.dismiss();
    await eachConcurrently(files, requestConcurrency, async ({ photo }) => {
      try {
        const mark = photo.record?.folder?.onlyAccepted ? 'accepted' : null;
        const record = await this.#client.mark(photo.taskId ?? '', { mark });
        this.#queue.takeRecord(photo, record);
      } catch (error) {
        this.#queue.problem = refusalOf(error);
      }
    });
  }

  #note(photo: Photo, before: TaskRecord | undefined): void {
    const { record } = photo;
    const { last } = this;
    // It waited for that.
    const isAccepted = record?.mark === 'accepted' && last?.kind === 'waits';
    if (isAccepted && last.files.some((file) => file.photo === photo)) this.dismiss();
    const isBack = record?.savedTo !== undefined && this.#out.delete(photo);
    if (before === undefined || record?.folder === undefined) return;
    const versions = this.#queue.versionsOf(photo);
    const kind =
      kindOf(record, before, versions) ??
      (isBack ? 'restored' : waits(record, before, versions) ? 'waits' : undefined);
    if (kind === undefined) return;
    if (kind === 'rejected') this.#out.add(photo);
    const folder = folderName(record.folder.path);
    const atMs = performance.now();
    // That another version of the photo is back was told.
    const isTold =
      last?.kind === 'restored' && last.files.some((file) => versions.includes(file.photo));
    if (kind === 'replaced' && isTold) return;
    const isSame = last?.kind === kind && last.folder === folder && atMs - last.atMs < togetherMs;
    const savedTo = before.savedTo ?? record.savedTo;
    const name = savedTo === undefined ? photo.name : folderName(savedTo);
    const others = isSame ? last.files.filter((file) => file.photo !== photo) : [];
    const files = [...others, { photo, name }];
    const isProblem = record.folder.problem !== undefined;
    this.last = { kind, folder, files, isProblem, atMs };
  }

  dismiss(): void {
    this.last = undefined;
  }
}

function kindOf(
  record: TaskRecord,
  before: TaskRecord,
  versions: readonly Photo[],
): FolderChangeKind | undefined {
  const problem = record.folder?.problem;
  if (problem !== undefined) return problem === before.folder?.problem ? undefined : problem;
  if (before.savedTo === undefined || record.savedTo !== undefined) return undefined;
  if (record.mark === 'rejected') return 'rejected';
  const isReplaced = versions.some((other) => other.record?.mark === 'accepted');
  return record.folder?.onlyAccepted === true && !isReplaced ? 'rejected' : 'replaced';
}

/** Whether a new version is not put into its folder, because another one is accepted. */
const waits = (record: TaskRecord, before: TaskRecord, versions: readonly Photo[]): boolean =>
  before.status !== 'FINISHED' &&
  record.savedTo === undefined &&
  versions.some(
    ({ record: other }) =>
      other !== record && other?.mark === 'accepted' && other.folder?.path === record.folder?.path,
  );
