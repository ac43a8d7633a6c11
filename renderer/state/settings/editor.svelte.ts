/**
 * Shows and changes settings: those of the chosen rows while any is chosen, else those that new rows will
 * get. New rows also get a change that covers every row that is not started yet.
 */
import { boundsOf } from '../../../packages/contract/src/common.ts';
import {
  Choices,
  defaultChoices,
  type PageSettings,
} from '../../../packages/contract/src/settings/page.ts';
import type { Client } from '../../../packages/api-client/src/client.ts';
import { isBesidePhoto } from '../../../packages/contract/src/options/destination.ts';
import { refusalOf, type Problem } from '../../api/calls.svelte.ts';
import { commonValue } from '../options/choices.ts';
import { commonDestination, distinctPlaces, type Destined } from '../options/destination.ts';
import { fieldOf } from './field-problem.ts';
import type { Photo } from '../photo/photo.svelte.ts';
import { keepDestinations } from '../queue/kept-destinations.ts';
import type { Queue } from '../queue/queue.svelte.ts';
import type { Remembered } from '../options/remembered.svelte.ts';

/** Settings that are numbers within bounds. */
type NumberName = {
  [Name in keyof Choices]: number extends Choices[Name] ? Name : never;
}[keyof Choices];

/** A preset that was applied to chosen photos, and can be undone. */
interface AppliedPreset {
  name: string;
  photoCount: number;
  /** On the page's clock. */
  sinceMs: number;
  /** Photos that were not begun. */
  waiting: readonly Photo[];
  undo: () => void;
}

/** Undo of a preset is offered for this time, unless a setting is changed. */
const undoMs = 60_000;

export class Editor {
  applied = $state.raw<AppliedPreset>();
  /** The applied preset, until one of its photos begins with it. */
  readonly undoable = $derived(
    this.applied?.waiting.every(({ isEditable }) => isEditable) ? this.applied : undefined,
  );
  /** The folder that was shown last, offered again after another place was tried. */
  shownFolder = '';
  /** Error of the last change that the service refused. */
  problem = $state.raw<Problem>();
  readonly #queue: Queue;
  readonly #remembered: Remembered;
  readonly #client: Client;

  constructor(queue: Queue, remembered: Remembered, client: Client) {
    this.#queue = queue;
    this.#remembered = remembered;
    this.#client = client;
  }

