/**
 * The photos of the page in the order of the list: what runs and waits first, in the order in which
 * it will run, then what is not started; what has ended below, the latest first.
 */
import type { Notice } from '../../electron/contract/admin.ts';
import type { QueueState } from '../../electron/contract/queue.ts';
import { usualChoices, type Choices, type ListOrder } from '../../electron/contract/page.ts';
import type { AddedPhoto } from '../../electron/contract/photo.ts';
import type { Stroke } from '../../electron/contract/strokes.ts';
import type { TaskChange, TaskRecord } from '../../electron/contract/task.ts';
import type { Client } from '../../electron/client/client.ts';
import { ApiError } from '../../electron/client/transport.ts';
import { requestOf, type Options } from './choices.ts';
import { Chosen } from './chosen.svelte.ts';
import { isKept, KeptPhotos } from './kept-photos.ts';
import { inLanes } from './lanes.ts';
import { inOrder } from './list-order.ts';
import { changeOf } from './option-changes.ts';
import { Photo, type Added, type Problem } from './photo.svelte.ts';
import { Preparation } from './preparation.ts';
import { broughtBack, withoutRows, withoutTasks, type Removed } from './removal-order.ts';
import { Removals } from './removals.svelte.ts';
import { canMove, movedBefore, stepTarget } from './reorder.ts';
import { byRunOrder, placesOf } from './run-order.ts';
import { TaskIndex } from './task-index.ts';
import type { Edge } from './strokes.ts';
import { sourceAgain } from './touchable.ts';
import { countPhotos, rowsOf, shownOf, VersionIndex, withoutVersions } from './version-rows.ts';

export type Filter = 'all' | 'active' | 'finished' | 'failed';
type Some = Photo | readonly Photo[];

/** Requests at a time, for uploads and for what is done to many rows. */
const uploadLanes = 2;
const requestLanes = 6;
const listedAtATime = 500;
const mostListed = 20_000;

const listOf = (some: Some): readonly Photo[] => [some].flat();
const isSubmitted = ({ taskId }: Photo) => taskId !== undefined;

export class Queue {
  photos = $state.raw<Photo[]>([]);
  filter = $state<Filter>('all');
  /** In which rows are listed. */
  order = $state<ListOrder>('added');
  /** Part of a name. */
  search = $state('');
  isPaused = $state(false);
  /** Why nothing begins though it is not paused. */
  waits = $state<QueueState['waits']>();
  /** What happened that a person should know of. */
  notices = $state<Notice[]>([]);
  isConnected = $state(false);
  /** Pictures of the last folder that were not taken, because Enlarger made them. */
  leftOut = $state(0);
  /** The last thing that a click did not achieve. */
  problem = $state.raw<Problem>();
  /** Results are to be cleared that are saved nowhere. */
  asksToClear = $state(false);
  /** Why the service refused choices. */
  refusal = $state.raw<Problem>();
  readonly chosen = new Chosen();
  readonly removals = new Removals();
  readonly #client: Client;
  readonly #byTask = new TaskIndex();
  readonly #kept: KeptPhotos;
  /** By the key that the service knows a photo by. */
  readonly #versions = new VersionIndex();
  readonly #members = $derived(Map.groupBy(this.photos, ({ versions }) => versions));
  readonly #preparation: Preparation;

