/** Does all that a person can do to the page's photos, and holds what is known of the service's queue. */
import { awaitedPriority } from '../../../packages/contract/src/priority.ts';
import type { RequestFields } from '../../../packages/contract/src/request.ts';
import type { Notice } from '../../../packages/contract/src/settings/settings.ts';
import type { QueueState } from '../../../packages/contract/src/queue.ts';
import type { Choices } from '../../../packages/contract/src/settings/page.ts';
import type { Stroke } from '../../../packages/contract/src/options/strokes.ts';
import type { Mark, TaskChange } from '../../../packages/contract/src/task.ts';
import type { Client } from '../../../packages/api-client/src/client.ts';
import {
  eachConcurrently,
  problemOf,
  requestConcurrency,
  type Problem,
} from '../../api/calls.svelte.ts';
import { Connection } from '../../api/connection.svelte.ts';
import { DestinationGate } from './destination-gate.svelte.ts';
import { restoreDestinations } from './kept-destinations.ts';
import { restoreEmpty } from './kept-empty.ts';
import { restoreOrder, shareOrder } from './kept-order.ts';
import { KeptPhotos } from './kept-photos.ts';
import { Photo, isSubmitted, type IncomingFile } from '../photo/photo.svelte.ts';
import { sourceAgain } from '../photo/touchable.ts';
import { splitKnown } from './duplicates.ts';
import { showLastPhoto } from './last-photo.ts';
import { correctTimes } from '../estimate/pace.ts';
import { Preparation } from '../estimate/preparation.ts';
import { OptionChanges } from './option-changes.ts';
import { PhotoList } from './photo-list.svelte.ts';
import { Removing } from './removing.svelte.ts';
import { Submitting } from './submitting.ts';
import { TaskRows } from './task-rows.ts';
import { nextStep, type NextStep } from './next-step.ts';
import { savingIn } from '../options/choices.ts';
import { destinationSetFor, placeFor } from '../options/destination.ts';
import type { Remembered } from '../options/remembered.svelte.ts';
import { addInOrder, canMove, inOrder, movedBefore, stepTarget } from './list-order.ts';
import { withoutCopies } from './version-rows.ts';

type Some = Photo | readonly Photo[];

const listOf = (some: Some): readonly Photo[] => [some].flat();

/** An added photo with the contents of another file, which is called `of`. */
interface Copy {
  photo: Photo;
  of: string;
}

/** A person marked results, or took their marks back. */
export interface Judgement {
  mark: Mark;
  /** They had the mark already and lost it. */
  isTaken: boolean;
  photos: readonly Photo[];
  /** On the page's clock. */
  sinceMs: number;
  undo: () => void;
}

export class Queue extends PhotoList {
  isPaused = $state(false);
  /** Why no task starts though the queue is not paused. */
  waits = $state<QueueState['waits']>();
  /** The service's notices say what a person should know. */
  notices = $state<Notice[]>([]);
  readonly connection = new Connection();
  readonly destination = new DestinationGate();
  /** Folder that was set for finished results, or that several were saved to, last; it is that of others without a place. */
  lastFolder = $state('');
  /** Number of pictures of the last folder that were left out because Enlarger made them. */
  leftOut = $state(0);
  /** Files that were not added, because they are in the list. */
  duplicates = $state.raw<readonly IncomingFile[]>([]);
  /** Waited until they were cancelled last. */
  takenBack = $state.raw<readonly Photo[]>([]);
  /** Added photos with the contents of another one under another name. */
  copies = $state.raw<readonly Copy[]>([]);
  /** Those that can be undone, the latest last. */
  judgements = $state.raw<readonly Judgement[]>([]);
  /** The latest one of a photo that is still listed. */
  readonly lastJudgement = $derived(
    this.judgements.findLast(({ photos }) => photos.some((photo) => this.photos.includes(photo))),
  );
  /** Error of the last action, until it is dismissed or photos are started or saved. */
  problem = $state.raw<Problem>();
  /** A person must be asked, because results would be cleared that are saved nowhere. */
  asksToClear = $state(false);
  /** Why the service refused settings. */
  refusal = $state.raw<Problem>();
  /** Changes of waiting tasks. */
  readonly changes: OptionChanges;
  /** Their cancelling is under way. */
  readonly #leaving = new WeakSet<Photo>();
  /** A person took them out of the queue: to start them is not what they are offered first. */
  readonly #parked = new WeakSet<Photo>();
  readonly #client: Client;
  readonly #kept: KeptPhotos;
  readonly #preparation: Preparation;
  #isCorrectingTimes = false;
  readonly #rows: TaskRows;
  readonly #submitting: Submitting;
  readonly #removing: Removing;
  readonly #remembered: Pick<Remembered, 'newPhotos'>;
  readonly #tellMoved = shareOrder(this);

