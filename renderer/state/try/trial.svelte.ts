/**
 * Previews one place of a photo by all installed models, before the whole photo is enlarged. One request a model:
 * each has the service's time limit to itself, and its picture is shown as soon as it is there.
 */
import type { AnyScale } from '../../../packages/contract/src/common.ts';
import type {
  PreviewBody,
  PreviewProblem,
  Previews,
} from '../../../packages/contract/src/picture.ts';
import type { Client } from '../../../packages/api-client/src/client.ts';
import { ApiError } from '../../../packages/api-client/src/transport.ts';
import type { PictureCalls } from '../../../packages/api-client/src/picture-calls.ts';
import { defaultChoices, type Choices } from '../../../packages/contract/src/settings/page.ts';
import type { ModelView } from '../../../packages/contract/src/models/model.ts';
import type { MeasuredDamage } from '../../../packages/contract/src/task.ts';
import { refusalOf, type Problem } from '../../api/calls.svelte.ts';
import { triedOf, type Dials } from '../options/dials.ts';
import type { Machine } from '../models/machine.svelte.ts';
import { triedOpacity } from '../viewer/amount-preview.ts';
import type { Photo, PixelSize } from '../photo/photo.svelte.ts';
import { linkOf } from '../thumbnails/service-views.ts';
import type { Point } from '../viewer/viewport.svelte.ts';

/** One model's picture of the place. */
export interface TrialResult {
  readonly model: string;
  readonly name: string;
  /** Whether it has a dial of its own. */
  readonly takesDetail: boolean;
  /** The picture was made by this request, as JSON. */
  readonly request: string;
  /** Object URL of the picture; undefined until the first one is there. */
  readonly link: string | undefined;
  /** Time in the networks. */
  readonly durationMs: number;
  /** The picture was made with other dials, and is shown until the new one is there. */
  readonly isOutdated: boolean;
}

interface PlannedPreview {
  readonly model: Pick<ModelView, 'id' | 'name' | 'takesDetail'>;
  readonly request: string;
}

/** Debounce of a dial that is being dragged. */
const debounceMs = 150;

/** Codes of errors that concern one model only; the others are tried all the same. */
const modelErrors: readonly string[] = ['MODEL_UNAVAILABLE', 'OUT_OF_MEMORY', 'INTERNAL'];

export class Trial {
  /** Which half of a photo that is both cut out and enlarged. */
  part = $state<Choices['operation']>('remove-bg');
  /** In pixels of the source; undefined while nothing is tried. */
  at = $state.raw<Point>();
  isBusy = $state(false);
  problem = $state.raw<Problem>();
  /** Models that could not be tried, each with its reason. */
  problems = $state.raw<readonly PreviewProblem[]>([]);
  tried = $state.raw<readonly TrialResult[]>([]);
  measured = $state.raw<MeasuredDamage>();
  /** Undefined: those of the photo's settings. */
  dials = $state.raw<Dials>();
  sourceLink = $state<string>();
  /** Opacity, 0..1, of the pictures over the plain source: a strength of the model that the page mixes itself. */
  opacity = $state(1);
  /** Size of the results in pixels. */
  size = $state.raw<PixelSize>();
  readonly #client: Client;
  readonly #calls: PictureCalls;
  readonly #machine: Pick<Machine, 'modelsFor'>;
  readonly #uploads = new WeakMap<Photo, Promise<string>>();
  /** Number of retries; Stage runs the trial again when it changes. */
  retries = $state(0);
  /** The pictures that are shown are of this photo, place, scale and operation. */
  #shownPlace = '';
  #turn = 0;
  /** What is being tried, or was last. */
  #requested = '';
  /** A model of this try has cleaned up. */
  #isCleanedUp = false;

  constructor(client: Client, calls: PictureCalls, machine: Pick<Machine, 'modelsFor'>) {
    this.#client = client;
    this.#calls = calls;
    this.#machine = machine;
  }