  readonly ready = $derived(this.photos.filter((photo) => photo.phase === 'ready'));
  readonly startable = $derived(this.ready.filter(({ obstacle }) => obstacle === undefined));
  readonly active = $derived(this.photos.filter((photo) => photo.isActive));
  readonly finished = $derived(this.photos.filter((photo) => photo.phase === 'FINISHED'));
  readonly unsaved = $derived(this.finished.filter((photo) => photo.isUnsaved));
  readonly failed = $derived(this.photos.filter((photo) => photo.phase === 'FAILED'));
  /** What is not done, and can be. */
  readonly waiting = $derived(
    this.photos.filter(({ isEnded, obstacle }) => !isEnded && obstacle === undefined),
  );
  /** What failed, and what cannot be started at all. */
  readonly stuck = $derived(
    this.photos.filter(({ phase, obstacle }) => phase === 'FAILED' || obstacle !== undefined),
  );
  readonly places = $derived(placesOf(this.active));
  readonly shown = $derived(this.#arrange());
  /** How many photos there are, whatever their versions. */
  readonly count = $derived(countPhotos(this.photos));
  readonly selected = $derived(this.#shownWithId(this.chosen.focusId));
  /** All rows that are chosen and seen, in the list's order. */
  readonly selection = $derived(this.shown.filter(({ id }) => this.chosen.ids.has(id)));
  /** What Start starts: of the chosen rows those that can be, and where none can, all. */
  readonly toStart = $derived(
    orAll(
      this.selection.filter(({ phase, obstacle }) => phase === 'ready' && obstacle === undefined),
      this.startable,
    ),
  );
  /** What Save all saves: results that are chosen, where several are, else all that are not saved. */
  readonly toSave = $derived(this.#listToSave());

  /** Chosen photos that were begun already, of which one more version can be made. */
  readonly begun = $derived(
    this.selection.filter(({ isEditable, phase }) => !isEditable && phase !== 'uploading'),
  );
  readonly repeatable = $derived(
    this.begun.filter((photo) => this.#againFrom(photo) !== undefined),
  );
  /** Not started, and gone with this page: their bytes are only here. */
  readonly isAtRisk = $derived(
    this.ready.some((photo) => photo.obstacle === undefined && !isKept(photo)) ||
      this.photos.some(({ phase }) => phase === 'uploading'),
  );

  constructor(client: Client) {
    this.#client = client;
    this.#kept = new KeptPhotos(client.photos);
    this.#preparation = new Preparation(client, {
      onRefused: (_photo, problem) => (this.refusal = problem),
      onSource: (photo) => this.#kept.note([photo]),
    });
  }

  #arrange(): Photo[] {
    const part = this.search.trim().toLocaleLowerCase();
    const listed = rowsOf(this.#filtered(), (versions) => this.#members.get(versions) ?? []);
    if (part === '') return listed;
    return listed.filter(({ name }) => name.toLocaleLowerCase().includes(part));
  }

  #filtered(): Photo[] {
    if (this.filter === 'finished') return inOrder(this.finished, this.order);
    if (this.filter === 'failed') return inOrder(this.stuck, this.order);
    if (this.filter === 'active') return inOrder(this.waiting, this.order);
    return inOrder(this.photos, this.order);
  }

  #shownWithId(id: string | undefined): Photo | undefined {
    const versions = this.photos.find((photo) => photo.id === id)?.versions;
    return versions && shownOf(versions, this.#members.get(versions) ?? []);
  }

  /** All versions of the photo, the first one first. */
  versionsOf({ versions }: Photo): readonly Photo[] {
    return this.#members.get(versions) ?? [];
  }

  /** To look at the version before or after the one that is looked at, round and round. */
  stepVersion(step: -1 | 1): void {
    const { selected } = this;
    if (selected === undefined) return;
    const all = this.versionsOf(selected);
    const next = all.at((all.indexOf(selected) + step) % all.length);
    if (next !== undefined) selected.versions.picked = next;
  }

  /** What is looked at stays so when a version comes to it from elsewhere. */
  #join(record: TaskRecord): Photo {
    const versions = this.#versions.of(record.photo);
    const members = this.#members.get(versions) ?? [];
    const waiting = members.find(({ phase, taskId }) => phase === 'ready' && taskId === undefined);
    if (versions.id === this.chosen.focusId) versions.picked = shownOf(versions, members);
    if (waiting === undefined) return Photo.of(record, versions);
    // Started in another window.
    this.#preparation.drop([waiting]);
    waiting.taskId = record.taskId;
    waiting.take(record);
    return waiting;
  }

