/**
 * Brings added photos to the service and asks what each would become, so that what cannot work is known
 * before anything is started. It does so in the order of the list, two photos at a time, and again for a
 * photo whose choices changed.
 */
import type { Client } from '../../../packages/api-client/src/client.ts';
import { ApiError } from '../../../packages/api-client/src/transport.ts';
import type { Estimate } from '../../../packages/contract/src/task.ts';
import { isBesidePhoto } from '../../../packages/contract/src/options/destination.ts';
import { refusalOf, unlessRefused, type Problem } from '../../api/calls.svelte.ts';
import { losesTransparency, requestOf } from '../options/choices.ts';
import { dependsOnSize, photoSizeOf } from '../options/fit-to-photo.ts';
import { placeFor } from '../options/destination.ts';
import type { Photo } from '../photo/photo.svelte.ts';
import { isAway, type Connection } from '../../api/connection.svelte.ts';

const concurrency = 2;
/** Questions are debounced by this time, so that a slider that is dragged asks once. */
const debounceMs = 200;
/** A file is sent again after this time, as the service keeps an upload that nothing uses for an hour. */
const uploadKeptMs = 50 * 60_000;
const emptyFile =
  'Expected the bytes of a picture, but the file has none. Copy it again from the camera or a backup.';

const goneFile =
  'Expected the file as it was when it was added, but it was moved, deleted or changed. Connect its card or drive, or add it again.';

/** Browsers refuse the bytes of a file that is gone, or was changed since it was picked. */
const canRead = (file: File): Promise<boolean> =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );

interface PreparationHandlers {
  /** The service can read the photo from now on. */
  onSource(photo: Photo): void;
  /** The service refused the choices of this photo. */
  onRefused(photo: Photo, problem: Problem): void;
  /** Where the service can read a photo that was begun, as far as the page knows. */
  keptSource(photo: Photo): SourceOfEstimate | undefined;
}

/** The address of a photo, or a task whose photo the service keeps. */
type SourceOfEstimate = { imageUrl: string } | { taskId: string };

