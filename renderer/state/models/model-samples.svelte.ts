/** Shows what each model makes of a small picture of the page, which is a lantern before a dark wall. */
import { SvelteMap } from 'svelte/reactivity';
import { anyScales, type AnyScale } from '../../../electron/contract/common.ts';
import type { ModelView } from '../../../electron/contract/models/model.ts';
import type { PictureCalls } from '../../../electron/client/picture-calls.ts';
import { refusalOf, type Problem } from '../../api/calls.svelte.ts';
import { linkOf } from '../thumbnails/service-views.ts';
import lantern from '../../pictures/lantern.jpg?no-inline';

export type Sample =
  | { state: 'busy' }
  | { state: 'made'; before: string; after: string }
  | { state: 'failed'; problem: Problem };

/** Samples show the middle of the picture. */
const place = { x: 132, y: 88 };

export class ModelSamples {
  readonly all = new SvelteMap<string, Sample>();
  readonly #calls: PictureCalls;
  #picture: Promise<string> | undefined;

  constructor(calls: PictureCalls) {
    this.#calls = calls;
  }

  async make(model: ModelView): Promise<void> {
    this.forget(model.id);
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
  }

  close(): void {
    for (const id of [...this.all.keys()]) this.forget(id);
  }

  async #run({ id, task, scales }: ModelView): Promise<Sample> {
    try {
      const imageUrl = await (this.#picture ??= pictureUrl());
      const asked = { imageUrl, ...place, operation: task, scale: scaleFor(scales), models: [id] };
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
  const bytes = await (await fetch(lantern)).bytes();
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return `data:image/jpeg;base64,${btoa(binary)}`;
}