  constructor(client: Client, remembered: Pick<Remembered, 'newPhotos'>) {
    super();
    this.#remembered = remembered;
    this.#client = client;
    this.#kept = new KeptPhotos(client.photos);
    this.#preparation = new Preparation(client, this.connection, {
      onRefused: (_photo, problem) => (this.refusal = problem),
      onSource: (photo) => this.#kept.note([photo]),
      keptSource: (photo) => this.#keptSource(photo),
    });
    const preparation = this.#preparation;
    const rows = new TaskRows(client, this, preparation);
    this.changes = new OptionChanges(client, (problem) => (this.refusal = problem));
    const common = { client, list: this, rows };
    this.#rows = rows;
    this.#submitting = new Submitting({
      ...common,
      preparation,
      changes: this.changes,
      connection: this.connection,
      kept: this.#kept,
      onProblem: (problem) => (this.problem = problem),
    });
    this.#removing = new Removing({
      ...common,
      connection: this.connection,
      kept: this.#kept,
      attempt: (call) => this.#try(call),
      onBack: (photos) => this.prepare(photos),
    });
  }

  #keptSource(photo: Photo): { imageUrl: string } | { taskId: string } | undefined {
    const members = [photo, ...this.versionsOf(photo)];
    const source = members.find((one) => one.source)?.source;
    if (source !== undefined) return { imageUrl: source.imageUrl };
    const taskId = members.find(({ record }) => record?.source.kept)?.taskId;
    return taskId === undefined ? undefined : { taskId };
  }

  protected override get takesOnlyAccepted(): boolean {
    const { saveTo, onlyAccepted } = this.#remembered.newPhotos;
    return onlyAccepted && saveTo !== '';
  }

  /** Of these, accepted ones that a folder of accepted results lacks, because they were begun before it was chosen. */
  lackedOf(photos: readonly Photo[]): Photo[] {
    if (!this.takesOnlyAccepted) return [];
    return this.savable.filter((photo) => photos.includes(photo) && this.destinationOf(photo));
  }

  get isConnected(): boolean {
    return this.connection.isOpen;
  }

  /** The action that the page offers first. */
  get nextStep(): NextStep {
    return nextStep({
      photoCount: this.photos.length,
      startableCount: this.startable.length,
      chosenStartableCount: this.chosenStartable.filter((photo) => !this.#parked.has(photo)).length,
      activeCount: this.active.length,
      isPaused: this.isPaused,
      unsavedCount: this.savable.length,
      // Save saves what was rejected only where it is chosen.
      isRejectedChosen:
        this.toSave.length > 0 && this.toSave.every(({ record }) => record?.mark === 'rejected'),
      repeatableCount: this.repeatable.length,
      hasChanges: this.repeatable.some(({ versions }) => versions.draft !== undefined),
      canOpenFolder: window.enlarger !== undefined && this.lastSaved !== undefined,
    });
  }

  get removals() {
    return this.#removing.removals;
  }

  /** Adds files as new rows, which are chosen, the first of them on the stage. */
  add(files: readonly IncomingFile[], choices: Choices): readonly Photo[] {
    return this.#showNew(files.map((file) => this.#ready(file, choices)));
  }

  #ready(file: IncomingFile, choices: Choices): Photo {
    return Photo.ready(file, choices, this.#rows.versions.of(crypto.randomUUID()));
  }

  #showNew(added: readonly Photo[]): readonly Photo[] {
    if (added.length === 0) return added;
    this.show(added);
    this.prepare(added);
    return added;
  }

  /** Adds files as new rows, without those that are in the list already. */
  async addNew(files: readonly IncomingFile[], choices: Choices): Promise<void> {
    const { fresh, known, copies } = await splitKnown(files, this.photos);
    this.duplicates = known;
    const added = this.add(fresh, choices);
    this.copies = added.flatMap((photo, at) => {
      const copy = copies.find((one) => one.added === fresh[at]);
      if (copy === undefined) return [];
      photo.versions.copyOf = copy.of;
      return [{ photo, of: copy.of }];
    });
  }

  /** Adds photos once more as rows of their own, for another result beside that of their present settings. */
  addAgain(photos: readonly Photo[]): void {
    this.#showNew(
      photos.flatMap((photo) => {
        const source = sourceAgain(photo);
        return source === undefined ? [] : [this.#ready(source, photo.choices)];
      }),
    );
  }

  /** Asks anew what these photos would become that are not started, or whose settings were changed since. */
  prepare(photos: readonly Photo[]): void {
    this.#preparation.want(
      photos.filter(({ phase, versions }) => phase === 'ready' || versions.draft !== undefined),
    );
    this.#kept.note(photos);
  }

  /**
   * Brings the times of photos that are not started to the speeds that are known now.
   *
   * @param atMost so many photos whose time was not known are asked for again
   */
  refreshTimes(atMost = Infinity): void {
    const isUntimed = ({ estimate }: Photo) =>
      estimate !== undefined && estimate.problem === undefined && estimate.seconds === undefined;
    this.prepare(this.ready.filter(isUntimed).slice(0, atMost));
    // What photos show that end meanwhile is met by the next one.
    if (this.#isCorrectingTimes) return;
    this.#isCorrectingTimes = true;
    void correctTimes(this.ready, (photo) => this.#preparation.estimate(photo)).finally(() => {
      this.#isCorrectingTimes = false;
    });
  }

  /** Prepares photos again whose folder could not be used, because it may have been granted or made since. */
  prepareRefused(): void {
    const refused = this.ready.filter(
      ({ estimate, isFolderShut }) => isFolderShut || estimate?.problem?.code === 'FORBIDDEN_PATH',
    );
    for (const photo of refused) photo.isFolderShut = false;
    if (this.refusal?.code === 'FORBIDDEN_PATH') this.refusal = undefined;
    this.prepare(refused);
  }

  /** Lists all tasks anew and keeps the rows that this page added. */
  async load(): Promise<void> {
    await this.#rows.load();
    this.#rows.takeKept(await this.#kept.list());
    restoreEmpty(this, (key) => this.#rows.versions.of(key));
    restoreDestinations(this.photos.map(({ versions }) => versions));
    restoreOrder(this);
    showLastPhoto(this);
    this.prepare(this.ready.filter(({ estimate }) => estimate === undefined));
  }

  takeChange(change: TaskChange): void {
    this.#rows.takeChange(change);
  }

  takeState({ paused, waits, notices }: QueueState): void {
    this.isPaused = paused;
    this.waits = waits;
    this.notices = notices;
  }

  async dismiss({ code }: Notice): Promise<void> {
    if (await this.#try(this.#client.dismissNotice(code)))
      this.notices = this.notices.filter((notice) => notice.code !== code);
  }

  /**
   * Submits the photos. Uploads run side by side, and the queue keeps the list's order. What was not added with them
   * is no longer offered.
   */
  async start(batch: readonly Photo[] = this.toStart): Promise<void> {
    this.problem = undefined;
    if (!(await this.destination.pass())) return;
    this.duplicates = [];
    this.leftOut = 0;
    this.chosen.noteBatch(batch);
    const ordered = inOrder(batch, this.order);
    this.putLast(ordered);
    await this.#submitting.start(ordered);
  }

  /**
   * Submits at once a version of the photo with `strokes` after those that its own task was given. It goes first,
   * because a person waits for it.
   *
   * @param adjusted the options beside them
   * @returns the new task's id; undefined where that is refused, and then `problem` says why
   */
  touchUp(
    photo: Photo,
    strokes: readonly Stroke[],
    adjusted: RequestFields,
  ): Promise<string | undefined> {
    const all = [...photo.strokes, ...strokes];
    return this.version(photo, { ...adjusted, priority: awaitedPriority, strokes: all });
  }

  /** Submits one more version of a photo that was begun, with other options. It answers as touchUp does. */
  version(photo: Photo, changed: RequestFields): Promise<string | undefined> {
    this.keepListed([photo]);
    return this.#submitting.version(photo, { ...this.#savingOf(photo), ...changed });
  }

  /** Options that save the next version of a photo whose own task saved nothing. */
  #savingOf(photo: Photo): RequestFields {
    const saveTo = placeFor(this.destinationOf(photo), photo);
    if (photo.record?.options.saveTo !== undefined) return {};
    const { onlyAccepted } = this.#remembered.newPhotos;
    return savingIn(saveTo, { onConflict: photo.choices.onConflict, onlyAccepted });
  }

  /** Where the next result of a photo goes, as the settings show it for the photo. */
  destinationOf(photo: Photo): string {
    return destinationSetFor(photo, this.#remembered.newPhotos.saveTo, this.lastFolder);
  }

  /**
   * Submits one more version of each photo, by what the settings say now.
   *
   * @param priority awaitedPriority where a person waits for it, so that it goes first
   */
  async runAgain(photos: readonly Photo[], priority = 0): Promise<void> {
    this.problem = undefined;
    if (!(await this.destination.pass())) return;
    this.keepListed(photos);
    this.chosen.noteBatch(photos);
    const { onlyAccepted } = this.#remembered.newPhotos;
    const placeOf = (photo: Photo) => ({ saveTo: this.destinationOf(photo), onlyAccepted });
    await this.#submitting.again(photos, placeOf, priority);
  }

  /** Goes on with `version`, which the photo that was touched up has become. */
  follow(from: Photo, version: Photo, isSelected: boolean): void {
    version.sourceSize ??= from.sourceSize;
    version.versions.picked = version;
    if (isSelected) this.select(version);
  }

  /** Accepts a version in the place of the others of its photo. */
  async acceptAlone(version: Photo): Promise<void> {
    await this.#try(this.#mark(version, 'accepted'));
    await this.unacceptOthers(version);
  }

  /**
   * The version that was accepted last is the one that counts: the others of its photo are unjudged then.
   *
   * @param together versions that were accepted with it
   */
  async unacceptOthers(version: Photo, together: readonly Photo[] = [version]): Promise<void> {
    const isAccepted = ({ record }: Photo) => record?.mark === 'accepted';
    if (!isAccepted(version)) return;
    for (const other of withoutCopies(this.versionsOf(version)))
      if (!together.includes(other) && isAccepted(other)) await this.#try(this.#mark(other, null));
  }

  async #mark(photo: Photo, mark: Mark | null): Promise<void> {
    this.takeRecord(photo, await this.#client.mark(photo.taskId ?? '', { mark }));
  }

  /** Cancels photos: one that waits is ready again, and one that runs ends as cancelled. */
  async cancel(some: Some): Promise<void> {
    const active = listOf(some).filter((photo) => photo.isActive && !this.#leaving.has(photo));
    const isTakenBack = ({ phase, source }: Photo) => phase === 'PENDING' && source !== undefined;
    const takenBack = active.filter(isTakenBack);
    await eachConcurrently(takenBack, requestConcurrency, (photo) => this.#takeBack(photo));
    if (takenBack.length > 0) this.takenBack = takenBack;
    const others = active.filter((photo) => photo.isActive);
    await this.#act(others, (taskId) => this.#client.cancel(taskId));
  }

  async #takeBack(photo: Photo): Promise<void> {
    const { taskId = '' } = photo;
    const { byTask } = this.#rows;
    byTask.delete(taskId);
    this.#leaving.add(photo);
    const isGone = await this.#try(this.#client.remove(taskId));
    this.#leaving.delete(photo);
    if (!isGone) {
      byTask.set(taskId, photo);
      return;
    }
    this.#parked.add(photo);
    photo.detach();
    // Where the photo has other versions, there is nothing to start anew.
    if (this.versionsOf(photo).length > 1) this.#rows.drop([photo]);
    else this.prepare([photo]);
  }

  /** Tries failed photos again, but none that would fail again. A photo that never reached the service is only made ready. */
  async retry(some: Some): Promise<void> {
    const failed = listOf(some).filter(({ canRetry }) => canRetry);
    for (const photo of failed.filter((each) => !isSubmitted(each))) {
      photo.problem = undefined;
      photo.phase = 'ready';
    }
    await this.#act(failed, (taskId) => this.#client.retry(taskId));
  }

  /** Removes photos, which vanish at once and may be restored for a minute. */
  remove(some: Some): Promise<void> {
    return this.#removing.remove(listOf(some));
  }

  /** Removes rows with all their versions. */
  removeRows(rows: readonly Photo[]): Promise<void> {
    return this.remove(rows.flatMap((photo) => this.versionsOf(photo)));
  }

  undoRemoval(): Promise<void> {
    return this.#removing.undo();
  }

  /** Removes the photos that are done, with all their versions, but first asks where a result would be lost. */
  async clearFinished(): Promise<void> {
    if (this.lostByClearing.length > 0) this.asksToClear = true;
    else await this.remove(this.clearable);
  }

  /** Runs photos before all others of their phase. In the list's own order they stay where they are. */
  async moveToFront(photos: readonly Photo[]): Promise<void> {
    const phase = photos.find(canMove)?.phase;
    const moved = this.#shownIn(phase, photos);
    const first = inOrder(this.photos, 'queue').find(
      (other) => other.phase === phase && !moved.includes(other),
    );
    if (first !== undefined) await this.#place(moved, first);
  }

  /** Moves rows one place up or down among those of their phase, as Alt and an arrow do. */
  async moveBy(photos: readonly Photo[], step: -1 | 1): Promise<void> {
    const target = stepTarget(this.shown, photos.filter(canMove), step);
    if (target !== undefined) await this.move(photos, target);
  }

  /** Puts rows before another one of their phase, and tells the service of those that it holds. */
  async move(photos: readonly Photo[], before: Photo | 'last'): Promise<void> {
    const phase = before === 'last' ? photos.find(canMove)?.phase : before.phase;
    const moved = this.#shownIn(phase, photos);
    const target = before === 'last' ? undefined : before;
    if (moved.length === 0 || (target !== undefined && moved.includes(target))) return;
    const peers = inOrder(this.photos, 'added').filter((each) => each.phase === phase);
    // A later version has no place of its own in the list.
    const placed = movedBefore(peers, moved, target).filter(
      (each) => this.versionsOf(each)[0] === each,
    );
    addInOrder(placed);
    this.#kept.note(placed);
    this.#tellMoved(placed);
    await this.#place(moved, target);
  }

  /** Those of the photos that are listed and in this phase, in the order of the list. */
  #shownIn(phase: Photo['phase'] | undefined, photos: readonly Photo[]): Photo[] {
    return this.shown.filter((each) => photos.includes(each) && each.phase === phase);
  }

  async #place(moved: readonly Photo[], target: Photo | undefined): Promise<void> {
    this.steady.release();
    this.photos = movedBefore(this.photos, moved, target);
    const place = target?.taskId === undefined ? ('last' as const) : { before: target.taskId };
    // One request after the other, because each row goes before the same one.
    for (const { taskId } of moved)
      if (taskId !== undefined && !(await this.#try(this.#client.change(taskId, { place }))))
        return this.load();
  }

  async setPaused(isPaused: boolean): Promise<void> {
    if (await this.#try(this.#client.switchQueue(isPaused ? 'pause' : 'resume')))
      this.isPaused = isPaused;
  }

  async #act(photos: readonly Photo[], action: (taskId: string) => Promise<unknown>) {
    await eachConcurrently(
      photos.filter(isSubmitted),
      requestConcurrency,
      async ({ taskId = '' }) => {
        await this.#try(action(taskId));
      },
    );
  }

  async #try(action: Promise<unknown>): Promise<boolean> {
    try {
      await action;
      return true;
    } catch (error) {
      this.problem = problemOf(error);
      return false;
    }
  }
}