  /** The new rows are chosen, the first of them on the stage. */
  add(files: readonly Added[], choices: Choices): void {
    const added = files.map((file) =>
      Photo.ready(file, choices, this.#versions.of(crypto.randomUUID())),
    );
    if (added.length === 0) return;
    this.#list(added);
    this.prepare(added);
  }

  #list(added: readonly Photo[]): void {
    this.photos = [...this.photos, ...added];
    this.filter = this.filter === 'active' ? 'active' : 'all';
    this.search = '';
    this.chosen.all(added);
  }

  /**
   * A version of the photo with `strokes` after those that its own task was given, submitted at once. Answers
   * its task; undefined where that is refused, and `problem` says why.
   */
  touchUp(photo: Photo, strokes: readonly Stroke[], edge: Edge): Promise<string | undefined> {
    return this.version(photo, { ...edge, strokes: [...photo.strokes, ...strokes] });
  }

  /** One more version of a photo that was begun, with other options; as touchUp. */
  async version(photo: Photo, changed: Options): Promise<string | undefined> {
    try {
      const made = await this.#submitAgain(photo, changed);
      if (made !== undefined) await this.#refresh(made);
      return made;
    } catch (error) {
      this.problem = problemOf(error);
      return undefined;
    }
  }

  /** From the source as the service keeps it, or as this page sends it once more. */
  async #submitAgain(photo: Photo, changed: Options): Promise<string | undefined> {
    const { taskId } = photo;
    if (taskId === undefined) return undefined;
    // An upload may have gone since the record was read.
    const record = await this.#client.record(taskId);
    if (record.source.kept) return this.#client.again(taskId, { options: changed });
    const source = sourceAgain(photo);
    if (source === undefined)
      throw new ApiError('NOT_FOUND', 'The photo is not kept any more; add it again.');
    const { operation, options } = requestOf(photo.choices, photo.strokes, photo);
    const imageUrl =
      source.imageUrl ??
      (source.file && (await this.#client.upload({ blob: source.file, name: source.name })));
    const version = { ...options, ...changed, photo: record.photo, imageUrl };
    return this.#client.submit(operation, version);
  }

  /** What was touched up has become `version`. */
  follow(from: Photo, version: Photo, isSelected: boolean): void {
    version.sourceSize ??= from.sourceSize;
    if (isSelected) this.select(version);
  }

  /** Asks anew what these photos would become, as far as they are not started. */
  prepare(photos: readonly Photo[]): void {
    this.#preparation.want(photos.filter(({ phase }) => phase === 'ready'));
    this.#kept.note(photos);
  }

  /** Asks again for how long the photos take of which that was not known. */
  prepareUntimed(): void {
    const isUntimed = ({ estimate }: Photo) =>
      estimate !== undefined && estimate.problem === undefined && estimate.seconds === undefined;
    this.prepare(this.ready.filter(isUntimed));
  }

  #listToSave(): readonly Photo[] {
    const chosen = this.selection.filter(({ phase }) => phase === 'FINISHED');
    if (chosen.length > 1 && chosen.length < this.finished.length) return chosen;
    return orAll(this.unsaved, this.finished);
  }

  /** Submits the photos. Uploads run side by side; the queue keeps the list's order. */
  async start(batch: readonly Photo[] = this.toStart): Promise<void> {
    this.#preparation.drop(batch);
    for (const photo of batch) photo.phase = 'uploading';
    let before = Promise.resolve();
    await inLanes(batch, uploadLanes, async (photo) => {
      const own = this.#submit(photo, before);
      before = own;
      await own;
    });
  }

