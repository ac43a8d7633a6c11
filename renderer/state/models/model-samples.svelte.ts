/** What each model makes of a small picture of the page, which is a lantern before a dark wall. */
import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import { anyScales, type AnyScale } from '../../../packages/contract/src/common.ts';
import type { Operation } from '../../../packages/contract/src/request.ts';
import type { ModelView } from '../../../packages/contract/src/models/model.ts';
import type { PictureCalls } from '../../../packages/api-client/src/picture-calls.ts';
import { refusalOf, type Problem } from '../../api/calls.svelte.ts';
import { linkOf } from '../thumbnails/service-views.ts';
import samplePicture from '../../pictures/lantern.jpg?no-inline';

/** Link to the small picture. */
export { samplePicture };

export type Sample =
  | { state: 'busy' }
  | { state: 'made'; before: string; after: string }
  | { state: 'failed'; problem: Problem };

/** Whether a model makes something of a picture by itself. */
export const hasSample = ({ task }: Pick<ModelView, 'task'>): boolean => task !== 'select';

/** The middle of the picture. */
const place = { x: 132, y: 88 };

export class ModelSamples {
  readonly all = new SvelteMap<string, Sample>();
  /** Ids of models whose picture is shown large, before and after. */
  readonly opened = new SvelteSet<string>();
  readonly #calls: PictureCalls;
  #picture: Promise<string> | undefined;
  #turn = 0;

  constructor(calls: PictureCalls) {
    this.#calls = calls;
  }

  /** Shows a model's sample large; it is made where there is none. */
  open(model: ModelView): void {
    if (!hasSample(model)) return;
    this.opened.add(model.id);
    const known = this.all.get(model.id);
    if (known === undefined || known.state === 'failed') void this.make(model);
  }

  /** Makes the samples that are missing, one after the other. */
  async makeMissing(models: readonly ModelView[]): Promise<void> {
    const turn = ++this.#turn;
    for (const model of models) {
      if (turn !== this.#turn) return;
      if (hasSample(model) && !this.all.has(model.id)) await this.make(model);
    }
  }

  /** Makes a model's sample anew. */
  async make(model: ModelView): Promise<void> {
    const isOpened = this.opened.has(model.id);
    this.forget(model.id);
    if (isOpened) this.opened.add(model.id);
    this.all.set(model.id, { state: 'busy' });
    const made = await this.#run(model);
    // The model may have been removed, or asked for anew, meanwhile.
    if (this.all.get(model.id)?.state === 'busy') this.all.set(model.id, made);
  }

  forget(id: string): void {
    const sample = this.all.get(id);
    if (sample?.state === 'made')
      for (const link of [sample.before, sample.after]) URL.revokeObjectURL(link);
    this.all.delete(id);
    this.opened.delete(id);
  }

  /** Makes no more samples. Those that were made stay for the next time. */
  close(): void {
    this.#turn += 1;
    this.opened.clear();
    for (const [id, { state }] of [...this.all]) if (state !== 'made') this.forget(id);
  }

  async #run({ id, task, scales }: ModelView): Promise<Sample> {
    const operation: Operation = task === 'upscale' ? task : 'remove-bg';
    try {
      const imageUrl = await (this.#picture ??= pictureUrl());
      const asked = { imageUrl, ...place, operation, scale: scaleFor(scales), models: [id] };
      const { previews, problems, source } = await this.#calls.preview(asked);
      const [preview] = previews;
      const [problem] = problems;
      if (preview)
        return { state: 'made', before: linkOf(source.imageUrl), after: linkOf(preview.imageUrl) };
      return { state: 'failed', problem: problem ?? { code: 'INTERNAL', message: '' } };
    } catch (error) {
      return { state: 'failed', problem: refusalOf(error) };
    }
  }
}

/** Chooses the least scale of the model that can be asked for; else one that its result is reduced to. */
export function scaleFor(scales: readonly number[]): AnyScale {
  const larger = anyScales.filter((scale) => scale > 1 && scales.includes(scale));
  return larger[0] ?? (scales.some((scale) => scale > 1) ? 2 : 1);
}

/** Reads the page's own picture as a data: URL, which the service takes as a source. */
async function pictureUrl(): Promise<string> {
  // Response.bytes() is younger than the browsers that the page is built for.
  const bytes = new Uint8Array(await (await fetch(samplePicture)).arrayBuffer());
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return `data:image/jpeg;base64,${btoa(binary)}`;
}
