/** Holds the photos of the page as they are listed: in what order, which are shown, and which are chosen. */
import type { Choices, ListOrder } from '../../../packages/contract/src/settings/page.ts';
import type { TaskRecord } from '../../../packages/contract/src/task.ts';
import { Chosen } from './chosen.svelte.ts';
import { keepFilter, keptFilter, type Filter } from './kept-filter.ts';
import { isKept } from './kept-photos.ts';
import { inOrder, placesOf, withoutRows } from './list-order.ts';
import { namesakeHints } from './namesakes.ts';
import type { IncomingFile, Photo, Versions } from '../photo/photo.svelte.ts';
import { sourceAgain } from '../photo/touchable.ts';
import { inHeldPlaces, SteadyRows, type HeldRows } from './steady-rows.ts';
import {
  baseOf,
  byCreation,
  currentOf,
  keeperOf,
  planConversion,
  rowsOf,
  shownOf,
  toCheckOf,
  verdictOf,
  withoutVersions,
} from './version-rows.ts';

export class PhotoList {
  photos = $state.raw<Photo[]>([]);
  #filter = $state(keptFilter());
  /** Was open when a filter was chosen that lists nothing. */
  #left = $state.raw<Versions>();
  /** Photos that were judged or made anew under this filter: they stay where they are until one is chosen. */
  #kept = $state.raw<readonly Versions[]>([]);
  /** Rows are listed in this order. */
  order = $state<ListOrder>('added');
  /** Only photos whose names contain this text are shown. */
  search = $state('');
  readonly chosen = new Chosen();
  /** Called when the service said something of a photo's task, with what it said before. */
  onRecord: ((photo: Photo, before: TaskRecord | undefined) => void) | undefined;
  readonly #members = $derived(membersByVersions(this.photos));
  /** One version of each photo, whose state is the photo's. Photos are counted by these. */
  readonly current = $derived(
    [...this.#members.values()].flatMap((members) => currentOf(members) ?? []),
  );

  readonly #hints = $derived(
    namesakeHints([...this.#members.values()].flatMap(([first]) => first ?? [])),
  );

  readonly ready = $derived(this.photos.filter((photo) => photo.phase === 'ready'));
  readonly startable = $derived(this.ready.filter(({ obstacle }) => obstacle === undefined));
  readonly active = $derived(this.photos.filter((photo) => photo.isActive));
  /** Photos that were started and have not ended. */
  readonly inQueue = $derived(this.current.filter((photo) => photo.isActive));
  /** All versions that ended. */
  readonly ended = $derived(this.photos.filter((photo) => photo.isEnded));
  /** All versions with a result. */
  readonly finished = $derived(this.photos.filter((photo) => photo.phase === 'FINISHED'));
  /** The version to save of each photo with a result that was not rejected. */
  readonly keepers = $derived(
    [...this.#members.values()].flatMap((members) => keeperOf(members) ?? []),
  );
  /** Of each photo that is saved nowhere, the version to save. */
  readonly unsaved = $derived(this.keepers.filter(({ isUnsaved }) => isUnsaved));
  /** Of these, those that Save may save: none that waits to be accepted. */
  readonly savable = $derived(
    this.unsaved.filter(
      ({ isHeld, record }) => !isHeld && (record?.mark === 'accepted' || !this.takesOnlyAccepted),
    ),
  );
  readonly done = $derived(this.current.filter((photo) => photo.phase === 'FINISHED'));
  /** All versions of the photos that are done. */
  readonly clearable = $derived(this.done.flatMap((photo) => this.versionsOf(photo)));
  /** Photos that are done and saved nowhere, also those that were rejected. */
  readonly lostByClearing = $derived(
    this.done.filter((photo) => (keeperOf(this.versionsOf(photo)) ?? photo).isUnsaved),
  );
  /** The result that was saved into a folder last. */
  readonly lastSaved = $derived(
    this.finished.findLast(({ record }) => record?.savedTo !== undefined),
  );
  readonly failed = $derived(this.current.filter(({ hasFailed }) => hasFailed));
  readonly cancelled = $derived(this.current.filter(({ isCancelled }) => isCancelled));
  /** Photos that have not ended and can be started, some once their settings go together. */
  readonly waiting = $derived(
    this.current.filter(
      ({ isEnded, isConflicting, obstacle }) =>
        !isEnded && (isConflicting || obstacle === undefined),
    ),
  );
  /** Photos that failed, or cannot be started whatever the settings are. */
  readonly stuck = $derived(
    this.current.filter(
      ({ hasFailed, isConflicting, obstacle }) =>
        hasFailed || (obstacle !== undefined && !isConflicting),
    ),
  );
  readonly retryable = $derived(this.failed.filter(({ canRetry }) => canRetry));
  /** The version to save of each photo whose version to save a person should check first. */
  readonly toCheck = $derived(
    [...this.#members.values()].flatMap((members) => toCheckOf(members) ?? []),
  );
  /** The accepted version of each photo that has one. */
  readonly accepted = $derived(this.keepers.filter(({ record }) => record?.mark === 'accepted'));
  /** Of these, those that are saved nowhere. */
  readonly acceptedUnsaved = $derived(
    this.savable.filter(({ record }) => record?.mark === 'accepted'),
  );
  /** Photos that are done and whose every result was rejected: Save all leaves them. */
  readonly rejected = $derived(
    this.done.filter((photo) => verdictOf(this.versionsOf(photo)) === 'rejected'),
  );
  /** Photos that are done and neither accepted nor rejected. */
  readonly unjudged = $derived(
    this.done.filter((photo) => verdictOf(this.versionsOf(photo)) === undefined),
  );
  readonly places = $derived(placesOf(this.active));
  /** While a person points at the list, its rows keep their places. */
  readonly steady = new SteadyRows<Photo>((held) => (this.#heldRows = held));
  #heldRows = $state.raw<HeldRows<Photo>>();
  readonly #view = $derived(`${this.order} ${this.#filter} ${this.search}`);
  readonly shown = $derived(
    inHeldPlaces(this.#arrange(this.#held), this.#view, this.#heldRows, (versions) =>
      shownOf(versions, this.membersOf(versions)),
    ),
  );
  /** Each photo is counted once with all its versions. */
  readonly count = $derived(this.current.length);
  readonly selected = $derived(this.#shownWithId(this.chosen.focusId));
  /** Selected rows that are listed, in the list's order. */
  readonly selection = $derived(this.shown.filter(({ id }) => this.chosen.ids.has(id)));
  readonly chosenStartable = $derived(
    this.selection.filter(({ phase, obstacle }) => phase === 'ready' && obstacle === undefined),
  );
  /** Start begins these photos: the chosen ones that can be started, or all that can where none of them can. */
  readonly toStart = $derived(orAll(this.chosenStartable, this.startable));
  /** Chosen results, where several but not all photos that are done are chosen. */
  readonly chosenToSave = $derived(this.#listChosenToSave());
  /** Save saves these results: what was accepted, else the chosen ones, where several are, else one of each photo. */
  readonly toSave = $derived(
    [this.acceptedUnsaved, this.chosenToSave, this.savable].find(({ length }) => length > 0) ??
      this.keepers.filter(({ isUnsaved }) => !isUnsaved),
  );
  /** Save as writes these results in another format: the chosen ones, else one of each row. */
  readonly toConvert = $derived(this.#listToConvert());
  /** Selected photos that were started, of which a new version can be made. */
  readonly begun = $derived(this.selection.filter(({ isEditable }) => !isEditable));
  /** Selected photos whose source is neither kept nor at hand. */
  readonly sourceless = $derived(this.begun.filter((photo) => this.againFrom(photo) === undefined));
  readonly repeatable = $derived(
    this.begun.filter((photo) => !photo.isUnreadable && this.againFrom(photo) !== undefined),
  );
  /** Photos would be lost with this page, because they are not started and their bytes are only here. */
  readonly isAtRisk = $derived(
    this.ready.some((photo) => photo.obstacle === undefined && !isKept(photo)) ||
      this.photos.some(({ phase }) => phase === 'uploading'),
  );

  /** Results that are not accepted do not go where results go. */
  protected get takesOnlyAccepted(): boolean {
    return false;
  }

  get filter(): Filter {
    return this.#filter;
  }

  set filter(filter: Filter) {
    this.steady.release();
    this.#filter = filter;
    keepFilter(filter);
    this.#left = undefined;
    this.#kept = [];
    const listed = this.#arrange(undefined);
    if (listed.length === 0) this.#left = this.selected?.versions;
    else this.chosen.focusListed(listed);
  }

  /** The open photo stays listed where it no longer meets the filter, until a person goes on or chooses a filter. */
  get #held(): Versions | undefined {
    const open = this.selected?.versions;
    return open === this.#left ? undefined : open;
  }

  #arrange(held: Versions | undefined): Photo[] {
    const part = this.search.trim().toLocaleLowerCase();
    const photos = inOrder(this.#filtered(held), this.order);
    const listed = rowsOf(photos, (versions) => this.membersOf(versions));
    if (part === '') return listed;
    return listed.filter(({ name }) => name.toLocaleLowerCase().includes(part));
  }

  /** Must be called when the pointer moves over the list. */
  pointAt(): void {
    this.steady.hold(this.#view, this.shown);
  }

  /** Must be called when the pointer presses on the list. @returns whether the rows from before they moved are back */
  pressAt(): boolean {
    const isBack = this.steady.press(this.#view);
    this.pointAt();
    return isBack;
  }

  /** Must be called in an effect while the list is seen. */
  noteShown(): void {
    this.steady.note(this.#view, this.shown);
  }

  /** Keeps photos in the list that may soon no longer meet its filter. */
  keepListed(photos: readonly Photo[]): void {
    if (this.filter === 'all') return;
    const listed = new WeakSet(this.shown.map(({ versions }) => versions));
    const kept = photos.filter(({ versions }) => listed.has(versions));
    this.#kept = [...this.#kept, ...kept.map(({ versions }) => versions)];
  }

  /** All versions of the photos that the filter lists. */
  #filtered(held: Versions | undefined): readonly Photo[] {
    if (this.filter === 'all') return this.photos;
    const listed = new WeakSet(this.listedBy(this.filter).map(({ versions }) => versions));
    if (held !== undefined) listed.add(held);
    for (const versions of this.#kept) listed.add(versions);
    return this.photos.filter(({ versions }) => listed.has(versions));
  }

  /** Returns one version of each photo that a filter lists. */
  listedBy(filter: Filter): readonly Photo[] {
    const kinds = {
      all: () => this.current,
      active: () => this.waiting,
      finished: () => this.done,
      failed: () => this.stuck,
      cancelled: () => this.cancelled,
      toCheck: () => this.toCheck,
      unjudged: () => this.unjudged,
      accepted: () => this.accepted,
      rejected: () => this.rejected,
      unsaved: () => this.unsaved,
      copies: () => this.current.filter(({ versions }) => versions.copyOf !== undefined),
    };
    return kinds[filter]();
  }

  #shownWithId(id: string | undefined): Photo | undefined {
    const versions = this.photos.find((photo) => photo.id === id)?.versions;
    return versions && shownOf(versions, this.membersOf(versions));
  }

  #listChosenToSave(): readonly Photo[] {
    const chosen = this.selection.filter(({ phase }) => phase === 'FINISHED');
    return chosen.length > 1 && chosen.length < this.done.length ? chosen : [];
  }

  #listToConvert(): readonly Photo[] {
    const isThere = ({ phase, record }: Photo) =>
      phase === 'FINISHED' && record?.imageUrl !== undefined;
    const chosen = this.selection.filter(isThere);
    const listed = this.shown.filter(isThere);
    const isAllChosen = chosen.length > 1 && chosen.length >= this.done.length;
    return planConversion({ chosen, listed, isAllChosen }, (row) => keeperOf(this.versionsOf(row)));
  }

  /** What tells the photo apart from others of its name; undefined without any. */
  hintOf(photo: Photo): string | undefined {
    const [first = photo] = this.versionsOf(photo);
    return this.#hints.get(first);
  }

  membersOf(versions: Versions): readonly Photo[] {
    return this.#members.get(versions) ?? [];
  }

  /** Returns all versions of the photo, the first one first. */
  versionsOf({ versions }: Photo): readonly Photo[] {
    return this.membersOf(versions);
  }

  /**
   * The settings of a photo: its own until it is begun, then those of its next version, which begin as those of the
   * version that a person picked, or else was made last.
   */
  wantedOf(photo: Photo): Choices {
    const { versions } = photo;
    if (photo.isEditable) return photo.choices;
    return versions.draft ?? baseOf(versions, this.membersOf(versions))?.choices ?? photo.choices;
  }

  /** Shows the previous or the next version; after the last comes the first. */
  stepVersion(step: -1 | 1): void {
    const { selected } = this;
    if (selected === undefined) return;
    const all = this.versionsOf(selected);
    const next = all.at((all.indexOf(selected) + step) % all.length);
    if (next !== undefined) selected.versions.picked = next;
  }

  /** Finds a version whose source the service keeps, else the source as this page can send it once more. */
  againFrom(photo: Photo): Repeatable | IncomingFile | undefined {
    const [known] = [photo, ...this.versionsOf(photo)].filter(isKeptThere);
    return known ?? sourceAgain(photo);
  }

  /** Shows the given version of a photo. Its row is chosen alone, unless it is one of the chosen rows. */
  select(photo: Photo | undefined): void {
    if (photo === undefined) {
      this.chosen.none();
      return;
    }
    photo.versions.picked = photo;
    if (this.chosen.ids.has(photo.id)) this.chosen.focus(photo);
    else this.chosen.only(photo);
  }

  /** Must be called in an effect: of a batch, what is no picture is not shown first. */
  passOver(): void {
    if (this.selected && !hasPicture(this.selected))
      this.chosen.passOver(this.photos.filter((photo) => !hasPicture(photo)));
  }

  /** Chooses all rows that are shown; the focus stays where it is. */
  chooseShown(): void {
    this.chosen.all(this.shown, this.chosen.focusId);
  }

  /** Of several chosen rows, leaves only that of the photo on the stage. @returns whether there were several */
  chooseShownAlone(): boolean {
    const { selected, chosen } = this;
    if (selected === undefined || chosen.ids.size < 2) return false;
    chosen.only(selected);
    return true;
  }

  /** Adds new rows and chooses them, the first of them on the stage. */
  show(added: readonly Photo[]): void {
    this.photos = [...this.photos, ...added];
    this.filter = this.filter === 'active' ? 'active' : 'all';
    this.search = '';
    this.chosen.all(added);
    this.chosen.noteBatch(added);
  }

  /** Takes what the service says of a photo's task, as Photo does. */
  takeRecord(photo: Photo, record: TaskRecord, isEdited = false): void {
    const before = photo.record;
    photo.take(record, isEdited);
    // Tried again it runs behind those that wait.
    if (before?.status === 'FAILED' && record.status === 'PENDING') this.putLast([photo]);
    this.onRecord?.(photo, before);
  }

  /** Puts photos behind the others in the queue's order. */
  protected putLast(photos: readonly Photo[]): void {
    this.photos = [...withoutRows(this.photos, photos), ...photos];
  }

  /** Adds a photo where it is not in the list yet. */
  include(photo: Photo): void {
    if (!this.photos.includes(photo)) this.photos = [...this.photos, photo];
  }

  exclude(photos: readonly Photo[]): void {
    const rest = withoutRows(this.photos, photos);
    this.chosen.forget(this.shown, withoutVersions(photos, rest));
    this.photos = rest;
  }
}

const withoutPicture: ReadonlySet<string> = new Set(['UNREADABLE_IMAGE', 'EMPTY_FILE']);
const hasPicture = ({ obstacle, problem }: Photo) =>
  !withoutPicture.has((obstacle ?? problem)?.code ?? '');

/** Of photos that are stuck: nothing ran, because there is no picture in the file or its result cannot be made. */
export const neverRuns = ({
  hasFailed,
  isUnreadable,
  record,
}: Pick<Photo, 'hasFailed' | 'isUnreadable' | 'record'>): boolean =>
  !hasFailed || (isUnreadable && record?.startedAt === undefined);

function membersByVersions(photos: readonly Photo[]): Map<Versions, readonly Photo[]> {
  const groups = Map.groupBy(photos, ({ versions }) => versions);
  return new Map(
    [...groups].map(([versions, members]) => [
      versions,
      members.length === 1 ? members : byCreation(members),
    ]),
  );
}

export type Repeatable = Photo & { record: NonNullable<Photo['record']> };

const isKeptThere = (one: Photo): one is Repeatable => one.record?.source.kept === true;
const orAll = (some: readonly Photo[], all: readonly Photo[]) => (some.length > 0 ? some : all);