export class Preparation {
  readonly #client: Client;
  readonly #connection: Connection;
  readonly #handlers: PreparationHandlers;
  readonly #wanted = new Set<Photo>();
  readonly #uploads = new Map<Photo, Promise<string>>();
  #running = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(client: Client, connection: Connection, handlers: PreparationHandlers) {
    this.#client = client;
    this.#connection = connection;
    this.#handlers = handlers;
  }

  /** Prepares photos soon. A photo that is wanted again before its turn came is prepared once. */
  want(photos: readonly Photo[]): void {
    for (const photo of photos) this.#wanted.add(photo);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#fill(), debounceMs);
  }

  drop(photos: readonly Photo[]): void {
    for (const photo of photos) this.#wanted.delete(photo);
  }

  /** Returns the photo's address for a submit. An upload that is under way is shared. */
  imageUrl(photo: Photo): Promise<string> {
    if (photo.file?.size === 0) return Promise.reject(new ApiError('EMPTY_FILE', emptyFile));
    const known = photo.source;
    const isGone = Date.now() - (known?.uploadedAtMs ?? Date.now()) > uploadKeptMs;
    if (known !== undefined && !isGone) return Promise.resolve(known.imageUrl);
    const underWay = this.#uploads.get(photo);
    if (underWay !== undefined) return underWay;
    const upload = this.upload(photo).finally(() => this.#uploads.delete(photo));
    this.#uploads.set(photo, upload);
    return upload;
  }

  /** Sends the photo, also where an earlier upload of it has gone. */
  async upload(photo: Photo): Promise<string> {
    const { file } = photo;
    if (file === undefined) throw new ApiError('INTERNAL', 'The photo has no file.');
    const imageUrl = await this.#send(file);
    photo.source = { imageUrl, uploadedAtMs: Date.now() };
    return imageUrl;
  }

  /**
   * Sends a file. A browser gives the same error for one that it cannot read any more as for a service that is away,
   * for which the photo, and all after it, would wait for ever.
   */
  async #send(file: File): Promise<string> {
    try {
      return await this.#client.upload({ blob: file, name: file.name });
    } catch (cause) {
      if (await canRead(file)) throw cause;
      throw Object.assign(new ApiError('FILE_GONE', goneFile), { cause });
    }
  }

  /** What the photo would become and take by now; undefined where the service refuses it or is away. */
  async estimate(photo: Photo): Promise<Estimate | undefined> {
    return unlessRefused(
      this.imageUrl(photo).then((imageUrl) => this.#estimate(photo, { imageUrl })),
    );
  }

  #fill(): void {
    for (const photo of this.#wanted) {
      if (this.#running >= concurrency) return;
      this.#wanted.delete(photo);
      this.#running += 1;
      void this.#prepareWhenOpen(photo).finally(() => {
        this.#running -= 1;
        this.#fill();
      });
    }
  }

  /** Prepares the photo once the service answers, or if it was started its next version. */
  async #prepareWhenOpen(photo: Photo): Promise<void> {
    await this.#connection.whenOpen();
    if (photo.phase === 'ready') await this.#prepare(photo);
    else await this.#prepareNext(photo);
  }

  /** Asks what the next version of a photo would become, where its choices differ and its source is at hand. */
  async #prepareNext(photo: Photo): Promise<void> {
    const { versions } = photo;
    const { draft } = versions;
    const from = this.#handlers.keptSource(photo);
    if (draft === undefined || from === undefined) return;
    const estimate = await unlessRefused(this.#estimate(photo, from, draft));
    if (versions.draft === draft) versions.estimate = estimate;
  }

  async #prepare(photo: Photo): Promise<void> {
    const { choices } = photo;
    try {
      const imageUrl = await this.imageUrl(photo);
      this.#handlers.onSource(photo);
      if (photo.phase !== 'ready' || photo.choices !== choices) return;
      await this.#measure(photo, imageUrl);
      const estimate = await this.#estimate(photo, { imageUrl });
      if (photo.choices === choices) photo.estimate = estimate;
    } catch (error) {
      this.#refuse(photo, error);
    }
  }

  /** Finds out how large the photo is, where its request depends on that. */
  async measure(photo: Photo): Promise<void> {
    await this.#measure(photo, await this.imageUrl(photo));
  }

  async #measure(photo: Photo, imageUrl: string): Promise<void> {
    if (!dependsOnSize(photo.choices) || photoSizeOf(photo) !== undefined) return;
    photo.sourceSize ??= (await this.#estimate(photo, { imageUrl })).input;
  }

  #estimate(photo: Photo, source: SourceOfEstimate, choices = photo.choices): Promise<Estimate> {
    const { operation, options } = requestOf(choices, [], photo);
    const asked = operation === 'upscale' ? options : { ...options, operation };
    return this.#client.estimate({ ...asked, ...source });
  }

  #refuse(photo: Photo, error: unknown): void {
    const problem = refusalOf(error);
    // The photo is prepared again at the next connection.
    if (isAway(problem)) return;
    // The photo may be read but its folder may not be used, so the result is kept as that of an upload is.
    if (problem.code === 'FORBIDDEN_PATH' && isBesidePhoto(placeFor(photo.choices.saveTo, photo))) {
      photo.isFolderShut = true;
      this.want([photo]);
      return;
    }
    // The service did not look at the choices of a photo that it has no bytes of.
    const isToldByPage = losesTransparency(photo.choices);
    if (problem.code === 'INVALID_REQUEST' && photo.source !== undefined && !isToldByPage)
      this.#handlers.onRefused(photo, problem);
    photo.estimate = {
      width: 0,
      height: 0,
      format: '',
      fileSizeBytes: 0,
      scratchBytes: 0,
      problem,
    };
  }
}
