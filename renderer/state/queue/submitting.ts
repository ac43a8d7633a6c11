/** Submits photos, and more versions of those that were submitted before. */
import { awaitedPriority } from '../../../packages/contract/src/priority.ts';
import type { RequestFields } from '../../../packages/contract/src/request.ts';
import type { Choices } from '../../../packages/contract/src/settings/page.ts';
import type { Client } from '../../../packages/api-client/src/client.ts';
import { ApiError } from '../../../packages/api-client/src/transport.ts';
import { eachConcurrently, problemOf, type Problem } from '../../api/calls.svelte.ts';
import { requestOf, type Request } from '../options/choices.ts';
import type { Connection } from '../../api/connection.svelte.ts';
import type { KeptPhotos } from './kept-photos.ts';
import { changeOf, type OptionChanges } from './option-changes.ts';
import { Photo } from '../photo/photo.svelte.ts';
import type { Preparation } from '../estimate/preparation.ts';
import { sourceAgain } from '../photo/touchable.ts';
import type { PhotoList, Repeatable } from './photo-list.svelte.ts';
import type { TaskRows } from './task-rows.ts';

/** Concurrent uploads. */
const uploadConcurrency = 2;

interface SubmittingParts {
  client: Client;
  list: PhotoList;
  rows: TaskRows;
  preparation: Preparation;
  changes: OptionChanges;
  connection: Connection;
  kept: KeptPhotos;
  onProblem: (problem: Problem) => void;
}

export class Submitting {
  readonly #parts: SubmittingParts;

  constructor(parts: SubmittingParts) {
    this.#parts = parts;
  }

  /** Submits photos. Uploads run side by side, and the queue keeps the list's order. */
  async start(batch: readonly Photo[]): Promise<void> {
    this.#parts.preparation.drop(batch);
    for (const photo of batch) photo.phase = 'uploading';
    let before = Promise.resolve();
    await eachConcurrently(batch, uploadConcurrency, async (photo) => {
      const own = this.#submit(photo, before);
      before = own;
      await own;
    });
  }

  /**
   * Submits a photo. One that was read faster waits for `before`, the photos before it in the list. While the
   * service does not answer nothing is sent, and the photo waits. Its idempotency key keeps a submit that was
   * taken, and whose answer was lost, from running twice.
   */
  async #submit(photo: Photo, before: Promise<void>, priority = 0): Promise<void> {
    const { client, list, rows, preparation, changes, connection, kept } = this.#parts;
    const isListed = () => list.photos.includes(photo);
    const idempotencyKey = crypto.randomUUID();
    let request: Request | undefined;
    try {
      await connection.send(async () => {
        await preparation.measure(photo);
        await kept.hold(photo);
      }, isListed);
      await before;
      const taskId = await connection.send(async () => {
        const imageUrl = await preparation.imageUrl(photo);
        // The key stands for one request, also where it is sent more than once.
        request ??= takeRequest(photo);
        const options = priority === 0 ? request.options : { ...request.options, priority };
        const body = { ...options, photo: photo.versions.key, imageUrl };
        return client.submit(request.operation, body, { idempotencyKey });
      }, isListed);
      // The photo was removed while it was read.
      if (taskId === undefined) await kept.drop([photo]);
      else {
        await rows.begin(photo, taskId);
        if (photo.lateChoices !== undefined) changeLate(photo, photo.lateChoices, changes);
      }
    } catch (error) {
      photo.phase = 'FAILED';
      photo.problem = problemOf(error);
    }
  }

  /**
   * Submits one more version of a photo that was begun, with other options. It answers the new task's id, or
   * undefined where that is refused.
   */
  async version(photo: Photo, changed: RequestFields): Promise<string | undefined> {
    try {
      const made = await this.#submitAgain(photo, changed);
      if (made !== undefined) await this.#parts.rows.arrive(made);
      return made;
    } catch (error) {
      this.#parts.onProblem(problemOf(error));
      return undefined;
    }
  }

  /** Submits a version from the source as the service keeps it, or as this page sends it once more. */
  async #submitAgain(photo: Photo, changed: RequestFields): Promise<string | undefined> {
    const { client, preparation, kept } = this.#parts;
    const { taskId } = photo;
    if (taskId === undefined) return undefined;
    try {
      return await client.again(taskId, { options: changed });
    } catch (error) {
      // The service does not keep the photo's source, or no longer does.
      if (!(error instanceof ApiError) || error.code !== 'NOT_FOUND') throw error;
    }
    const source = sourceAgain(photo);
    if (source === undefined)
      throw new ApiError('NOT_FOUND', 'The photo is not kept any more; add it again.');
    const { operation, options } = requestOf(photo.choices, photo.strokes, photo);
    const imageUrl = source.imageUrl ?? (await preparation.upload(photo));
    await kept.hold(photo);
    const version = { ...options, ...changed, photo: photo.versions.key, imageUrl };
    return client.submit(operation, version);
  }

  /** Submits one more version of each photo, by what the settings say now. */
  async again(
    photos: readonly Photo[],
    placeOf: (photo: Photo) => Pick<Choices, 'saveTo' | 'onlyAccepted'>,
    priority = 0,
  ): Promise<void> {
    await eachConcurrently(photos, uploadConcurrency, async (photo) => {
      const { list } = this.#parts;
      const { versions } = photo;
      const wanted = { ...list.wantedOf(photo), ...placeOf(photo) };
      versions.lastChoices = wanted;
      const from = list.againFrom(photo);
      if (from === undefined) return;
      if ('record' in from) await this.#repeat(from, wanted, priority);
      else {
        const version = Photo.ready(from, wanted, versions);
        version.phase = 'uploading';
        if (wanted.operation === photo.choices.operation) {
          version.strokes = photo.strokes;
          version.amountMask = photo.amountMask;
        }
        list.include(version);
        versions.picked = undefined;
        await this.#submit(version, Promise.resolve(), priority);
      }
      versions.draft = versions.estimate = undefined;
    });
  }

  async #repeat(from: Repeatable, wanted: Choices, priority: number): Promise<void> {
    const { client, rows, onProblem } = this.#parts;
    try {
      const change = changeOf(from.choices, wanted, from);
      // What was awaited passes its priority on to no version that waits in line.
      if (priority !== 0 || from.record.priority === awaitedPriority)
        change.options.priority = priority;
      const taskId = await client.again(from.taskId ?? '', change);
      await rows.arrive(taskId);
      const version = rows.byTask.get(taskId);
      if (version !== undefined) version.sourceSize ??= from.record.input ?? from.sourceSize;
      from.versions.picked = undefined;
    } catch (error) {
      onProblem(problemOf(error));
    }
  }
}

/** Makes the request of the photo's choices; what is changed from then on is late. */
function takeRequest(photo: Photo): Request {
  photo.lateChoices = undefined;
  return requestOf(photo.choices, photo.strokes, photo);
}

/** Changes the photo's task, or where that has begun asks it of the next version. */
function changeLate(photo: Photo, choices: Choices, changes: OptionChanges): void {
  photo.lateChoices = undefined;
  if (!photo.isEditable) {
    photo.versions.draft = choices;
    return;
  }
  changes.note(photo);
  photo.choices = choices;
}