  async run(
    photo: Photo,
    wanted: Choices,
    at: Point,
    scale: AnyScale,
    dials: Dials,
  ): Promise<void> {
    this.at = at;
    const { keep } = wanted;
    const operation = triedOf(wanted, this.part);
    const opacity = operation === 'upscale' ? triedOpacity(dials, keep) : undefined;
    this.opacity = opacity ?? 1;
    const sent = opacity === undefined ? dials : { ...dials, amount: 100 };
    const { id, taskId } = photo;
    const requested = JSON.stringify([id, taskId, at, scale, operation, sent, keep, this.retries]);
    // Another strength alone is mixed from the pictures that are there, or on their way.
    if (requested === this.#requested) return;
    this.#requested = requested;
    const turn = ++this.#turn;
    this.isBusy = true;
    this.problem = undefined;
    try {
      await new Promise((resolve) => setTimeout(resolve, debounceMs));
      if (turn !== this.#turn) return;
      const place = JSON.stringify([photo.id, at, scale, operation]);
      const models = this.#machine.modelsFor(operation, scale);
      if (models.length === 0)
        throw new ApiError(
          'MODEL_UNAVAILABLE',
          'Expected a model for this work; none is installed.',
        );
      const enlarging = { scale, ...sent, ...(keep !== '' && { keep }) };
      const planned = models.map((model) => {
        // A dial that the model does not have leaves its picture as it is.
        const own = model.takesDetail ? {} : { detail: defaultChoices.detail };
        const options = operation === 'upscale' ? { ...enlarging, ...own } : { operation };
        return { model, options, request: JSON.stringify(options) };
      });
      this.#expect(planned, place);
      const outdated = this.tried.filter(({ isOutdated }) => isOutdated).map(({ model }) => model);
      const from = await this.#sourceOf(photo);
      if (turn !== this.#turn) return;
      for (const { model, options, request } of planned) {
        if (!outdated.includes(model.id)) continue;
        const body = { ...from, ...at, ...options, models: [model.id] };
        const answer = await this.#preview(body, model);
        if (turn !== this.#turn) return;
        this.#show(answer, request, operation === 'upscale' ? scale : 1);
      }
    } catch (error) {
      const refusal = refusalOf(error);
      this.#uploads.delete(photo);
      if (turn === this.#turn) this.problem = refusal;
    } finally {
      if (turn === this.#turn) this.isBusy = false;
    }
  }

  retry(): void {
    this.retries += 1;
  }

  close(): void {
    this.#turn += 1;
    this.at = undefined;
    this.dials = undefined;
    this.isBusy = false;
    this.#requested = '';
    this.#forget();
  }

  /**
   * Returns the source for a preview. The service has it until its task has ended; then this page's file is
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

  /** Lists the models that are about to be tried; pictures of the same place stay until the new ones are there. */
  #expect(planned: readonly PlannedPreview[], place: string): void {
    if (place !== this.#shownPlace) this.#forget();
    this.#shownPlace = place;
    this.problems = [];
    const { tried } = this;
    this.tried = planned.map(({ model: { id, name, takesDetail }, request }) => {
      const shown = tried.find(({ model }) => model === id) ?? {
        ...{ model: id, name, takesDetail, request: '' },
        ...{ link: undefined, durationMs: 0 },
      };
      return { ...shown, isOutdated: shown.request !== request };
    });
    this.#isCleanedUp &&= this.tried.some(({ isOutdated }) => !isOutdated);
  }

  /** Requests one model's preview. @throws ApiError unless the error concerns that model only */
  async #preview(
    body: PreviewBody,
    { id, name }: Pick<ModelView, 'id' | 'name'>,
  ): Promise<Previews | PreviewProblem> {
    try {
      return await this.#calls.preview(body);
    } catch (error) {
      const { code, message } = refusalOf(error);
      if (!modelErrors.includes(code)) throw error;
      return { model: id, name, code, message };
    }
  }

  #show(answer: Previews | PreviewProblem, request: string, scale: number): void {
    const isFailure = 'code' in answer;
    const problems = isFailure ? [answer] : answer.problems;
    this.problems = [...this.problems, ...problems];
    this.#drop(problems.map(({ model }) => model));
    if (isFailure) return;
    const { previews, source, measured } = answer;
    // Only some models clean up: what one did stays when the next answers.
    if (!this.#isCleanedUp) this.measured = measured;
    this.#isCleanedUp ||= measured?.restored !== undefined;
    // The panel fits its view anew for another size, so the same one stays the same object.
    const size = { width: source.width * scale, height: source.height * scale };
    if (this.size?.width !== size.width || this.size.height !== size.height) this.size = size;
    this.sourceLink ??= linkOf(source.imageUrl);
    this.tried = this.tried.map((result) => {
      const preview = previews.find(({ model }) => model === result.model);
      if (preview === undefined) return result;
      if (result.link !== undefined) URL.revokeObjectURL(result.link);
      const { durationMs, imageUrl } = preview;
      return { ...result, request, durationMs, link: linkOf(imageUrl), isOutdated: false };
    });
  }

  #drop(models: readonly string[]): void {
    for (const { model, link } of this.tried)
      if (models.includes(model) && link !== undefined) URL.revokeObjectURL(link);
    this.tried = this.tried.filter(({ model }) => !models.includes(model));
  }

  #forget(): void {
    this.#drop(this.tried.map(({ model }) => model));
    if (this.sourceLink !== undefined) URL.revokeObjectURL(this.sourceLink);
    this.problems = [];
    this.measured = undefined;
    this.size = undefined;
    this.sourceLink = undefined;
    this.#shownPlace = '';
  }
}
