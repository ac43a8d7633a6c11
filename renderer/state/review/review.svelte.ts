/** Marks results as a person accepts or rejects them while looking through them. */
import type { Client } from '../../../packages/api-client/src/client.ts';
import type { Mark } from '../../../packages/contract/src/task.ts';
import { eachConcurrently, refusalOf, requestConcurrency } from '../../api/calls.svelte.ts';
import type { Photo } from '../photo/photo.svelte.ts';
import type { Judgement, Queue } from '../queue/queue.svelte.ts';
import { nextToJudge } from './next-to-judge.ts';

type ReviewQueue = Pick<
  Queue,
  | 'selected'
  | 'selection'
  | 'shown'
  | 'chosen'
  | 'problem'
  | 'judgements'
  | 'select'
  | 'versionsOf'
  | 'keepListed'
  | 'takeRecord'
  | 'unacceptOthers'
>;

type KnownMark = readonly [photo: Photo, mark: Mark | undefined];

/** Limit of judgements that can be undone. */
const maxUndone = 100;

export class Review {
  /** Has no result that could be marked, though it was asked for last. */
  unmarked = $state.raw<Photo>();
  readonly #queue: ReviewQueue;
  readonly #client: Pick<Client, 'mark'>;
  /** Marks that the service does not know yet: they count at once. */
  readonly #underWay = new WeakMap<Photo, { mark: Mark | undefined; sent: Promise<void> }>();

  readonly #onAccepted: (photos: readonly Photo[]) => void;

  constructor(
    queue: ReviewQueue,
    client: Pick<Client, 'mark'>,
    onAccepted: (photos: readonly Photo[]) => void,
  ) {
    this.#queue = queue;
    this.#client = client;
    this.#onAccepted = onAccepted;
  }

  /** The photos that are marked next: several that a person selected, or else the shown one. */
  get meant(): readonly Photo[] {
    const { selected, selection } = this.#queue;
    if (!this.#isSingle) return selection;
    return selected === undefined ? [] : [selected];
  }

  get #isSingle(): boolean {
    const { selection, chosen } = this.#queue;
    return selection.length < 2 || chosen.isBatch;
  }

  /**
   * Marks the photos that a person selected, where these are several, or else the shown one. It can be undone, which a
   * message offers where several were marked or marks were taken back. From a single photo that has the mark then, or has
   * no result, it goes on to the next one of the list that is not judged yet, after the last one from the top.
   *
   * @param takesBack where all of them have this mark already, they lose it
   */
  async judge(mark: Mark, takesBack = false): Promise<void> {
    const { meant } = this;
    const { selected, shown, chosen } = this.#queue;
    const photos = meant.filter(({ phase }) => phase === 'FINISHED');
    this.unmarked = photos.length === 0 ? meant[0] : undefined;
    const isMarked = photos.length > 0 && photos.every((photo) => this.#markOf(photo) === mark);
    const isTaken = takesBack && isMarked;
    const next =
      this.#isSingle &&
      selected &&
      !isTaken &&
      nextToJudge(shown, selected, (photo) => this.#markOf(photo));
    const isKept = isMarked && !isTaken;
    const marked = isKept ? undefined : this.#judge({ mark, isTaken, photos });
    if (next) chosen.only(next);
    await marked;
  }

  /** Marks photos, or takes their marks back, and notes how that is undone. */
  #judge(judged: Pick<Judgement, 'mark' | 'isTaken' | 'photos'>): Promise<void> {
    const { mark, isTaken, photos } = judged;
    const before = this.#marksOf(photos);
    const marked = this.#mark(photos, isTaken ? undefined : mark);
    if (photos.length > 0) this.#note(judged, () => this.#restore(before, marked));
    return marked;
  }

  /** The marks of all versions of the photos: that one is accepted takes the mark of another. */
  #marksOf(photos: readonly Photo[]): KnownMark[] {
    const versions = photos.flatMap((photo) => this.#queue.versionsOf(photo));
    return versions.map((version) => [version, this.#markOf(version)]);
  }

  #note(
    judged: Pick<Judgement, 'mark' | 'isTaken' | 'photos'>,
    restore: () => Promise<void>,
  ): void {
    const [only, ...others] = judged.photos;
    const undo = () => {
      this.#queue.judgements = this.#queue.judgements.filter((other) => other !== judgement);
      if (others.length === 0) this.#queue.select(only);
      void restore();
    };
    const judgement = { ...judged, sinceMs: performance.now(), undo };
    this.#queue.judgements = [...this.#queue.judgements, judgement].slice(-maxUndone);
  }

  async #restore(marks: readonly KnownMark[], marked: Promise<void>) {
    await marked;
    const changed = marks.filter(([photo, mark]) => this.#markOf(photo) !== mark);
    this.#queue.keepListed(changed.map(([photo]) => photo));
    await eachConcurrently(changed, requestConcurrency, ([photo, mark]) =>
      this.#markOne(photo, mark),
    );
    const accepted = changed.filter(([, mark]) => mark === 'accepted');
    if (accepted.length > 0) this.#onAccepted(accepted.map(([photo]) => photo));
  }

  #markOf(photo: Photo): Mark | undefined {
    const underWay = this.#underWay.get(photo);
    return underWay ? underWay.mark : photo.record?.mark;
  }

  async #mark(photos: readonly Photo[], mark: Mark | undefined): Promise<void> {
    this.#queue.keepListed(photos);
    await eachConcurrently(photos, requestConcurrency, async (photo) => {
      await this.#markOne(photo, mark);
      if (mark === 'accepted') await this.#queue.unacceptOthers(photo, photos);
    });
    if (mark === 'accepted') this.#onAccepted(photos);
  }

  async #markOne(photo: Photo, mark: Mark | undefined): Promise<void> {
    const sent = this.#send(photo, mark, this.#underWay.get(photo)?.sent);
    this.#underWay.set(photo, { mark, sent });
    await sent;
    if (this.#underWay.get(photo)?.sent === sent) this.#underWay.delete(photo);
  }

  /** Sends a mark after the one before it. */
  async #send(photo: Photo, mark: Mark | undefined, before: Promise<void> | undefined) {
    await before;
    try {
      const record = await this.#client.mark(photo.taskId ?? '', { mark: mark ?? null });
      this.#queue.takeRecord(photo, record);
    } catch (error) {
      this.#queue.problem = refusalOf(error);
    }
  }
}