  /** New rows get these choices. */
  readonly defaults = $derived.by(() => this.#remembered.newPhotos);
  readonly rows = $derived.by(() => this.#queue.selection);
  /** Selected rows that were started: a change is for their next version. */
  readonly begun = $derived(this.rows.filter(({ isEditable }) => !isEditable));
  readonly #shown = $derived(
    this.rows.length === 0
      ? [this.defaults]
      : this.rows.map((photo) => this.#queue.wantedOf(photo)),
  );
  /** The first row's choices decide where one value must, such as which fields there are. */
  readonly first = $derived(this.#shown[0] ?? this.defaults);

  /** Why the service refuses the settings. */
  readonly refusal = $derived.by(
    () => this.problem ?? this.#queue.refusal ?? this.#remembered.problem,
  );
  /** The refusal speaks of this field. */
  readonly refusedField = $derived(this.refusal && fieldOf(this.refusal));

  wantedOf(photo: Photo): Choices {
    return this.#queue.wantedOf(photo);
  }

  /** Returns the choice of all rows. It is undefined where the rows differ. */
  get<Name extends keyof Choices>(name: Name): Choices[Name] | undefined {
    return commonValue(this.#shown, name);
  }

  /** The value that all rows come to; undefined where they differ. */
  common<Value>(valueOf: (choices: Choices) => Value): Value | undefined {
    const [first, ...others] = this.#shown.map(valueOf);
    return others.every((other) => other === first) ? first : undefined;
  }

  /** Properties of a control for a choice. Refusals name the choice by `about`. */
  field<Name extends keyof Choices>(name: Name, about: string = name) {
    return {
      value: this.get(name),
      problem: this.problemOf(about),
      onChange: (value: Choices[Name]) => this.set({ [name]: value }),
    };
  }

  /** The same for a number, with its minimum and maximum. */
  range<Name extends NumberName>(name: Name, about?: string) {
    return { ...this.field(name, about), ...boundsOf(Choices.properties[name]) };
  }

  problemOf(field: string): Problem | undefined {
    return this.refusedField === field ? this.refusal : undefined;
  }

  set(patch: Partial<Choices>): void {
    this.applied = undefined;
    for (const photo of this.begun)
      photo.versions.draft = { ...this.#queue.wantedOf(photo), ...patch };
    this.#queue.prepare(this.begun);
    this.#setUnbegun(patch);
  }

  /** Changes the chosen rows that are not begun, and new rows where none is chosen or all are. */
  #setUnbegun(patch: Partial<Choices>, chosen = this.rows): void {
    this.problem = undefined;
    this.#queue.refusal = undefined;
    if (chosen.length === 0) this.#remember(patch);
    const rows = chosen.filter(({ isEditable }) => isEditable);
    const readyRows = rows.filter(({ phase }) => phase === 'ready');
    if (this.#isForAll(chosen)) this.#remember(patch);
    for (const photo of rows) this.#change(photo, { ...photo.choices, ...patch });
    this.#queue.prepare(readyRows);
  }

  /** Whether rows are all that are not started, so that new rows get what they get. */
  #isForAll(rows: readonly Photo[]): boolean {
    const readyCount = rows.filter(({ phase }) => phase === 'ready').length;
    return readyCount > 0 && readyCount === this.#queue.ready.length;
  }

  /** A change of the selected rows is one for new rows, too. */
  get isForNew(): boolean {
    return this.#isForAll(this.rows);
  }

  /** Puts a picture behind the subjects. */
  async putBehind(file: File): Promise<void> {
    try {
      const backgroundImage = await this.#client.upload({ blob: file, name: file.name });
      this.set({ backgroundImage, background: defaultChoices.background });
    } catch (error) {
      this.problem = refusalOf(error);
    }
  }

  /** Applies a preset, and offers to undo that where photos are chosen. */
  applyPreset(name: string, choices: Choices): void {
    const undo = this.#snapshot();
    this.#apply(choices);
    if (this.rows.length === 0) return;
    const waiting = this.rows.filter(({ isEditable }) => isEditable);
    const photoCount = this.rows.length;
    const applied = { name, photoCount, waiting, undo, sinceMs: performance.now() };
    this.applied = applied;
    setTimeout(() => {
      if (this.applied === applied) this.applied = undefined;
    }, undoMs);
  }

  /** Returns what sets the chosen photos, and new ones, back to their present settings. */
  #snapshot(): () => void {
    const newPhotos = this.defaults;
    const rows = this.rows.map((photo) => {
      const { choices, versions } = photo;
      return { photo, choices, draft: versions.draft, destination: versions.destination };
    });
    return () => {
      this.applied = undefined;
      this.#remember(newPhotos);
      for (const { photo, choices, draft, destination } of rows) {
        photo.versions.draft = draft;
        photo.versions.destination = destination;
        if (photo.isEditable) this.#change(photo, choices);
      }
      const photos = rows.map(({ photo }) => photo);
      keepDestinations(photos.map(({ versions }) => versions));
      this.#queue.prepare(photos);
    };
  }

  /**
   * Applies all choices of a preset. A preset without a folder does not change where results go, and none says which of
   * them go there.
   */
  #apply(choices: Choices): void {
    const { saveTo, name, onConflict, ...others } = choices;
    const work: Partial<Choices> = others;
    delete work.onlyAccepted;
    this.set(name === '' ? work : { ...work, name });
    if (saveTo === '') return;
    this.set({ name, onConflict });
    this.setDestination(saveTo);
  }

  /** Where results of the chosen rows go, else those of new rows; undefined where the rows differ. */
  readonly destination = $derived.by(() =>
    this.rows.length === 0 ? this.defaults.saveTo : commonDestination(this.#destined()),
  );

  /** All places that results of the chosen rows go to. */
  readonly places = $derived(distinctPlaces(this.#destined()));
  /** Further places, to which results of the photos go that are not chosen. */
  readonly otherPlaces = $derived.by(() => {
    const { current, chosen } = this.#queue;
    const others = current.filter(({ id }) => this.rows.length > 0 && !chosen.ids.has(id));
    return distinctPlaces(this.#destined(others)).filter((place) => !this.places.includes(place));
  });

  #destined(photos: readonly Photo[] = this.rows): Destined[] {
    return photos.map((photo) => ({ photo, saveTo: this.#queue.destinationOf(photo) }));
  }

  /**
   * Sets where results go: of the chosen rows, or else of all that are not started and of new rows. What is set for
   * finished ones holds for all others that have no place, and for new rows if none waits to be started.
   *
   * @param chosen the rows that were chosen when it was entered
   */
  setDestination(saveTo: string, chosen = this.rows): void {
    this.applied = undefined;
    const begun = chosen.filter(({ isEditable }) => !isEditable).map(({ versions }) => versions);
    for (const versions of begun) versions.destination = saveTo;
    keepDestinations(begun);
    const areOver =
      chosen.length > 0 && chosen.every((photo) => !photo.isEditable && !photo.isActive);
    if (areOver && !isBesidePhoto(saveTo)) this.#queue.lastFolder = saveTo;
    // Nothing waits to be started, so the field would show the former place where no photo is chosen.
    if (areOver && this.#queue.ready.length === 0) this.#remember({ saveTo });
    this.#setPlace({ saveTo }, chosen);
  }

  /** Whether results of the chosen rows, else of new ones, are saved only once accepted; undefined where rows differ. */
  readonly onlyAccepted = $derived.by(() => {
    const editable = this.rows.filter(({ isEditable }) => isEditable);
    return editable.length === 0
      ? this.defaults.onlyAccepted
      : commonValue(
          editable.map(({ choices }) => choices),
          'onlyAccepted',
        );
  });

  /** Sets it for those rows; what is set for begun ones holds for new rows, too. */
  setOnlyAccepted(onlyAccepted: boolean): void {
    this.applied = undefined;
    if (this.begun.length > 0) this.#remember({ onlyAccepted });
    this.#setPlace({ onlyAccepted }, this.rows);
  }

  /** Changes the chosen rows that are not begun, or else all that are not started, and new ones. */
  #setPlace(patch: Partial<Choices>, chosen: Photo[]): void {
    this.#setUnbegun(patch, chosen);
    if (chosen.length > 0) return;
    for (const photo of this.#queue.ready) this.#change(photo, { ...photo.choices, ...patch });
    this.#queue.prepare(this.#queue.ready);
  }

  /** Sets a refused destination once more, because its folder may have been granted or made since. */
  retryDestination(): void {
    if (this.refusal !== undefined && this.refusedField === 'saveTo')
      this.setDestination(this.destination ?? this.defaults.saveTo);
  }

  get showsMore(): boolean {
    return this.#remembered.page.showsMore;
  }

  set showsMore(showsMore: boolean) {
    if (showsMore !== this.showsMore) this.#remembered.change({ page: { showsMore } });
  }

  choosePrintUnit(printUnit: PageSettings['printUnit']): void {
    this.#remembered.change({ page: { printUnit } });
  }

  #remember(patch: Partial<Choices>): void {
    this.#remembered.change({ newPhotos: patch });
  }

  #change(photo: Photo, choices: Choices): void {
    if (photo.phase === 'PENDING') {
      this.#queue.changes.note(photo);
      photo.sourceSize ??= photo.estimate?.input;
      photo.estimate = undefined;
    } else if (photo.phase === 'uploading') photo.lateChoices = choices;
    photo.choices = choices;
  }
}
