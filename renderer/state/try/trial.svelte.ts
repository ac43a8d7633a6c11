/** Tries one place of a photo by all installed models, before the whole photo is enlarged. */
import type { AnyScale } from '../../../electron/contract/common.ts';
import type { PreviewProblem, Previews } from '../../../electron/contract/picture.ts';
import type { Client } from '../../../electron/client/client.ts';
import { ApiError } from '../../../electron/client/transport.ts';
import type { PictureCalls } from '../../../electron/client/picture-calls.ts';
import type { Choices } from '../../../electron/contract/settings/page.ts';
import type { MeasuredDamage } from '../../../electron/contract/task.ts';
import { refusalOf, type Problem } from '../../api/calls.svelte.ts';
import { triedOf, type Dials } from '../options/dials.ts';
import type { Photo, PixelSize } from '../photo/photo.svelte.ts';
import { linkOf } from '../thumbnails/service-views.ts';
import type { Point } from '../viewer/viewport.svelte.ts';

/** A model made this picture of the place; the link is this page's own. */
export interface TrialResult {
  readonly model: string;
  readonly name: string;
  readonly link: string;
  readonly durationMs: number;
}

/** A try is debounced by this time, so that changes within it are asked for together. */
const debounceMs = 150;

export class Trial {
  /** This half is tried of a photo that is cut out and enlarged. */
  part = $state<Choices['operation']>('remove-bg');
  /** The place is in pixels of the source; it is undefined while nothing is tried. */
  at = $state.raw<Point>();
  isBusy = $state(false);
  problem = $state.raw<Problem>();
  /** These models could not be tried, each for a reason. */
  problems = $state.raw<readonly PreviewProblem[]>([]);
  tried = $state.raw<readonly TrialResult[]>([]);
  /** This damage was measured in the photo. */
  measured = $state.raw<MeasuredDamage>();
  /** These dials are tried, or those of the photo's settings where this is undefined. */
  dials = $state.raw<Dials>();
  sourceLink = $state<string>();
  /** The result pictures have this size. */
  size = $state.raw<PixelSize>();
  readonly #client: Client;
  readonly #calls: PictureCalls;
  readonly #uploads = new WeakMap<Photo, Promise<string>>();
  #turn = 0;

  constructor(client: Client, calls: PictureCalls) {
    this.#client = client;
    this.#calls = calls;
  }

  async run(photo: Photo, at: Point, scale: AnyScale, dials: Dials): Promise<void> {
    const turn = ++this.#turn;
    this.at = at;
    this.isBusy = true;
    this.problem = undefined;
    const { keep } = photo.wanted;
    const operation = triedOf(photo.wanted, this.part);
    try {
      // A dial that is being dragged asks once.
      await new Promise((resolve) => setTimeout(resolve, debounceMs));
      if (turn !== this.#turn) return;
      const from = await this.#sourceOf(photo);
      const how =
        operation === 'upscale' ? { scale, ...dials, ...(keep !== '' && { keep }) } : { operation };
      const previews = await this.#calls.preview({ ...from, ...at, ...how });
      if (turn === this.#turn) this.#show(previews, operation === 'upscale' ? scale : 1);
    } catch (error) {
      const refusal = refusalOf(error);
      this.#uploads.delete(photo);
      if (turn === this.#turn) this.problem = refusal;
    } finally {
      if (turn === this.#turn) this.isBusy = false;
    }
  }

  close(): void {
    this.#turn += 1;
    this.at = undefined;
    this.dials = undefined;
    this.isBusy = false;
    this.#forget();
  }

  /**
   * Returns the source for a try. The service has it until its task has ended; then this page's file is
   * uploaded, once for as long as the service keeps an upload.
   */
  async #sourceOf(photo: Photo): Promise<{ taskId: string } | { imageUrl: string }> {
    const { taskId, file, source, isEnded } = photo;
    // A source on the disk, or one that is kept with its photo, stays available.
    if (source !== undefined && source.uploadedAtMs === undefined)
      return { imageUrl: source.imageUrl };
    if (taskId !== undefined && !(isEnded && file !== undefined)) return { taskId };
    if (taskId === undefined && source !== undefined) return { imageUrl: source.imageUrl };
    if (file === undefined) throw new ApiError('NOT_FOUND', 'The file is not here any more.');
    const upload = this.#uploads.get(photo) ?? this.#client.upload({ blob: file, name: file.name });
    this.#uploads.set(photo, upload);
    return { imageUrl: await upload };
  }

  #show({ previews, problems, source, measured }: Previews, scale: number): void {
    this.#forget();
    this.measured = measured;
    this.problems = problems;
    this.size = { width: source.width * scale, height: source.height * scale };
    this.sourceLink = linkOf(source.imageUrl);
    this.tried = previews.map(({ model, name, durationMs, imageUrl }) => ({
      model,
      name,
      durationMs,
      link: linkOf(imageUrl),
    }));
  }

  #forget(): void {
    for (const { link } of this.tried) URL.revokeObjectURL(link);
    if (this.sourceLink !== undefined) URL.revokeObjectURL(this.sourceLink);
    this.tried = [];
    this.problems = [];
    this.sourceLink = undefined;
  }
}