  /** `before`: a photo that was read faster waits for those before it in the list. */
  async #submit(photo: Photo, before: Promise<void>): Promise<void> {
    try {
      const imageUrl = await this.#preparation.imageUrl(photo);
      await before;
      // Removed while it was read.
      if (!this.photos.includes(photo)) return;
      const { operation, options } = requestOf(photo.choices, photo.strokes, photo);
      const { key } = photo.versions;
      const taskId = await this.#client.submit(operation, { ...options, photo: key, imageUrl });
      photo.taskId = taskId;
      // Its first events may have come before its number: they made a row of their own.
      const early = this.#byTask.get(taskId);
      this.#byTask.set(taskId, photo);
      if (early !== undefined) this.photos = this.photos.filter((other) => other !== early);
      if (early?.record !== undefined) photo.take(early.record);
      else await this.#refresh(taskId);
    } catch (error) {
      photo.phase = 'FAILED';
      photo.problem = problemOf(error);
    }
  }

  /** Lists all tasks anew and keeps the rows that this page added. */
  async load(): Promise<void> {
    const records: TaskRecord[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.#client.list(listedAtATime, cursor);
      records.push(...page.tasks);
      cursor = page.nextCursor;
    } while (cursor !== undefined && records.length < mostListed);
    this.#takeAll(records);
    this.#takeKept(await this.#kept.list());
    this.prepare(this.ready.filter(({ estimate }) => estimate === undefined));
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

  #takeAll(records: TaskRecord[]): void {
    const known = records.toSorted(byRunOrder).map((record) => {
      const photo = this.#byTask.get(record.taskId);
      photo?.take(record);
      return photo ?? this.#byTask.set(record.taskId, this.#join(record));
    });
    this.photos = [...known, ...this.photos.filter((photo) => !isSubmitted(photo))];
  }

  /** Photos that are not started come back as rows; of the others it is known where the service reads them. */
  #takeKept(kept: readonly AddedPhoto[]): void {
    const back: Photo[] = [];
    for (const { photo: key, name, imageUrl, choices, isReady } of kept) {
      const versions = this.#versions.of(key);
      const members = this.#members.get(versions) ?? [];
      for (const member of members) member.source ??= { imageUrl };
      if (members.length === 0 && isReady)
        back.push(Photo.ready({ name, imageUrl }, { ...usualChoices, ...choices }, versions));
    }
    if (back.length > 0) this.photos = [...this.photos, ...back];
  }

  takeChange(change: TaskChange): void {
    const photo = this.#byTask.get(change.taskId);
    if (change.removed) this.#drop(photo === undefined ? [] : [photo]);
    else if (photo === undefined) this.#takeUnknown(change);
    else if (change.record !== undefined && isNews(change, photo)) photo.take(change.record);
    else photo.note(change);
  }

  /** A percent of a task that was never told of comes without its record. */
  #takeUnknown({ taskId, record }: TaskChange): void {
    if (record === undefined) void this.#refresh(taskId);
    else this.#add(this.#byTask.set(taskId, this.#join(record)));
  }

  #add(photo: Photo): void {
    if (!this.photos.includes(photo)) this.photos = [...this.photos, photo];
  }

  /** Reads the record again; one request for a task at a time. */
  #refresh(taskId: string): Promise<void> {
    return this.#byTask.read(taskId, async () => {
      try {
        const record = await this.#client.record(taskId);
        const photo = this.#byTask.get(taskId);
        if (photo !== undefined) photo.take(record);
        else this.#add(this.#byTask.set(taskId, this.#join(record)));
      } catch (error) {
        // The next event or the next listing tells; a row that is gone is dropped by its own event.
        if (!(error instanceof ApiError)) throw error;
      }
    });
  }

  #drop(photos: readonly Photo[]): void {
    if (photos.length === 0) return;
    for (const { taskId } of photos) if (taskId !== undefined) this.#byTask.delete(taskId);
    this.#preparation.drop(photos);
    const rest = withoutRows(this.photos, photos);
    this.chosen.forget(this.shown, withoutVersions(photos, rest));
    this.photos = rest;
  }

  /** For a client that looks at one photo. */
  select(photo: Photo | undefined): void {
    if (photo === undefined) this.chosen.none();
    else {
      photo.versions.picked = photo;
      this.chosen.only(photo);
    }
  }

  /** What waits is ready again; what runs ends as cancelled. */
  async cancel(some: Some): Promise<void> {
    const active = listOf(some).filter(({ isActive }) => isActive);
    const isTakenBack = ({ phase, source }: Photo) => phase === 'PENDING' && source !== undefined;
    await inLanes(active.filter(isTakenBack), requestLanes, (photo) => this.#takeBack(photo));
    const others = active.filter((photo) => photo.isActive);
    await this.#act(others, (taskId) => this.#client.cancel(taskId));
  }

  async #takeBack(photo: Photo): Promise<void> {
    const { taskId = '' } = photo;
    this.#byTask.delete(taskId);
    if (!(await this.#try(this.#client.remove(taskId)))) {
      this.#byTask.set(taskId, photo);
      return;
    }
    photo.detach();
    // Beside other versions of it there is nothing to start anew.
    if (this.versionsOf(photo).length > 1) this.#drop([photo]);
    else this.prepare([photo]);
  }

  /** One more version of each, by what the settings say now. `saveTo`: where their results go. */
  async runAgain(photos: readonly Photo[], saveTo: string): Promise<void> {
    await inLanes(photos, uploadLanes, async (photo) => {
      const { versions, choices } = photo;
      const wanted = { ...(versions.draft ?? choices), saveTo };
      const from = this.#againFrom(photo);
      if (from === undefined) return;
      if ('record' in from) await this.#repeat(from, wanted);
      else {
        const version = Photo.ready(from, wanted, versions);
        version.phase = 'uploading';
        this.#add(version);
        versions.picked = version;
        await this.#submit(version, Promise.resolve());
      }
      versions.draft = undefined;
    });
  }

  /** A version whose source the service keeps, or the source as this page can send it once more. */
  #againFrom(photo: Photo): (Photo & { record: TaskRecord }) | Added | undefined {
    const isKeptThere = (one: Photo): one is Photo & { record: TaskRecord } =>
      one.record?.source.kept === true;
    const [known] = [photo, ...this.versionsOf(photo)].filter(isKeptThere);
    return known ?? sourceAgain(photo);
  }

  async #repeat(from: Photo, wanted: Choices): Promise<void> {
    try {
      const change = changeOf(from.choices, wanted, from);
      const taskId = await this.#client.again(from.taskId ?? '', change);
      await this.#refresh(taskId);
      const version = this.#byTask.get(taskId);
      if (version !== undefined) version.sourceSize ??= from.record?.input ?? from.sourceSize;
      from.versions.picked = version;
    } catch (error) {
      this.problem = problemOf(error);
    }
  }

  /** A photo that never reached the service is ready again. */
  async retry(some: Some): Promise<void> {
    const failed = listOf(some).filter(({ phase }) => phase === 'FAILED');
    for (const photo of failed.filter((each) => !isSubmitted(each))) {
      photo.problem = undefined;
      photo.phase = 'ready';
    }
    await this.#act(failed, (taskId) => this.#client.retry(taskId));
  }

  /** They vanish at once and may be brought back for a minute. */
  async remove(some: Some): Promise<void> {
    const removed = listOf(some);
    if (removed.length === 0) return;
    const removal = { photos: removed, order: this.photos };
    this.#drop(removed);
    void this.#kept.drop(removed.filter((photo) => !isSubmitted(photo)));
    const kept: Photo[] = [];
    const ended = inLanes(removed.filter(isSubmitted), requestLanes, async (photo) => {
      if (!(await this.#try(this.#client.remove(photo.taskId ?? '')))) kept.push(photo);
    });
    this.removals.note({ ...removal, ended });
    await ended;
    this.#bringBack(removal, kept);
  }

  /** With all their versions. */
  removeRows(rows: readonly Photo[]): Promise<void> {
    return this.remove(rows.flatMap((photo) => this.versionsOf(photo)));
  }

  async undoRemoval(): Promise<void> {
    const removal = this.removals.take();
    if (removal === undefined) return;
    // What is not removed yet cannot be restored.
    await removal.ended;
    const back: Photo[] = [];
    await inLanes(removal.photos, requestLanes, async (photo) => {
      const { taskId } = photo;
      if (taskId === undefined || (await this.#try(this.#client.restore(taskId)))) back.push(photo);
    });
    this.#bringBack(removal, back);
    await inLanes(back.filter(isSubmitted), requestLanes, ({ taskId }) =>
      this.#refresh(taskId ?? ''),
    );
  }

  #bringBack(removal: Removed<Photo>, back: readonly Photo[]): void {
    if (back.length === 0) return;
    // An event may have made a row of its own meanwhile.
    const others = withoutTasks(this.photos, back);
    for (const photo of back) if (photo.taskId) this.#byTask.set(photo.taskId, photo);
    this.photos = broughtBack(others, removal, back);
    this.chosen.all(back);
    this.prepare(back);
  }

  moveFirst(photo: Photo): Promise<void> {
    return this.moveToFront([photo]);
  }

  async moveToFront(photos: readonly Photo[]): Promise<void> {
    const moved = photos.filter(canMove);
    const first = this.shown.find(
      (other) => other.phase === moved[0]?.phase && !moved.includes(other),
    );
    if (first !== undefined) await this.move(moved, first);
  }

  /** Alt and an arrow: the rows go one place up or down among those of their phase. */
  async moveBy(photos: readonly Photo[], step: -1 | 1): Promise<void> {
    const target = stepTarget(this.shown, photos.filter(canMove), step);
    if (target !== undefined) await this.move(photos, target);
  }

  /** Puts rows before another one of their phase; the service is told of those that it holds. */
  async move(photos: readonly Photo[], before: Photo | 'last'): Promise<void> {
    const phase = before === 'last' ? photos.find(canMove)?.phase : before.phase;
    const moved = this.shown.filter((each) => photos.includes(each) && each.phase === phase);
    const target = before === 'last' ? undefined : before;
    if (moved.length === 0 || (target !== undefined && moved.includes(target))) return;
    this.photos = movedBefore(this.photos, moved, target);
    const place = target?.taskId === undefined ? ('last' as const) : { before: target.taskId };
    // One after the other: each stands before the same one.
    for (const { taskId } of moved)
      if (taskId !== undefined && !(await this.#try(this.#client.change(taskId, { place }))))
        return this.load();
  }

  retryFailed(): Promise<void> {
    return this.retry(this.failed);
  }

  /** Asks first where a result would be lost. */
  async clearFinished(): Promise<void> {
    if (this.unsaved.length > 0) this.asksToClear = true;
    else await this.remove(this.finished);
  }

  async setPaused(isPaused: boolean): Promise<void> {
    if (await this.#try(this.#client.switchQueue(isPaused ? 'pause' : 'resume')))
      this.isPaused = isPaused;
  }

  async #act(photos: readonly Photo[], action: (taskId: string) => Promise<unknown>) {
    await inLanes(photos.filter(isSubmitted), requestLanes, async ({ taskId = '' }) => {
      if (await this.#try(action(taskId))) await this.#refresh(taskId);
    });
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

/** What waits may be edited here at the moment; what ended was saved or taken meanwhile. */
const isNews = ({ status }: TaskChange, { phase }: Photo) =>
  phase !== status || status === 'FINISHED';

const orAll = (some: readonly Photo[], all: readonly Photo[]) => (some.length > 0 ? some : all);

function problemOf(error: unknown): Problem {
  if (error instanceof ApiError) return { code: error.code, message: error.message };
  return { code: 'INTERNAL', message: error instanceof Error ? error.message : String(error) };
}
